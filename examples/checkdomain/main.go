// Checkdomain looks at all that a domain publishes about its mail and says what
// breaks mail, whose record it is and what to change.
//
//	checkdomain DOMAIN [-ip IP] [-selectors NAMES] [-message FILE] [-refused CLAIM] [-sts] [-zone FILE] [-server ADDR] [-json]
//
// The exit code is 1 where a finding is an error.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strings"

	"github.com/mailfault/mailfault/dnscheck"
	"github.com/mailfault/mailfault/examples/internal/askdns"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

const usage = `usage: checkdomain DOMAIN [-ip IP] [-selectors NAMES] [-message FILE] [-refused CLAIM] [-sts] [-zone FILE] [-server ADDR] [-json]

Looks at a domain's MX, SPF, DKIM, DMARC, MTA-STS, TLS-RPT and BIMI records, and
at the addresses that send its mail, and says what breaks mail, first what breaks most.

`

// options are the command line's.
type options struct {
	askdns.Command
	ip, helo, selectors, message, refused string
	sts                                   bool
}

// report is what is shown: the JSON document of -json.
type report struct {
	SchemaVersion int                        `json:"schema_version"`
	Check         *dnscheck.DomainCheck      `json:"check"`
	Signatures    []*dnscheck.SignatureCheck `json:"signatures,omitempty"`  // of -message
	Explanation   *dnscheck.Explanation      `json:"explanation,omitempty"` // of -refused
}

func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	var r *report
	if err == nil {
		r, err = check(context.Background(), o)
	}
	if err == nil && o.JSON {
		err = askdns.WriteJSON(stdout, r)
	} else if err == nil {
		print(stdout, r)
	}
	if err != nil {
		fmt.Fprintln(stderr, "checkdomain:", err)
		return 2
	}
	if unanswered(r.Check) {
		fmt.Fprintln(stderr, "checkdomain: no question got an answer: either the domain's name servers are down or the server that was asked is; -server names another")
		return 2
	}
	return askdns.ExitCode(r.Check.Findings)
}

// unanswered reports whether DNS failed for all that every domain is asked.
func unanswered(c *dnscheck.DomainCheck) bool {
	return errors.Is(c.MX.Err, dnscheck.ErrDNS) && errors.Is(c.SPF.Record.Err, dnscheck.ErrDNS) && c.DMARC.Newer.Err != nil && c.DMARC.Older.Err != nil
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	flags := flag.NewFlagSet("checkdomain", flag.ContinueOnError)
	flags.StringVar(&o.ip, "ip", "", "also check these `addresses` that send the domain's mail, with commas between")
	flags.StringVar(&o.helo, "helo", "", "the `name` that they announce")
	flags.StringVar(&o.selectors, "selectors", "", "ask for the DKIM keys of these `names`, with commas between")
	flags.StringVar(&o.message, "message", "", "verify the DKIM signatures of the mail in this `file`, and take its selectors")
	flags.StringVar(&o.refused, "refused", "", "explain a refusal of mail from -ip for this `claim`: spf, dkim or dmarc")
	flags.BoolVar(&o.sts, "sts", false, "fetch the MTA-STS policy over HTTPS")
	err = o.Parse(flags, usage, args, stderr)
	return o, err
}

// check asks DNS, or the zone file.
func check(ctx context.Context, o options) (*report, error) {
	r, err := o.Resolver()
	if err != nil {
		return nil, err
	}
	settings := dnscheck.DomainOptions{HELO: o.helo, Selectors: words(o.selectors)}
	if o.sts {
		settings.FetchPolicy = policies{resolver: r, dial: new(net.Dialer).DialContext}.fetch
	}
	for _, text := range words(o.ip) {
		ip, err := netip.ParseAddr(text)
		if err != nil {
			return nil, err
		}
		settings.Senders = append(settings.Senders, ip)
	}
	out := &report{SchemaVersion: 1}
	if o.message != "" {
		verified, err := verify(ctx, r, o.message)
		if err != nil {
			return nil, err
		}
		out.Signatures = verified
		var signatures []*dnscheck.DKIMSignature
		for _, s := range verified {
			signatures = append(signatures, s.Signature)
		}
		settings.Selectors = append(settings.Selectors, dnscheck.SelectorsOf(o.Domain, signatures)...)
	}
	out.Check = dnscheck.CheckDomain(ctx, r, o.Domain, settings)
	if bad := new(dnscheck.DomainError); errors.As(out.Check.Err, &bad) {
		return nil, fmt.Errorf("%w; name a domain, and an address that sends for it with -ip", bad)
	} else if out.Check.Err != nil {
		return nil, out.Check.Err
	}
	if o.refused != "" {
		refusal := dnscheck.Refusal{AuthorDomain: o.Domain, EnvelopeFrom: o.Domain, HELO: o.helo}
		if err := refusal.Claim.UnmarshalText([]byte(o.refused)); err != nil {
			return nil, err
		}
		if len(settings.Senders) > 0 {
			refusal.SendingIP = settings.Senders[0]
		}
		if len(settings.Selectors) > 0 {
			refusal.Selector = settings.Selectors[0]
		}
		for _, s := range out.Signatures {
			refusal.Signatures = append(refusal.Signatures, s.Signature.Text)
		}
		out.Explanation = dnscheck.Explain(ctx, r, refusal)
	}
	return out, nil
}

func verify(ctx context.Context, r dnscheck.Resolver, name string) ([]*dnscheck.SignatureCheck, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return dnscheck.VerifyDKIM(ctx, r, dnscheck.DKIMQuery{Message: file})
}

// words splits a list at commas.
func words(list string) []string {
	return strings.FieldsFunc(list, func(c rune) bool { return c == ',' || c == ' ' })
}
