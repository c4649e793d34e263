package dnscheck

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"
)

// randomZone makes example.org's record and a handful of others, which
// include each other only forwards. With faults they also include what is not
// there and each other in circles.
func randomZone(r *rand.Rand, faults bool) *Zone {
	var z Zone
	const records = 6
	name := func(i int) string {
		if i == 0 {
			return "example.org"
		}
		return fmt.Sprintf("r%d.example.net", i)
	}
	addr := func() string { return fmt.Sprintf("192.0.2.%d", r.IntN(32)) }
	for i := range 4 {
		host := fmt.Sprintf("h%d.example.net", i)
		z.AddAddr(host, netip.MustParseAddr(addr()))
		z.AddAddr(host, netip.MustParseAddr(fmt.Sprintf("2001:db8::%x", r.IntN(32))))
		z.AddMX(fmt.Sprintf("m%d.example.net", i%2), uint16(i), host)
	}
	z.SetOutcome("sick.example.net", TypeA, ServFail)
	z.SetOutcome("sick.example.net", TypeTXT, Timeout)
	for i := range records {
		terms := []string{"v=spf1"}
		for range r.IntN(5) {
			q := []string{"", "", "", "+", "-", "~", "?"}[r.IntN(7)]
			switch k := r.IntN(8); {
			case k < 2:
				terms = append(terms, fmt.Sprintf("%sip4:%s/%d", q, addr(), 26+r.IntN(7)))
			case k == 2:
				terms = append(terms, fmt.Sprintf("%sip6:2001:db8::%x/%d", q, r.IntN(32), 122+r.IntN(7)))
			case k == 3:
				terms = append(terms, fmt.Sprintf("%sa:h%d.example.net/%d//%d", q, r.IntN(4), 28+r.IntN(5), 124+r.IntN(5)))
			case k == 4:
				terms = append(terms, fmt.Sprintf("%smx:m%d.example.net", q, r.IntN(2)))
			case faults && r.IntN(4) == 0:
				terms = append(terms, q+[]string{"a:gone.example.net", "include:gone.example.net", "a:sick.example.net", "mx:gone.example.net",
					"include:sick.example.net", "ipv4:192.0.2.1", "include:" + name(r.IntN(records)), "a:a.gone.example.net", "exists:b.gone.example.net"}[r.IntN(9)])
			case i+1 < records:
				terms = append(terms, q+"include:"+name(i+1+r.IntN(records-i-1)))
			}
		}
		switch k := r.IntN(6); {
		case k == 0 && i+1 < records:
			terms = append(terms, "redirect="+name(i+1))
		case k == 1:
		default:
			terms = append(terms, []string{"-all", "~all", "?all", "-all", "+all"}[r.IntN(5)])
		}
		z.AddTXT(name(i), strings.Join(terms, " "))
	}
	return &z
}

// resultFor is what an audit says about an address.
func (a *SPFAudit) resultFor(ip netip.Addr) SPFResult {
	for _, s := range a.Senders {
		if s.Prefix.Contains(ip) {
			return s.Result
		}
	}
	return a.Default
}

func everyTestAddress(yield func(netip.Addr) bool) {
	for i := range 33 {
		if !yield(netip.AddrFrom4([4]byte{192, 0, 2, byte(i)})) || !yield(netip.MustParseAddr(fmt.Sprintf("2001:db8::%x", i))) {
			return
		}
	}
}

// An audit lists for every address what an evaluation says about it; a flattened
// record keeps it so; and what is called unused can go.
func TestAuditsAgreeWithEvaluation(t *testing.T) {
	ctx := context.Background()
	compared, flattened, unused := 0, 0, 0
	check := func(z Resolver, ip netip.Addr) *SPFCheck {
		return CheckSPF(ctx, z, SPFQuery{IP: ip, MailFrom: "a@example.org"})
	}
	for seed := range uint64(400) {
		z := randomZone(rand.New(rand.NewPCG(seed, 5)), false)
		a := AuditSPF(ctx, z, "example.org", SPFAuditOptions{Flatten: true})
		var without []string
		flat := &Overlay{Base: z, SPF: map[string]string{}}
		for _, p := range a.Flattened.Publish {
			flat.SPF[p.Name] = p.Text
		}
		for term := range strings.FieldsSeq(a.Record.Text) {
			without = append(without, term)
		}
		removed := map[int]bool{}
		for _, s := range a.Savings {
			if s.Unused {
				unused++
				removed[len(strings.Fields(a.Record.Text[:s.Spot.Start]))] = true
			}
		}
		var kept []string
		for i, term := range without {
			if !removed[i] {
				kept = append(kept, term)
			}
		}
		pruned := &Overlay{Base: z, SPF: map[string]string{"example.org": strings.Join(kept, " ")}}
		for ip := range everyTestAddress {
			got := check(z, ip)
			if got.Err != nil {
				continue // over the limit on this path
			}
			compared++
			if want := a.resultFor(ip); got.Result != want {
				t.Fatalf("seed %d: %v gets %v, the audit says %v\n%s", seed, ip, got.Result, want, a.Record.Text)
			}
			if got.Lookups > a.Lookups {
				t.Errorf("seed %d: %v costs %d look-ups, the worst case is %d", seed, ip, got.Lookups, a.Lookups)
			}
			if len(flat.SPF) > 0 {
				flattened++
				if after := check(flat, ip); after.Result != got.Result {
					t.Fatalf("seed %d: %v gets %v, flattened %v\n%s\n%v", seed, ip, got.Result, after.Result, a.Record.Text, flat.SPF)
				}
			}
			if after := check(pruned, ip); after.Result != got.Result {
				t.Fatalf("seed %d: %v gets %v, without unused terms %v\n%s\n%v", seed, ip, got.Result, after.Result, a.Record.Text, kept)
			}
		}
	}
	if compared < 20000 || flattened < 10000 || unused < 50 {
		t.Errorf("only %d compared, %d flattened, %d unused terms", compared, flattened, unused)
	}
}

