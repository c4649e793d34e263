package dmarcreport

import (
	"bytes"
	"strings"
)

// Dialect is the evidence for which document a report follows. It never
// decides how the report is read: real reporters mix the forms. It only says
// whose rules a finding is about.
type Dialect struct {
	Namespace string   `json:"namespace,omitempty"` // of the root, as declared
	RFC7489   int      `json:"rfc7489"`             // marks that only RFC 7489 reports have
	RFC9990   int      `json:"rfc9990"`             // marks that only RFC 9990 reports have
	Evidence  []string `json:"evidence,omitempty"`
}

// Likely returns "RFC 9990" where more speaks for it than for RFC 7489, else
// "RFC 7489".
func (d *Dialect) Likely() string {
	if d.RFC9990 > d.RFC7489 {
		return "RFC 9990"
	}
	return "RFC 7489"
}

// root takes what the root's tag says of the dialect.
func (d *decoder) root(t *token) {
	p, _, ok := bytes.Cut(t.name, []byte{':'})
	ns := ""
	if ok {
		d.prefix = string(p)
		ns = attribute(t.attrs, "xmlns:"+d.prefix)
	} else {
		ns = attribute(t.attrs, "xmlns")
	}
	d.dialect.Namespace = ns
	switch {
	case strings.HasPrefix(ns, "urn:ietf:params:xml:ns:dmarc-2"):
		d.score("RFC 9990", 2, "namespace "+cut([]byte(ns)))
	case dmarcNamespace(ns):
		d.score("RFC 7489", 2, "namespace "+cut([]byte(ns)))
	}
}

func dmarcNamespace(ns string) bool {
	return strings.HasPrefix(ns, "http://dmarc.org/dmarc-xml/") || strings.HasPrefix(ns, "urn:ietf:params:xml:ns:dmarc-") ||
		strings.HasPrefix(ns, "https://dmarc.org/dmarc-xml/")
}

// evidence counts what an element or word says of the dialect, once.
func (d *decoder) evidence(id elementID, standard, what string) {
	if bit := uint64(1) << id; d.marks&bit == 0 {
		d.marks |= bit
		d.score(standard, 1, what)
	}
}

func (d *decoder) score(standard string, points int, what string) {
	if standard == "RFC 9990" {
		d.dialect.RFC9990 += points
	} else {
		d.dialect.RFC7489 += points
	}
	d.dialect.Evidence = append(d.dialect.Evidence, standard+": "+what)
}
