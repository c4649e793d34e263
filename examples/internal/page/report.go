package page

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"github.com/mailfault/mailfault/examples/internal/explained"
	"github.com/mailfault/mailfault/ndr"
	"github.com/mailfault/mailfault/smtpcode"
)

// Report is a report as a page shows it.
type Report struct {
	Doc        explained.Document
	Recipients []Recipient
	More       int      // recipients that are not shown
	Text       []Piece  // the report's own text
	Path       ndr.Path // the way the message took
	Forged     bool     // it is about mail that was not ours
	Ours       string   // how that is known, or what is
}

// Recipient is one recipient of a report.
type Recipient struct {
	explained.Recipient
	Columns []Column
	Replies [][]Piece // outermost first
}

// Bounds of what is shown.
const (
	maxShown   = 50
	maxReplies = 10
	maxText    = 64 << 10
	maxSteps   = 50
)

// NewReport lays a report out. The data it was read from is shown as its text
// where it has no other.
func NewReport(doc explained.Document, data []byte) *Report {
	v := &Report{Doc: doc, Path: pathOf(&doc)}
	var failures []smtpcode.Failure
	var diagnoses []smtpcode.Diagnosis
	for i, r := range doc.Recipients {
		if i == maxShown {
			v.More = len(doc.Recipients) - i
			break
		}
		failures, diagnoses = append(failures, r.Failure), append(diagnoses, r.Diagnosis)
		row := Recipient{Recipient: r, Columns: Columns(&r.Diagnosis)}
		for i, reply := range r.Failure.Replies[:min(len(r.Failure.Replies), maxReplies)] {
			row.Replies = append(row.Replies, MarkReply(reply.Raw, i, r.Diagnosis.Evidence))
		}
		v.Recipients = append(v.Recipients, row)
	}
	v.Text = MarkText(ownText(&doc, data), failures, diagnoses)
	return v
}

// ownText is the report's text for people; HTML is shown as its text.
func ownText(doc *explained.Document, data []byte) string {
	text := string(data)
	switch {
	case doc.Report != nil && strings.TrimSpace(doc.Report.Explanation.Text) != "":
		text = doc.Report.Explanation.Text
	case doc.Report != nil && doc.Report.Explanation.HTML != "":
		text = HTMLText(doc.Report.Explanation.HTML)
	case explained.Sniff(data) == explained.ShapeHTML:
		text = HTMLText(text)
	}
	if len(text) > maxText {
		text = text[:maxText] + "\n(cut here)"
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// pathOf is the way of the message, as the report or its header tells it.
func pathOf(doc *explained.Document) ndr.Path {
	p := ndr.Path{Slowest: -1}
	if doc.Notice != nil {
		p = doc.Notice.Path()
	}
	if len(p.Steps) == 0 && doc.Report != nil && doc.Report.Returned != nil {
		p = ndr.PathOf(doc.Report.Returned.Header)
	}
	p.Steps = p.Steps[:min(len(p.Steps), maxSteps)]
	if p.Slowest >= len(p.Steps) || p.Slowest >= 0 && p.Steps[p.Slowest].Delay < time.Minute {
		p.Slowest = -1 // nothing was slow
	}
	return p
}

// Funcs are the functions of [Parts].
var Funcs = template.FuncMap{
	"style":   func() template.CSS { return template.CSS(Style) },
	"address": Address, "delay": delay, "joined": joined,
	"date":   func(t time.Time) string { return t.UTC().Format("2 Jan 2006 15:04 UTC") },
	"forged": func() string { return explained.ForgedAdvice },
	"party": func(p smtpcode.Party) string {
		if p == smtpcode.Nobody || p == smtpcode.Unknown {
			return ""
		}
		return ", " + p.String()
	},
	"clock": func(t time.Time) string { return t.UTC().Format("2 Jan 2006 15:04:05 UTC") },
	"iso":   func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
}

// Parts are the templates of a report's parts: "parties" of Columns, "pieces"
// of a marked text, "timeline" of a Path, and "first"
// and "then" of a Diagnosis, "forged" of a report about mail that was not ours, and "head",
// with its title, of a page that is one file.
const Parts = `{{define "head"}}<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.}}</title>
<style>
{{style}}</style>{{end}}
{{define "parties"}}<ul class="parties" aria-label="Who acts">{{range .}}<li{{if .Clears}} class="acts"{{else if .Role}} class="then"{{end}}>{{.Name}}{{with .Role}}<b>{{.}}</b>{{end}}{{with .Who}}<small>{{joined .}}</small>{{end}}</li>{{end}}</ul>{{end}}
{{define "first"}}{{range $i, $step := .Steps}}{{if eq $i 0}}<p class="first"><b>First move{{party .Party}}:</b> {{.Text}}</p>{{end}}{{end}}{{end}}
{{define "then"}}{{range $i, $step := .Steps}}{{if $i}}<dt>Then {{.Party}}</dt><dd>{{.Text}}</dd>{{end}}{{end}}{{end}}
{{define "forged"}}<p class="first"><b>What to do:</b> {{forged}}</p>{{end}}
{{define "pieces"}}<pre>{{range .}}{{if .Mark}}<mark>{{.Text}}</mark>{{else}}{{.Text}}{{end}}{{end}}</pre>{{end}}
{{define "timeline"}}{{$slowest := .Slowest}}<ol class="timeline">{{range $i, $s := .Steps}}<li{{if eq $i $slowest}} class="slow"{{end}}>{{if not .At.IsZero}}<time datetime="{{iso .At}}">{{clock .At}}</time> {{end}}{{with .From}}{{.}} → {{end}}{{.By}}{{with .Operator}} <span class="tag">{{.}}</span>{{end}}{{with delay .Delay}} <span class="soft">{{.}}</span>{{end}}{{if eq $i $slowest}} <span class="bad">slowest</span>{{end}}</li>{{end}}</ol>{{end}}
`

// Write writes a page that is one file.
func Write(w io.Writer, t *template.Template, name string, data any) error {
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, name, data); err != nil {
		return err
	}
	_, err := w.Write(Clean(b.Bytes()))
	return err
}

func delay(d time.Duration) string {
	switch {
	case d == 0:
		return ""
	case d < 0:
		return spoken(-d) + " early: the clocks differ"
	}
	return "after " + spoken(d)
}

// spoken is a time without its zeros; two days and more are told as days.
func spoken(d time.Duration) string {
	const day = 24 * time.Hour
	days := ""
	if d >= 2*day {
		days = fmt.Sprintf("%d days ", d/day)
		if d = (d % day).Truncate(time.Minute); d == 0 {
			return strings.TrimSpace(days)
		}
	}
	s := d.String()
	if whole, ok := strings.CutSuffix(s, "m0s"); ok {
		s = whole + "m"
	}
	if whole, ok := strings.CutSuffix(s, "h0m"); ok {
		s = whole + "h"
	}
	return days + s
}

func joined(list []smtpcode.Party) string {
	words := make([]string, len(list))
	for i, p := range list {
		words[i] = strings.ReplaceAll(p.String(), "-", " ")
	}
	return strings.Join(words, ", then ")
}
