package main

import (
	"bytes"
	"context"
	netmail "net/mail"
	"strings"

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
	signatures, whole := g.signatures(ctx, m)
	results := []string{g.Hostname, "spf=" + spf.Result.String() + " " + identity}
	verdicts := []dnscheck.SignatureResult{}
	for _, c := range signatures {
		v := c.Verdict()
		verdicts = append(verdicts, v)
		result := "dkim=" + c.Result.String()
		if !whole {
			result = "dkim=neutral (larger than the gateway reads)" // its body hash cannot be known
		}
		results = append(results, result+" header.d="+token(v.Domain))
	}
	if len(signatures) == 0 {
		results = append(results, "dkim=none")
	}
	asked := dnscheck.DMARCQuery{AuthorDomain: authorDomain(m.header()), SPF: spf.Result, SPFDomain: spf.Domain, DKIM: verdicts}
	if dmarc := g.dmarc(ctx, asked, whole); dmarc != "" {
		results = append(results, dmarc)
	}
	return []field{
		{"Authentication-Results", strings.Join(results, "; ")},
		{"Received-SPF", clean(spf.ReceivedSPF(query).String())},
	}
}

// wantsDKIM reports whether the mail has signatures to check, which takes its
// body.
func (g *gateway) wantsDKIM(m *mail) bool {
	return g.Resolver != nil && !m.Trusted && get(m.header(), "DKIM-Signature") != ""
}

// signatures checks the signatures of a mail. Of one that was not read to its end
// they are not verified; they might be good when it is.
func (g *gateway) signatures(ctx context.Context, m *mail) (checks []*dnscheck.SignatureCheck, whole bool) {
	switch {
	case !g.wantsDKIM(m):
		return nil, true
	case m.whole:
		checks, err := dnscheck.VerifyDKIM(ctx, g.Resolver, dnscheck.DKIMQuery{Message: bytes.NewReader(m.data)})
		if err != nil {
			g.Log.Warn("signatures", "err", err, "client", m.Client)
		}
		return checks, true
	}
	list, err := dnscheck.ReadDKIMSignatures(bytes.NewReader(m.header()))
	if err != nil {
		g.Log.Warn("signatures", "err", err, "client", m.Client)
	}
	for _, signature := range list {
		checks = append(checks, &dnscheck.SignatureCheck{Signature: signature, Result: dnscheck.DKIMTempError})
	}
	return checks, false
}

// dmarc says whether a domain that passed stands for the author; "" where a
// signature that was not verified might have.
func (g *gateway) dmarc(ctx context.Context, q dnscheck.DMARCQuery, whole bool) string {
	if q.AuthorDomain == "" {
		return "dmarc=none (no single author domain)"
	}
	check := dnscheck.EvaluateDMARC(ctx, g.Resolver, q)
	if !whole && check.Result == dnscheck.DMARCTempError {
		return ""
	}
	policy := ""
	if check.Result == dnscheck.DMARCFail {
		policy = " (p=" + check.Policy.String() + ")"
	}
	return "dmarc=" + check.Result.String() + policy + " header.from=" + token(q.AuthorDomain)
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

// authorDomain returns the domain of the From field as DNS knows it; "" where
// there is not one author, for a reader might be shown the other one.
func authorDomain(header []byte) string {
	author, fields := "", 0
	for raw := range rawFields(header) {
		if name, value := split(raw); strings.EqualFold(visible(name), "From") {
			author, fields = value, fields+1
		}
	}
	list, err := netmail.ParseAddressList(author)
	if fields != 1 || err != nil || len(list) != 1 {
		return ""
	}
	return asciiHost(list[0].Address[strings.LastIndexByte(list[0].Address, '@')+1:])
}
