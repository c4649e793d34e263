package dsn

import (
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// htmlText returns what an HTML page shows as lines of text.
func htmlText(page string) string {
	if len(page) > maxText {
		page = page[:maxText]
	}
	var b strings.Builder
	hidden, verbatim := 0, 0
	for z := html.NewTokenizer(strings.NewReader(page)); ; {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.TextToken:
			switch {
			case hidden > 0:
			case verbatim > 0:
				b.WriteString(strings.ReplaceAll(strings.ReplaceAll(string(z.Text()), "\r", ""), "\u00a0", " "))
			default:
				b.WriteString(strings.ReplaceAll(strings.Join(strings.FieldsFunc(string(z.Text()), isHTMLSpace), " "), "\u00a0", " "))
				b.WriteByte(' ')
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			switch tag := atom.Lookup(name); tag {
			case atom.Script, atom.Style, atom.Head, atom.Title:
				hidden++
			case atom.Body:
				hidden = 0
			case atom.Pre, atom.Textarea, atom.Listing, atom.Xmp:
				verbatim++
				b.WriteByte('\n')
			default:
				b.WriteString(lineBreaks[tag])
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			switch tag := atom.Lookup(name); tag {
			case atom.Script, atom.Style, atom.Head, atom.Title:
				hidden = max(0, hidden-1)
			case atom.Pre, atom.Textarea, atom.Listing, atom.Xmp:
				verbatim = max(0, verbatim-1)
				b.WriteByte('\n')
			default:
				b.WriteString(lineBreaks[tag])
			}
		}
	}
}

func isHTMLSpace(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\f' }

// lineBreaks are the breaks that elements make.
var lineBreaks = map[atom.Atom]string{atom.Br: "\n", atom.P: "\n\n", atom.Div: "\n", atom.Tr: "\n", atom.Li: "\n", atom.Table: "\n", atom.H1: "\n\n", atom.H2: "\n\n", atom.H3: "\n\n", atom.H4: "\n\n", atom.Blockquote: "\n", atom.Hr: "\n\n", atom.Ul: "\n", atom.Ol: "\n", atom.Td: " "}

func parseTime3339(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}
	}
	return t
}
