package dmarcreport

import "encoding/json"

// MarshalJSON writes absent lists as [], never null.
func (s Source) MarshalJSON() ([]byte, error) {
	type plain Source
	s.Reporters, s.Addresses, s.HeaderFroms = filled(s.Reporters), filled(s.Addresses), filled(s.HeaderFroms)
	s.DKIMPasses, s.SPFPasses, s.Evidence = filled(s.DKIMPasses), filled(s.SPFPasses), filled(s.Evidence)
	return json.Marshal(plain(s))
}

// MarshalJSON writes absent lists as [], never null.
func (r Report) MarshalJSON() ([]byte, error) {
	type plain Report
	r.Records, r.Findings = filled(r.Records), filled(r.Findings)
	return json.Marshal(plain(r))
}

// MarshalJSON writes absent lists as [], never null.
func (f FailureReport) MarshalJSON() ([]byte, error) {
	type plain FailureReport
	f.Fields, f.Findings = filled(f.Fields), filled(f.Findings)
	return json.Marshal(plain(f))
}

// MarshalJSON writes absent lists as [], never null.
func (r TLSReport) MarshalJSON() ([]byte, error) {
	type plain TLSReport
	r.Policies, r.Findings = filled(r.Policies), filled(r.Findings)
	return json.Marshal(plain(r))
}

func filled[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}
