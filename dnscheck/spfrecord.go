package dnscheck

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/mailfault/mailfault/internal/enum"
)

// Mechanism is what an SPF term does (RFC 7208 sections 5 and 6).
// As text: unknown, all, include, a, mx, ptr, ip4, ip6, exists, redirect, exp,
// other.
type Mechanism uint8

const (
	MechanismUnknown Mechanism = iota
	MechanismAll
	MechanismInclude
	MechanismA
	MechanismMX
	MechanismPTR
	MechanismIP4
	MechanismIP6
	MechanismExists
	ModifierRedirect
	ModifierExp
	ModifierOther // passed over
)

var mechanismNames = enum.Names{"unknown", "all", "include", "a", "mx", "ptr", "ip4", "ip6", "exists", "redirect", "exp", "other"}

// String returns the mechanism's name.
func (m Mechanism) String() string { return mechanismNames.String("Mechanism", uint8(m)) }

// MarshalText returns the mechanism's name.
func (m Mechanism) MarshalText() ([]byte, error) {
	return mechanismNames.MarshalText("Mechanism", uint8(m))
}

// UnmarshalText reads what MarshalText writes; another name is an error.
func (m *Mechanism) UnmarshalText(text []byte) error {
	v, err := mechanismNames.Parse("Mechanism", text)
	*m = Mechanism(v)
	return err
}

// Charged reports whether the term counts against the ten look-ups of RFC 7208
// section 4.6.4.
func (m Mechanism) Charged() bool {
	switch m {
	case MechanismInclude, MechanismA, MechanismMX, MechanismPTR, MechanismExists, ModifierRedirect:
		return true
	}
	return false
}

// Term is one term of an SPF record.
type Term struct {
	Mechanism Mechanism    `json:"mechanism"`
	Qualifier SPFResult    `json:"qualifier"` // what a match gives; SPFNone for modifiers
	Name      string       `json:"name"`      // as written
	Domain    string       `json:"domain"`    // domain-spec as written, macros and all; "" when absent
	Prefix    netip.Prefix `json:"prefix,omitzero"`
	Mask4     int          `json:"mask4"` // of a and mx; 32 when absent
	Mask6     int          `json:"mask6"` // of a and mx; 128 when absent
	Start     int          `json:"start"` // byte offsets in the record
	End       int          `json:"end"`
}

// SPFSyntaxError says where a record breaks the grammar of RFC 7208 section 12.
type SPFSyntaxError struct {
	Record     string
	Domain     string // that publishes it; "" from ParseSPF
	Start, End int    // byte offsets of the term
	Problem    string
	Suggestion string // what may have been meant; "" when nothing suggests itself
}

// Error returns the message with the term and where it stands.
func (e *SPFSyntaxError) Error() string {
	of := ""
	if e.Domain != "" {
		of = " of the record of " + clip(e.Domain)
	}
	text := fmt.Sprintf("dnscheck: SPF term %q at byte %d%s: %s", clip(e.Record[e.Start:e.End]), e.Start, of, e.Problem)
	if e.Suggestion != "" {
		text += "; did you mean " + e.Suggestion + "?"
	}
	return text
}

const spfVersion = "v=spf1"

// isSPF reports whether a text record is an SPF record (RFC 7208 section 4.5).
func isSPF(text string) bool {
	return len(text) >= len(spfVersion) && strings.EqualFold(text[:len(spfVersion)], spfVersion) &&
		(len(text) == len(spfVersion) || text[len(spfVersion)] == ' ')
}

// ParseSPF reads an SPF record into its terms, in order. Every term is checked,
// also those behind a match. The error is a *[SPFSyntaxError].
func ParseSPF(record string) ([]Term, error) { return appendTerms(nil, record) }

// appendTerms appends the record's terms to terms.
func appendTerms(terms []Term, record string) ([]Term, error) {
	if !isSPF(record) {
		return nil, &SPFSyntaxError{Record: record, Problem: "the record does not begin with v=spf1 and a space"}
	}
	redirects, exps := 0, 0
	for at := len(spfVersion); at < len(record); {
		if record[at] == ' ' {
			at++
			continue
		}
		end := at + 1
		for end < len(record) && record[end] != ' ' {
			end++
		}
		term := Term{Start: at, End: end}
		if problem := parseTerm(&term, record[at:end]); problem != "" {
			return nil, &SPFSyntaxError{Record: record, Start: at, End: end, Problem: problem, Suggestion: suggest(record[at:end])}
		}
		switch term.Mechanism {
		case ModifierRedirect:
			redirects++
		case ModifierExp:
			exps++
		}
		if redirects > 1 || exps > 1 {
			return nil, &SPFSyntaxError{Record: record, Start: at, End: end, Problem: "a modifier that may occur once is repeated"}
		}
		terms = append(terms, term)
		at = end
	}
	return terms, nil
}

