package dnscheck

import (
	"encoding/json"
	"time"
)

// Durations are seconds in JSON, as in DNS; their fields have no key of their own.

func ofSeconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// MarshalJSON writes TTL in seconds, as ttl_seconds.
func (r SPFRecord) MarshalJSON() ([]byte, error) {
	type fields SPFRecord
	return json.Marshal(struct {
		fields
		Seconds float64 `json:"ttl_seconds"`
	}{fields(r), r.TTL.Seconds()})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *SPFRecord) UnmarshalJSON(data []byte) error {
	type fields SPFRecord
	in := struct {
		*fields
		Seconds float64 `json:"ttl_seconds"`
	}{fields: (*fields)(r)}
	err := json.Unmarshal(data, &in)
	r.TTL = ofSeconds(in.Seconds)
	return err
}

// MarshalJSON writes Expires in seconds, as expires_seconds.
func (f SPFFlattened) MarshalJSON() ([]byte, error) {
	type fields SPFFlattened
	return json.Marshal(struct {
		fields
		Seconds float64 `json:"expires_seconds"`
	}{fields(f), f.Expires.Seconds()})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *SPFFlattened) UnmarshalJSON(data []byte) error {
	type fields SPFFlattened
	in := struct {
		*fields
		Seconds float64 `json:"expires_seconds"`
	}{fields: (*fields)(f)}
	err := json.Unmarshal(data, &in)
	f.Expires = ofSeconds(in.Seconds)
	return err
}

// MarshalJSON writes MaxAge in seconds, as max_age_seconds.
func (p MTASTSPolicy) MarshalJSON() ([]byte, error) {
	type fields MTASTSPolicy
	return json.Marshal(struct {
		fields
		Seconds float64 `json:"max_age_seconds"`
	}{fields(p), p.MaxAge.Seconds()})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (p *MTASTSPolicy) UnmarshalJSON(data []byte) error {
	type fields MTASTSPolicy
	in := struct {
		*fields
		Seconds float64 `json:"max_age_seconds"`
	}{fields: (*fields)(p)}
	err := json.Unmarshal(data, &in)
	p.MaxAge = ofSeconds(in.Seconds)
	return err
}