// hasPartial reports whether an included record lets all but some pass: then
// those it refuses cost more than others.
func hasPartial(a *SPFAudit) (found bool) {
	a.walk(func(_ *SPFRecord, t *SPFTerm, _ []*SPFTerm) {
		if t.Mechanism == MechanismInclude && t.Record != nil {
			s := setsOf(t.Record, nil, map[*SPFRecord]*spfSets{})
			found = found || s.otherwise == SPFPass && !s.of[SPFPass].equal(everyone())
		}
	})
	return found
}

// The worst case of an audit is what a client meets that no term names, errors
// and all; and the eleventh term is the one that stops it.
func TestWorstCasesAgreeWithEvaluation(t *testing.T) {
	results, elevenths := map[SPFResult]int{}, 0
	for seed := range uint64(4000) {
		z := randomZone(rand.New(rand.NewPCG(seed, 8)), true)
		a := AuditSPF(context.Background(), z, "example.org", SPFAuditOptions{})
		for ip, worst := range map[string]SPFWorst{"203.0.113.250": a.IPv4, "3fff::250": a.IPv6} {
			got := CheckSPF(context.Background(), z, SPFQuery{IP: netip.MustParseAddr(ip), MailFrom: "a@example.org"})
			if got.Result != worst.Result {
				t.Fatalf("seed %d: %s gets %v (%v), the worst case is %v (%v)\n%s", seed, ip, got.Result, got.Err, worst.Result, worst.Err, a.Record.Text)
			}
			if got.Err == nil && (got.Lookups > worst.Lookups || got.Voids > worst.Voids) {
				t.Fatalf("seed %d: %s costs %d look-ups and %d voids, the worst case %d and %d", seed, ip, got.Lookups, got.Voids, worst.Lookups, worst.Voids)
			}
			results[got.Result]++
			if errors.Is(got.Err, ErrTooManyLookups) && !a.Endless && !hasPartial(a) {
				elevenths++
				if a.Eleventh == nil || a.Eleventh.Name != got.RecordOf || a.Eleventh.Start != got.Term.Start {
					t.Fatalf("seed %d: %s stops at %s: %+v, the audit says %+v", seed, ip, got.RecordOf, got.Term, a.Eleventh)
				}
			}
		}
	}
	for _, r := range []SPFResult{SPFNeutral, SPFPass, SPFFail, SPFSoftFail, SPFTempError, SPFPermError} {
		if results[r] < 100 {
			t.Errorf("only %d times %v", results[r], r)
		}
	}
	if elevenths < 50 {
		t.Errorf("only %d records over the limit", elevenths)
	}
}

// With all its errors, an audit says of every address what an evaluation does.
func TestActualResultsAgreeWithEvaluation(t *testing.T) {
	results, broken, partly := map[SPFResult]int{}, 0, 0
	for seed := range uint64(1500) {
		z := randomZone(rand.New(rand.NewPCG(seed, 9)), true)
		a := AuditSPF(t.Context(), z, "example.org", SPFAuditOptions{})
		if a.Actual != nil {
			broken++
			if len(a.Actual.Senders) > 0 {
				partly++
			}
		}
		sets, _ := a.results()
		for ip := range everyTestAddress {
			got := CheckSPF(t.Context(), z, SPFQuery{IP: ip, MailFrom: "a@example.org"})
			if !sets[got.Result].contains(addrSet{{ip, ip}}) {
				t.Fatalf("seed %d: %v gets %v (%v), the audit says otherwise: %v\n%s", seed, ip, got.Result, got.Err, sets, a.Record.Text)
			}
			results[got.Result]++
		}
	}
	for _, r := range []SPFResult{SPFNeutral, SPFPass, SPFFail, SPFSoftFail, SPFTempError, SPFPermError} {
		if results[r] < 500 {
			t.Errorf("only %d times %v", results[r], r)
		}
	}
	if broken < 200 || partly < 100 {
		t.Errorf("only %d records with errors, %d of them with senders that get by", broken, partly)
	}
}

