package dnscheck

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"strings"
	"time"
	"unicode/utf8"
)

// answerJSON is an Answer as JSON. Names and texts need not be UTF-8 in DNS:
// each byte that is not, and the backslash, stands as a backslash and three
// decimal digits, as in zone files (RFC 1035 section 5.1).
type answerJSON struct {
	Outcome   Outcome      `json:"outcome"`
	Addrs     []netip.Addr `json:"addrs,omitempty"`
	MX        []mxJSON     `json:"mx,omitempty"`
	TXT       []txtJSON    `json:"txt,omitempty"`
	Names     []string     `json:"names,omitempty"`
	CNAME     []string     `json:"cname,omitempty"`
	TTL       float64      `json:"ttl_seconds"`
	Authentic bool         `json:"authentic,omitempty"`
	Error     string       `json:"error,omitempty"`
	ErrorKind string       `json:"error_kind,omitempty"`
	Server    string       `json:"server,omitempty"`
	TCP       bool         `json:"tcp,omitempty"`
	Size      int          `json:"size,omitempty"`
	Gaps      Gaps         `json:"gaps,omitempty"`
}

type mxJSON struct {
	Preference uint16 `json:"preference"`
	Host       string `json:"host"`
}

type txtJSON struct {
	Text    string `json:"text"`
	Strings int    `json:"strings"`
}

// errorKinds names the errors that are told apart with errors.Is after an
// answer was written and read back; the most special first.
var errorKinds = []struct {
	name string
	err  error
}{
	{"budget", ErrBudget},
	{"bad-name", ErrBadName},
	{"truncated", ErrTruncated},
	{"malformed", ErrMalformed},
	{"spoofed", ErrSpoofed},
	{"referral", ErrReferral},
	{"bogus", ErrBogus},
	{"alias-loop", ErrAliasLoop},
	{"not-recorded", ErrNotRecorded},
	{"unsupported", errors.ErrUnsupported},
	{"canceled", context.Canceled},
	{"deadline", context.DeadlineExceeded},
}

// MarshalJSON writes the answer so that UnmarshalJSON gives an equal one. Err
// becomes its text and, for the errors this package and context name, their kind.
func (a Answer) MarshalJSON() ([]byte, error) {
	out := answerJSON{Outcome: a.Outcome, Addrs: a.Addrs, TTL: a.TTL.Seconds(), Authentic: a.Authentic,
		Server: a.Server, TCP: a.TCP, Size: a.Size, Gaps: a.Gaps}
	for _, mx := range a.MX {
		out.MX = append(out.MX, mxJSON{mx.Preference, escapeBytes(mx.Host)})
	}
	for _, txt := range a.TXT {
		out.TXT = append(out.TXT, txtJSON{escapeBytes(txt.Text), txt.Strings})
	}
	for _, name := range a.Names {
		out.Names = append(out.Names, escapeBytes(name))
	}
	for _, name := range a.CNAME {
		out.CNAME = append(out.CNAME, escapeBytes(name))
	}
	if a.Err != nil {
		out.Error, out.ErrorKind = writeError(a.Err)
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (a *Answer) UnmarshalJSON(data []byte) error {
	var in answerJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	if in.TTL < 0 || in.TTL > math.MaxUint32 {
		return fmt.Errorf("dnscheck: a TTL of %v seconds", in.TTL)
	}
	*a = Answer{Outcome: in.Outcome, Addrs: in.Addrs, TTL: time.Duration(math.Round(in.TTL * float64(time.Second))), Authentic: in.Authentic,
		Server: in.Server, TCP: in.TCP, Size: in.Size, Gaps: in.Gaps}
	var failed error
	text := func(s string) string {
		plain, err := unescapeBytes(s)
		failed = errors.Join(failed, err)
		return plain
	}
	for _, mx := range in.MX {
		a.MX = append(a.MX, MX{mx.Preference, text(mx.Host)})
	}
	for _, txt := range in.TXT {
		a.TXT = append(a.TXT, TXT{text(txt.Text), txt.Strings})
	}
	for _, name := range in.Names {
		a.Names = append(a.Names, text(name))
	}
	for _, name := range in.CNAME {
		a.CNAME = append(a.CNAME, text(name))
	}
	if in.Error != "" || in.ErrorKind != "" {
		a.Err = readError(in.Error, in.ErrorKind)
	}
	return failed
}

// readAnswerError is an error read back: its text, and what it is for
// errors.Is.
type readAnswerError struct {
	text string
	is   error
}

func (e *readAnswerError) Error() string { return e.text }
func (e *readAnswerError) Unwrap() error { return e.is }

// writeError is the text of an error, and its kind where it has one.
func writeError(err error) (text, kind string) {
	text = strings.ToValidUTF8(err.Error(), "\ufffd")
	for _, known := range errorKinds {
		if errors.Is(err, known.err) {
			return text, known.name
		}
	}
	if text == "" {
		return "", "wordless" // a key for it to stand in, so that it is not lost
	}
	return text, ""
}

func readError(text, kind string) error {
	for _, known := range errorKinds {
		if known.name == kind {
			if known.err.Error() == text {
				return known.err
			}
			return &readAnswerError{text, known.err}
		}
	}
	return errors.New(text)
}

// escapeBytes writes bytes that are not UTF-8, and the backslash, as \DDD.
func escapeBytes(s string) string {
	if utf8.ValidString(s) && !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == '\\' || r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\%03d`, s[0])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

var errEscape = errors.New(`dnscheck: a backslash without three digits up to 255`)

// unescapeBytes undoes escapeBytes.
func unescapeBytes(s string) (string, error) {
	if !strings.Contains(s, `\`) {
		return s, nil
	}
	var b strings.Builder
	for len(s) > 0 {
		if s[0] != '\\' {
			b.WriteByte(s[0])
			s = s[1:]
			continue
		}
		if len(s) < 4 {
			return "", errEscape
		}
		value := 0
		for _, c := range []byte(s[1:4]) {
			if c < '0' || c > '9' {
				return "", errEscape
			}
			value = value*10 + int(c-'0')
		}
		if value > 255 {
			return "", errEscape
		}
		b.WriteByte(byte(value))
		s = s[4:]
	}
	return b.String(), nil
}
