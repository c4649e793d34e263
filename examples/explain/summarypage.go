package main

import (
	_ "embed"
	"html/template"
	"io"
	"strings"
	"unicode/utf8"
)

//go:embed summary.html
var summarySource string

var summaryTemplate = template.Must(template.New("summary").Funcs(template.FuncMap{
	"shown":    func(rows []row) []row { return rows[:min(len(rows), maxRows)] },
	"more":     func(rows []row) int { return len(rows) - min(len(rows), maxRows) },
	"clean":    clean,
	"textlist": func(list []string) string { return clean(strings.Join(list[:min(len(list), 5)], ", ")) },
}).Parse(summarySource))

// writePage writes the self-contained page. Every text of a report is data to
// the template.
func (s *summary) writePage(w io.Writer) error {
	return summaryTemplate.Execute(w, struct {
		*summary
		Tables []table
	}{s, s.tables()})
}

// clean replaces controls of a report, which turn text round on a page.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if drives(r) {
			return utf8.RuneError
		}
		return r
	}, s)
}
