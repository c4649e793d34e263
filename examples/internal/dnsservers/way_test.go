package dnsservers

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dnscheck"
)

// wayTo stands between the client and a server's UDP port: of each true answer it
// sends what spoil makes of it.
func wayTo(t *testing.T, port string, spoil func(answer []byte) [][]byte) (address string) {
	t.Helper()
	way, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { way.Close() })
	go func() {
		packet := make([]byte, 65535)
		for {
			n, client, err := way.ReadFrom(packet)
			if err != nil {
				return
			}
			question := slices.Clone(packet[:n])
			go func() {
				server, err := net.Dial("udp", "127.0.0.1:"+port)
				if err != nil {
					return
				}
				defer server.Close()
				server.SetDeadline(time.Now().Add(20 * time.Second))
				answer := make([]byte, 65535)
				server.Write(question)
				n, err := server.Read(answer)
				if err != nil {
					return
				}
				for _, datagram := range spoil(answer[:n]) {
					way.WriteTo(datagram, client)
				}
			}()
		}
	}()
	return way.LocalAddr().String()
}

// lies are datagrams that look like the answer and are none: each has its address changed, and
// another identifier, another name, no answer bit, or too few bytes.
func lies(answer []byte) (all [][]byte) {
	forged := slices.Clone(answer)
	if at := slices.Index(forged, 0xc0); at > 0 { // the first answer's name, a pointer; its address is 12 bytes on
		forged[at+12] ^= 0xff
	}
	for _, change := range []func([]byte) []byte{
		func(b []byte) []byte { b[0] ^= 0xff; return b },
		func(b []byte) []byte { b[13] ^= 1; return b },
		func(b []byte) []byte { b[2] &^= 0x80; return b },
		func(b []byte) []byte { return b[:11] },
		func([]byte) []byte { return nil },
	} {
		all = append(all, change(slices.Clone(forged)))
	}
	return all
}

func TestLyingWay(t *testing.T) {
	_, port, _ := startKnot(t)
	tests := []struct {
		name  string
		spoil func([]byte) [][]byte
		tcp   bool
	}{
		{"lies come before the truth", func(answer []byte) [][]byte { return append(lies(answer), answer) }, false},
		{"only lies come", lies, true},
		{"the answer is marked as cut", func(answer []byte) [][]byte { answer[2] |= 2; return [][]byte{answer[:len(answer)-1], answer} }, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			way := wayTo(t, port, test.spoil)
			client := &dnscheck.Client{Servers: []string{way}, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
				if network == "tcp" {
					address = "127.0.0.1:" + port
				}
				return new(net.Dialer).DialContext(ctx, network, address)
			}}
			a := client.Lookup(t.Context(), "mail.signed.example", dnscheck.TypeA)
			if a.Outcome != dnscheck.Found || !has("192.0.2.1")(a) || a.TCP != test.tcp {
				t.Errorf("%v %v, over TCP %v: %v", a.Outcome, a.Addrs, a.TCP, a.Err)
			}
		})
	}
}

func TestSlowWay(t *testing.T) {
	knot, port, _ := startKnot(t)
	slow := wayTo(t, port, func(answer []byte) [][]byte {
		select {
		case <-time.After(time.Minute):
		case <-t.Context().Done():
		}
		return [][]byte{answer}
	})
	udpOnly := func(ctx context.Context, network, address string) (net.Conn, error) {
		if network == "tcp" && address == slow {
			return nil, &net.OpError{Op: "dial", Err: net.ErrClosed}
		}
		return new(net.Dialer).DialContext(ctx, network, address)
	}
	both := &dnscheck.Client{Servers: []string{slow, knot.Servers[0]}, Timeout: 2 * time.Second, Dial: udpOnly}
	if a := both.Lookup(t.Context(), "mail.signed.example", dnscheck.TypeA); a.Outcome != dnscheck.Found || a.Server != knot.Servers[0] {
		t.Errorf("%v of %s: %v", a.Outcome, a.Server, a.Err)
	}
	alone := &dnscheck.Client{Servers: []string{slow}, Dial: udpOnly}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	start := time.Now()
	check := dnscheck.CheckSPF(ctx, alone, dnscheck.SPFQuery{IP: netip.MustParseAddr("192.0.2.1"), HELO: "signed.example"})
	if check.Result != dnscheck.SPFTempError || time.Since(start) > 30*time.Second {
		t.Errorf("%v after %v: %v", check.Result, time.Since(start), check.Err)
	}
}
