package dnscheck

import (
	"fmt"
	"net/netip"
	"strings"
)

// DomainError says why a text is no domain that can be checked. It is an
// [ErrBadDomain].
type DomainError struct {
	Text string
	Why  string
}

// Error returns the text and why it is no domain.
func (e *DomainError) Error() string {
	return fmt.Sprintf("dnscheck: %q is no domain: %s", clip(e.Text), e.Why)
}

// Unwrap returns ErrBadDomain.
func (e *DomainError) Unwrap() error { return ErrBadDomain }

// domainName is the domain that a caller wants checked, in the form DNS is asked
// in. What is an address or belongs to one is refused, as DNS would be asked for
// names that nobody meant. The error is a *DomainError.
func domainName(text string) (string, error) {
	name, err := asciiName(text)
	if why := notDomain(text, name, err); why != "" {
		return "", &DomainError{text, why}
	}
	return name, nil
}

// notDomain says why a text is no domain, or "". name and err are what
// asciiName made of it.
func notDomain(text, name string, err error) string {
	bare := strings.Trim(strings.TrimSuffix(strings.ToLower(text), "."), "[]")
	_, notAddr := netip.ParseAddr(strings.TrimPrefix(bare, "ipv6:"))
	switch {
	case strings.Trim(text, blanks) == "":
		return "it is empty"
	case notAddr == nil:
		return "it is an IP address, which CheckIP looks at"
	case strings.Contains(text, "://"):
		return "it is the address of a web page: only its host can be a domain"
	case strings.Contains(text, "@"):
		return "it is a mail address: the domain stands behind the @"
	case strings.ContainsAny(text, blanks):
		return "it holds a blank"
	case err != nil && !askable(canonical(text)):
		return "DNS knows no name with an empty label, a label of more than 63 bytes, or more than 253 bytes"
	case err != nil:
		return "it cannot be written in A-labels (RFC 5890)"
	}
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '-', c == '_', c == '.':
		default:
			return fmt.Sprintf("a domain is made of letters, digits, hyphens and dots, and this holds %q", c)
		}
	}
	return ""
}
