package suites

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mailfault/mailfault/dnscheck"
	"github.com/mailfault/mailfault/internal/corpora"
	"go.yaml.in/yaml/v3"
)

// scenario is one document of a suite in the form of openspf.org.
type scenario struct {
	Description string
	Tests       map[string]struct {
		Helo, Host, MailFrom string
		Result               any
		Explanation          string
	}
	ZoneData map[string][]any
}

// exceptions are cases that RFC 7208 does not demand, by suite and name.
var exceptions = map[string]map[string]string{
	"blitirispf-tests.yml": {
		"resolution-with-10-lookups": "a name of one label is no domain to check: RFC 7208 section 4.3, and no domain-spec: section 7.1",
		"mx-resolution-10-terms":     "a name of one label is no domain to check: RFC 7208 section 4.3, and no domain-spec: section 7.1",
		"mx-resolution-11-terms":     "a name of one label is no domain to check: RFC 7208 section 4.3, and no domain-spec: section 7.1",
		"all-mx-not-found":           "a name of one label is no domain to check: RFC 7208 section 4.3, and no domain-spec: section 7.1",
		"include-not-found":          "a name of one label is no domain to check: RFC 7208 section 4.3, and no domain-spec: section 7.1",
		"redirect-not-found":         "a name of one label is no domain to check: RFC 7208 section 4.3, and no domain-spec: section 7.1",
		"one-mx-not-found":           "a name of one label is no domain to check: RFC 7208 section 4.3, and no domain-spec: section 7.1",
	},
	"pyspf-tests.yml": {
		"default-modifier":       "default= is pyspf's own extension; to RFC 7208 section 6 it is an unknown modifier",
		"default-modifier-harsh": "as above",
	},
}

func TestSPFSuites(t *testing.T) {
	tests := []struct {
		file string
		want int
	}{
		{"rfc7208-tests.yml", 203},
		{"blitirispf-tests.yml", 14},
		{"pyspf-tests.yml", 14},
		{"rfc4408-tests.yml", 191},
	}
	for _, test := range tests {
		t.Run(test.file, func(t *testing.T) {
			if n := runSuite(t, test.file); n != test.want {
				t.Errorf("%d cases ran, want %d", n, test.want)
			}
		})
	}
}

func runSuite(t *testing.T, file string) (cases int) {
	eachScenario(t, file, func(s *scenario) {
		zone := zoneOf(t, s.ZoneData)
		for name, test := range s.Tests {
			if exceptions[file][name] != "" {
				continue
			}
			cases++
			t.Run(name, func(t *testing.T) {
				ip := netip.MustParseAddr(test.Host)
				got := dnscheck.CheckSPF(context.Background(), zone, dnscheck.SPFQuery{IP: ip, MailFrom: test.MailFrom, HELO: test.Helo})
				want := words(test.Result)
				if !slices.Contains(want, got.Result.String()) {
					t.Errorf("%s: %v (%v), want %v", s.Description, got.Result, got.Err, want)
				}
				if test.Explanation == "DEFAULT" {
					test.Explanation = ""
				}
				if test.Explanation != "" && got.Result == dnscheck.SPFFail && got.Explanation != test.Explanation {
					t.Errorf("explanation %q, want %q", got.Explanation, test.Explanation)
				}
			})
		}
	})
	return cases
}

// eachScenario goes through the documents of a suite.
func eachScenario(t *testing.T, file string, visit func(*scenario)) {
	f, err := os.Open(filepath.Join(corpora.Dir(t, "spf"), file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	documents := yaml.NewDecoder(f)
	for {
		var s scenario
		err := documents.Decode(&s)
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		visit(&s)
	}
}

func words(v any) []string {
	list, ok := v.([]any)
	if !ok {
		return []string{fmt.Sprint(v)}
	}
	var out []string
	for _, w := range list {
		out = append(out, fmt.Sprint(w))
	}
	return out
}

// zoneOf builds the zone of a scenario. SPF records stand for TXT records where
// a name has none, as the suites' own drivers do.
func zoneOf(t *testing.T, data map[string][]any) *dnscheck.Zone {
	var z dnscheck.Zone
	for name, records := range data {
		hasTXT, timeout := false, false
		for _, r := range records {
			if m, ok := r.(map[string]any); ok && m["TXT"] != nil {
				hasTXT = true
			}
			timeout = timeout || r == "TIMEOUT"
			if m, ok := r.(map[string]any); ok && (m["TIMEOUT"] != nil || m["SERVFAIL"] != nil) {
				timeout = true
			}
		}
		for _, r := range records {
			m, ok := r.(map[string]any)
			if !ok {
				continue
			}
			for kind, value := range m {
				switch kind {
				case "SPF":
					if !hasTXT {
						z.AddTXT(name, words(value)...)
					}
				case "TXT":
					if value != "NONE" {
						z.AddTXT(name, words(value)...)
					}
				case "A", "AAAA":
					z.AddAddr(name, netip.MustParseAddr(fmt.Sprint(value)))
				case "MX":
					mx := value.([]any)
					z.AddMX(name, uint16(mx[0].(int)), fmt.Sprint(mx[1]))
				case "PTR":
					z.AddPTR(name, fmt.Sprint(value))
				case "TIMEOUT", "SERVFAIL":
				case "CNAME":
					z.SetCNAME(name, fmt.Sprint(value))
				default:
					t.Fatalf("%s: record type %q", name, kind)
				}
			}
		}
		if timeout {
			for _, kind := range []dnscheck.Type{dnscheck.TypeTXT, dnscheck.TypeA, dnscheck.TypeAAAA, dnscheck.TypeMX, dnscheck.TypePTR} {
				if a := z.Lookup(context.Background(), name, kind); a.Outcome != dnscheck.Found {
					z.SetOutcome(name, kind, dnscheck.Timeout)
				}
			}
		}
	}
	return &z
}
