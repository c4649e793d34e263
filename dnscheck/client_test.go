package dnscheck

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/net/dns/dnsmessage"
)

// ask puts one question to one fake server, which has a second for each try: a
// busy machine takes its time.
func ask(t *testing.T, h handler, name string, typ Type) (Answer, *fakeServer) {
	t.Helper()
	s := serve(t, h)
	c := &Client{Servers: []string{s.addr}, Timeout: time.Second, Rounds: 1}
	return c.Lookup(t.Context(), name, typ), s
}

func TestClientTellsOutcomesApart(t *testing.T) {
	soa := func(m *dnsmessage.Message) {
		m.Authorities = append(m.Authorities, recordSOA("example.org.", 3600, 300))
	}
	code := func(c dnsmessage.RCode) handler { return answers(func(m *dnsmessage.Message) { m.RCode = c }) }
	for name, tt := range map[string]struct {
		h    handler
		want Answer // but for server and size
		err  error
	}{
		"records": {h: answers(func(m *dnsmessage.Message) {
			m.Answers = []dnsmessage.Resource{recordA("example.org.", 600, "192.0.2.2"), recordA("example.org.", 300, "192.0.2.1")}
			m.AuthenticData = true
		}), want: Answer{Outcome: Found, TTL: 300 * time.Second, Authentic: true, Addrs: []netip.Addr{netip.MustParseAddr("192.0.2.2"), netip.MustParseAddr("192.0.2.1")}}},
		"no data, for the lesser of TTL and minimum": {h: answers(soa), want: Answer{Outcome: NoData, TTL: 300 * time.Second}},
		"no such name": {h: answers(func(m *dnsmessage.Message) { soa(m); m.RCode = dnsmessage.RCodeNameError }), want: Answer{Outcome: NXDomain, TTL: 300 * time.Second}},
		"no data without SOA is not to be remembered": {h: answers(func(*dnsmessage.Message) {}), want: Answer{Outcome: NoData}},
		"the SOA of a zone elsewhere says nothing": {h: answers(func(m *dnsmessage.Message) {
			m.Authorities = append(m.Authorities, recordSOA("ample.org.", 3600, 300))
		}), want: Answer{Outcome: NoData}},
		"a TTL with the highest bit is zero": {h: answers(func(m *dnsmessage.Message) {
			m.Answers = []dnsmessage.Resource{recordA("example.org.", 1<<31, "192.0.2.1")}
		}), want: Answer{Outcome: Found, Addrs: []netip.Addr{netip.MustParseAddr("192.0.2.1")}}},
		"server failure":  {h: code(dnsmessage.RCodeServerFailure), want: Answer{Outcome: ServFail}},
		"refused":         {h: code(dnsmessage.RCodeRefused), want: Answer{Outcome: Refused}},
		"not implemented": {h: code(dnsmessage.RCodeNotImplemented), want: Answer{Outcome: ServFail}},
		"referral": {h: answers(func(m *dnsmessage.Message) { m.RecursionAvailable = false }),
			want: Answer{Outcome: Refused}, err: ErrReferral},
		"no data of an authoritative server": {h: answers(func(m *dnsmessage.Message) { m.RecursionAvailable, m.Authoritative = false, true }),
			want: Answer{Outcome: NoData}},
		"silence": {h: func([]byte, bool) [][]byte { return nil }, want: Answer{Outcome: Unreachable}}, // TCP ends without an answer
		"records of a name that does not exist": {h: answers(func(m *dnsmessage.Message) {
			m.Answers = []dnsmessage.Resource{recordA("example.org.", 300, "192.0.2.1")}
			m.RCode = dnsmessage.RCodeNameError
		}), want: Answer{Outcome: ServFail}, err: ErrMalformed},
		"records of another name are no answer": {h: answers(func(m *dnsmessage.Message) {
			m.Answers = []dnsmessage.Resource{recordA("example.net.", 300, "192.0.2.1")}
		}), want: Answer{Outcome: NoData}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, s := ask(t, tt.h, "example.org", TypeA)
			if name == "silence" {
				tt.want.Outcome = Timeout // UDP's silence says more than TCP's end
			}
			if d := cmp.Diff(tt.want, got, cmpopts.EquateComparable(netip.Addr{}), cmpopts.IgnoreFields(Answer{}, "Err", "Server", "TCP", "Size")); d != "" {
				t.Error(d)
			}
			if got.Outcome.Failed() != (got.Err != nil) || tt.err != nil && !errors.Is(got.Err, tt.err) {
				t.Errorf("error %v", got.Err)
			}
			if got.Server != s.addr {
				t.Errorf("server %q", got.Server)
			}
		})
	}
}

