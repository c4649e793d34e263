package dnscheck

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"github.com/mailfault/mailfault/internal/authres"
)

// ReceivedSPF is the value of a Received-SPF header field (RFC 7208 section 9.1).
type ReceivedSPF struct {
	Result       SPFResult  `json:"result"`
	Comment      string     `json:"comment,omitempty"` // in words, without parentheses around it
	ClientIP     netip.Addr `json:"client_ip,omitzero"`
	EnvelopeFrom string     `json:"envelope_from,omitempty"`
	HELO         string     `json:"helo,omitempty"`
	Receiver     string     `json:"receiver,omitempty"`
	Identity     string     `json:"identity,omitempty"`  // "mailfrom" or "helo"
	Mechanism    string     `json:"mechanism,omitempty"` // that decided; "default" when none did
	Problem      string     `json:"problem,omitempty"`   // of an error
}

// ErrNoSPFResult means that a field holds no result of RFC 7208.
var ErrNoSPFResult = errors.New("dnscheck: no SPF result")

// identity says which of the query's names was checked.
func (q *SPFQuery) identity() string {
	if q.from() == "" {
		return "helo"
	}
	return "mailfrom"
}

// decisive is the text of the term that decided, or "".
func (c *SPFCheck) decisive() string {
	if c.Term.End > c.Term.Start && c.Term.End <= len(c.Record) {
		return c.Record[c.Term.Start:c.Term.End]
	}
	return ""
}

// ReceivedSPF returns the header field for a check of q.
func (c *SPFCheck) ReceivedSPF(q SPFQuery) ReceivedSPF {
	r := ReceivedSPF{
		Result: c.Result, Comment: c.comment(q), ClientIP: q.IP.Unmap(), EnvelopeFrom: q.from(), HELO: q.HELO,
		Receiver: q.Receiver, Identity: q.identity(), Mechanism: c.decisive(),
	}
	switch {
	case c.Err != nil && c.Result != SPFNone:
		r.Problem = problem(c.Err)
	case r.Mechanism == "" && c.Result != SPFNone:
		r.Mechanism = "default"
	}
	return r
}

// comment says the result in words.
func (c *SPFCheck) comment(q SPFQuery) string {
	text := "domain of " + c.Domain
	ip := q.IP.Unmap().String()
	switch c.Result {
	case SPFPass:
		text += " designates " + ip + " as permitted sender"
	case SPFFail:
		text += " does not designate " + ip + " as permitted sender"
	case SPFSoftFail:
		text += " says " + ip + " is probably no permitted sender"
	case SPFNeutral:
		text += " says nothing about " + ip
	case SPFNone:
		text += " publishes no SPF record"
	case SPFTempError:
		text += " could not be looked up"
	default:
		text += " has an SPF record that cannot be evaluated"
	}
	if q.Receiver != "" {
		return q.Receiver + ": " + text
	}
	return text
}

