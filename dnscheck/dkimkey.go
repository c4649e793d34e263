package dnscheck

import (
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
)

// ErrBadKey says that no receiver can verify a signature with a key record.
var ErrBadKey = errors.New("dnscheck: the DKIM key record is not usable")

// maxKeyBits bounds the time of verifying: 64 KiB of text hold a key that takes seconds.
const maxKeyBits = 8192

// DKIMKey is a DKIM key record (RFC 6376 section 3.6.1).
type DKIMKey struct {
	Text     string           `json:"text"`
	Type     string           `json:"k"`        // rsa, ed25519, or as written
	Bits     int              `json:"bits"`     // of the key; 0 when it cannot be read
	Revoked  bool             `json:"revoked"`  // p is empty
	Testing  bool             `json:"testing"`  // t=y
	Strict   bool             `json:"strict"`   // t=s: i= must be the signing domain itself
	Hashes   []string         `json:"hashes"`   // h; none is all
	Services []string         `json:"services"` // s; none is all
	Notes    string           `json:"notes"`
	Public   crypto.PublicKey `json:"-"` // *rsa.PublicKey or ed25519.PublicKey
	Tags     []Tag            `json:"tags"`
	Findings []Finding        `json:"findings"`
}

// dkimRules is the table of findings about DKIM keys.
var dkimRules = rules{
	"dkim-key-missing":   {Error, OwnerDomain, "RFC 6376 section 3.6.2", "no key is published at %s: its signatures cannot be verified", "publish the key, or sign with a selector that has one"},
	"dkim-several-keys":  {Error, OwnerDomain, "RFC 6376 section 3.6.2.2", "%d text records stand at the selector; what receivers do is undefined", "leave one record"},
	"dkim-dns-failed":    {Error, OwnerResolver, "RFC 6376 section 6.1.2", "DNS gave no answer for %s: signatures end in temperror", "make the name servers of the zone answer"},
	"dkim-alias":         {Info, OwnerInclude, "RFC 6376 section 3.6.2", "the key stands behind an alias to %s: its operator holds it", ""},
	"dkim-version":       {Error, OwnerDomain, "RFC 6376 section 3.6.1", "v has to be the first tag and exactly DKIM1: the record is ignored", "begin the record with v=DKIM1;"},
	"dkim-tag-repeated":  {Error, OwnerDomain, "RFC 6376 section 3.2", "the tag %s is repeated: the whole record is invalid", "leave one"},
	"dkim-tag-malformed": {Error, OwnerDomain, "RFC 6376 section 3.2", "%q is no tag: the whole record is invalid", "write name=value, with semicolons between the tags"},
	"dkim-tag-empty":     {Warning, OwnerDomain, "RFC 6376 section 3.2", "nothing stands before a semicolon where a tag has to: some receivers take the whole record for invalid", "remove the semicolon"},
	"dkim-key-absent":    {Error, OwnerDomain, "RFC 6376 section 3.6.1", "the record has no tag p: there is no key in it", "add the key as p"},
	"dkim-key-broken":    {Error, OwnerDomain, "RFC 6376 section 3.6.1", "the key cannot be read: it may have been cut or damaged when it was published", "publish the whole key, in strings of at most 255 bytes"},
	"dkim-key-revoked":   {Error, OwnerDomain, "RFC 6376 section 3.6.1", "p is empty: the key is revoked and its signatures fail", "stop signing with this selector"},
	"dkim-type-unknown":  {Error, OwnerDomain, "RFC 6376 section 3.6.1", "there is no key type %q", "write k=rsa, in lower case"},
	"dkim-key-too-short": {Error, OwnerDomain, "RFC 8301 section 3.2", "the RSA key has %d bits: receivers must not verify with less than 1024", "publish a key of 2048 bits under a new selector"},
	"dkim-key-short":     {Warning, OwnerDomain, "RFC 8301 section 3.2", "the RSA key has %d bits: signers should use 2048 or more", "publish a key of 2048 bits under a new selector"},
	"dkim-key-long":      {Warning, OwnerDomain, "RFC 8301 section 3.2", "the RSA key has %d bits: receivers need not verify with more than 4096", "publish a key of 2048 bits under a new selector"},
	"dkim-key-too-long":  {Error, OwnerDomain, "RFC 8301 section 3.2", "the RSA key has %d bits: receivers need not verify with more than 4096, and nobody takes the time for this one", "publish a key of 2048 bits under a new selector"},
	"dkim-ed25519":       {Info, OwnerDomain, "RFC 8463 section 5", "not every receiver verifies Ed25519", "sign with an RSA key beside it"},
	"dkim-hash":          {Error, OwnerDomain, "RFC 8301 section 3.1", "h does not allow sha256, the only hash in use", "remove h"},
	"dkim-service":       {Error, OwnerDomain, "RFC 6376 section 3.6.1", "s does not allow email", "remove s"},
	"dkim-testing":       {Warning, OwnerDomain, "RFC 6376 section 3.6.1", "t=y: receivers may treat signed mail as unsigned", "remove y from t"},
}

