package page

import (
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/idna"
)

// HTMLText is the text of an HTML body, hidden words too: what it hides is part
// of what it says. Scripts and styles are left out.
func HTMLText(source string) string {
	var b strings.Builder
	skip := 0
	z := html.NewTokenizer(strings.NewReader(source))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			if z.Err() != io.EOF {
				b.WriteString("\n(cut: " + z.Err().Error() + ")")
			}
			return strings.TrimSpace(b.String())
		}
		name, _ := z.TagName()
		tag := atom.Lookup(name)
		switch {
		case tag == atom.Script || tag == atom.Style || tag == atom.Title:
			if kind == html.StartTagToken {
				skip++
			} else if kind == html.EndTagToken {
				skip = max(0, skip-1)
			}
		case kind == html.TextToken && skip == 0:
			text := strings.Join(strings.Fields(string(z.Text())), " ")
			if text != "" {
				b.WriteString(text + " ")
			}
		case tag == atom.Br, tag == atom.P, tag == atom.Div, tag == atom.Tr, tag == atom.H1, tag == atom.H2, tag == atom.Li, tag == atom.Table:
			if s := b.String(); s != "" && !strings.HasSuffix(s, "\n\n") {
				b.WriteString("\n")
			}
		}
	}
}

// Address shows an address; a domain with letters beyond ASCII, which can look
// like another one, is followed by the form that DNS knows it in.
func Address(address string) string {
	domain := address[strings.LastIndexByte(address, '@')+1:]
	if strings.IndexFunc(domain, func(r rune) bool { return r > 0x7e }) < 0 {
		return address
	}
	ascii, err := idna.ToASCII(domain)
	if err != nil {
		ascii = "no name that DNS could know"
	}
	return address + " (" + ascii + ")"
}
