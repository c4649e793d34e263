package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
)

// writeCertificate writes a pair for gw.test and returns who trusts it.
func writeCertificate(t *testing.T, cert, key string, serial int64) *x509.CertPool {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), DNSNames: []string{"gw.test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der}, key: {Type: "EC PRIVATE KEY", Bytes: keyDER}} {
		text := pem.EncodeToMemory(block)
		pool.AppendCertsFromPEM(text)
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return pool
}

// The door offers STARTTLS where it has a certificate, mail comes through it,
// and a certificate renewed on disk is the one the next client sees.
func TestDoorOffersSTARTTLS(t *testing.T) {
	cert, key := filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	h := startHop(t)
	if got := connect(t, startGateway(t, h)); strings.Contains(got.greetingOf(), "STARTTLS") {
		t.Error("STARTTLS is offered without a certificate")
	}
	pool := writeCertificate(t, cert, key, 1)
	gw := startGateway(t, h, "-cert", cert, "-cert-key", key)
	sendTLS := func() (serial int64) {
		t.Helper()
		c, err := smtp.DialStartTLS(gw, &tls.Config{ServerName: "gw.test", RootCAs: pool})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if err := c.SendMail("a@example.org", []string{"b@example.net"}, strings.NewReader(ordinary)); err != nil {
			t.Fatal(err)
		}
		state, _ := c.TLSConnectionState()
		return state.PeerCertificates[0].SerialNumber.Int64()
	}
	if got := sendTLS(); got != 1 {
		t.Errorf("certificate %d", got)
	}
	pool = writeCertificate(t, cert, key, 2)
	if err := os.Chtimes(cert, time.Time{}, time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if got := sendTLS(); got != 2 {
		t.Errorf("certificate %d after the renewal", got)
	}
	if err := os.Remove(cert); err != nil {
		t.Fatal(err)
	}
	if got := sendTLS(); got != 2 {
		t.Errorf("certificate %d while the file is gone", got)
	}
	mails := h.mails()
	if len(mails) != 3 || string(mails[0].data) != ordinary {
		t.Errorf("%d mails came through", len(mails))
	}
}

// What a client sends in the clear behind STARTTLS is no command.
func TestCommandsBehindSTARTTLSAreDropped(t *testing.T) {
	cert, key := filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	pool := writeCertificate(t, cert, key, 1)
	h := startHop(t)
	c := connect(t, startGateway(t, h, "-cert", cert, "-cert-key", key)).greet()
	if got := c.say("STARTTLS\r\nEHLO injected.test\r\nMAIL FROM:<injected@example.org>"); !strings.HasPrefix(got, "220") {
		t.Fatalf("got %q", got)
	}
	secured := tls.Client(c.Conn, &tls.Config{ServerName: "gw.test", RootCAs: pool})
	if err := secured.Handshake(); err != nil {
		return // the clear bytes broke the handshake: nothing was taken either
	}
	io.WriteString(secured, "RCPT TO:<b@example.net>\r\n")
	answer := make([]byte, 64)
	n, err := secured.Read(answer)
	if err != nil || strings.HasPrefix(string(answer[:n]), "250") {
		t.Errorf("got %q, %v: the commands in the clear were taken", answer[:n], err)
	}
}

// greetingOf reads the greeting and returns what EHLO offers.
func (c *client) greetingOf() string {
	c.reply()
	return c.say("EHLO client.test")
}

// A next hop that offers STARTTLS and then has no TLS to trust gets no mail, and the
// client hears why (RFC 3463 section 3.8: X.7.5 is a cryptographic failure).
func TestNextHopWhoseTLSIsNotGoodGetsNothing(t *testing.T) {
	cert, key := filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	writeCertificate(t, cert, key, 1)
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	for name, config := range map[string]*tls.Config{
		"a certificate that nobody vouches for": {Certificates: []tls.Certificate{pair}},
		"none of the client's versions":         {Certificates: []tls.Certificate{pair}, MaxVersion: tls.VersionTLS10},
		"no certificate":                        {GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return nil, io.EOF }},
	} {
		h := startHop(t)
		h.server.TLSConfig = config
		got := send(t, startGateway(t, h, "-next-starttls"), "a@example.org", []string{"b@example.net"}, ordinary)
		if !strings.HasPrefix(got, "451 4.7.5") || !strings.Contains(got, "certificate is not good") {
			t.Errorf("%s: %q", name, got)
		}
		if len(h.mails()) != 0 {
			t.Errorf("%s: a mail went there", name)
		}
	}
	plain := &hop{addr: listen(t, func(l net.Listener) error {
		for {
			c, err := l.Accept()
			if err != nil {
				return err
			}
			go func() {
				defer c.Close()
				io.WriteString(c, "220 hop.test\r\n")
				for lines := bufio.NewScanner(c); lines.Scan(); {
					if strings.HasPrefix(lines.Text(), "EHLO") {
						io.WriteString(c, "250-hop.test\r\n250 STARTTLS\r\n")
					} else {
						io.WriteString(c, "220 go ahead, in the clear\r\n")
					}
				}
			}()
		}
	})}
	if got := send(t, startGateway(t, plain, "-next-starttls"), "a@example.org", []string{"b@example.net"}, ordinary); !strings.HasPrefix(got, "451 4.7.5") {
		t.Errorf("no TLS behind STARTTLS: %q", got)
	}
	closed := &hop{addr: listen(t, func(l net.Listener) error { return l.Close() })}
	if got := send(t, startGateway(t, closed, "-next-starttls"), "a@example.org", []string{"b@example.net"}, ordinary); !strings.HasPrefix(got, "451 4.4.1") {
		t.Errorf("nobody there: %q", got)
	}
}