// ParseDKIMKey reads a DKIM key record. The key is never nil: beside ErrBadKey
// it holds what could be read, and its findings say what is wrong. Values are
// case-sensitive (RFC 6376 section 3.2): k=RSA names no key type.
func ParseDKIMKey(record string) (*DKIMKey, error) {
	k := dkimKeyParser{DKIMKey: &DKIMKey{Text: record, Type: "rsa", Hashes: []string{}, Services: []string{}, Tags: []Tag{}, Findings: []Finding{}}}
	seen := make(map[string]Tag)
	for t := range tags(record) {
		k.Tags = append(k.Tags, t)
		_, again := seen[t.Name]
		switch {
		case t.Name == "":
			k.find("dkim-tag-malformed", t, clip(t.Value))
		case again:
			k.find("dkim-tag-repeated", t, clip(t.Name))
		default:
			seen[t.Name] = t
			k.tag(t)
		}
	}
	if t, ok := emptyTag(record); ok {
		k.find("dkim-tag-empty", t)
	}
	p, ok := seen["p"]
	switch v, other := seen["v"]; {
	case other && v.Value != "DKIM1": // it is no key record, and p is no key
	case !ok:
		k.find("dkim-key-absent", Tag{})
	case p.Value == "":
		k.Revoked = true
		k.find("dkim-key-revoked", p)
	default:
		k.read(p)
	}
	if k.bad {
		return k.DKIMKey, ErrBadKey
	}
	return k.DKIMKey, nil
}

type dkimKeyParser struct {
	*DKIMKey
	bad bool // a finding is an error
}

func (k *dkimKeyParser) find(id string, t Tag, args ...any) {
	k.bad = k.bad || dkimRules[id].severity == Error
	if len(k.Findings) < maxRecordFindings {
		k.Findings = append(k.Findings, dkimRules.finding(id, Position{Record: k.Text, Start: t.Start, End: t.End}, args...))
	}
}

// tag takes a tag's value; p waits until k is known.
func (k *dkimKeyParser) tag(t Tag) {
	switch t.Name {
	case "v":
		if t.Value != "DKIM1" || len(k.Tags) > 1 {
			k.find("dkim-version", t)
		}
	case "k":
		k.Type = t.Value
	case "h":
		if k.Hashes = colonList(t.Value); !slices.Contains(k.Hashes, "sha256") {
			k.find("dkim-hash", t)
		}
	case "s":
		if k.Services = colonList(t.Value); !slices.Contains(k.Services, "email") && !slices.Contains(k.Services, "*") {
			k.find("dkim-service", t)
		}
	case "t":
		flags := colonList(t.Value)
		k.Testing, k.Strict = slices.Contains(flags, "y"), slices.Contains(flags, "s")
		if k.Testing {
			k.find("dkim-testing", t)
		}
	case "n":
		k.Notes = t.Value
	}
}

// colonList splits a list at its colons.
func colonList(value string) (list []string) {
	for item := range strings.SplitSeq(value, ":") {
		list = append(list, strings.Trim(item, blanks))
	}
	return list
}

