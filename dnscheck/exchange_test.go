package dnscheck

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

func TestClientPassesOverAnswersToOtherQuestions(t *testing.T) {
	right := func(m *dnsmessage.Message) {
		m.Answers = []dnsmessage.Resource{recordA("example.org.", 300, "192.0.2.1")}
	}
	for name, lie := range map[string]func(*dnsmessage.Message){
		"identifier":           func(m *dnsmessage.Message) { m.ID++ },
		"name":                 func(m *dnsmessage.Message) { m.Questions[0].Name = dnsmessage.MustNewName("example.net.") },
		"type":                 func(m *dnsmessage.Message) { m.Questions[0].Type = dnsmessage.TypeTXT },
		"class":                func(m *dnsmessage.Message) { m.Questions[0].Class = dnsmessage.ClassCHAOS },
		"no question":          func(m *dnsmessage.Message) { m.Questions = nil },
		"two questions":        func(m *dnsmessage.Message) { m.Questions = append(m.Questions, m.Questions[0]) },
		"a query":              func(m *dnsmessage.Message) { m.Response = false },
		"another kind of work": func(m *dnsmessage.Message) { m.OpCode = 4 },
	} {
		lied := func(m *dnsmessage.Message) {
			m.Answers = []dnsmessage.Resource{recordA("example.org.", 300, "203.0.113.66")}
			lie(m)
		}
		t.Run(name, func(t *testing.T) {
			got, s := ask(t, func(query []byte, tcp bool) [][]byte {
				return [][]byte{{}, {1, 2, 3}, response(query, lied), response(query, right)}
			}, "example.org", TypeA)
			if got.Outcome != Found || len(got.Addrs) != 1 || got.Addrs[0] != netip.MustParseAddr("192.0.2.1") || got.TCP || s.udp.Load() != 1 {
				t.Errorf("%+v", got)
			}
			// Who keeps lying is asked over TCP, and not believed there either.
			got, s = ask(t, func(query []byte, tcp bool) [][]byte {
				return slices.Repeat([][]byte{response(query, lied)}, 40)
			}, "example.org", TypeA)
			if got.Outcome != ServFail || !errors.Is(got.Err, ErrSpoofed) || got.Addrs != nil || s.tcp.Load() != 1 {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestClientIgnoresOtherSenders(t *testing.T) {
	other, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	target, queries := make(chan string, 1), make(chan []byte, 1)
	s := serve(t, func(query []byte, tcp bool) [][]byte {
		if tcp {
			return nil
		}
		queries <- slices.Clone(query)
		to, _ := net.ResolveUDPAddr("udp", <-target)
		other.WriteTo(response(query, func(m *dnsmessage.Message) {
			m.Answers = []dnsmessage.Resource{recordA("example.org.", 300, "203.0.113.66")}
		}), to)
		return nil
	})
	c := &Client{Servers: []string{s.addr}, Timeout: time.Second, Rounds: 1, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		if network == "udp" && err == nil {
			target <- conn.LocalAddr().String()
		}
		return conn, err
	}}
	if got := c.Lookup(t.Context(), "example.org", TypeA); !got.Outcome.Failed() || got.Addrs != nil {
		t.Errorf("believed another sender: %+v", got)
	}
	if len(queries) != 1 {
		t.Error("the question did not come")
	}
}

func TestClientAsksFromChangingPortsWithChangingIdentifiers(t *testing.T) {
	ids, ports := map[uint16]bool{}, map[string]bool{}
	s := serve(t, answers(func(*dnsmessage.Message) {}))
	c := &Client{Servers: []string{s.addr}, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		if err == nil {
			ports[conn.LocalAddr().String()] = true
		}
		return conn, err
	}}
	const n = 64
	for range n {
		c.Lookup(t.Context(), "example.org", TypeA)
		q, err := newQuestion("example.org", TypeA)
		if err != nil {
			t.Fatal(err)
		}
		ids[q.id] = true
	}
	// Equal by chance: identifiers above four times in 64 of 65,536 have odds below 1e-10.
	if len(ids) < n-4 || len(ports) < n/2 {
		t.Errorf("%d identifiers, %d ports in %d questions", len(ids), len(ports), n)
	}
}

func TestClientOffersEDNSAndAsksForTheADBit(t *testing.T) {
	q, err := newQuestion("example.org", TypeTXT)
	if err != nil {
		t.Fatal(err)
	}
	var m dnsmessage.Message
	if err := m.Unpack(q.wire[2:]); err != nil || int(binary.BigEndian.Uint16(q.wire)) != len(q.wire)-2 {
		t.Fatal(err)
	}
	if !m.RecursionDesired || !m.AuthenticData || len(m.Additionals) != 1 || m.Additionals[0].Header.Class != udpSize || m.Additionals[0].Header.DNSSECAllowed() {
		t.Errorf("%+v", m)
	}
}

func TestClientAsksAgainWithoutEDNS(t *testing.T) {
	for name, short := range map[string]bool{"error with the question": false, "error without the question": true} {
		got, s := ask(t, func(query []byte, tcp bool) [][]byte {
			var m dnsmessage.Message
			m.Unpack(query)
			return [][]byte{response(query, func(r *dnsmessage.Message) {
				if len(m.Additionals) > 0 {
					r.RCode = dnsmessage.RCodeFormatError
					if short {
						r.Questions = nil
					}
					return
				}
				r.Answers = []dnsmessage.Resource{recordA("example.org.", 300, "192.0.2.1")}
			})}
		}, "example.org", TypeA)
		if got.Outcome != Found || s.udp.Load() != 2 {
			t.Errorf("%s: %+v after %d questions", name, got, s.udp.Load())
		}
	}
}

func TestClientGoesToTCPWhenTheAnswerIsCut(t *testing.T) {
	var long []string // 64 KiB less the rest of the message
	for range 255 {
		long = append(long, strings.Repeat("x", 255))
	}
	for name, tt := range map[string]struct {
		change func(*dnsmessage.Message)
		check  func(Answer) bool
	}{
		"64 KiB TXT": {func(m *dnsmessage.Message) {
			m.Answers = []dnsmessage.Resource{recordTXT("example.org.", 300, long...)}
		}, func(a Answer) bool {
			return len(a.TXT) == 1 && len(a.TXT[0].Text) == 255*255 && a.TXT[0].Strings == 255
		}},
		"1,000 MX": {func(m *dnsmessage.Message) {
			for n := range 1000 {
				m.Answers = append(m.Answers, recordMX("example.org.", n))
			}
		}, func(a Answer) bool {
			return len(a.MX) == 1000 && a.MX[0] == MX{1001, "mx999.example.org"} && a.MX[999].Preference == 2000
		}},
	} {
		typ := TypeTXT
		if name == "1,000 MX" {
			typ = TypeMX
		}
		got, s := ask(t, func(query []byte, tcp bool) [][]byte {
			if !tcp {
				return [][]byte{response(query, func(m *dnsmessage.Message) { m.Truncated = true })}
			}
			return [][]byte{response(query, tt.change)}
		}, "example.org", typ)
		if got.Outcome != Found || !got.TCP || got.Size < 16000 || !tt.check(got) || s.tcp.Load() != 1 {
			t.Errorf("%s: %v, %d bytes, %v", name, got.Outcome, got.Size, got.Err)
		}
	}
}

func TestClientSaysThatACutAnswerCouldNotBeHad(t *testing.T) {
	got, _ := ask(t, func(query []byte, tcp bool) [][]byte {
		if tcp {
			return nil // closes
		}
		return [][]byte{response(query, func(m *dnsmessage.Message) {
			m.Truncated = true
			m.Answers = []dnsmessage.Resource{recordA("example.org.", 300, "192.0.2.1")}
		})}
	}, "example.org", TypeA)
	if got.Outcome != ServFail || !errors.Is(got.Err, ErrTruncated) || got.Addrs != nil {
		t.Errorf("%+v", got)
	}
	got, _ = ask(t, answers(func(m *dnsmessage.Message) { m.Truncated = true }), "example.org", TypeA)
	if got.Outcome != ServFail || !errors.Is(got.Err, ErrTruncated) {
		t.Errorf("cut over TCP: %+v", got)
	}
}

func TestClientGoesToTCPForMoreThanItOffered(t *testing.T) {
	got, s := ask(t, answers(func(m *dnsmessage.Message) {
		for n := range 200 {
			m.Answers = append(m.Answers, recordMX("example.org.", n))
		}
	}), "example.org", TypeMX)
	if got.Outcome != Found || len(got.MX) != 200 || s.tcp.Load() != 1 {
		t.Errorf("%v, %d records", got.Outcome, len(got.MX))
	}
}

func TestClientAsksOverTCPWhereUDPIsBlocked(t *testing.T) {
	got, s := ask(t, func(query []byte, tcp bool) [][]byte {
		if !tcp {
			return nil
		}
		return [][]byte{response(query, func(m *dnsmessage.Message) {
			m.Answers = []dnsmessage.Resource{recordA("example.org.", 300, "192.0.2.1")}
		})}
	}, "example.org", TypeA)
	if got.Outcome != Found || !got.TCP || s.udp.Load() != 1 {
		t.Errorf("%+v", got)
	}
}
