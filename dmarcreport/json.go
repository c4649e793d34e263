package dmarcreport

import (
	"encoding/json"

	"github.com/mailfault/mailfault/internal/lists"
)

// MarshalJSON writes absent lists as [], never null.
func (s Source) MarshalJSON() ([]byte, error) {
	type plain Source
	s.Reporters, s.Addresses, s.HeaderFroms = lists.Filled(s.Reporters), lists.Filled(s.Addresses), lists.Filled(s.HeaderFroms)
	s.DKIMPasses, s.SPFPasses, s.Evidence = lists.Filled(s.DKIMPasses), lists.Filled(s.SPFPasses), lists.Filled(s.Evidence)
	return json.Marshal(plain(s))
}

// MarshalJSON writes absent lists as [], never null.
func (r Report) MarshalJSON() ([]byte, error) {
	type plain Report
	r.Records, r.Findings = lists.Filled(r.Records), lists.Filled(r.Findings)
	return json.Marshal(plain(r))
}

// MarshalJSON writes absent lists as [], never null.
func (f FailureReport) MarshalJSON() ([]byte, error) {
	type plain FailureReport
	f.Fields, f.Findings = lists.Filled(f.Fields), lists.Filled(f.Findings)
	return json.Marshal(plain(f))
}

// MarshalJSON writes absent lists as [], never null.
func (r TLSReport) MarshalJSON() ([]byte, error) {
	type plain TLSReport
	r.Policies, r.Findings = lists.Filled(r.Policies), lists.Filled(r.Findings)
	return json.Marshal(plain(r))
}
