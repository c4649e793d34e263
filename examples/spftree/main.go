// Spftree draws what a domain's SPF record leads to, what every term costs, and
// what is wrong with it.
//
//	spftree DOMAIN [-ip IP] [-record TEXT] [-zone FILE] [-server ADDR] [-json]
//
// With -record it checks a record that is not published yet and says which
// senders gain and lose; with -ip it also shows the path of one sender. The exit code is 1
// where a finding is an error.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/netip"
	"os"
	"strings"

	"github.com/mailfault/mailfault/dnscheck"
	"github.com/mailfault/mailfault/examples/internal/askdns"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

const usage = `usage: spftree DOMAIN [-ip IP] [-record TEXT] [-zone FILE] [-server ADDR] [-json]

Draws what a domain's SPF record leads to, what every term costs of the ten
look-ups that are allowed, and what is wrong with it.

`

// options are the command line's.
type options struct {
	domain, ip, from, helo, record, zone, server string
	json, flatten                                bool
}

// report is what is shown: the JSON document of -json.
type report struct {
	SchemaVersion int                `json:"schema_version"`
	Audit         *dnscheck.SPFAudit `json:"audit"`
	Diff          *dnscheck.SPFDiff  `json:"diff,omitempty"` // from the published record to that of -record
}

func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintln(stderr, "spftree:", err)
		return 2
	}
	r, err := audit(o)
	if err != nil {
		fmt.Fprintln(stderr, "spftree:", err)
		return 2
	}
	if o.json {
		out := json.NewEncoder(stdout)
		out.SetEscapeHTML(false)
		if err := out.Encode(r); err != nil {
			fmt.Fprintln(stderr, "spftree:", err)
			return 2
		}
	} else {
		draw(newScreen(stdout), r)
	}
	for _, f := range r.Audit.Findings {
		if f.Severity == dnscheck.Error {
			return 1
		}
	}
	return 0
}

// parse reads the command line; flags may stand before and behind the domain.
func parse(args []string, stderr io.Writer) (o options, err error) {
	flags := flag.NewFlagSet("spftree", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(stderr, usage); flags.PrintDefaults() }
	flags.StringVar(&o.ip, "ip", "", "also show the path of a sender with this `address`")
	flags.StringVar(&o.from, "from", "", "the sender's `mailbox`, for macros; by default postmaster at the domain")
	flags.StringVar(&o.helo, "helo", "", "the `name` the sender announces, for macros")
	flags.StringVar(&o.record, "record", "", "check this record `text` instead of the published one")
	flags.StringVar(&o.zone, "zone", "", "ask this zone `file` instead of DNS")
	flags.StringVar(&o.server, "server", "", "ask the DNS server at this `address`")
	flags.BoolVar(&o.json, "json", false, "print one JSON document")
	flags.BoolVar(&o.flatten, "flatten", false, "also write the record without includes")
	var domains []string
	for {
		if err := flags.Parse(args); err != nil {
			return o, err
		}
		if flags.NArg() == 0 {
			break
		}
		domains, args = append(domains, flags.Arg(0)), flags.Args()[1:]
	}
	if len(domains) != 1 {
		flags.Usage()
		return o, errors.New("one domain is needed")
	}
	o.domain = domains[0]
	return o, nil
}

// audit asks DNS, or the zone file.
func audit(o options) (*report, error) {
	var resolver dnscheck.Resolver = askdns.Server(o.server)
	if o.zone != "" {
		zone, err := askdns.ZoneFile(o.zone)
		if err != nil {
			return nil, err
		}
		resolver = zone
	}
	settings := dnscheck.SPFAuditOptions{Flatten: o.flatten}
	if o.ip != "" {
		ip, err := netip.ParseAddr(o.ip)
		if err != nil {
			return nil, err
		}
		settings.Sender = dnscheck.SPFQuery{IP: ip, MailFrom: o.from, HELO: o.helo}
	}
	ctx := context.Background()
	if o.record == "" {
		return &report{1, dnscheck.AuditSPF(ctx, resolver, o.domain, settings), nil}, nil
	}
	name := strings.ToLower(strings.TrimSuffix(o.domain, "."))
	planned := &dnscheck.Overlay{Base: resolver, SPF: map[string]string{name: o.record}}
	after := dnscheck.AuditSPF(ctx, planned, o.domain, settings)
	before := dnscheck.AuditSPF(ctx, resolver, o.domain, settings)
	return &report{1, after, before.Diff(after)}, nil
}
