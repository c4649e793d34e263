package dnscheck

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/mailfault/mailfault/internal/enum"
)

// DKIMResult is the result of verifying a signature (RFC 8601 section 2.7.1).
// As text: none, pass, fail, temperror, permerror.
type DKIMResult uint8

const (
	DKIMNone      DKIMResult = iota // not verified
	DKIMPass                        // the message is as it was signed
	DKIMFail                        // it is not
	DKIMTempError                   // the key could not be fetched: try again later
	DKIMPermError                   // the signature or the key is not usable
)

var dkimResultNames = enum.Names{"none", "pass", "fail", "temperror", "permerror"}

// String returns the standard's word.
func (r DKIMResult) String() string { return dkimResultNames.String("DKIMResult", uint8(r)) }

// MarshalText returns the standard's word.
func (r DKIMResult) MarshalText() ([]byte, error) {
	return dkimResultNames.MarshalText("DKIMResult", uint8(r))
}

// UnmarshalText reads what MarshalText writes; another word is an error.
func (r *DKIMResult) UnmarshalText(text []byte) error {
	v, err := dkimResultNames.Parse("DKIMResult", text)
	*r = DKIMResult(v)
	return err
}

// SignatureCheck is one signature of a message with its key.
type SignatureCheck struct {
	Signature    *DKIMSignature `json:"signature"`
	Key          *DKIMCheck     `json:"key"` // nil: the signature names no key
	Result       DKIMResult     `json:"result"`
	Reason       string         `json:"reason"`        // why it is not a pass; "" for a pass
	UnsignedBody int64          `json:"unsigned_body"` // octets of the body, in canonical form, behind those that l= has signed
	Caveats      []string       `json:"caveats"`       // what a pass leaves open
}

// Verdict is the result in the form that EvaluateDMARC takes.
func (c *SignatureCheck) Verdict() SignatureResult {
	if c == nil {
		return SignatureResult{}
	}
	v := SignatureResult{Pass: c.Result == DKIMPass, TempError: c.Result == DKIMTempError}
	if c.Signature != nil {
		v.Domain = c.Signature.Domain
	}
	return v
}

// ErrNoMessage says that there is no message to read.
var ErrNoMessage = errors.New("dnscheck: there is no message to read")

// ReadDKIMSignatures reads the DKIM-Signature fields of a message's header, in
// order, at most twenty of them. It reads no further than the header. Beside
// an error it returns what was found.
func ReadDKIMSignatures(message io.Reader) ([]*DKIMSignature, error) {
	if message == nil {
		return []*DKIMSignature{}, ErrNoMessage
	}
	text, err := readHeader(bufio.NewReader(message))
	list, _ := newHeader(text).signatures()
	return list, err
}

// DKIMQuery is a message whose signatures are verified.
type DKIMQuery struct {
	Message io.Reader // the whole message, read once
	Time    time.Time // of the check: signatures expire; zero is now
}

// VerifyDKIM verifies the signatures of a message, the first twenty, and says
// for each which key it names and what is wrong with it (RFC 6376 section 6.1).
// The findings of a signature and of its key decide: with one that is an Error
// there is no pass. The error is that of reading, or ErrNoResolver,
// ErrNoContext or ErrNoMessage; a message without signatures is none. Of the
// body, whose length has no bound, nothing is kept.
func VerifyDKIM(ctx context.Context, r Resolver, q DKIMQuery) ([]*SignatureCheck, error) {
	switch {
	case ctx == nil:
		return nil, ErrNoContext
	case r == nil:
		return nil, ErrNoResolver
	case q.Message == nil:
		return nil, ErrNoMessage
	}
	buffered := bufio.NewReader(q.Message)
	text, err := readHeader(buffered)
	if err != nil {
		return nil, err
	}
	v := verification{header: newHeader(text), now: q.Time, bodies: make(map[bodyForm]*bodyHash)}
	if v.now.IsZero() {
		v.now = time.Now()
	}
	list, own := v.header.signatures()
	checks := checkSignatures(ctx, r, list)
	if len(checks) == 0 {
		return checks, nil
	}
	var hashes []io.Writer
	for _, s := range list {
		if form := s.bodyForm(); v.bodies[form] == nil {
			v.bodies[form] = newBodyHash(form.relaxed, form.length)
			hashes = append(hashes, v.bodies[form])
		}
	}
	if _, err = io.Copy(io.MultiWriter(hashes...), buffered); err != nil {
		return checks, fmt.Errorf("dnscheck: reading a message: %w", err)
	}
	for i, c := range checks {
		c.Result, c.Reason = v.judge(c, own[i])
	}
	return checks, nil
}

