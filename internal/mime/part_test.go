package mime

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// outline writes a mail's parts, one a line: path, type, body, and whether it is cut.
func outline(p *Part) (lines []string) {
	if len(p.Parts) == 0 {
		cut := ""
		if p.Cut {
			cut = " cut"
		}
		lines = append(lines, fmt.Sprintf("%s %s %q%s", p.Path, p.Type, p.Body, cut))
	}
	for _, child := range p.Parts {
		lines = append(lines, outline(child)...)
	}
	return lines
}

// TestMultiparts splits bodies as RFC 2046 section 5.1 has them, and as it does
// not.
func TestMultiparts(t *testing.T) {
	const head = "Content-Type: multipart/mixed; boundary=b\n"
	for name, test := range map[string]struct {
		mail    string
		parts   []string
		defects []DefectKind
	}{
		"two parts":                    {head + "\n--b\n\none\n--b\n\ntwo\n--b--\n", []string{`1 text/plain "one"`, `2 text/plain "two"`}, nil},
		"preamble and epilogue":        {head + "\nignored\n--b\n\none\n--b--\nignored\n--b\n\nno part\n", []string{`1 text/plain "one"`}, nil},
		"CRLF":                         {"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\none\r\ntwo\r\n--b--\r\n", []string{`1 text/plain "one\r\ntwo"`}, nil},
		"a line break of the part":     {head + "\n--b\n\none\n\n--b--\n", []string{`1 text/plain "one\n"`}, nil},
		"an empty part":                {head + "\n--b\n--b--\n", []string{`1 text/plain ""`}, nil},
		"a part's own header":          {head + "\n--b\nContent-Type: Text/HTML; charset=x\n\none\n--b--\n", []string{`1 text/html "one"`}, nil},
		"blanks behind a boundary":     {head + "\n--b \t\n\none\n--b-- \n", []string{`1 text/plain "one"`}, nil},
		"a boundary that goes on":      {head + "\n--b\n\none\n--bc\ntwo\n--b--\n", []string{`1 text/plain "one\n--bc\ntwo"`}, nil},
		"a boundary within a line":     {head + "\n--b\n\none --b\n--b--\n", []string{`1 text/plain "one --b"`}, nil},
		"a quoted boundary":            {"Content-Type: multipart/mixed; boundary=\"a b\\\"c\"\n\n--a b\"c\n\none\n--a b\"c--\n", []string{`1 text/plain "one"`}, nil},
		"a folded Content-Type":        {"Content-Type: multipart/mixed;\n\tboundary=\"b\"\n\n--b\n\none\n--b--\n", []string{`1 text/plain "one"`}, nil},
		"no end":                       {head + "\n--b\n\none\n--b\n\ntwo\n", []string{`1 text/plain "one"`, `2 text/plain "two\n" cut`}, []DefectKind{NoClosing}},
		"cut within a boundary":        {head + "\n--b\n\none\n-", []string{`1 text/plain "one\n-" cut`}, []DefectKind{NoClosing}},
		"no boundary named":            {"Content-Type: multipart/mixed\n\n--x.y\nA: b\n\none\n--x.y--\n", []string{`1 text/plain "one"`}, []DefectKind{NoBoundary}},
		"another boundary named":       {head + "\n--x.y\n\none\n--x.y--\n", []string{`1 text/plain "one"`}, []DefectKind{WrongBoundary}},
		"no boundary at all":           {head + "\nno parts\n", []string{` multipart/mixed "no parts\n"`}, []DefectKind{WrongBoundary}},
		"neither named nor there":      {"Content-Type: multipart/mixed\n\nno parts\n", []string{` multipart/mixed "no parts\n"`}, []DefectKind{NoBoundary}},
		"a rule is no boundary":        {"Content-Type: multipart/mixed\n\n------\n\none\n", []string{` multipart/mixed "------\n\none\n"`}, []DefectKind{NoBoundary}},
		"multipart within multipart":   {head + "\n--b\nContent-Type: multipart/alternative; boundary=c\n\n--c\n\none\n--c\n\ntwo\n--c--\n--b\n\nthree\n--b--\n", []string{`1.1 text/plain "one"`, `1.2 text/plain "two"`, `2 text/plain "three"`}, nil},
		"the inner one does not end":   {head + "\n--b\nContent-Type: multipart/alternative; boundary=c\n\n--c\n\none\n--b\n\ntwo\n--b--\n", []string{`1.1 text/plain "one" cut`, `2 text/plain "two"`}, []DefectKind{NoClosing}},
		"a message is not taken apart": {head + "\n--b\nContent-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=c\n\n--c\n--b--\n", []string{`1 message/rfc822 "Content-Type: multipart/mixed; boundary=c\n\n--c"`}, nil},
		"a header without its end":     {head + "\n--b\nA: b\n--b--\n", []string{`1 text/plain ""`}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			p, defects := Parse(test.mail, Limits{})
			if got := outline(p); !slices.Equal(got, test.parts) || !slices.Equal(kinds(defects), test.defects) {
				t.Errorf("%q, defects %v; want %q, %v", got, kinds(defects), test.parts, test.defects)
			}
		})
	}
}

