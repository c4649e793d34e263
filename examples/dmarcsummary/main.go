// Dmarcsummary says who sends mail under a domain, what of it fails DMARC and
// why, from the aggregate reports that receivers send.
//
//	dmarcsummary PATH...|-
//
// It reads reports in any wrapping: XML, gzip, zip, mails, mboxes, Maildirs and
// folders of them, SMTP TLS reports and failure reports among them. The exit
// code is 1 where an input was no report; the rest is still summed up.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/mailfault/mailfault/dmarcreport"
	"github.com/mailfault/mailfault/examples/internal/mailbox"
	"github.com/mailfault/mailfault/examples/internal/progress"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

const usage = `usage: dmarcsummary [-json | -csv] [-by ip|network|authenticated] [-top N] [-large] [-v] PATH...|-

Says who sends mail under a domain and what of it fails DMARC, from aggregate
reports in any wrapping.

`

// keys are the ways to tell sources apart.
var keys = map[string]dmarcreport.KeyFunc{
	"ip": dmarcreport.BySourceIP, "network": dmarcreport.ByNetwork, "authenticated": dmarcreport.ByAuthenticated,
}

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("dmarcsummary", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(stderr, usage); flags.PrintDefaults() }
	asJSON := flags.Bool("json", false, "print one JSON document")
	asCSV := flags.Bool("csv", false, "print one line of CSV a source")
	by := flags.String("by", "ip", "what makes a source: ip, network or authenticated")
	large := flags.Bool("large", false, "lift the limits on sizes, for reports you trust")
	top := flags.Int("top", 25, "how many sources of a domain to list, 0 for all")
	verbose := flags.Bool("v", false, "list each kind of fault in the reports")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	if flags.NArg() == 0 || keys[*by] == nil {
		flags.Usage()
		return 2
	}
	rd := &dmarcreport.Reader{}
	if *large {
		rd.Limits = dmarcreport.Limits{Input: -1, Output: -1, Records: -1, Members: -1}
	}
	s := newSummary(keys[*by])
	failed := false
	bar := progress.New(flags.Args(), stderr)
	for name, err := range mailbox.Files(flags.Args()) {
		if err == nil {
			err = mailbox.Each(name, stdin, func(r io.Reader) error { return s.input(rd, r) })
		}
		if err != nil {
			failed = true
			bar.Clear()
			fmt.Fprintf(stderr, "dmarcsummary: %v\n", err)
		}
		bar.Step()
	}
	bar.Finish()
	var err error
	switch {
	case *asJSON:
		err = s.json(stdout)
	case *asCSV:
		err = s.csv(stdout)
	default:
		s.text(stdout, *verbose, *top)
	}
	if err != nil {
		fmt.Fprintf(stderr, "dmarcsummary: %v\n", err)
		failed = true
	}
	if failed {
		return 1
	}
	return 0
}

// input sums up every report of one input.
func (s *summary) input(rd *dmarcreport.Reader, r io.Reader) error {
	var errs []error
	for doc, err := range rd.Documents(r) {
		if err == nil {
			err = s.add(doc)
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