// parseTerm reads one term and says what is wrong with it, or "".
func parseTerm(t *Term, s string) (problem string) {
	for i := 0; i < len(s); i++ {
		if s[i] <= ' ' || s[i] >= 0x7f {
			return "only visible ASCII is allowed"
		}
	}
	t.Qualifier = SPFPass
	body := s
	switch s[0] {
	case '+':
		body = s[1:]
	case '-':
		t.Qualifier, body = SPFFail, s[1:]
	case '~':
		t.Qualifier, body = SPFSoftFail, s[1:]
	case '?':
		t.Qualifier, body = SPFNeutral, s[1:]
	}
	n := 0
	for n < len(body) && isNameByte(body[n]) {
		n++
	}
	t.Name = body[:n]
	if n < len(body) && body[n] == '=' {
		if len(body) != len(s) {
			return "a modifier has no qualifier"
		}
		return parseModifier(t, body[n+1:])
	}
	return parseMechanism(t, body[n:])
}

func isNameByte(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '.'
}

func parseModifier(t *Term, value string) string {
	t.Qualifier = SPFNone
	t.Domain = value
	if t.Name == "" || !('a' <= t.Name[0]|0x20 && t.Name[0]|0x20 <= 'z') {
		return "the modifier's name is malformed"
	}
	switch {
	case strings.EqualFold(t.Name, "redirect"):
		t.Mechanism = ModifierRedirect
	case strings.EqualFold(t.Name, "exp"):
		t.Mechanism = ModifierExp
	default:
		t.Mechanism = ModifierOther
		if _, problem := checkMacros(value, false); problem != "" {
			return problem
		}
		return ""
	}
	return checkDomainSpec(value)
}

// parseMechanism reads what follows a mechanism's name.
func parseMechanism(t *Term, rest string) string {
	for m := MechanismAll; m < ModifierRedirect; m++ {
		if strings.EqualFold(t.Name, mechanismNames[m]) {
			t.Mechanism = m
			break
		}
	}
	switch {
	case t.Mechanism == MechanismUnknown:
		return "there is no such mechanism"
	case t.Mechanism == MechanismAll && rest != "":
		return "all takes nothing behind it"
	case t.Mechanism == MechanismAll:
		return ""
	}
	value, given := strings.CutPrefix(rest, ":")
	if !given && rest != "" && rest[0] != '/' {
		return "a colon is missing behind the mechanism"
	}
	switch t.Mechanism {
	case MechanismInclude, MechanismExists:
		if !given || value == "" {
			return "a domain is missing"
		}
	case MechanismPTR:
		switch {
		case !given && rest != "":
			return "ptr takes no mask"
		case !given:
			return ""
		}
	case MechanismIP4, MechanismIP6:
		return parseNetwork(t, value, given)
	case MechanismA, MechanismMX:
		return parseMasked(t, value, given)
	}
	t.Domain = value
	return checkDomainSpec(value)
}

func parseNetwork(t *Term, value string, given bool) string {
	if !given || value == "" {
		return "an address is missing"
	}
	bits := 32
	if t.Mechanism == MechanismIP6 {
		bits = 128
	}
	text, mask, masked := strings.Cut(value, "/")
	addr, err := netip.ParseAddr(text)
	if err != nil || addr.Zone() != "" || addr.Is4() != (bits == 32) {
		return "this is no " + t.Mechanism.String() + " address"
	}
	if masked {
		n, ok := parseMask(mask, bits)
		if !ok {
			return "the mask is malformed"
		}
		bits = n
	}
	t.Prefix = netip.PrefixFrom(addr, bits).Masked()
	return ""
}

// parseMasked reads the domain and masks of a and mx: "a:host/24//64".
func parseMasked(t *Term, value string, given bool) string {
	t.Mask4, t.Mask6 = 32, 128
	// Masks stand at the end; a slash may also be part of a macro's delimiters.
	body := value
	if i := strings.LastIndex(body, "//"); i >= 0 && !strings.Contains(body[i:], "}") {
		n, ok := parseMask(body[i+2:], 128)
		if !ok {
			return "the IPv6 mask is malformed"
		}
		t.Mask6, body = n, body[:i]
	}
	if i := strings.LastIndexByte(body, '/'); i >= 0 && !strings.Contains(body[i:], "}") {
		if n, ok := parseMask(body[i+1:], 32); ok {
			t.Mask4, body = n, body[:i]
		} else if isDigits(body[i+1:]) || body[i+1:] == "" {
			return "the IPv4 mask is malformed"
		}
	}
	if !given {
		if body != "" {
			return "the mask is malformed"
		}
		return ""
	}
	if body == "" {
		return "a domain is missing behind the colon"
	}
	t.Domain = body
	return checkDomainSpec(body)
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// parseMask reads a mask without leading zeros.
func parseMask(s string, most int) (int, bool) {
	if s == "" || len(s) > 3 || len(s) > 1 && s[0] == '0' || !isDigits(s) {
		return 0, false
	}
	n := 0
	for i := range len(s) {
		n = n*10 + int(s[i]-'0')
	}
	return n, n <= most
}
