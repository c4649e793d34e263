package spfpeers

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dnscheck"
)

// Every case that this library and another program judge differently is of a kind that
// disagreements.tsv explains. MAILFAULT_SPF_CASES is how many cases there are, and
// MAILFAULT_SPF_SEED from which seed.
func TestEveryDisagreementIsExplained(t *testing.T) {
	if !installed(t, "/usr/bin/python3", "-c", "import spf") || !installed(t, "perl", "-MMail::SPF", "-e", "1") {
		return
	}
	table, err := readDisagreements()
	if err != nil {
		t.Fatal(err)
	}
	g := newGenerator(uint64(number("MAILFAULT_SPF_SEED", 1)))
	cases := make([]spfCase, number("MAILFAULT_SPF_CASES", 1000))
	mine := make([]*dnscheck.SPFCheck, len(cases))
	results := map[string]int{}
	for i := range cases {
		cases[i] = g.next()
		mine[i] = ours(&cases[i])
		results[mine[i].Result.String()]++
	}
	t.Logf("%d cases: %v", len(cases), results)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	verdicts, problems := make([][]verdict, len(peers)), make([]error, len(peers))
	var all sync.WaitGroup
	for i, peer := range peers {
		all.Go(func() { verdicts[i], problems[i] = peer.judge(ctx, cases) })
	}
	all.Wait()
	for i, peer := range peers {
		if problems[i] != nil {
			t.Error(problems[i])
			continue
		}
		compare(t, table, peer.name, cases, mine, verdicts[i])
	}
}

func compare(t *testing.T, table []disagreement, peer string, cases []spfCase, mine []*dnscheck.SPFCheck, theirs []verdict) {
	kinds := map[string]int{}
	differ, unexplained, limit := 0, 0, number("MAILFAULT_SPF_SHOW", 20)
cases:
	for i := range cases {
		if theirs[i].Result == mine[i].Result.String() {
			continue
		}
		differ++
		for _, d := range table {
			if d.explains(peer, &cases[i], mine[i], theirs[i]) {
				kinds[d.class]++
				continue cases
			}
		}
		if unexplained++; unexplained <= limit {
			t.Errorf("case %d: %v (%v), %s has %s (%s)\n%s", i, mine[i].Result, mine[i].Err, peer, theirs[i].Result, theirs[i].Why, describe(&cases[i], mine[i]))
		}
	}
	t.Logf("%s: %d of %d differ, %d unexplained: %v", peer, differ, len(cases), unexplained, kinds)
}

func describe(c *spfCase, mine *dnscheck.SPFCheck) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\t%s, from %q, helo %q: %d look-ups, %d void\n", c.IP, c.From, c.HELO, mine.Lookups, mine.Voids)
	for _, s := range mine.Steps {
		fmt.Fprintf(&b, "\t%*s%s: %s asks %q: %v, matched %v, %v\n", 2*s.Depth, "", s.Domain, s.Term.Name+" "+s.Term.Domain, s.Asked, s.Outcome, s.Matched, s.Result)
	}
	for _, r := range c.Records {
		if r.Type == "TXT" || r.Broken != "" {
			fmt.Fprintf(&b, "\t%s %s %q %s\n", r.Name, r.Type, r.Values, r.Broken)
		}
	}
	return b.String()
}

func number(variable string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return n
	}
	return otherwise
}

// installed skips the test when a program of Debian is not there.
func installed(t *testing.T, program string, args ...string) bool {
	err := exec.CommandContext(t.Context(), program, args...).Run()
	if err == nil {
		return true
	}
	if os.Getenv("MAILFAULT_CORPORA_REQUIRED") != "" {
		t.Fatalf("%s %q: %v", program, args, err)
	}
	t.Skipf("%s %q is not installed (Debian: python3-spf, libmail-spf-perl)", program, args)
	return false
}
