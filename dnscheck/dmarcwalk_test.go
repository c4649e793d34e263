package dnscheck

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// The vectors of the tree walk: which names are asked, which is the
// organizational domain, whose record applies and what it asks for. Zones and
// expected values are reasoned from RFC 9989 sections 4.7 and 4.10.
func TestTreeWalk(t *testing.T) {
	tests := []struct {
		name, author, zone string
		asked              string // names below _dmarc, in order
		organizational     string
		domain, tag        string
		policy             Policy
		err                error
	}{
		{
			name: "no record anywhere", author: "a.example.com",
			asked: "a.example.com example.com com", organizational: "a.example.com",
		},
		{
			name: "two labels need two questions", author: "example.com", zone: `_dmarc.example.com TXT "v=DMARC1; p=reject"`,
			asked: "example.com com", organizational: "example.com", domain: "example.com", tag: "p", policy: PolicyReject,
		},
		{
			name: "seven labels need seven questions", author: "a.b.c.d.e.example.com", zone: `_dmarc.example.com TXT "v=DMARC1; p=reject"`,
			asked:          "a.b.c.d.e.example.com b.c.d.e.example.com c.d.e.example.com d.e.example.com e.example.com example.com com",
			organizational: "example.com", domain: "example.com", tag: "p", policy: PolicyReject,
		},
		{
			name: "eight labels need eight questions", author: "a.b.c.d.e.f.example.com", zone: `_dmarc.example.com TXT "v=DMARC1; p=reject"`,
			asked:          "a.b.c.d.e.f.example.com b.c.d.e.f.example.com c.d.e.f.example.com d.e.f.example.com e.f.example.com f.example.com example.com com",
			organizational: "example.com", domain: "example.com", tag: "p", policy: PolicyReject,
		},
		{
			name: "the thirteen labels of section 4.10 need eight questions", author: "a.b.c.d.e.f.g.h.i.j.mail.example.com", zone: `_dmarc.example.com TXT "v=DMARC1; p=reject"`,
			asked:          "a.b.c.d.e.f.g.h.i.j.mail.example.com g.h.i.j.mail.example.com h.i.j.mail.example.com i.j.mail.example.com j.mail.example.com mail.example.com example.com com",
			organizational: "example.com", domain: "example.com", tag: "p", policy: PolicyReject,
		},
		{
			name: "a record that the cut skips is never found", author: "mail.a.b.c.d.e.f.g.example.com",
			zone:           "_dmarc.b.c.d.e.f.g.example.com TXT \"v=DMARC1; p=none; psd=n\"\n_dmarc.example.com TXT \"v=DMARC1; p=reject\"",
			asked:          "mail.a.b.c.d.e.f.g.example.com c.d.e.f.g.example.com d.e.f.g.example.com e.f.g.example.com f.g.example.com g.example.com example.com com",
			organizational: "example.com", domain: "example.com", tag: "p", policy: PolicyReject,
		},
		{
			name: "the nearest ancestor is not the rule", author: "a.mail.example.com",
			zone:  "_dmarc.mail.example.com TXT \"v=DMARC1; p=none\"\n_dmarc.example.com TXT \"v=DMARC1; p=reject\"",
			asked: "a.mail.example.com mail.example.com example.com com", organizational: "example.com", domain: "example.com", tag: "p", policy: PolicyReject,
		},
		{
			name: "psd=n ends the walk and is the organizational domain", author: "a.mail.example.com",
			zone:  "_dmarc.mail.example.com TXT \"v=DMARC1; p=quarantine; psd=n\"\n_dmarc.example.com TXT \"v=DMARC1; p=reject\"",
			asked: "a.mail.example.com mail.example.com", organizational: "mail.example.com", domain: "mail.example.com", tag: "p", policy: PolicyQuarantine,
		},
		{
			name: "psd=n at the start", author: "mail.example.com",
			zone:  "_dmarc.mail.example.com TXT \"v=DMARC1; p=quarantine; sp=none; psd=n\"\n_dmarc.example.com TXT \"v=DMARC1; p=reject\"",
			asked: "mail.example.com", organizational: "mail.example.com", domain: "mail.example.com", tag: "p", policy: PolicyQuarantine,
		},
		{
			name: "psd=n wins over a record nearer to the start", author: "a.b.example.com",
			zone:  "_dmarc.a.b.example.com TXT \"v=DMARC1; p=none\"\n_dmarc.b.example.com TXT \"v=DMARC1; p=reject; psd=n\"",
			asked: "a.b.example.com b.example.com", organizational: "b.example.com", domain: "a.b.example.com", tag: "p", policy: PolicyNone,
		},
		{
			name: "psd=y above, no record below: the suffix's policy for subdomains", author: "a.mail.example.com",
			zone:  "_dmarc.com TXT \"v=DMARC1; p=reject; sp=quarantine; psd=y\"",
			asked: "a.mail.example.com mail.example.com example.com com", organizational: "example.com", domain: "com", tag: "sp", policy: PolicyQuarantine,
		},
		{
			name: "psd=y above, with a record at the organizational domain", author: "a.mail.example.com",
			zone:  "_dmarc.com TXT \"v=DMARC1; p=reject; psd=y\"\n_dmarc.example.com TXT \"v=DMARC1; p=none\"",
			asked: "a.mail.example.com mail.example.com example.com com", organizational: "example.com", domain: "example.com", tag: "p", policy: PolicyNone,
		},
		{
			name: "psd=y above, with a record only between author and organizational domain", author: "a.mail.example.com",
			zone:  "_dmarc.com TXT \"v=DMARC1; p=reject; psd=y\"\n_dmarc.mail.example.com TXT \"v=DMARC1; p=none\"",
			asked: "a.mail.example.com mail.example.com example.com com", organizational: "example.com", domain: "com", tag: "p", policy: PolicyReject,
		},
		{
			name: "psd=y at the start: a registry's own mail", author: "bank.example",
			zone:  `_dmarc.bank.example TXT "v=DMARC1; p=reject; psd=y"`,
			asked: "bank.example", organizational: "bank.example", domain: "bank.example", tag: "p", policy: PolicyReject,
		},
		{
			name: "psd=y just above the cut: a name that was never asked is the organizational domain", author: "a.b.c.d.e.f.g.h.bank.example",
			zone:  `_dmarc.d.e.f.g.h.bank.example TXT "v=DMARC1; p=reject; psd=y"`,
			asked: "a.b.c.d.e.f.g.h.bank.example d.e.f.g.h.bank.example", organizational: "c.d.e.f.g.h.bank.example", domain: "d.e.f.g.h.bank.example", tag: "p", policy: PolicyReject,
		},
		{
			name: "two records mid-walk are both dropped, and the walk goes on", author: "a.mail.example.com",
			zone:  "_dmarc.mail.example.com TXT \"v=DMARC1; p=none; psd=n\"\n_dmarc.mail.example.com TXT \"v=DMARC1; p=none\"\n_dmarc.example.com TXT \"v=DMARC1; p=reject\"",
			asked: "a.mail.example.com mail.example.com example.com com", organizational: "example.com", domain: "example.com", tag: "p", policy: PolicyReject,
		},
		{
			name: "other text records do not count", author: "example.com",
			zone:  "_dmarc.example.com TXT \"hello\"\n_dmarc.example.com TXT \"v=DMARC2; p=none\"\n_dmarc.example.com TXT \"v=DMARC1; p=quarantine\"",
			asked: "example.com com", organizational: "example.com", domain: "example.com", tag: "p", policy: PolicyQuarantine,
		},
		{
			name: "a failure of DNS mid-walk leaves no verdict", author: "a.mail.example.com",
			zone:  "_dmarc.mail.example.com TXT SERVFAIL\n_dmarc.example.com TXT \"v=DMARC1; p=reject\"",
			asked: "a.mail.example.com mail.example.com", err: ErrDNS,
		},
		{
			name: "a failure above the author domain's own record leaves its policy", author: "mail.example.com",
			zone:  "_dmarc.mail.example.com TXT \"v=DMARC1; p=reject\"\n_dmarc.example.com TXT TIMEOUT",
			asked: "mail.example.com example.com", domain: "mail.example.com", tag: "p", policy: PolicyReject,
		},
		{
			name: "np for a name that does not exist", author: "no.example.com",
			zone:  `_dmarc.example.com TXT "v=DMARC1; p=none; sp=quarantine; np=reject"`,
			asked: "no.example.com example.com com", organizational: "example.com", domain: "example.com", tag: "np", policy: PolicyReject,
		},
		{
			name: "sp for a name without addresses that exists", author: "mail.example.com",
			zone:  "_dmarc.example.com TXT \"v=DMARC1; p=none; sp=quarantine; np=reject\"\nmail.example.com TXT \"hello\"",
			asked: "mail.example.com example.com com", organizational: "example.com", domain: "example.com", tag: "sp", policy: PolicyQuarantine,
		},
		{
			name: "without np a name that does not exist is a subdomain", author: "no.example.com",
			zone:  `_dmarc.example.com TXT "v=DMARC1; p=none; sp=quarantine"`,
			asked: "no.example.com example.com com", organizational: "example.com", domain: "example.com", tag: "sp", policy: PolicyQuarantine,
		},
		{
			name: "np without an answer whether the name exists", author: "mail.example.com",
			zone:  "_dmarc.example.com TXT \"v=DMARC1; p=none; np=reject\"\nmail.example.com A SERVFAIL",
			asked: "mail.example.com example.com com", organizational: "example.com", domain: "example.com", err: ErrDNS,
		},
		{
			name: "sp and np are passed over at the author domain", author: "example.com",
			zone:  `_dmarc.example.com TXT "v=DMARC1; p=none; sp=reject; np=reject"`,
			asked: "example.com com", organizational: "example.com", domain: "example.com", tag: "p", policy: PolicyNone,
		},
		{
			name: "t=y lowers reject", author: "example.com", zone: `_dmarc.example.com TXT "v=DMARC1; p=reject; t=y"`,
			asked: "example.com com", organizational: "example.com", domain: "example.com", tag: "p", policy: PolicyQuarantine,
		},
		{
			name: "t=y lowers quarantine", author: "example.com", zone: `_dmarc.example.com TXT "v=DMARC1; p=quarantine; t=y"`,
			asked: "example.com com", organizational: "example.com", domain: "example.com", tag: "p", policy: PolicyNone,
		},
		{
			name: "a missing p with a report address is none", author: "example.com", zone: `_dmarc.example.com TXT "v=DMARC1; rua=mailto:d@example.com"`,
			asked: "example.com com", organizational: "example.com", domain: "example.com", policy: PolicyNone,
		},
		{
			name: "a missing p without one does not apply", author: "example.com", zone: `_dmarc.example.com TXT "v=DMARC1; aspf=s"`,
			asked: "example.com com", organizational: "example.com", domain: "example.com", policy: PolicyAbsent,
		},
		{
			name: "a bad sp with a report address makes all of it none", author: "example.com", zone: `_dmarc.example.com TXT "v=DMARC1; p=reject; sp=refuse; rua=mailto:d@example.com"`,
			asked: "example.com com", organizational: "example.com", domain: "example.com", policy: PolicyNone,
		},
		{
			name: "an internationalized domain is asked in A-labels", author: "bücher.example", zone: `_dmarc.xn--bcher-kva.example TXT "v=DMARC1; p=reject"`,
			asked: "xn--bcher-kva.example example", organizational: "xn--bcher-kva.example", domain: "xn--bcher-kva.example", tag: "p", policy: PolicyReject,
		},
		{name: "not a domain", author: "a..example", err: ErrBadDomain},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := DiscoverDMARC(context.Background(), zone(t, test.zone), test.author)
			var asked []string
			for _, q := range d.Walk.Queries {
				asked = append(asked, q.Domain)
			}
			if !slices.Equal(asked, strings.Fields(test.asked)) || len(asked) > maxWalkQueries {
				t.Errorf("asked %q, want %q", asked, test.asked)
			}
			a := d.Newer
			if a.Organizational != test.organizational || a.Domain != test.domain || a.Tag != test.tag || a.Policy != test.policy || !errors.Is(a.Err, test.err) {
				t.Errorf("organizational %q, domain %q, tag %q, policy %v, %v; want %q, %q, %q, %v, %v",
					a.Organizational, a.Domain, a.Tag, a.Policy, a.Err, test.organizational, test.domain, test.tag, test.policy, test.err)
			}
		})
	}
}

