package dmarcreport

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