func TestPartsSayWhereTheyStand(t *testing.T) {
	mail := "Content-Type: multipart/mixed; boundary=b\n\n--b\nA: b\n\none\n--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\ntwo\n--c--\n--b--\n"
	p, _ := Parse(mail, Limits{})
	for _, part := range []*Part{p, p.Parts[0], p.Parts[1], p.Parts[1].Parts[0]} {
		if !strings.HasPrefix(mail[part.Offset:], part.Body) {
			t.Errorf("part %q: offset %d is not where %q stands", part.Path, part.Offset, part.Body)
		}
	}
	if f := p.Parts[0].Header[0]; !strings.HasPrefix(mail[f.Offset:], "A: b") {
		t.Errorf("the field of part 1: offset %d", f.Offset)
	}
}

func TestLimits(t *testing.T) {
	var deep strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&deep, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%[1]d\n", i)
	}
	many := "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n\nx\n", 2000) + "--b--\n"
	for name, test := range map[string]struct {
		mail   string
		limits Limits
		depth  int
		parts  int // with the mail itself
		defect DefectKind
	}{
		"a thousand deep":             {deep.String(), Limits{}, 20, 21, TooDeep},
		"a depth of two":              {deep.String(), Limits{Depth: 2}, 2, 3, TooDeep},
		"a thousand deep, all wanted": {deep.String(), Limits{Depth: -1, Parts: -1}, 1000, 1001, NoClosing},
		"two thousand parts":          {many, Limits{}, 1, 1000, TooManyParts},
		"two thousand, three wanted":  {many, Limits{Parts: 3}, 1, 3, TooManyParts},
	} {
		p, defects := Parse(test.mail, test.limits)
		if !slices.Contains(kinds(defects), test.defect) || len(defects) > maxDefects {
			t.Errorf("%s: %d defects, %v not among them", name, len(defects), test.defect)
		}
		if depth, parts := measure(p); depth != test.depth || parts != test.parts {
			t.Errorf("%s: %d deep, %d parts; want %d, %d", name, depth, parts, test.depth, test.parts)
		}
	}
}

func measure(p *Part) (depth, parts int) {
	parts = 1
	for _, child := range p.Parts {
		d, n := measure(child)
		depth, parts = max(depth, d+1), parts+n
	}
	return depth, parts
}

// A gateway that drops the Content-Type leaves the parts: a body that begins
// with one and ends the boundary is a multipart, and nothing else is.
func TestPartsWithoutAContentType(t *testing.T) {
	const parts = "--part1\nContent-Type: text/plain\n\none\n--part1\nContent-Type: text/html\n\n<p>two\n--part1--\n"
	for name, test := range map[string]struct {
		mail string
		want int
	}{
		"at once":                    {"Subject: x\n\n" + parts, 2},
		"behind a line about MIME":   {"Subject: x\n\nThis is a multi-part message in MIME format.\n\n" + parts, 2},
		"behind another text":        {"Subject: x\n\nHello,\n\n" + parts, 0},
		"declared as something":      {"Content-Type: text/plain\n\n" + parts, 0},
		"not ended":                  {"Subject: x\n\n" + strings.TrimSuffix(parts, "--part1--\n"), 0},
		"no header":                  {"\n" + parts, 0},
		"a signature":                {"Subject: x\n\n--\nContent-free mail\n----\n", 0},
		"no field of MIME's":         {"Subject: x\n\n--part1\nFrom: a@example.org\n\none\n--part1--\n", 0},
		"the line is the last":       {"Subject: x\n\n--part1\n", 0},
		"parts of a part's own kind": {"Content-Type: multipart/mixed; boundary=o\n\n--o\n\n" + parts + "--o--\n", 1},
	} {
		root, _ := Parse(test.mail, Limits{})
		if len(root.Parts) != test.want {
			t.Errorf("%s: %d parts, want %d", name, len(root.Parts), test.want)
		}
	}
}
