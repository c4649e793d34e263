package explained

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"

	"github.com/mailfault/mailfault/dnscheck"
	"github.com/mailfault/mailfault/smtpcode"
)

// claims are the checks that DNS can settle.
var claims = map[smtpcode.CheckKind]dnscheck.Claim{
	smtpcode.CheckSPF: dnscheck.ClaimSPF, smtpcode.CheckDKIM: dnscheck.ClaimDKIM, smtpcode.CheckDMARC: dnscheck.ClaimDMARC,
}

// MaxSignature is how long a signature may be that is asked about.
const MaxSignature = 4 << 10

// Refusals are the questions for DNS that a recipient's diagnosis asks, each
// once.
func Refusals(doc *Document, r *Recipient) (all []dnscheck.Refusal) {
	f := &r.Failure
	for _, c := range r.Diagnosis.Checks {
		claim, ok := claims[c.Kind]
		if !ok || slices.ContainsFunc(all, func(o dnscheck.Refusal) bool { return o.Claim == claim }) {
			continue
		}
		q := dnscheck.Refusal{Claim: claim, AuthorDomain: f.AuthorDomain, EnvelopeFrom: cmp.Or(f.EnvelopeFrom, c.Domain), HELO: f.HELO, SendingIP: SendingIP(r)}
		if claim != dnscheck.ClaimSPF && q.AuthorDomain == "" {
			q.AuthorDomain = c.Domain
		}
		if doc.Report != nil && doc.Report.Returned != nil {
			if signature := doc.Report.Returned.Header.Get("DKIM-Signature"); len(signature) < MaxSignature {
				q.Signature = signature
			}
		}
		all = append(all, q)
	}
	return all
}

// SendingIP is the address that the mail was sent from, as the report or else
// the reply tells it.
func SendingIP(r *Recipient) netip.Addr {
	if r.Failure.SendingIP.IsValid() {
		return r.Failure.SendingIP
	}
	return namedIP(r.Reply.Text)
}

// namedIP is the one address that a reply names, the zero address where it
// names none or several.
func namedIP(reply string) (found netip.Addr) {
	for _, word := range strings.FieldsFunc(reply, func(r rune) bool { return !strings.ContainsRune("0123456789abcdefABCDEF.:", r) }) {
		ip, err := netip.ParseAddr(strings.TrimRight(word, ".:"))
		if err != nil || ip == found {
			continue
		}
		if found.IsValid() {
			return netip.Addr{}
		}
		found = ip
	}
	return found
}
