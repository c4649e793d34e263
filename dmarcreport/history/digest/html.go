package digest

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"sync"
)

//go:embed digest.html
var page string

// parsed is built once and read only.
var parsed = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("digest").Funcs(template.FuncMap{
		"plain":    Plain,
		"sentence": Sentence,
		"late":     LateSentence,
	}).Parse(page))
})

// HTML writes the digest as a page that needs nothing but itself. Its charts
// have the addresses that chart returns for the domain of an index, such as
// "cid:..." in a mail; where chart is nil there are none.
func (d *Digest) HTML(w io.Writer, chart func(i int) string) error {
	type view struct {
		*Domain
		Chart template.URL
		Alt   string
	}
	data := struct {
		*Digest
		Title string
		Views []view
	}{Digest: d, Title: d.Subject()}
	for i := range d.Domains {
		v := view{Domain: &d.Domains[i]}
		if chart != nil && v.State != NoReports {
			v.Chart = template.URL(chart(i)) // the caller's own, never a report's
			v.Alt = fmt.Sprintf("Messages a day: %d passed, %d failed, %d by forwarders and lists.", v.Pass, v.Fail, v.Muted)
		}
		data.Views = append(data.Views, v)
	}
	return parsed().Execute(w, data)
}