// What receivers that know only RFC 7489 see beside it.
func TestOlderReceivers(t *testing.T) {
	tests := []struct {
		name, author, zone string
		older, newer       string
	}{
		{"agree", "example.com", `_dmarc.example.com TXT "v=DMARC1; p=reject"`, "reject of example.com", "reject of example.com"},
		{"a record between the author and the registered domain", "a.b.example.com", `_dmarc.b.example.com TXT "v=DMARC1; p=reject"`, "no record", "reject of b.example.com"},
		{"a record at a public suffix", "bank.co.uk", `_dmarc.co.uk TXT "v=DMARC1; p=reject; psd=y"`, "no record", "reject of co.uk"},
		{"a suffix of a company is not one of the registry's", "shop.blogspot.com", `_dmarc.blogspot.com TXT "v=DMARC1; p=reject"`, "reject of blogspot.com", "reject of blogspot.com"},
		{"np is newer", "no.example.com", `_dmarc.example.com TXT "v=DMARC1; p=none; np=reject"`, "none of example.com", "reject of example.com"},
		{"t is newer", "example.com", `_dmarc.example.com TXT "v=DMARC1; p=reject; t=y"`, "reject of example.com", "quarantine of example.com"},
		{"pct is older", "example.com", `_dmarc.example.com TXT "v=DMARC1; p=reject; pct=50"`, "reject of example.com for 50%", "reject of example.com"},
		{"two records end the older search", "a.example.com", "_dmarc.a.example.com TXT \"v=DMARC1; p=none\"\n_dmarc.a.example.com TXT \"v=DMARC1\"\n_dmarc.example.com TXT \"v=DMARC1; p=reject\"", "no record", "reject of example.com"},
		{"a bad np spoils the record for newer ones only", "example.com", `_dmarc.example.com TXT "v=DMARC1; p=reject; np=x; rua=mailto:d@example.com"`, "reject of example.com", "none of example.com"},
		{"no answer", "example.com", `_dmarc.example.com TXT SERVFAIL`, "no answer", "no answer"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := DiscoverDMARC(context.Background(), zone(t, test.zone), test.author)
			if d.Older.String() != test.older || d.Newer.String() != test.newer {
				t.Errorf("older %q, newer %q; want %q, %q", d.Older, d.Newer, test.older, test.newer)
			}
			if want := test.older != test.newer; d.Differ() != want || hasFinding(d.Findings, "dmarc-methods-differ") != want {
				t.Errorf("differ %v, findings %v", d.Differ(), d.Findings)
			}
		})
	}
}

func hasFinding(findings []Finding, id string) bool {
	return slices.ContainsFunc(findings, func(f Finding) bool { return f.ID == id })
}
