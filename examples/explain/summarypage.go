package main

import (
	"io"

	webpage "github.com/mailfault/mailfault/examples/internal/page"
)

// writePage writes the self-contained page. Every text of a report is data to
// the template.
func (s *summary) writePage(w io.Writer) error {
	return webpage.Write(w, pageTemplate, "summary", struct {
		*summary
		Tables []table
	}{s, s.tables()})
}
