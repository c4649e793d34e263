package dmarcreport_test

import (
	"slices"
	"strings"
	"testing"
)

// TestPrefixes reads a report whose records have a prefix. What it is bound to
// decides (Namespaces in XML 1.0 section 6), not what it is called.
func TestPrefixes(t *testing.T) {
	prefixed := func(root, record string) string {
		s := strings.Replace(sample, "<feedback>", "<feedback "+root+">", 1)
		for _, name := range []string{"record", "row", "source_ip", "count", "policy_evaluated", "identifiers", "header_from"} {
			s = strings.ReplaceAll(s, "<"+name+">", "<d:"+name+">")
			s = strings.ReplaceAll(s, "</"+name+">", "</d:"+name+">")
		}
		return strings.Replace(s, "<d:record>", "<d:record "+record+">", 1)
	}
	const lost, none = 1, 0
	for _, tt := range []struct {
		name, root, record string
		lost               int
	}{
		{"bound to RFC 7489's at the record", "", `xmlns:d="http://dmarc.org/dmarc-xml/0.1"`, none},
		{"bound to RFC 9990's at the record", "", `xmlns:d="urn:ietf:params:xml:ns:dmarc-2.0"`, none},
		{"bound to a draft's at the root", `xmlns:d="http://dmarc.org/dmarc-xml/0.2"`, "", none},
		{"bound to the document's own", `xmlns="urn:a:reporter" xmlns:d='urn:a:reporter'`, "", none},
		{"bound to nothing", "", "", lost},
		{"bound to a foreign one", `xmlns:d="urn:other"`, "", lost},
		{"bound to a foreign one within", `xmlns:d="http://dmarc.org/dmarc-xml/0.1"`, `xmlns:d="urn:other"`, lost},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := read(t, prefixed(tt.root, tt.record))
			if got := len(r.Records); got != 1-tt.lost {
				t.Errorf("%d records", got)
			}
			if got := slices.Contains(ids(r.Findings), "other-namespace"); got != (tt.lost == lost) {
				t.Errorf("findings %v", ids(r.Findings))
			}
			if tt.lost == none && (r.Records[0].Count != 12 || r.Records[0].HeaderFrom != "sender.example" || len(r.Metadata.Extensions) > 0) {
				t.Errorf("%+v, extensions %v", r.Records[0], r.Metadata.Extensions)
			}
		})
	}
}

// TestBindingEndsWithItsElement takes a prefix for what it is bound to where
// it stands.
func TestBindingEndsWithItsElement(t *testing.T) {
	const foreign = `<x:note xmlns:x="urn:other" xmlns:d="urn:other"><d:a>1</d:a></x:note><x:b/>`
	s := strings.Replace(sample, "<feedback>", `<feedback xmlns:d="http://dmarc.org/dmarc-xml/0.1">`, 1)
	s = strings.Replace(s, "<record>", foreign+"<d:record>", 1)
	s = strings.Replace(s, "</record>", "</d:record>", 1)
	r := read(t, s)
	if len(r.Records) != 1 || !slices.Equal(r.Metadata.Extensions, []string{"x:note", "x:b"}) {
		t.Errorf("%d records, extensions %v, findings %v", len(r.Records), r.Metadata.Extensions, ids(r.Findings))
	}
}