// read takes the public key out of p: a SubjectPublicKeyInfo or a bare PKCS #1
// key for RSA (RFC 6376 erratum 3017), the raw 32 bytes for Ed25519.
func (k *dkimKeyParser) read(p Tag) {
	der, err := base64.StdEncoding.DecodeString(withoutBlanks(p.Value))
	switch {
	case k.Type != "rsa" && k.Type != "ed25519":
		k.find("dkim-type-unknown", p, clip(k.Type))
	case err != nil:
		k.find("dkim-key-broken", p)
	case k.Type == "ed25519":
		if len(der) != ed25519.PublicKeySize {
			k.find("dkim-key-broken", p)
			return
		}
		k.Public, k.Bits = ed25519.PublicKey(der), 8*len(der)
		k.find("dkim-ed25519", p)
	default:
		var key *rsa.PublicKey
		if parsed, err := x509.ParsePKIXPublicKey(der); err == nil {
			key, _ = parsed.(*rsa.PublicKey)
		} else {
			key, _ = x509.ParsePKCS1PublicKey(der)
		}
		if key == nil {
			k.find("dkim-key-broken", p)
			return
		}
		k.Public, k.Bits = key, key.N.BitLen()
		switch {
		case k.Bits < 1024:
			k.find("dkim-key-too-short", p, k.Bits)
		case k.Bits < 2048:
			k.find("dkim-key-short", p, k.Bits)
		case k.Bits > maxKeyBits:
			k.find("dkim-key-too-long", p, k.Bits)
		case k.Bits > 4096:
			k.find("dkim-key-long", p, k.Bits)
		}
	}
}

// allows reports whether the key lets a signature have its identity: with t=s
// that is of the signing domain itself (RFC 6376 section 3.6.1).
func (k *DKIMKey) allows(s *DKIMSignature) bool {
	return !k.Strict || s.identityDomain() == s.Domain
}

// DKIMCheck is what is published for a selector of a domain.
type DKIMCheck struct {
	Domain   string    `json:"domain"`
	Selector string    `json:"selector"`
	Name     string    `json:"name"` // that was asked
	Outcome  Outcome   `json:"outcome"`
	Key      *DKIMKey  `json:"key"`
	CNAME    []string  `json:"cname"`
	Findings []Finding `json:"findings"`
	Err      error     `json:"-"` // ErrDNS, ErrNoRecord, ErrManyRecords, ErrBadKey, ErrBadDomain: why no signature can pass
}

// CheckDKIM fetches and reads the key of a selector.
func CheckDKIM(ctx context.Context, r Resolver, domain, selector string) *DKIMCheck {
	c := &DKIMCheck{Domain: domain, Selector: selector, CNAME: []string{}, Findings: []Finding{}}
	name, err := domainName(domain)
	if err != nil {
		c.Err = err
		return c
	}
	if name, err = asciiName(selector + "._domainkey." + name); err != nil {
		c.Err = &DomainError{selector, "as a selector it does not fit into DNS"}
		return c
	}
	c.Name = name
	answer := lookup(ctx, r, name, TypeTXT)
	c.Outcome, c.CNAME = answer.Outcome, answer.CNAME
	list(&c.CNAME)
	where := Position{Name: name, Type: TypeTXT}
	switch {
	case answer.Outcome.Failed():
		c.Err = noAnswer(answer)
		c.Findings = append(c.Findings, dkimRules.finding("dkim-dns-failed", where, name))
	case len(answer.TXT) == 0:
		c.Err = ErrNoRecord
		c.Findings = append(c.Findings, dkimRules.finding("dkim-key-missing", where, name))
	case len(answer.TXT) > 1:
		c.Err = ErrManyRecords
		c.Findings = append(c.Findings, dkimRules.finding("dkim-several-keys", where, len(answer.TXT)))
	default:
		c.Key, c.Err = ParseDKIMKey(answer.TXT[0].Text)
		for _, f := range c.Key.Findings {
			f.Where.Name, f.Where.Type = name, TypeTXT
			c.Findings = append(c.Findings, f)
		}
	}
	if len(answer.CNAME) > 0 {
		alias := answer.CNAME[len(answer.CNAME)-1]
		for i := range c.Findings {
			if c.Findings[i].Owner == OwnerDomain {
				c.Findings[i].Owner = OwnerInclude
			}
		}
		c.Findings = append(c.Findings, dkimRules.finding("dkim-alias", where, alias))
	}
	return c
}
