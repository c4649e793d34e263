package dnscheck

import (
	"encoding/base64"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ErrBadSignature says that no receiver can verify a DKIM-Signature field.
var ErrBadSignature = errors.New("dnscheck: the DKIM signature is not usable")

// DKIMSignature is a DKIM-Signature header field (RFC 6376 section 3.5).
type DKIMSignature struct {
	Text       string    `json:"text"` // the field's value, unfolded
	Domain     string    `json:"d"`
	Selector   string    `json:"s"`
	Algorithm  string    `json:"a"`
	Canonical  string    `json:"c"`          // forms of header and body: "relaxed/simple"; "simple/simple" when absent
	Identifier string    `json:"i"`          // "" when absent: it is @ and the domain
	Headers    []string  `json:"h"`          // names of the signed fields, in lower case
	BodyLength string    `json:"l"`          // "" when absent: the whole body is signed
	Time       time.Time `json:"t,omitzero"` // of signing; zero when absent
	Expires    time.Time `json:"x,omitzero"` // zero when absent, or too far off to matter
	Tags       []Tag     `json:"tags"`
	Findings   []Finding `json:"findings"` // one that is an Error makes the signature unusable

	relaxedHeader, relaxedBody bool
	bodySum, value             []byte // bh and b
	length                     int64  // l; -1 when absent
}

// signatureRules is the table of findings about signatures.
var signatureRules = rules{
	"dkim-signature-malformed": {Error, OwnerDomain, "RFC 6376 section 3.2", "%q is no tag: the signature cannot be verified", "see what the signer writes, and what changes the header on the way"},
	"dkim-signature-repeated":  {Error, OwnerDomain, "RFC 6376 section 3.2", "the tag %s is repeated: the signature cannot be verified", "see what the signer writes"},
	"dkim-signature-version":   {Error, OwnerDomain, "RFC 6376 section 3.5", "the version is not 1", "write v=1"},
	"dkim-signature-lacks":     {Error, OwnerDomain, "RFC 6376 section 3.5", "the tag %s is missing", "see how the signer is set up"},
	"dkim-signature-domain":    {Error, OwnerDomain, "RFC 6376 section 3.5", "%q and %q name no domain and selector", "see how the signer is set up"},
	"dkim-signature-from":      {Error, OwnerDomain, "RFC 6376 section 5.4", "the From field is not signed", "sign it"},
	"dkim-signature-identity":  {Error, OwnerDomain, "RFC 6376 section 3.5", "the identity %s is not of %s or a name below it", "mend i, or leave it out"},
	"dkim-signature-sha1":      {Error, OwnerDomain, "RFC 8301 section 3.1", "the algorithm is %s, which must not be verified", "sign with rsa-sha256"},
	"dkim-signature-algorithm": {Error, OwnerDomain, "RFC 6376 section 3.3", "there is no algorithm %q", "sign with rsa-sha256"},
	"dkim-signature-length":    {Warning, OwnerDomain, "RFC 6376 section 8.2", "l=%s leaves the rest of the body unsigned: anybody can add to it, and some receivers do not accept such a signature", "sign the whole body"},
	"dkim-signature-number":    {Error, OwnerDomain, "RFC 6376 section 6.1.1", "the tag %s is no number: %q", "see what the signer writes"},
	"dkim-signature-expiry":    {Error, OwnerDomain, "RFC 6376 section 3.5", "the signature ends (x) no later than it was made (t)", "let x be later than t, by a week or more"},
	"dkim-signature-canonical": {Error, OwnerDomain, "RFC 6376 section 3.5", "there is no canonical form %q", "use relaxed/relaxed"},
	"dkim-signature-query":     {Error, OwnerDomain, "RFC 6376 section 3.5", "the keys are to be fetched by %q, which nobody does", "leave q out"},
	"dkim-signature-base64":    {Error, OwnerDomain, "RFC 6376 section 3.5", "the tag %s is not in base64: the field was cut or changed, or written wrongly", "see what the signer writes, and what changes the header on the way"},
}

// ParseDKIMSignature reads the value of a DKIM-Signature header field, folded or
// not. The signature is never nil: beside ErrBadSignature it holds what could be read.
// Values are case-sensitive (RFC 6376 section 3.2).
func ParseDKIMSignature(value string) (*DKIMSignature, error) {
	value = unfold(value)
	s := &DKIMSignature{Text: value, Headers: []string{}, Canonical: "simple/simple", length: -1}
	p := fields{record: value, prefix: "dkim-signature-", rules: signatureRules}
	s.Tags = p.read()
	for _, t := range s.Tags {
		s.take(t, &p)
	}
	for _, name := range []string{"v", "a", "b", "bh", "d", "h", "s"} {
		if _, ok := p.value(name); !ok {
			p.find("dkim-signature-lacks", Tag{}, name)
		}
	}
	s.judge(&p)
	s.Findings = p.findings
	if p.bad {
		return s, ErrBadSignature
	}
	return s, nil
}

// unfold makes folds blanks (RFC 5322 section 2.2.3).
func unfold(value string) string {
	return strings.Trim(strings.NewReplacer("\r\n", "", "\n", "", "\r", "").Replace(value), blanks)
}

// take keeps the value of one tag.
func (s *DKIMSignature) take(t Tag, p *fields) {
	bare := withoutBlanks(t.Value)
	switch t.Name {
	case "d":
		s.Domain = canonical(bare)
	case "s":
		s.Selector = canonical(bare)
	case "a":
		s.Algorithm = bare
	case "c":
		s.takeCanonical(t, bare, p)
	case "i":
		s.Identifier = bare
	case "h":
		s.Headers = colonList(lowerASCII(t.Value))
	case "q":
		if !slices.Contains(colonList(t.Value), "dns/txt") {
			p.find("dkim-signature-query", t, clip(bare))
		}
	case "b":
		s.value = p.base64(t, bare)
	case "bh":
		s.bodySum = p.base64(t, bare)
	case "l":
		s.BodyLength, s.length = bare, p.number(t, bare)
	case "t":
		s.Time = p.seconds(t, bare)
	case "x":
		s.Expires = p.seconds(t, bare)
	}
}

// takeCanonical reads c: the form of the header, and that of the body, which is
// simple where it is not named.
func (s *DKIMSignature) takeCanonical(t Tag, bare string, p *fields) {
	head, body, named := strings.Cut(bare, "/")
	if !named {
		body = "simple"
	}
	for _, form := range []string{head, body} {
		if form != "simple" && form != "relaxed" {
			p.find("dkim-signature-canonical", t, clip(form))
			return
		}
	}
	s.Canonical = head + "/" + body
	s.relaxedHeader, s.relaxedBody = head == "relaxed", body == "relaxed"
}

// base64 reads what a tag holds in base64, which is never nothing.
func (f *fields) base64(t Tag, text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(data) == 0 {
		f.find("dkim-signature-base64", t, t.Name)
	}
	return data
}

// number reads a number of at most 76 digits; what an int64 cannot hold is the
// largest that it can. It is -1 for what is no number.
func (f *fields) number(t Tag, digits string) int64 {
	n, err := strconv.ParseInt(digits, 10, 64)
	if !isDigits(digits) || len(digits) > 76 || err != nil && !errors.Is(err, strconv.ErrRange) {
		f.find("dkim-signature-number", t, t.Name, clip(digits))
		return -1
	}
	return n
}

// seconds reads a time in seconds since 1970. One of more than twelve digits never
// comes.
func (f *fields) seconds(t Tag, digits string) time.Time {
	n := f.number(t, digits)
	if n < 0 || n >= 1e12 {
		return time.Time{}
	}
	return time.Unix(n, 0).UTC()
}

// judge looks at what the tags say.
func (s *DKIMSignature) judge(p *fields) {
	if v, ok := p.value("v"); ok && v.Value != "1" {
		p.find("dkim-signature-version", v)
	}
	if d, ok := p.value("d"); ok {
		if _, err := asciiName(s.Selector + "._domainkey." + s.Domain); err != nil {
			p.find("dkim-signature-domain", d, clip(s.Domain), clip(s.Selector))
		}
	}
	if h, ok := p.value("h"); ok && !hasFrom(s.Headers) {
		p.find("dkim-signature-from", h)
	}
	if i, ok := p.value("i"); ok {
		if !strings.Contains(s.Identifier, "@") || !below(s.identityDomain(), s.Domain) {
			p.find("dkim-signature-identity", i, clip(s.Identifier), clip(s.Domain))
		}
	}
	if x, ok := p.value("x"); ok && !s.Expires.IsZero() && !s.Time.IsZero() && !s.Expires.After(s.Time) {
		p.find("dkim-signature-expiry", x)
	}
	if a, ok := p.value("a"); ok {
		switch s.Algorithm {
		case "rsa-sha256", "ed25519-sha256":
		case "rsa-sha1":
			p.find("dkim-signature-sha1", a, s.Algorithm)
		default:
			p.find("dkim-signature-algorithm", a, clip(s.Algorithm))
		}
	}
	if l, ok := p.value("l"); ok && s.length >= 0 {
		p.find("dkim-signature-length", l, clip(s.BodyLength))
	}
}

// identityDomain is the domain of i, which is that of d where there is no i.
func (s *DKIMSignature) identityDomain() string {
	if s.Identifier == "" {
		return s.Domain
	}
	return canonical(s.Identifier[strings.LastIndexByte(s.Identifier, '@')+1:])
}

func hasFrom(headers []string) bool {
	return slices.Contains(headers, "from")
}
