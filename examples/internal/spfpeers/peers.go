package spfpeers

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os/exec"
	"strings"

	"blitiri.com.ar/go/spf"
	"github.com/mailfault/mailfault/dnscheck"
)

// verdict is what a program says about a case.
type verdict struct {
	Result string `json:"result"`
	Why    string `json:"why"` // in its own words
}

//go:embed peer.py
var pythonPeer string

//go:embed peer.pl
var perlPeer string

// peers are the programs beside this library, by the names of disagreements.tsv.
var peers = []struct {
	name  string
	judge func(context.Context, []spfCase) ([]verdict, error)
}{
	{"pyspf", process("/usr/bin/python3", "-c", pythonPeer)},
	{"Mail::SPF", process("perl", "-e", perlPeer)},
	{"blitiri", blitiri},
}

// process evaluates the cases in a process that reads a case and writes a verdict a line.
func process(program string, args ...string) func(context.Context, []spfCase) ([]verdict, error) {
	return func(ctx context.Context, cases []spfCase) ([]verdict, error) {
		var in, out, problems bytes.Buffer
		encoder := json.NewEncoder(&in)
		for i := range cases {
			if err := encoder.Encode(&cases[i]); err != nil {
				return nil, err
			}
		}
		command := exec.CommandContext(ctx, program, args...)
		command.Stdin, command.Stdout, command.Stderr = &in, &out, &problems
		if err := command.Run(); err != nil {
			return nil, fmt.Errorf("%s: %w\n%.2000s", program, err, problems.String())
		}
		var verdicts []verdict
		for decoder := json.NewDecoder(&out); ; {
			var v verdict
			if err := decoder.Decode(&v); err == io.EOF {
				break
			} else if err != nil {
				return nil, err
			}
			verdicts = append(verdicts, v)
		}
		if len(verdicts) != len(cases) {
			return nil, fmt.Errorf("%s: %d verdicts of %d cases", program, len(verdicts), len(cases))
		}
		return verdicts, nil
	}
}

// ours evaluates a case with this library.
func ours(c *spfCase) *dnscheck.SPFCheck { return check(c, c.zone()) }

func check(c *spfCase, r dnscheck.Resolver) *dnscheck.SPFCheck {
	return dnscheck.CheckSPF(context.Background(), r, dnscheck.SPFQuery{
		IP: netip.MustParseAddr(c.IP), MailFrom: c.From, HELO: c.HELO, Receiver: "unknown", Trace: true,
	})
}

func blitiri(ctx context.Context, cases []spfCase) ([]verdict, error) {
	verdicts := make([]verdict, len(cases))
	for i := range cases {
		c := &cases[i]
		from := c.From
		if from == "" {
			from = "postmaster@" + c.HELO
		}
		result, err := spf.CheckHostWithSender(net.ParseIP(c.IP), c.HELO, from, spf.WithResolver(netShape{c.zone()}), spf.WithContext(ctx))
		verdicts[i] = verdict{string(result), fmt.Sprint(err)}
	}
	return verdicts, nil
}

// netShape gives a zone the shape of net.Resolver.
type netShape struct{ zone *dnscheck.Zone }

func (n netShape) ask(ctx context.Context, name string, t dnscheck.Type) (dnscheck.Answer, error) {
	a := n.zone.Lookup(ctx, strings.ToLower(strings.TrimSuffix(name, ".")), t)
	switch {
	case a.Outcome == dnscheck.Timeout:
		return a, &net.DNSError{Err: "i/o timeout", Name: name, IsTimeout: true}
	case a.Outcome.Failed():
		return a, &net.DNSError{Err: "server misbehaving", Name: name, IsTemporary: true}
	case a.Outcome != dnscheck.Found:
		return a, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
	}
	return a, nil
}

func (n netShape) LookupTXT(ctx context.Context, name string) ([]string, error) {
	a, err := n.ask(ctx, name, dnscheck.TypeTXT)
	var texts []string
	for _, txt := range a.TXT {
		texts = append(texts, txt.Text)
	}
	return texts, err
}

func (n netShape) LookupMX(ctx context.Context, name string) ([]*net.MX, error) {
	a, err := n.ask(ctx, name, dnscheck.TypeMX)
	var hosts []*net.MX
	for _, mx := range a.MX {
		hosts = append(hosts, &net.MX{Host: mx.Host + ".", Pref: mx.Preference})
	}
	return hosts, err
}

// LookupIPAddr asks for both families, as net.Resolver does: one that is found hides
// what came of the other.
func (n netShape) LookupIPAddr(ctx context.Context, name string) ([]net.IPAddr, error) {
	var addrs []net.IPAddr
	var failed error
	for _, t := range []dnscheck.Type{dnscheck.TypeA, dnscheck.TypeAAAA} {
		a, err := n.ask(ctx, name, t)
		if err != nil && (failed == nil || a.Outcome.Failed()) {
			failed = err
		}
		for _, addr := range a.Addrs {
			addrs = append(addrs, net.IPAddr{IP: addr.AsSlice()})
		}
	}
	if len(addrs) > 0 {
		return addrs, nil
	}
	return nil, failed
}

func (n netShape) LookupAddr(ctx context.Context, addr string) ([]string, error) {
	a, err := n.ask(ctx, reverseName(netip.MustParseAddr(addr).Unmap()), dnscheck.TypePTR)
	var names []string
	for _, name := range a.Names {
		names = append(names, name+".")
	}
	return names, err
}
