package dsn

import "encoding/json"

// MarshalJSON writes absent lists as [], never null.
func (r Report) MarshalJSON() ([]byte, error) {
	type plain Report
	r.Recipients, r.Extensions, r.Findings = filled(r.Recipients), filled(r.Extensions), filled(r.Findings)
	return json.Marshal(plain(r))
}

// MarshalJSON writes absent lists as [], never null.
func (rc Recipient) MarshalJSON() ([]byte, error) {
	type plain Recipient
	rc.Extensions = filled(rc.Extensions)
	return json.Marshal(plain(rc))
}

// MarshalJSON writes absent lists as [], never null.
func (d Disposition) MarshalJSON() ([]byte, error) {
	type plain Disposition
	d.Modifiers, d.Errors, d.Failures = filled(d.Modifiers), filled(d.Errors), filled(d.Failures)
	d.Warnings, d.Fields = filled(d.Warnings), filled(d.Fields)
	return json.Marshal(plain(d))
}

// MarshalJSON writes absent lists as [], never null.
func (f Feedback) MarshalJSON() ([]byte, error) {
	type plain Feedback
	f.OriginalRcptTo, f.AuthenticationResults = filled(f.OriginalRcptTo), filled(f.AuthenticationResults)
	f.ReportedDomains, f.ReportedURIs = filled(f.ReportedDomains), filled(f.ReportedURIs)
	f.RemovalRecipients, f.IdentityAlignment = filled(f.RemovalRecipients), filled(f.IdentityAlignment)
	f.SPFDNS, f.Fields = filled(f.SPFDNS), filled(f.Fields)
	return json.Marshal(plain(f))
}

// MarshalJSON writes absent lists as [], never null.
func (t Thread) MarshalJSON() ([]byte, error) {
	type plain Thread
	t.InReplyTo, t.References = filled(t.InReplyTo), filled(t.References)
	return json.Marshal(plain(t))
}

// MarshalJSON writes absent lists as [], never null.
func (o Origin) MarshalJSON() ([]byte, error) {
	type plain Origin
	o.Grounds = filled(o.Grounds)
	return json.Marshal(plain(o))
}

// MarshalJSON writes absent lists as [], never null.
func (a OriginalAddress) MarshalJSON() ([]byte, error) {
	type plain OriginalAddress
	a.Sources = filled(a.Sources)
	return json.Marshal(plain(a))
}

// MarshalJSON writes absent lists as [], never null.
func (p ReturnPath) MarshalJSON() ([]byte, error) {
	type plain ReturnPath
	p.Layers = filled(p.Layers)
	return json.Marshal(plain(p))
}

func filled[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
