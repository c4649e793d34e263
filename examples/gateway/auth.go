package main

import (
	"context"
	"errors"
	netmail "net/mail"
	"os"
	"strings"

	"github.com/mailfault/mailfault/dnscheck"
)

// authenticate checks what DNS says about the client and writes it down: the
// Received-SPF of RFC 7208 section 9.1 and the results of RFC 8601.
func (g *gateway) authenticate(ctx context.Context, m *mail) []field {
	spf := dnscheck.CheckSPF(ctx, g.Resolver, dnscheck.SPFQuery{IP: m.Client, MailFrom: m.From, HELO: m.HELO, Receiver: g.Hostname})
	identity := "smtp.mailfrom=" + token(m.From)
	if m.From == "" {
		identity = "smtp.helo=" + token(m.HELO)
	}
	return []field{
		{"Authentication-Results", g.Hostname + "; spf=" + spf.Result.String() + " " + identity},
	}
}

// wantsDKIM reports whether the mail's signatures will be checked, which takes
// its body.
func (g *gateway) wantsDKIM(m *mail) bool {
	return false
}

// token returns a stranger's word as one in a header: quoted where it is more
// than an address needs.
func token(s string) string {
	s = clean(s)
	plain := func(r rune) bool { return !strings.ContainsRune("()<>,;:\\\"/[]?= \t", r) }
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
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

// resolver returns what answers questions to DNS: a server, or a file of
// records.
func resolver(name string) (dnscheck.Resolver, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	zone, err := dnscheck.ReadZone(f)
	return zone, errors.Join(err, f.Close())
}
