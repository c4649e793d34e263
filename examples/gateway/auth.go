package main

import (
	"bytes"
	"context"
	"errors"
	netmail "net/mail"
	"strings"

	"github.com/emersion/go-msgauth/dkim"

	"github.com/mailfault/mailfault/dnscheck"
)

// authenticate checks what DNS says of a mail from outside and writes it down:
// Received-SPF (RFC 7208 section 9.1) and Authentication-Results (RFC 8601).
// Nothing is refused for it: that is the policy of whoever reads them.
func (g *gateway) authenticate(ctx context.Context, m *mail) []field {
	query := dnscheck.SPFQuery{IP: m.Client, MailFrom: m.From, HELO: m.HELO, Receiver: g.Hostname}
	spf := dnscheck.CheckSPF(ctx, g.Resolver, query)
	identity := "smtp.mailfrom=" + token(m.From)
	if m.From == "" {
		identity = "smtp.helo=" + token(m.HELO)
	}
	checks := append([]identifier{{"spf", spf.Result.String(), spf.Domain, identity}}, g.checkDKIM(ctx, m)...)
	results := []string{g.Hostname}
	for _, c := range checks {
		results = append(results, strings.TrimSpace(c.method+"="+c.result+" "+c.text))
	}
	if dmarc := g.checkDMARC(ctx, m, checks); dmarc != "" {
		results = append(results, dmarc)
	}
	return []field{
		{"Authentication-Results", strings.Join(results, "; ")},
		{"Received-SPF", clean(spf.ReceivedSPF(query).String())},
	}
}

// identifier is a domain that SPF or DKIM says something about.
type identifier struct{ method, result, domain, text string }

// maxSignatures is how many signatures of a mail are checked.
const maxSignatures = 5

// wantsDKIM reports whether the mail has signatures to check, which takes its
// body.
func (g *gateway) wantsDKIM(m *mail) bool {
	return g.Resolver != nil && !m.Trusted && get(m.header(), "DKIM-Signature") != ""
}

// unread is the result for the signatures of a mail that was not read to its end:
// its body hash cannot be known.
const unread = "neutral"

// checkDKIM returns a result for each signature.
func (g *gateway) checkDKIM(ctx context.Context, m *mail) (results []identifier) {
	switch {
	case !g.wantsDKIM(m):
		return []identifier{{method: "dkim", result: "none"}}
	case !m.whole:
		return []identifier{{method: "dkim", result: unread, text: "(larger than the gateway reads)"}}
	}
	checks, err := dkim.VerifyWithOptions(bytes.NewReader(m.data), &dkim.VerifyOptions{
		MaxVerifications: maxSignatures,
		LookupTXT:        func(name string) ([]string, error) { return g.lookupTXT(ctx, name) },
	})
	if err != nil && !errors.Is(err, dkim.ErrTooManySignatures) {
		return []identifier{{method: "dkim", result: "permerror"}}
	}
	for _, check := range checks {
		result := "pass"
		switch {
		case dkim.IsTempFail(check.Err):
			result = "temperror"
		case dkim.IsPermFail(check.Err):
			result = "permerror"
		case check.Err != nil:
			result = "fail"
		}
		results = append(results, identifier{"dkim", result, check.Domain, "header.d=" + token(check.Domain)})
	}
	return results
}

// noAnswer is a failure of DNS that may pass.
type noAnswer struct{ dnscheck.Outcome }

func (e noAnswer) Error() string { return "DNS: " + e.Outcome.String() }
func (noAnswer) Temporary() bool { return true }
func (noAnswer) Timeout() bool   { return true }

func (g *gateway) lookupTXT(ctx context.Context, name string) (texts []string, err error) {
	answer := g.Resolver.Lookup(ctx, strings.ToLower(strings.TrimSuffix(name, ".")), dnscheck.TypeTXT)
	if answer.Outcome.Failed() {
		return nil, noAnswer{answer.Outcome}
	}
	for _, txt := range answer.TXT {
		texts = append(texts, txt.Text)
	}
	return texts, nil
}

// token returns a stranger's word as one of a header's: quoted where it is more
// than an address needs.
func token(s string) string {
	s = clean(s)
	if s != "" && !strings.ContainsAny(s, "()<>,;:\\\"/[]?= \t") {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// authorDomain returns the domain of the From field, or "".
func authorDomain(header []byte) string {
	list, err := netmail.ParseAddressList(get(header, "From"))
	if err != nil || len(list) != 1 {
		return ""
	}
	return list[0].Address[strings.LastIndexByte(list[0].Address, '@')+1:]
}
