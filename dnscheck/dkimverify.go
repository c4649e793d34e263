package dnscheck

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/emersion/go-msgauth/dkim"

	"github.com/mailfault/mailfault/internal/enum"
	"github.com/mailfault/mailfault/internal/mime"
)

// DKIMResult is the result of verifying a signature (RFC 8601 section 2.7.1).
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
	Signature *DKIMSignature `json:"signature"`
	Key       *DKIMCheck     `json:"key"` // nil: the signature names no key
	Result    DKIMResult     `json:"result"`
	Reason    string         `json:"reason"` // why it is not a pass; "" for a pass
}

// Verdict is the result in the form that EvaluateDMARC takes.
func (c *SignatureCheck) Verdict() SignatureResult {
	return SignatureResult{Domain: c.Signature.Domain, Pass: c.Result == DKIMPass, TempError: c.Result == DKIMTempError}
}

// ErrLongHeader says that a message's header is longer than 1 MiB.
var ErrLongHeader = errors.New("dnscheck: the message's header is longer than 1 MiB")

const maxHeader = 1 << 20

// ReadDKIMSignatures reads the DKIM-Signature fields of a message's header, in
// order, at most twenty of them. It reads no further than the header. Beside
// an error it returns what was found.
func ReadDKIMSignatures(message io.Reader) ([]*DKIMSignature, error) {
	header, err := readHeader(bufio.NewReader(message))
	return signatures(header), err
}

// readHeader reads up to the first empty line, with it.
func readHeader(r *bufio.Reader) ([]byte, error) {
	var header []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(header)+len(part) > maxHeader {
			return header, ErrLongHeader
		}
		starts := len(header) == 0 || header[len(header)-1] == '\n'
		header = append(header, part...)
		switch {
		case errors.Is(err, io.EOF):
			return header, nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return header, fmt.Errorf("dnscheck: reading a message: %w", err)
		case starts && len(bytes.TrimRight(part, "\r\n")) == 0:
			return header, nil
		}
	}
}

func signatures(header []byte) []*DKIMSignature {
	list := []*DKIMSignature{}
	fields, _, _ := mime.ReadGroup(header, string(header), 0)
	for _, field := range fields {
		if strings.EqualFold(strings.TrimSpace(field.Name), "DKIM-Signature") && len(list) < maxSignatures {
			s, _ := ParseDKIMSignature(field.Raw)
			list = append(list, s)
		}
	}
	return list
}

// VerifyDKIM verifies the signatures of a message, the first twenty, and says
// for each which key it names and what is wrong with it. The error is that of reading;
// a message without signatures is none.
func VerifyDKIM(ctx context.Context, r Resolver, message io.Reader) ([]*SignatureCheck, error) {
	buffered := bufio.NewReader(message)
	header, err := readHeader(buffered)
	if err != nil {
		return nil, err
	}
	checks := checkSignatures(ctx, r, signatures(header))
	if len(checks) == 0 {
		return checks, nil
	}
	body := &endingReader{r: buffered}
	verified, err := dkim.VerifyWithOptions(io.MultiReader(bytes.NewReader(header), body), &dkim.VerifyOptions{
		MaxVerifications: maxSignatures,
		LookupTXT:        func(name string) ([]string, error) { return keyText(ctx, r, checks, name) },
	})
	if err == nil || errors.Is(err, dkim.ErrTooManySignatures) {
		err = body.err
	}
	if err != nil {
		return checks, fmt.Errorf("dnscheck: reading a message: %w", err)
	}
	if len(verified) != len(checks) {
		return checks, errors.New("dnscheck: the header is too broken to tell which signature is which")
	}
	for i, v := range verified {
		checks[i].Result, checks[i].Reason = dkimResult(v.Err)
	}
	return checks, nil
}

// endingReader ends where another fails, and keeps the error: the verifier leaves
// goroutines behind when a reader fails.
type endingReader struct {
	r   io.Reader
	err error
}

func (e *endingReader) Read(p []byte) (int, error) {
	n, err := e.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		e.err, err = err, io.EOF
	}
	return n, err
}

// checkSignatures fetches the keys that signatures name.
func checkSignatures(ctx context.Context, r Resolver, list []*DKIMSignature) []*SignatureCheck {
	checks := make([]*SignatureCheck, len(list))
	for i, s := range list {
		checks[i] = &SignatureCheck{Signature: s}
	}
	each(checks, func(c **SignatureCheck) {
		if s := (*c).Signature; s.Domain != "" && s.Selector != "" {
			(*c).Key = CheckDKIM(ctx, r, s.Domain, s.Selector)
		}
	})
	return checks
}

// keyText gives the verifier the key record that was fetched before.
func keyText(ctx context.Context, r Resolver, checks []*SignatureCheck, name string) (records []string, err error) {
	for _, c := range checks {
		if c.Key != nil && c.Key.Key != nil && c.Key.Name == canonical(name) {
			return []string{c.Key.Key.Text}, nil
		}
	}
	answer := lookup(ctx, r, name, TypeTXT)
	if answer.Outcome.Failed() {
		return nil, temporary{name}
	}
	for _, txt := range answer.TXT {
		records = append(records, txt.Text)
	}
	return records, nil
}

// temporary is the error that makes a verifier say temperror.
type temporary struct{ name string }

func (t temporary) Error() string   { return "DNS gave no answer for " + t.name }
func (t temporary) Timeout() bool   { return true }
func (t temporary) Temporary() bool { return true }

func dkimResult(err error) (DKIMResult, string) {
	if err == nil {
		return DKIMPass, ""
	}
	reason := strings.TrimPrefix(err.Error(), "dkim: ")
	switch {
	case dkim.IsTempFail(err):
		return DKIMTempError, reason
	case dkim.IsPermFail(err):
		return DKIMPermError, reason
	}
	return DKIMFail, reason
}