func TestClientReadsEveryType(t *testing.T) {
	h := answers(func(m *dnsmessage.Message) {
		name := "Example.org." // compared without case
		m.Answers = []dnsmessage.Resource{
			recordMX(name, 2), recordMX(name, 1), // preferences 1998 and 1999, sent in this order
			recordTXT(name, 60, "v=spf1 ", "-all"), recordTXT(name, 60, ""),
			{Header: header(name, 99, 60), Body: &dnsmessage.UnknownResource{Type: 99, Data: []byte("\x06v=spf1")}},
			{Header: header(name, dnsmessage.TypePTR, 60), Body: &dnsmessage.PTRResource{PTR: dnsmessage.MustNewName("Mail.Example.ORG.")}},
			{Header: header(name, dnsmessage.TypeAAAA, 60), Body: &dnsmessage.AAAAResource{AAAA: netip.MustParseAddr("2001:db8::1").As16()}},
		}
		if m.Questions[0].Type == dnsmessage.TypeCNAME {
			m.Answers = []dnsmessage.Resource{recordCNAME(name, 60, "Other.Example.net.")}
		}
	})
	for typ, want := range map[Type]Answer{
		TypeMX:    {MX: []MX{{1998, "mx2.example.org"}, {1999, "mx1.example.org"}}},
		TypeTXT:   {TXT: []TXT{{"v=spf1 -all", 2}, {"", 1}}},
		TypeSPF:   {TXT: []TXT{{"v=spf1", 1}}},
		TypePTR:   {Names: []string{"mail.example.org"}},
		TypeAAAA:  {Addrs: []netip.Addr{netip.MustParseAddr("2001:db8::1")}},
		TypeCNAME: {Names: []string{"other.example.net"}},
	} {
		want.Outcome, want.TTL = Found, time.Minute
		got, _ := ask(t, h, "example.org", typ)
		if d := cmp.Diff(want, got, cmpopts.EquateComparable(netip.Addr{}), cmpopts.IgnoreFields(Answer{}, "Server", "Size")); d != "" {
			t.Errorf("%v: %s", typ, d)
		}
	}
}

func TestClientReadsNullMX(t *testing.T) {
	got, _ := ask(t, answers(func(m *dnsmessage.Message) {
		m.Answers = []dnsmessage.Resource{{Header: header("example.org.", dnsmessage.TypeMX, 60), Body: &dnsmessage.MXResource{MX: dnsmessage.MustNewName(".")}}}
	}), "example.org", TypeMX)
	if len(got.MX) != 1 || got.MX[0] != (MX{}) {
		t.Errorf("%+v", got)
	}
}

