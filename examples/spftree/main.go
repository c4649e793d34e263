// Spftree draws what a domain's SPF record leads to, what every term costs, and
// what is wrong with it.
//
//	spftree DOMAIN [-ip IP] [-record TEXT] [-flatten] [-zone FILE] [-server ADDR] [-json]
//
// With -record it checks a record that is not published yet and says which
// senders gain and lose; with -ip it also shows the path of one sender. The exit code is 1
// where a finding is an error, 2 where nothing could be checked.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/netip"
	"os"
	"strconv"
	"strings"

	"github.com/mailfault/mailfault/dnscheck"
	"github.com/mailfault/mailfault/examples/internal/askdns"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

const usage = `usage: spftree DOMAIN [-ip IP] [-record TEXT] [-flatten] [-zone FILE] [-server ADDR] [-json]

Draws what a domain's SPF record leads to, what every term costs of the ten
look-ups that are allowed, and what is wrong with it.

`

// options are the command line's.
type options struct {
	askdns.Command
	ip, from, helo, record string
	flatten                bool
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
	var r *report
	if err == nil {
		r, err = audit(o)
	}
	if err == nil && o.JSON {
		err = askdns.WriteJSON(stdout, r)
	} else if err == nil {
		draw(newScreen(stdout), r)
	}
	if err != nil {
		fmt.Fprintln(stderr, "spftree:", err)
		return 2
	}
	if errors.Is(r.Audit.Record.Err, dnscheck.ErrDNS) {
		fmt.Fprintln(stderr, "spftree: DNS gave no answer about", strconv.Quote(o.Domain)+": either its name servers are down or the server that was asked is; -server names another")
		return 2
	}
	return askdns.ExitCode(r.Audit.Findings)
}

func parse(args []string, stderr io.Writer) (o options, err error) {
	flags := flag.NewFlagSet("spftree", flag.ContinueOnError)
	flags.StringVar(&o.ip, "ip", "", "also show the path of a sender with this `address`")
	flags.StringVar(&o.from, "from", "", "the sender's `mailbox`, for macros; by default postmaster at the domain")
	flags.StringVar(&o.helo, "helo", "", "the `name` the sender announces, for macros")
	flags.StringVar(&o.record, "record", "", "check this record `text` instead of the published one")
	flags.BoolVar(&o.flatten, "flatten", false, "also write the record without includes")
	err = o.Parse(flags, usage, args, stderr)
	return o, err
}

// audit asks DNS, or the zone file.
func audit(o options) (*report, error) {
	resolver, err := o.Resolver()
	if err != nil {
		return nil, err
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
		return &report{1, dnscheck.AuditSPF(ctx, resolver, o.Domain, settings), nil}, nil
	}
	name := strings.ToLower(strings.TrimSuffix(o.Domain, "."))
	planned := &dnscheck.Overlay{Base: resolver, SPF: map[string]string{name: o.record}}
	after := dnscheck.AuditSPF(ctx, planned, o.Domain, settings)
	before := dnscheck.AuditSPF(ctx, resolver, o.Domain, settings)
	return &report{1, after, before.Diff(after)}, nil
}
