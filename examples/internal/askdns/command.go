package askdns

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/mailfault/mailfault/dnscheck"
)

// Command is what the command lines of programs that ask about one domain have
// in common.
type Command struct {
	Domain, Zone, Server string
	JSON                 bool
}

// Parse reads a command line with the program's own flags and those of a Command,
// before and behind the domain. usage is printed above the flags.
func (c *Command) Parse(flags *flag.FlagSet, usage string, args []string, stderr io.Writer) error {
	flags.SetOutput(stderr)
	flags.Usage = func() { fmt.Fprint(stderr, usage); flags.PrintDefaults() }
	flags.StringVar(&c.Zone, "zone", "", "ask this zone `file` instead of DNS")
	flags.StringVar(&c.Server, "server", "", "ask the DNS server at this `address`")
	flags.BoolVar(&c.JSON, "json", false, "print one JSON document")
	var domains []string
	for {
		if err := flags.Parse(args); err != nil {
			return err
		}
		if flags.NArg() == 0 {
			break
		}
		domains, args = append(domains, flags.Arg(0)), flags.Args()[1:]
	}
	if len(domains) != 1 {
		flags.Usage()
		return errors.New("one domain is needed")
	}
	c.Domain = domains[0]
	return nil
}

// Resolver opens what the command line says to ask.
func (c *Command) Resolver() (dnscheck.Resolver, error) {
	if c.Zone == "" {
		return &dnscheck.Cache{Resolver: Server(c.Server)}, nil
	}
	zone, err := ZoneFile(c.Zone)
	if err != nil {
		return nil, err
	}
	return zone, nil
}

// WriteJSON writes a document in one line.
func WriteJSON(w io.Writer, document any) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	return out.Encode(document)
}

// ExitCode is 1 where a finding is an error, else 0.
func ExitCode(findings []dnscheck.Finding) int {
	for _, f := range findings {
		if f.Severity == dnscheck.Error {
			return 1
		}
	}
	return 0
}
