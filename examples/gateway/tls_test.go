package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
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
