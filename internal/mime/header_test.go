package mime

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func kinds(defects []Defect) (list []DefectKind) {
	for _, d := range defects {
		list = append(list, d.Kind)
	}
	return list
}

// TestHeaders reads headers as RFC 5322 section 2.2 has them, and as it does not.
func TestHeaders(t *testing.T) {
	for name, test := range map[string]struct {
		mail    string
		fields  []string // "Name=value"
		body    string
		defects []DefectKind
	}{
		"one field":                        {"A: b\n\nc\n", []string{"A=b"}, "c\n", nil},
		"CRLF":                             {"A: b\r\nC: d\r\n\r\ne\r\n", []string{"A=b", "C=d"}, "e\r\n", nil},
		"CR alone":                         {"A: b\rC: d\r\re\r", []string{"A=b", "C=d"}, "e\n", nil},
		"folds":                            {"A: b\n c\n\td\n\n", []string{"A=b c d"}, "", nil},
		"a fold with blanks around":        {"A:  b  \n   c  \n\n", []string{"A=b c"}, "", nil},
		"runs of blanks":                   {"A: b  c\t d\n\n", []string{"A=b c d"}, "", nil},
		"a value in the next line":         {"A:\n b\n\n", []string{"A=b"}, "", nil},
		"an empty value":                   {"A:\n\nx", []string{"A="}, "x", nil},
		"no blank behind the colon":        {"A:b:c\n\n", []string{"A=b:c"}, "", nil},
		"a blank before the colon":         {"A : b\n\n", []string{"A=b"}, "", nil},
		"blank lines before":               {"\n\r\nA: b\n\nc", []string{"A=b"}, "c", nil},
		"cut in the header":                {"A: b\nC: d", []string{"A=b", "C=d"}, "", nil},
		"no header":                        {"hello there\nA: b\n", nil, "hello there\nA: b\n", nil},
		"nothing":                          {"", nil, "", nil},
		"a line of an mbox":                {"From a@b.example Mon\nA: b\n\nc", []string{"A=b"}, "c", []DefectKind{MboxLine}},
		"an escaped line of an mbox":       {">From a@b.example Mon\nA: b\n\nc", []string{"A=b"}, "c", []DefectKind{MboxLine}},
		"a line without a colon":           {"A: b\nlost\nC: d\n\n", []string{"A=b lost", "C=d"}, "", []DefectKind{NoColon}},
		"a name with a blank in it":        {"A: b\nnot a name: c\n\n", []string{"A=b not a name: c"}, "", []DefectKind{NoColon}},
		"a boundary before the blank line": {"A: b\n--x\nC: d\n", []string{"A=b"}, "--x\nC: d\n", []DefectKind{NoBlankLine}},
		"a line of blanks, then the body":  {"A: b\n  \nthe body\n", []string{"A=b"}, "the body\n", nil},
		"a line of blanks, then a field":   {"A: b\n  \nC: d\n\n", []string{"A=b", "C=d"}, "", nil},
		"a line of blanks, then a fold":    {"A: b\n  \n c\n\n", []string{"A=b c"}, "", nil},
		"bytes that are no UTF-8":          {"A: \xff\n\n", []string{"A=\xff"}, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			p, defects := Parse(test.mail, Limits{})
			var fields []string
			for _, f := range p.Header {
				fields = append(fields, f.Name+"="+f.Value())
			}
			if !slices.Equal(fields, test.fields) || p.Body != test.body || !slices.Equal(kinds(defects), test.defects) {
				t.Errorf("%q, body %q, defects %v; want %q, %q, %v", fields, p.Body, kinds(defects), test.fields, test.body, test.defects)
			}
		})
	}
}

func TestFieldsSayWhereTheyStand(t *testing.T) {
	mail := "\nOne: 1\nTwo: 2\n folded\nThree: 3\n\nbody"
	p, _ := Parse(mail, Limits{})
	for _, f := range p.Header {
		if !strings.HasPrefix(mail[f.Offset:], f.Name+":"+f.Raw) {
			t.Errorf("%s: offset %d", f.Name, f.Offset)
		}
	}
	if mail[p.Offset:] != "body" {
		t.Errorf("the body's offset is %d", p.Offset)
	}
}

func TestNamesInAnyCase(t *testing.T) {
	h, _ := Message("Received: 1\nRECEIVED: 2\nX: \n\n")
	if got := h.All("received"); !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("All: %q", got)
	}
	if h.Get("rEcEiVeD") != "1" || !h.Has("x") || h.Has("y") || h.Get("y") != "" {
		t.Error("Get or Has")
	}
}

// TestManyFields has one more than are kept, and what stands behind them.
func TestManyFields(t *testing.T) {
	p, defects := Parse(strings.Repeat("A: b\n", maxFields+1)+"C: d\n\nbody", Limits{})
	if len(p.Header) != maxFields || p.Body != "body" || !slices.Equal(kinds(defects), []DefectKind{TooManyFields}) {
		t.Errorf("%d fields, body %q, %v", len(p.Header), p.Body, kinds(defects))
	}
}

// TestGroups reads the groups of RFC 3464 section 2.1.
func TestGroups(t *testing.T) {
	body := "\n\nA: 1\nB: 2\n folded\n \nC: 3\nno field\n\n\n"
	var groups []string
	room := make(Header, 0, 4)
	for at := 0; at < len(body); {
		group, next, _ := ReadGroup(room, body, at)
		var text strings.Builder
		for _, f := range group {
			text.WriteString(fmt.Sprintf("%s=%s@%d;", f.Name, f.Value(), f.Offset))
		}
		groups, room, at = append(groups, text.String()), group, next
	}
	if want := []string{"A=1@2;B=2 folded@7;", "C=3 no field@22;", ""}; !slices.Equal(groups, want) {
		t.Errorf("%q, want %q", groups, want)
	}
}
