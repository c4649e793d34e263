package dsn

import (
	"encoding/base64"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/internal/corpora"
)

// textForms are what mail programs and servers make of a text on its way.
var textForms = []struct {
	name, subtype string
	share         int // of the corpus that has to come out the same, in percent
	form          func(text string) string
}{
	{"trailing blanks", "plain", 98, func(s string) string { return strings.ReplaceAll(s, "\n", " \t\n") }},
	{"indented", "plain", 97, func(s string) string { return "    " + strings.ReplaceAll(s, "\n", "\n    ") }},
	{"a blank line after each", "plain", 99, func(s string) string { return strings.ReplaceAll(s, "\n", "\n\n") }},
	{"wrapped", "plain", 90, func(s string) string { return wrapped(s, 60) }},
	{"HTML with breaks", "html", 98, func(s string) string {
		return "<html><body>" + strings.ReplaceAll(html.EscapeString(s), "\n", "<br>\n") + "</body></html>"
	}},
	{"HTML with lines as they are", "html", 100, func(s string) string {
		return "<html><head><style>pre{}</style></head><body><pre>" + html.EscapeString(s) + "</pre></body></html>"
	}},
	{"HTML with a paragraph a line", "html", 97, func(s string) string {
		return "<html><body><p>" + strings.ReplaceAll(html.EscapeString(s), "\n", "</p>\n<p>") + "</p></body></html>"
	}},
}

// wrapped breaks long lines at blanks and does not indent what goes on.
func wrapped(text string, width int) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		for len(line) > width {
			i := strings.LastIndexByte(line[:width], ' ')
			if i <= len(line)-len(strings.TrimLeft(line, " ")) {
				break
			}
			out = append(out, line[:i])
			line = line[i+1:]
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// TestTheFormOfATextMakesLittleDifference puts the text of every bounce
// without fields into other forms. What a form loses, such as which lines were
// one, cannot come back; hence the shares.
func TestTheFormOfATextMakesLittleDifference(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpora.Dir(t, "bounces", "eml"), "*.eml"))
	if err != nil {
		t.Fatal(err)
	}
	said := func(r *Report) string {
		var b strings.Builder
		for _, x := range r.Recipients {
			fmt.Fprintln(&b, x.FinalRecipient.Address, x.Status, x.RemoteMTA.Host, x.Diagnostic.Text)
		}
		return strings.ToLower(strings.Join(strings.Fields(b.String()), " "))
	}
	type original struct {
		name, header, text, said string
	}
	var originals []original
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Read(strings.NewReader(string(data)))
		if err != nil || r.Format != Prose || len(r.Recipients) == 0 || strings.TrimSpace(r.Explanation.Text) == "" {
			continue
		}
		o := original{name: filepath.Base(file), text: r.Explanation.Text}
		for _, name := range []string{"Return-Path", "From", "To", "Subject", "X-Failed-Recipients", "X-Mailer"} {
			o.header += name + ": " + r.Header.Get(name) + "\n"
		}
		if r, err = Read(strings.NewReader(formed(o.header, "plain", o.text))); err == nil {
			o.said = said(r)
			originals = append(originals, o)
		}
	}
	for _, f := range textForms {
		same := 0
		for _, o := range originals {
			r, _ := Read(strings.NewReader(formed(o.header, f.subtype, f.form(o.text))))
			if got := said(r); got == o.said {
				same++
			} else {
				t.Logf("%s, %s:\n%s\nwant\n%s", f.name, o.name, got, o.said)
			}
		}
		if same < len(originals)*f.share/100 {
			t.Errorf("%s: %d of %d, want %d %%", f.name, same, len(originals), f.share)
		}
	}
}

func formed(header, subtype, text string) string {
	return header + "MIME-Version: 1.0\nContent-Type: text/" + subtype + "; charset=utf-8\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(text)) + "\n"
}

func TestSingleSpaced(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"a blank line after each":     {"a\n\nb\n\n\n\nc\n\nd\n\ne\n\nf\n", "a\nb\n\nc\nd\ne\nf\n"},
		"two after each":              {"a\n\n\nb\n\n\n\n\nc\n\n\nd\n\n\ne\n\n\nf", "a\nb\n\nc\nd\ne\nf"},
		"paragraphs":                  {"a\n\nb\n\nc\n\nd\n\ne\n\nf\n", "a\n\nb\n\nc\n\nd\n\ne\n\nf\n"},
		"two lines that belong":       {"a\n\nb\n\n\n\nc\nd\n\ne\n\nf\n\ng\n", "a\n\nb\n\n\n\nc\nd\n\ne\n\nf\n\ng\n"},
		"too few lines to be told by": {"a\n\nb\n\n\n\nc\n", "a\n\nb\n\n\n\nc\n"},
		"nothing":                     {"\n\n", "\n\n"},
	} {
		if got := singleSpaced(test.text); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

func TestAReplyBrokenBehindItsCodeIsWhole(t *testing.T) {
	for _, codes := range []string{"550", "550 5.1.1", "450 4.2.0"} {
		r, err := Read(strings.NewReader("From: MAILER-DAEMON@mx.o.example\nSubject: Undelivered Mail Returned to Sender\n\nThis is the mail system at host mx.o.example.\n\n<gone@example.net>: host mx.example.net[192.0.2.1] said: " + codes + "\n<gone@example.net>: Recipient address rejected\n"))
		if err != nil || len(r.Recipients) != 1 || r.Recipients[0].Diagnostic.Text != codes+" <gone@example.net>: Recipient address rejected" {
			t.Errorf("%s: %v %+v", codes, err, r.Recipients)
		}
	}
}