// checkSignatures fetches the keys that signatures name.
func checkSignatures(ctx context.Context, r Resolver, list []*DKIMSignature) []*SignatureCheck {
	checks := make([]*SignatureCheck, len(list))
	for i, s := range list {
		checks[i] = &SignatureCheck{Signature: s, Caveats: []string{}}
	}
	each(checks, func(c **SignatureCheck) {
		if s := (*c).Signature; s.Domain != "" && s.Selector != "" {
			(*c).Key = CheckDKIM(ctx, r, s.Domain, s.Selector)
		}
	})
	return checks
}

// bodyForm is how a signature looks at the body. Signatures that look at it the
// same way share its hash.
type bodyForm struct {
	relaxed bool
	length  int64
}

func (s *DKIMSignature) bodyForm() bodyForm { return bodyForm{s.relaxedBody, s.length} }

// verification is what the signatures of a message are judged by.
type verification struct {
	header signedHeader
	bodies map[bodyForm]*bodyHash
	now    time.Time
}

// judge says what becomes of a signature, whose field is own.
func (v *verification) judge(c *SignatureCheck, own headerField) (DKIMResult, string) {
	s := c.Signature
	if f := worst(s.Findings); f.Severity == Error {
		return DKIMPermError, f.Message
	}
	if result, reason := c.judgeKey(); result != DKIMNone {
		return result, reason
	}
	body := v.bodies[s.bodyForm()]
	sum := body.end()
	short := s.length > body.octets
	switch {
	case !bytes.Equal(sum, s.bodySum) && short:
		return DKIMFail, fmt.Sprintf("the body is not as it was signed: %s octets were (l), and there are %d", clip(s.BodyLength), body.octets)
	case !bytes.Equal(sum, s.bodySum):
		return DKIMFail, "the body is not as it was signed"
	case !v.holds(s, c.Key.Key.Public, own):
		return DKIMFail, "the header is not as it was signed, or another key has signed it"
	case short:
		return DKIMPermError, fmt.Sprintf("l says that %s octets of the body are signed, and there are %d", clip(s.BodyLength), body.octets)
	case !s.Expires.IsZero() && v.now.After(s.Expires):
		return DKIMPermError, "the message is as it was signed, but the signature expired on " + s.Expires.Format(time.RFC3339)
	}
	if s.length >= 0 {
		c.UnsignedBody = body.octets - s.length
	}
	v.caveats(c)
	return DKIMPass, ""
}

// judgeKey looks at what keeps a key from verifying a signature; DKIMNone is
// nothing.
func (c *SignatureCheck) judgeKey() (DKIMResult, string) {
	s := c.Signature
	switch {
	case errors.Is(c.Key.Err, ErrDNS):
		return DKIMTempError, "DNS gave no answer for " + c.Key.Name
	case c.Key.Err != nil:
		return DKIMPermError, cmp.Or(worst(c.Key.Findings).Message, c.Key.Err.Error())
	case !c.Key.Key.allows(s):
		return DKIMPermError, fmt.Sprintf("the key's flag t=s demands that i= be of %s itself, and it is %s (RFC 6376 section 3.6.1)", s.Domain, clip(s.Identifier))
	case s.Algorithm != c.Key.Key.Type+"-sha256":
		return DKIMPermError, fmt.Sprintf("the signature is made with %s, and the key is of type %s", s.Algorithm, c.Key.Key.Type)
	}
	return DKIMNone, ""
}

// holds reports whether the key has signed the header.
func (v *verification) holds(s *DKIMSignature, key crypto.PublicKey, own headerField) bool {
	sum := sha256.New()
	v.header.writeSigned(sum, s, own)
	switch key := key.(type) {
	case *rsa.PublicKey:
		return rsa.VerifyPKCS1v15(key, crypto.SHA256, sum.Sum(nil), s.value) == nil
	case ed25519.PublicKey:
		return ed25519.Verify(key, sum.Sum(nil), s.value)
	}
	return false
}

// caveats says what a signature that holds leaves open.
func (v *verification) caveats(c *SignatureCheck) {
	add := func(format string, args ...any) { c.Caveats = append(c.Caveats, fmt.Sprintf(format, args...)) }
	if c.UnsignedBody > 0 {
		add("the last %d octets of the body are not signed (l=%s): anybody can have added them (RFC 6376 section 8.2)", c.UnsignedBody, c.Signature.BodyLength)
	}
	for _, name := range v.header.unsigned(c.Signature) {
		add("the message has several %s fields, of which not all are signed: the one that is shown may be forged (RFC 6376 section 8.15)", name)
	}
	if c.Key.Key.Testing {
		add("the key says t=y: receivers may treat signed mail as unsigned")
	}
	if c.Signature.Time.After(v.now.Add(allowedSkew)) {
		add("the signature is dated %s, which is yet to come: receivers may not accept it (RFC 6376 section 3.5)", c.Signature.Time.Format(time.RFC3339))
	}
}

// allowedSkew is how far clocks may differ.
const allowedSkew = 5 * time.Minute