func TestClientFollowsAliases(t *testing.T) {
	for name, tt := range map[string]struct {
		records []dnsmessage.Resource
		code    dnsmessage.RCode
		want    Answer
		err     error
	}{
		"in any order, with the least TTL": {
			records: []dnsmessage.Resource{recordA("c.example.", 900, "192.0.2.1"), recordCNAME("b.example.", 30, "C.example."), recordCNAME("a.example.", 600, "b.example.")},
			want:    Answer{Outcome: Found, CNAME: []string{"b.example", "c.example"}, TTL: 30 * time.Second, Addrs: []netip.Addr{netip.MustParseAddr("192.0.2.1")}}},
		"to a name that does not exist": {
			records: []dnsmessage.Resource{recordCNAME("a.example.", 600, "b.example.")}, code: dnsmessage.RCodeNameError,
			want: Answer{Outcome: NXDomain, CNAME: []string{"b.example"}}},
		"to itself": {records: []dnsmessage.Resource{recordCNAME("a.example.", 600, "a.example.")},
			want: Answer{Outcome: ServFail, CNAME: []string{"a.example"}}, err: ErrAliasLoop},
		"in a circle": {records: []dnsmessage.Resource{recordCNAME("a.example.", 600, "b.example."), recordCNAME("b.example.", 600, "c.example."), recordCNAME("c.example.", 600, "b.example.")},
			want: Answer{Outcome: ServFail, CNAME: []string{"b.example", "c.example", "b.example"}}, err: ErrAliasLoop},
		"the first of several at one name": {
			records: []dnsmessage.Resource{recordCNAME("a.example.", 600, "b.example."), recordCNAME("a.example.", 600, "c.example."), recordA("b.example.", 600, "192.0.2.2")},
			want:    Answer{Outcome: Found, CNAME: []string{"b.example"}, TTL: 600 * time.Second, Addrs: []netip.Addr{netip.MustParseAddr("192.0.2.2")}}},
		"not those of other names": {records: []dnsmessage.Resource{recordCNAME("z.example.", 600, "b.example."), recordA("b.example.", 600, "192.0.2.2")},
			want: Answer{Outcome: NoData}},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := ask(t, answers(func(m *dnsmessage.Message) { m.Answers, m.RCode = tt.records, tt.code }), "a.example", TypeA)
			if d := cmp.Diff(tt.want, got, cmpopts.EquateComparable(netip.Addr{}), cmpopts.IgnoreFields(Answer{}, "Err", "Server", "TCP", "Size")); d != "" {
				t.Error(d)
			}
			if !errors.Is(got.Err, tt.err) {
				t.Errorf("error %v", got.Err)
			}
		})
	}
}

// chain makes a server that answers each name with one alias to the next and
// does not follow it, as an authoritative server does for other zones.
func chain(length int, rest dnsmessage.Resource) handler {
	return answers(func(m *dnsmessage.Message) {
		m.RecursionAvailable, m.Authoritative = false, true
		name := m.Questions[0].Name.String()
		if n := strings.IndexByte(name, '.'); n < length {
			m.Answers = []dnsmessage.Resource{recordCNAME(name, 60, "x"+name)}
			return
		}
		rest.Header.Name = m.Questions[0].Name
		m.Answers = []dnsmessage.Resource{rest}
	})
}

func TestClientGoesOnWhereTheServerStops(t *testing.T) {
	got, s := ask(t, chain(4, recordA("x.", 300, "192.0.2.1")), "x.example", TypeA)
	want := []string{"xx.example", "xxx.example", "xxxx.example"}
	if got.Outcome != Found || !slices.Equal(got.CNAME, want) || got.TTL != time.Minute || s.udp.Load() != 4 {
		t.Errorf("%+v after %d questions", got, s.udp.Load())
	}
	got, s = ask(t, chain(60, recordA("x.", 300, "192.0.2.1")), "x.example", TypeA)
	if got.Outcome != ServFail || !errors.Is(got.Err, ErrAliasLoop) || s.udp.Load() > maxAliases+1 {
		t.Errorf("%+v after %d questions", got, s.udp.Load())
	}
}

func TestClientAsksTheNextServer(t *testing.T) {
	good := serve(t, answers(func(m *dnsmessage.Message) {
		m.Answers = []dnsmessage.Resource{recordA("example.org.", 300, "192.0.2.1")}
	}))
	broken := serve(t, answers(func(m *dnsmessage.Message) { m.RCode = dnsmessage.RCodeServerFailure }))
	refusing := serve(t, answers(func(m *dnsmessage.Message) { m.RCode = dnsmessage.RCodeRefused }))
	silent := serve(t, func([]byte, bool) [][]byte { time.Sleep(time.Second); return nil })
	dead := deadPort(t)
	for name, tt := range map[string]struct {
		servers []string
		want    Outcome
		from    string
	}{
		"past all that fail":                    {[]string{dead, silent.addr, refusing.addr, broken.addr, good.addr}, Found, good.addr},
		"a failure says more than silence":      {[]string{silent.addr, broken.addr, dead, refusing.addr}, ServFail, broken.addr},
		"a refusal says more than silence":      {[]string{silent.addr, refusing.addr, dead}, Refused, refusing.addr},
		"silence says more than an unused port": {[]string{dead, silent.addr}, Timeout, silent.addr},
		"an unused port":                        {[]string{dead}, Unreachable, dead},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &Client{Servers: tt.servers, Timeout: time.Second, Rounds: 1}
			got := c.Lookup(t.Context(), "example.org", TypeA)
			if got.Outcome != tt.want || got.Server != tt.from {
				t.Errorf("%v from %s (%v), want %v from %s", got.Outcome, got.Server, got.Err, tt.want, tt.from)
			}
		})
	}
}