// String returns the value of the field, without its name and on one line.
// Control characters, which a client may put into its names, become "?".
func (r ReceivedSPF) String() string {
	var b strings.Builder
	b.WriteString(r.Result.String())
	if r.Comment != "" {
		b.WriteString(" (" + escape(r.Comment, `()\`) + ")")
	}
	separator := " "
	ip := ""
	if r.ClientIP.IsValid() {
		ip = r.ClientIP.String()
	}
	for _, pair := range [...][2]string{
		{"client-ip", ip}, {"envelope-from", r.EnvelopeFrom}, {"helo", r.HELO}, {"receiver", r.Receiver},
		{"identity", r.Identity}, {"mechanism", r.Mechanism}, {"problem", r.Problem},
	} {
		if pair[1] == "" {
			continue
		}
		b.WriteString(separator + pair[0] + "=" + dotAtomOrQuoted(pair[1]))
		separator = "; "
	}
	return b.String()
}

// MarshalText returns what String returns.
func (r ReceivedSPF) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText is [ParseReceivedSPF].
func (r *ReceivedSPF) UnmarshalText(text []byte) (err error) {
	*r, err = ParseReceivedSPF(string(text))
	return err
}

// ParseReceivedSPF reads the value of a Received-SPF field, folded or not, in the
// forms that receivers write. Without a result of RFC 7208 the error is
// [ErrNoSPFResult], and what else was understood is still returned.
func ParseReceivedSPF(value string) (ReceivedSPF, error) {
	f := authres.ParseReceivedSPF(value)
	r := ReceivedSPF{
		Comment: f.Comment, ClientIP: f.ClientIP, EnvelopeFrom: f.EnvelopeFrom, HELO: f.HELO,
		Receiver: f.Receiver, Identity: f.Identity, Mechanism: f.Mechanism, Problem: f.Problem,
	}
	if err := r.Result.UnmarshalText([]byte(f.Result)); err != nil {
		return r, fmt.Errorf("%w: %q", ErrNoSPFResult, f.Result)
	}
	return r, nil
}

// SPFAuthResult is the result of method spf in an Authentication-Results field
// (RFC 8601 section 2.7.2).
type SPFAuthResult struct {
	Result   SPFResult `json:"result"`
	Comment  string    `json:"comment,omitempty"`
	Reason   string    `json:"reason,omitempty"`
	MailFrom string    `json:"mailfrom,omitempty"` // address or domain that was checked
	HELO     string    `json:"helo,omitempty"`
}

// AuthResult returns the result of method spf for a check of q.
func (c *SPFCheck) AuthResult(q SPFQuery) SPFAuthResult {
	r := SPFAuthResult{Result: c.Result}
	if c.Err != nil && c.Result != SPFNone {
		r.Reason = problem(c.Err)
	}
	if q.identity() == "helo" {
		r.HELO = q.HELO
	} else {
		r.MailFrom = q.from()
	}
	return r
}

// String returns the result as it stands between semicolons:
// "spf=pass smtp.mailfrom=user@example.org".
func (r SPFAuthResult) String() string {
	var b strings.Builder
	b.WriteString("spf=" + r.Result.String())
	if r.Comment != "" {
		b.WriteString(" (" + escape(r.Comment, `()\`) + ")")
	}
	if r.Reason != "" {
		b.WriteString(" reason=" + quote(r.Reason))
	}
	if r.MailFrom != "" {
		b.WriteString(" smtp.mailfrom=" + addressOrQuoted(r.MailFrom))
	}
	if r.HELO != "" {
		b.WriteString(" smtp.helo=" + dotAtomOrQuoted(r.HELO))
	}
	return b.String()
}

// MarshalText returns what String returns.
func (r SPFAuthResult) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the first result of method spf.
func (r *SPFAuthResult) UnmarshalText(text []byte) error {
	results, err := ParseSPFAuthResults(string(text))
	if len(results) > 0 {
		*r = results[0]
		return nil
	}
	return err
}

// ParseSPFAuthResults reads the results of method spf from the value of an
// Authentication-Results field, with or without its authserv-id. Results that
// RFC 7208 does not know are left out; without any, the error is [ErrNoSPFResult].
func ParseSPFAuthResults(value string) ([]SPFAuthResult, error) {
	var out []SPFAuthResult
	for _, f := range authres.Parse(value).Results {
		r := SPFAuthResult{Comment: f.Comment, Reason: f.Prop("reason"), MailFrom: strings.Trim(f.Prop("smtp.mailfrom"), "<>"), HELO: f.Prop("smtp.helo")}
		if f.Method != "spf" || r.Result.UnmarshalText([]byte(f.Value)) != nil {
			continue
		}
		out = append(out, r)
	}
	if len(out) == 0 {
		return nil, ErrNoSPFResult
	}
	return out, nil
}

// escape puts a backslash before each of special, and "?" for control characters.
func escape(s, special string) string {
	var b strings.Builder
	for _, c := range s {
		switch {
		case c < ' ' || c == 0x7f:
			c = '?'
		case strings.ContainsRune(special, c):
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

func quote(s string) string { return `"` + escape(s, `"\`) + `"` }

// dotAtomOrQuoted returns s bare if RFC 5322 section 3.2.3 allows it.
func dotAtomOrQuoted(s string) string {
	if isDotAtom(s) {
		return s
	}
	return quote(s)
}

func addressOrQuoted(s string) string {
	local, domain, ok := cutAddress(s)
	if isDotAtom(s) || ok && isDotAtom(domain) && (local == "" || isDotAtom(local)) {
		return s
	}
	return quote(s)
}

func isDotAtom(s string) bool {
	for label := range strings.SplitSeq(s, ".") {
		if label == "" {
			return false
		}
		for i := range len(label) {
			c := label[i]
			if !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("!#$%&'*+-/?^_`{|}~", c) >= 0) {
				return false
			}
		}
	}
	return true
}
