package dnscheck

import (
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// fakeServer answers over UDP and TCP on one port of 127.0.0.1 with whatever
// its handler returns: nothing, lies, or several messages.
type fakeServer struct {
	addr     string
	udp, tcp atomic.Int32 // questions that came
}

// handler gets the question as it came and returns the messages to send back.
type handler func(query []byte, tcp bool) [][]byte

func serve(t testing.TB, h handler) *fakeServer {
	t.Helper()
	var packets net.PacketConn
	var listener net.Listener
	for range 20 { // until one port is free for both
		var err error
		if listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			t.Fatal(err)
		}
		if packets, err = net.ListenPacket("udp", listener.Addr().String()); err == nil {
			break
		}
		listener.Close()
	}
	if packets == nil {
		t.Fatal("no port is free for UDP and TCP")
	}
	t.Cleanup(func() { packets.Close(); listener.Close() })
	s := &fakeServer{addr: listener.Addr().String()}
	go func() {
		for {
			buf := make([]byte, 1<<16)
			n, from, err := packets.ReadFrom(buf)
			if err != nil {
				return
			}
			s.udp.Add(1)
			go func() {
				for _, msg := range h(buf[:n], false) {
					packets.WriteTo(msg, from)
				}
			}()
		}
	}()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			s.tcp.Add(1)
			go func() {
				defer conn.Close()
				conn.SetDeadline(time.Now().Add(10 * time.Second))
				var size [2]byte
				if _, err := io.ReadFull(conn, size[:]); err != nil {
					return
				}
				query := make([]byte, binary.BigEndian.Uint16(size[:]))
				if _, err := io.ReadFull(conn, query); err != nil {
					return
				}
				for _, msg := range h(query, true) {
					binary.BigEndian.PutUint16(size[:], uint16(len(msg)))
					conn.Write(append(size[:], msg...))
				}
			}()
		}
	}()
	return s
}

// deadPort is an address where nobody listens.
func deadPort(t *testing.T) string {
	t.Helper()
	packets, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer packets.Close()
	return packets.LocalAddr().String()
}

// response packs an answer to a query after change had its way with it.
func response(query []byte, change func(*dnsmessage.Message)) []byte {
	var m dnsmessage.Message
	if m.Unpack(query) != nil {
		return nil
	}
	m.Response, m.RecursionAvailable, m.AuthenticData, m.Additionals = true, true, false, nil
	change(&m)
	msg, err := m.Pack()
	if err != nil {
		panic(err)
	}
	return msg
}

// answers is a handler that always gives the same kind of answer.
func answers(change func(*dnsmessage.Message)) handler {
	return func(query []byte, _ bool) [][]byte { return [][]byte{response(query, change)} }
}

func header(name string, t dnsmessage.Type, ttl uint32) dnsmessage.ResourceHeader {
	return dnsmessage.ResourceHeader{Name: dnsmessage.MustNewName(name), Type: t, Class: dnsmessage.ClassINET, TTL: ttl}
}

func recordA(name string, ttl uint32, addr string) dnsmessage.Resource {
	return dnsmessage.Resource{Header: header(name, dnsmessage.TypeA, ttl), Body: &dnsmessage.AResource{A: netip.MustParseAddr(addr).As4()}}
}

func recordCNAME(name string, ttl uint32, target string) dnsmessage.Resource {
	return dnsmessage.Resource{Header: header(name, dnsmessage.TypeCNAME, ttl), Body: &dnsmessage.CNAMEResource{CNAME: dnsmessage.MustNewName(target)}}
}

func recordTXT(name string, ttl uint32, strings ...string) dnsmessage.Resource {
	return dnsmessage.Resource{Header: header(name, dnsmessage.TypeTXT, ttl), Body: &dnsmessage.TXTResource{TXT: strings}}
}

func recordMX(name string, n int) dnsmessage.Resource {
	return dnsmessage.Resource{Header: header(name, dnsmessage.TypeMX, 60),
		Body: &dnsmessage.MXResource{Pref: uint16(2000 - n), MX: dnsmessage.MustNewName("mx" + strconv.Itoa(n) + "." + name)}}
}

func recordSOA(name string, ttl, minimum uint32) dnsmessage.Resource {
	return dnsmessage.Resource{Header: header(name, dnsmessage.TypeSOA, ttl), Body: &dnsmessage.SOAResource{
		NS: dnsmessage.MustNewName("ns." + name), MBox: dnsmessage.MustNewName("hostmaster." + name), MinTTL: minimum}}
}
