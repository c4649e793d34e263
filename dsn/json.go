package dsn

import (
	"encoding/json"

	"github.com/mailfault/mailfault/internal/lists"
)

// MarshalJSON writes absent lists as [], never null.
func (r Report) MarshalJSON() ([]byte, error) {
	type plain Report
	r.Recipients, r.Extensions, r.Findings = lists.Filled(r.Recipients), lists.Filled(r.Extensions), lists.Filled(r.Findings)
	return json.Marshal(plain(r))
}

// MarshalJSON writes absent lists as [], never null.
func (rc Recipient) MarshalJSON() ([]byte, error) {
	type plain Recipient
	rc.Extensions = lists.Filled(rc.Extensions)
	return json.Marshal(plain(rc))
}

// MarshalJSON writes absent lists as [], never null.
func (d Disposition) MarshalJSON() ([]byte, error) {
	type plain Disposition
	d.Modifiers, d.Errors, d.Failures = lists.Filled(d.Modifiers), lists.Filled(d.Errors), lists.Filled(d.Failures)
	d.Warnings, d.Fields = lists.Filled(d.Warnings), lists.Filled(d.Fields)
	return json.Marshal(plain(d))
}

// MarshalJSON writes absent lists as [], never null.
func (f Feedback) MarshalJSON() ([]byte, error) {
	type plain Feedback
	f.OriginalRcptTo, f.AuthenticationResults = lists.Filled(f.OriginalRcptTo), lists.Filled(f.AuthenticationResults)
	f.ReportedDomains, f.ReportedURIs = lists.Filled(f.ReportedDomains), lists.Filled(f.ReportedURIs)
	f.RemovalRecipients, f.IdentityAlignment = lists.Filled(f.RemovalRecipients), lists.Filled(f.IdentityAlignment)
	f.SPFDNS, f.Fields = lists.Filled(f.SPFDNS), lists.Filled(f.Fields)
	return json.Marshal(plain(f))
}

// MarshalJSON writes absent lists as [], never null.
func (t Thread) MarshalJSON() ([]byte, error) {
	type plain Thread
	t.InReplyTo, t.References = lists.Filled(t.InReplyTo), lists.Filled(t.References)
	return json.Marshal(plain(t))
}

// MarshalJSON writes absent lists as [], never null.
func (o Origin) MarshalJSON() ([]byte, error) {
	type plain Origin
	o.Grounds = lists.Filled(o.Grounds)
	return json.Marshal(plain(o))
}

// MarshalJSON writes absent lists as [], never null.
func (a OriginalAddress) MarshalJSON() ([]byte, error) {
	type plain OriginalAddress
	a.Sources = lists.Filled(a.Sources)
	return json.Marshal(plain(a))
}

// MarshalJSON writes absent lists as [], never null.
func (p ReturnPath) MarshalJSON() ([]byte, error) {
	type plain ReturnPath
	p.Layers = lists.Filled(p.Layers)
	return json.Marshal(plain(p))
}