// A difference lists exactly the addresses whose result changes.
func TestDiffsAgreeWithEvaluation(t *testing.T) {
	for seed := range uint64(200) {
		faults := seed%2 == 0
		before, after := randomZone(rand.New(rand.NewPCG(seed, 6)), faults), randomZone(rand.New(rand.NewPCG(seed, 7)), faults)
		a := AuditSPF(t.Context(), before, "example.org", SPFAuditOptions{})
		b := AuditSPF(t.Context(), after, "example.org", SPFAuditOptions{})
		d := a.Diff(b)
		in := func(list []SPFChange, ip netip.Addr) (SPFResultChange, bool) {
			for _, c := range list {
				if c.Prefix.Contains(ip) {
					return c.SPFResultChange, true
				}
			}
			return SPFResultChange{}, false
		}
		for ip := range everyTestAddress {
			change := SPFResultChange{
				CheckSPF(t.Context(), before, SPFQuery{IP: ip, MailFrom: "a@example.org"}).Result,
				CheckSPF(t.Context(), after, SPFQuery{IP: ip, MailFrom: "a@example.org"}).Result,
			}
			others := d.IPv4
			if ip.Is6() {
				others = d.IPv6
			}
			listed := change.Before != change.After && change != others
			for name, list := range map[string][]SPFChange{"gained": d.Gained, "lost": d.Lost, "changed": d.Changed} {
				want := listed && name == map[bool]string{true: "gained", false: map[bool]string{true: "lost", false: "changed"}[change.Before == SPFPass]}[change.After == SPFPass]
				got, ok := in(list, ip)
				if ok != want || ok && got != change {
					t.Fatalf("seed %d: %v from %v to %v: %s is %v, %v", seed, ip, change.Before, change.After, name, ok, got)
				}
			}
		}
	}
}

// Sets of addresses against one bit an address.
func TestAddressSetsAgainstBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	// Both ends of both families: nothing may run over them.
	bases := []netip.Addr{netip.MustParseAddr("0.0.0.0"), netip.MustParseAddr("255.255.255.224"), netip.MustParseAddr("::"), netip.MustParseAddr("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffe0")}
	var all []netip.Addr
	for _, base := range bases {
		for ip := base; ip.IsValid() && rangeOf(netip.PrefixFrom(base, base.BitLen()-5)).hi.Compare(ip) >= 0; ip = ip.Next() {
			all = append(all, ip)
		}
	}
	if len(all) != 4*32 {
		t.Fatal(len(all))
	}
	random := func() addrSet {
		var ranges []addrRange
		for range r.IntN(6) {
			ip := all[r.IntN(len(all))]
			ranges = append(ranges, rangeOf(netip.PrefixFrom(ip, ip.BitLen()-r.IntN(6))))
		}
		return setOf(ranges)
	}
	has := func(s addrSet, ip netip.Addr) bool {
		for _, x := range s {
			if x.lo.BitLen() == ip.BitLen() && x.lo.Compare(ip) <= 0 && ip.Compare(x.hi) <= 0 {
				return true
			}
		}
		return false
	}
	for range 2000 {
		a, b := random(), random()
		union, both, minus, prefixes := a.union(b), a.intersect(b), a.minus(b), a.prefixes()
		for _, ip := range all {
			inA, inB, inPrefixes := has(a, ip), has(b, ip), 0
			for _, p := range prefixes {
				if p.Contains(ip) {
					inPrefixes++
				}
			}
			if has(union, ip) != (inA || inB) || has(both, ip) != (inA && inB) || has(minus, ip) != (inA && !inB) || (inPrefixes == 1) != inA || inPrefixes > 1 {
				t.Fatalf("%v: %v %v", ip, a, b)
			}
		}
		for i := 1; i < len(union); i++ {
			if union[i-1].hi.Compare(union[i].lo) >= 0 || union[i-1].hi.Next() == union[i].lo {
				t.Fatalf("not apart: %v", union)
			}
		}
	}
	if four, six := everyone().size(); four != 1<<32 || six.String() != "340282366920938463463374607431768211456" || len(everyone().prefixes()) != 2 {
		t.Errorf("everyone is %d and %v", four, six)
	}
}
