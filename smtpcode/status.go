package smtpcode

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Status is an enhanced mail system status code (RFC 3463): class, subject and
// detail. The zero value means that no status was given.
//
// It has the shape that SMTP libraries use for the same thing, so a value
// from go-smtp converts with smtpcode.Status(err.EnhancedCode).
type Status [3]int

// The classes of RFC 3463 section 2: the first number of a status.
const (
	ClassSuccess   = 2 // the message was delivered
	ClassTransient = 4 // a later attempt may succeed
	ClassPermanent = 5 // an unchanged attempt will fail again
)

// ParseStatus reads a status that is all of s, such as "5.1.10". Blanks around
// it are allowed, nothing else is: see [CutStatus] for a status followed by
// other text. The error names s.
func ParseStatus(s string) (Status, error) {
	st, rest, ok := CutStatus(s)
	if !ok || strings.TrimSpace(rest) != "" {
		return Status{}, fmt.Errorf("smtpcode: not a status (class.subject.detail): %q", s)
	}
	return st, nil
}

// CutStatus reads the status at the start of s, after blanks, and returns what
// follows it. RFC 3463 section 2 allows the classes 2, 4 and 5 and up to three
// digits for subject and detail; a number that runs on ("5.1.1234", "5.1.1.2")
// is no status.
func CutStatus(s string) (st Status, rest string, ok bool) {
	i := 0
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	if i >= len(s) || s[i] != '2' && s[i] != '4' && s[i] != '5' {
		return Status{}, s, false
	}
	st[0] = int(s[i] - '0')
	i++
	for n := 1; n < 3; n++ {
		if i >= len(s) || s[i] != '.' {
			return Status{}, s, false
		}
		i++
		start := i
		for i < len(s) && i-start < 4 && isDigit(s[i]) {
			st[n] = st[n]*10 + int(s[i]-'0')
			i++
		}
		if width := i - start; width == 0 || width > 3 {
			return Status{}, s, false
		}
	}
	if i+1 < len(s) && s[i] == '.' && isDigit(s[i+1]) {
		return Status{}, s, false
	}
	return st, s[i:], true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsZero reports whether no status was given.
func (s Status) IsZero() bool { return s == Status{} }

// Class returns the first number: [ClassSuccess], [ClassTransient],
// [ClassPermanent], or 0 when absent.
func (s Status) Class() int { return s[0] }

// Temporary reports whether the status says that a later attempt may succeed.
func (s Status) Temporary() bool { return s[0] == ClassTransient }

// Permanent reports whether the status says that the same message will be
// refused again.
func (s Status) Permanent() bool { return s[0] == ClassPermanent }

// Compare orders statuses by class, subject and detail as numbers, so that
// 5.1.2 comes before 5.1.10. It returns -1, 0 or +1.
func (s Status) Compare(t Status) int {
	for i := range s {
		if c := cmp.Compare(s[i], t[i]); c != 0 {
			return c
		}
	}
	return 0
}

// String returns the status as in "5.1.10", or "" when absent.
func (s Status) String() string {
	if s.IsZero() {
		return ""
	}
	b := make([]byte, 0, len("5.999.999"))
	b = strconv.AppendInt(b, int64(s[0]), 10)
	b = append(b, '.')
	b = strconv.AppendInt(b, int64(s[1]), 10)
	b = append(b, '.')
	b = strconv.AppendInt(b, int64(s[2]), 10)
	return string(b)
}

// MarshalText returns the form of [Status.String].
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the form of [Status.String]; empty text is the absent
// status.
func (s *Status) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*s = Status{}
		return nil
	}
	st, err := ParseStatus(string(text))
	if err != nil {
		return err
	}
	*s = st
	return nil
}

// statusAtEnd returns the status that stands behind the words of a reply, as
// in qmail's "553 sorry, your envelope sender is in my badmailfrom list
// (#5.7.1)": cr.yp.to/proto/hcmssc.txt. It has the class of the reply code.
func statusAtEnd(text string, class int) Status {
	i := strings.LastIndex(text, "(#")
	if i < 0 {
		return Status{}
	}
	status, rest, ok := CutStatus(text[i+2:])
	if !ok || status.Class() != class || rest == "" || rest[0] != ')' && !strings.HasPrefix(rest, " - ") {
		return Status{}
	}
	return status
}
