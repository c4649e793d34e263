package dnscheck

import (
	"encoding/binary"
	"fmt"
	"strings"

	"golang.org/x/net/dns/dnsmessage"
)

// extendedErrors names the codes with which servers say why they failed (RFC
// 8914 section 4).
var extendedErrors = [...]string{
	0:  "Other",
	1:  "Unsupported DNSKEY Algorithm",
	2:  "Unsupported DS Digest Type",
	3:  "Stale Answer",
	4:  "Forged Answer",
	5:  "DNSSEC Indeterminate",
	6:  "DNSSEC Bogus",
	7:  "Signature Expired",
	8:  "Signature Not Yet Valid",
	9:  "DNSKEY Missing",
	10: "RRSIGs Missing",
	11: "No Zone Key Bit Set",
	12: "NSEC Missing",
	13: "Cached Error",
	14: "Not Ready",
	15: "Blocked",
	16: "Censored",
	17: "Filtered",
	18: "Prohibited",
	19: "Stale NXDomain Answer",
	20: "Not Authoritative",
	21: "Not Supported",
	22: "No Reachable Authority",
	23: "Network Error",
	24: "Invalid Data",
}

// extendedError is one such code with the server's own words.
type extendedError struct {
	code uint16
	text string
}

// bogus reports whether DNSSEC is the reason: the zone's owner has to mend it.
func (e extendedError) bogus() bool { return 6 <= e.code && e.code <= 12 }

// String gives the code, its name and the server's words.
func (e extendedError) String() string {
	s := fmt.Sprintf("extended error %d", e.code)
	if int(e.code) < len(extendedErrors) {
		s += " (" + extendedErrors[e.code] + ")"
	}
	if e.text != "" {
		s += fmt.Sprintf(" %q", e.text)
	}
	return s
}

// readExtendedError finds the code in a message; a message that cannot be read
// so far has none.
func readExtendedError(msg []byte) (extendedError, bool) {
	const option, maxText = 15, 200
	var p dnsmessage.Parser
	if _, err := p.Start(msg); err != nil || p.SkipAllQuestions() != nil || p.SkipAllAnswers() != nil || p.SkipAllAuthorities() != nil {
		return extendedError{}, false
	}
	for {
		h, err := p.AdditionalHeader()
		if err != nil {
			return extendedError{}, false
		}
		if h.Type != dnsmessage.TypeOPT {
			if p.SkipAdditional() != nil {
				return extendedError{}, false
			}
			continue
		}
		opt, err := p.OPTResource()
		if err != nil {
			return extendedError{}, false
		}
		for _, o := range opt.Options {
			if o.Code == option && len(o.Data) >= 2 {
				text := o.Data[2:min(len(o.Data), 2+maxText)]
				return extendedError{binary.BigEndian.Uint16(o.Data), strings.ToValidUTF8(string(text), "")}, true
			}
		}
	}
}
