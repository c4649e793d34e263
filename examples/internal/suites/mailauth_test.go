package suites

import (
	"context"
	"fmt"
	"maps"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/dnscheck"
	"github.com/mailfault/mailfault/internal/corpora"
)

// mailAuthExceptions are cases of the mail-auth suite that RFC 7208 decides
// otherwise: by file, domain and address, with what it demands and where.
var mailAuthExceptions = map[string]struct {
	want dnscheck.SPFResult
	why  string
}{
	"all/All test: test.org 10.0.0.1":                        {dnscheck.SPFPermError, "ip: is no mechanism: a syntax error anywhere in the record, section 4.6"},
	"basic/DNS Lookup Limits: ok.test.org 172.168.0.1":       {dnscheck.SPFPermError, "ten names without address are more than two void look-ups, section 4.6.4"},
	"basic/DNS Lookup Limits: mx.test.org 10.0.0.8":          {dnscheck.SPFPermError, "more than ten mail exchangers, section 4.6.4: counted before the first is asked"},
	"exists/Exists: ip6.test.org 167.1.2.3":                  {dnscheck.SPFFail, "exists asks for A records only, section 5.7"},
	"macro/Macro expansion 2: mx.example.org 2001:db8::cb01": {dnscheck.SPFFail, "exists asks for A records only, for IPv6 clients too, section 5.7"},
	"ip/IPv6 match: test.org 10.1.2.3":                       {dnscheck.SPFFail, "IPv4 clients are listed with ip4 alone, mapped ones too, section 5"},
}

// mailAuthCase is one check of the mail-auth suite: of the announced name, and
// if that passes of the sender.
type mailAuthCase struct {
	document, domain, sender, ip, expect string
	records                              map[[2]string]string // by kind and name
}

// TestMailAuthSuite runs the suite of the Rust library mail-auth. Its files
// repeat keys, so they are read line by line.
func TestMailAuthSuite(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpora.Dir(t, "spf", "mail-auth"), "*.yml"))
	if err != nil || len(files) != 12 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	cases, used := 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for document := range strings.SplitSeq(string(text), "\n---") {
			for _, c := range mailAuthDocument(document) {
				cases++
				zone := c.zone(t)
				name := strings.TrimSuffix(filepath.Base(file), ".yml") + "/" + c.document + ": " + c.domain + " " + c.ip
				want, explanation, _ := strings.Cut(c.expect, " ")
				if e, ok := mailAuthExceptions[name]; ok {
					used++
					want = e.want.String()
				}
				got := c.check(zone)
				if got.Result.String() != want {
					t.Errorf("%s: %v (%v), want %s", name, got.Result, got.Err, want)
				}
				if explanation != "" && got.Explanation != explanation {
					t.Errorf("%s: explanation %q, want %q", name, got.Explanation, explanation)
				}
			}
		}
	}
	if cases != 163 || used != len(mailAuthExceptions) {
		t.Errorf("%d cases, %d of %d exceptions used", cases, used, len(mailAuthExceptions))
	}
}

// check evaluates the announced name when it is another domain than the
// sender's, and the sender when that passes.
func (c mailAuthCase) check(zone dnscheck.Resolver) *dnscheck.SPFCheck {
	ctx, ip := context.Background(), netip.MustParseAddr(c.ip)
	_, senderDomain, _ := strings.Cut(c.sender, "@")
	if senderDomain != c.domain {
		helo := dnscheck.CheckSPF(ctx, zone, dnscheck.SPFQuery{IP: ip, HELO: c.domain})
		if helo.Result != dnscheck.SPFPass || senderDomain == "" {
			return helo
		}
	}
	return dnscheck.CheckSPF(ctx, zone, dnscheck.SPFQuery{IP: ip, HELO: c.domain, MailFrom: c.sender})
}

// mailAuthZone times out below names that begin with _dns_error, as the suite's
// own resolver does.
type mailAuthZone struct{ *dnscheck.Zone }

func (z mailAuthZone) Lookup(ctx context.Context, name string, t dnscheck.Type) dnscheck.Answer {
	if strings.HasPrefix(name, "_dns_error.") {
		return dnscheck.Answer{Outcome: dnscheck.Timeout}
	}
	return z.Zone.Lookup(ctx, name, t)
}

// mailAuthDocument reads a document's cases: each expect is one, of the values
// and records before it. A test's own records take the place of the document's.
func mailAuthDocument(text string) (cases []mailAuthCase) {
	var c mailAuthCase
	common, tests := map[[2]string]string{}, false
	c.records = common
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, _ := strings.Cut(strings.TrimPrefix(line, "- "), ":")
		value = strings.TrimSpace(value)
		switch key {
		case "records":
		case "tests":
			tests = true
		case "name":
			if !tests {
				c.document = value
			} else {
				c.records = maps.Clone(common)
			}
		case "domain":
			c.domain = value
		case "sender":
			c.sender = value
		case "ip":
			c.ip = value
		case "expect":
			c.expect = value
			cases = append(cases, c)
		default:
			name, rest, _ := strings.Cut(value, " ")
			c.records[[2]string{key, name}] = rest
		}
	}
	return cases
}

func (c mailAuthCase) zone(t *testing.T) mailAuthZone {
	zone := mailAuthZone{&dnscheck.Zone{}}
	for at, value := range c.records {
		if at[0] == "spf" || at[0] == "exp" {
			zone.AddTXT(at[1], value)
			continue
		}
		mailAuthRecord(t, zone.Zone, at[0], at[1], strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' }))
	}
	return zone
}

func mailAuthRecord(t *testing.T, zone *dnscheck.Zone, kind, name string, values []string) {
	for i, value := range values {
		switch kind {
		case "a", "aaaa":
			zone.AddAddr(name, netip.MustParseAddr(value))
		case "mx": // exchangers have addresses and no names in this suite
			host := fmt.Sprintf("mx%d.%s", len(zone.Lookup(context.Background(), name, dnscheck.TypeMX).MX), name)
			zone.AddMX(name, uint16(i), host)
			zone.AddAddr(host, netip.MustParseAddr(value))
		case "ptr":
			zone.AddPTR(reverse(netip.MustParseAddr(name)), value)
		default:
			t.Fatalf("record %q", kind)
		}
	}
}

// reverse is the name of an address in the reverse tree.
func reverse(ip netip.Addr) string {
	suffix, labels := ".in-addr.arpa", strings.Split(ip.String(), ".")
	if ip.Is6() {
		suffix, labels = ".ip6.arpa", strings.Split(strings.ReplaceAll(ip.StringExpanded(), ":", ""), "")
	}
	slices.Reverse(labels)
	return strings.Join(labels, ".") + suffix
}
