package dnscheck

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// lookup asks DNS. A name that no server can hold does not exist; after ctx has
// ended nothing is asked.
func lookup(ctx context.Context, r Resolver, name string, t Type) Answer {
	ctx, r = usable(ctx, r)
	if err := ctx.Err(); err != nil {
		return Answer{Outcome: Timeout, Err: err}
	}
	name = canonical(name)
	if !askable(name) {
		return Answer{Outcome: NXDomain}
	}
	return r.Lookup(ctx, name, t)
}

// askable reports whether a name fits in DNS (RFC 1035 section 2.3.4).
func askable(name string) bool {
	if name == "" || len(name) > 253 {
		return false
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > 63 {
			return false
		}
	}
	return true
}

// asciiName brings a domain to the form DNS is asked in: A-labels, lower case,
// no dot at the end. It fails with ErrBadDomain.
func asciiName(domain string) (string, error) {
	name := canonical(domain)
	if !isASCII(name) {
		var err error
		if name, err = aLabels(name); err != nil {
			return "", ErrBadDomain
		}
	}
	for i := range len(name) {
		if name[i] <= ' ' || name[i] == 0x7f || name[i] == '@' || name[i] == '[' {
			return "", ErrBadDomain
		}
	}
	if !askable(name) {
		return "", ErrBadDomain
	}
	return name, nil
}

// aLabels writes a name in its A-label form (RFC 5890). Bytes that are no UTF-8 are
// no name: idna would take them for a character.
func aLabels(name string) (string, error) {
	if !utf8.ValidString(name) {
		return "", ErrBadDomain
	}
	return idna.Lookup.ToASCII(name)
}

// noAnswer is the Err of a check that needed an answer: ErrDNS, with the cause
// where that is not DNS's, as nobody was asked.
func noAnswer(a Answer) error {
	if unasked(a) {
		return fmt.Errorf("%w: %w", ErrDNS, a.Err)
	}
	return ErrDNS
}

// unasked reports whether an answer failed because the question was not asked,
// or not to its end.
func unasked(a Answer) bool {
	return slices.ContainsFunc([]error{ErrNoResolver, ErrNoContext, ErrBudget, context.Canceled}, func(err error) bool { return errors.Is(a.Err, err) })
}

func labels(name string) int { return strings.Count(name, ".") + 1 }

// lastLabels cuts a name down to its last n labels.
func lastLabels(name string, n int) string {
	for at := len(name); ; n-- {
		i := strings.LastIndexByte(name[:at], '.')
		if n <= 1 {
			return name[i+1:]
		}
		if i < 0 {
			return name
		}
		at = i
	}
}

// parent drops the first label; the parent of a single label is "".
func parent(name string) string {
	_, up, _ := strings.Cut(name, ".")
	return up
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// validDomain reports whether a name can be looked up: two labels or more of 1
// to 63 bytes (section 4.3).
func validDomain(name string) bool {
	if len(name) > 253 || strings.IndexByte(name, '.') < 0 || name[0] == '[' {
		return false
	}
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || len(label) > 63 {
			return false
		}
	}
	return true
}