func TestClientTriesAgainAfterALostDatagram(t *testing.T) {
	t.Parallel()
	var lost atomic.Bool
	s := serve(t, func(query []byte, tcp bool) [][]byte {
		if lost.CompareAndSwap(false, true) {
			return nil
		}
		return [][]byte{response(query, func(m *dnsmessage.Message) {
			m.Answers = []dnsmessage.Resource{recordA("example.org.", 300, "192.0.2.1")}
		})}
	})
	c := &Client{Servers: []string{s.addr}, Timeout: 2 * time.Second}
	if got := c.Lookup(t.Context(), "example.org", TypeA); got.Outcome != Found || s.udp.Load() != 2 || got.TCP {
		t.Errorf("%+v after %d questions", got, s.udp.Load())
	}
}

func TestClientStopsWithItsContext(t *testing.T) {
	s := serve(t, func([]byte, bool) [][]byte { time.Sleep(time.Second); return nil })
	c := &Client{Servers: []string{s.addr}, Timeout: -1}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	got := c.Lookup(ctx, "example.org", TypeA)
	if got.Outcome != Timeout || !errors.Is(got.Err, context.DeadlineExceeded) || time.Since(start) > 10*time.Second {
		t.Errorf("%+v after %v", got, time.Since(start))
	}
	ctx, cancel = context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	start = time.Now()
	got = c.Lookup(ctx, "example.org", TypeA)
	if got.Outcome != Timeout || !errors.Is(got.Err, context.Canceled) || time.Since(start) > 10*time.Second {
		t.Errorf("%+v after %v", got, time.Since(start))
	}
}

func TestClientDoesNotAskImpossibleNames(t *testing.T) {
	for _, name := range []string{"a..b", ".a", strings.Repeat("x", 64) + ".example", strings.Repeat("x.", 127) + "xx"} {
		got := new(Client{Servers: []string{"127.0.0.1:1"}}).Lookup(t.Context(), name, TypeA)
		if got.Outcome != OutcomeUnknown || !errors.Is(got.Err, ErrBadName) {
			t.Errorf("%q: %+v", name, got)
		}
	}
}

func TestClientCompletesServerAddresses(t *testing.T) {
	for server, want := range map[string]string{
		"192.0.2.53": "192.0.2.53:53", "192.0.2.53:5353": "192.0.2.53:5353", "2001:db8::53": "[2001:db8::53]:53",
		"[2001:db8::53]:5353": "[2001:db8::53]:5353", "dns.example": "dns.example:53", "fe80::1%eth0": "[fe80::1%eth0]:53",
	} {
		if got := withPort(server); got != want {
			t.Errorf("%q: %q, want %q", server, got, want)
		}
	}
}

func TestReadServersFollowsResolvConf(t *testing.T) {
	got := readServers(strings.NewReader("# comment\nsearch example.org\nnameserver 192.0.2.53\n nameserver\t2001:db8::53 # why\nnameserver nonsense\nnameserver\noptions edns0\n"))
	if want := []string{"192.0.2.53:53", "[2001:db8::53]:53"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := readServers(strings.NewReader(strings.Repeat("nameserver 192.0.2.1\n", 1000))); len(got) != maxServers {
		t.Errorf("%d servers", len(got))
	}
}
