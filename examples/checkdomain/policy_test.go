package main

import (
	"context"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/dnscheck"
)

const policy = "version: STSv1\nmode: none\nmax_age: 0\n"

// policyServer answers any path; it has a certificate for example.com.
func policyServer(t *testing.T) *httptest.Server {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "/", http.StatusFound)
		case "/gone":
			w.WriteHeader(http.StatusNotFound)
		case "/html":
			w.Header().Set("Content-Type", "text/html")
		}
		_, _ = io.WriteString(w, policy)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(server.Close)
	return server
}

func TestPolicyIsFetchedAsTheStandardSays(t *testing.T) {
	server := policyServer(t)
	server.Start()
	p := policies{resolver: new(dnscheck.Zone), dial: new(net.Dialer).DialContext}
	if got, err := p.fetch(t.Context(), server.URL); err != nil || string(got) != policy {
		t.Errorf("%q, %v", got, err)
	}
	for _, path := range []string{"/moved", "/gone", "/html"} {
		if got, err := p.fetch(t.Context(), server.URL+path); err == nil {
			t.Errorf("%s gives %q", path, got)
		}
	}
}

// The policy's host is looked up where all else is, and a failure is told in
// words that fit the line of a finding.
func TestPolicyHostIsLookedUpWhereAllElseIs(t *testing.T) {
	server := policyServer(t)
	server.StartTLS()
	zone, err := dnscheck.ReadZone(strings.NewReader("example.com. A 192.0.2.7\nother.test. A 192.0.2.7\n"))
	if err != nil {
		t.Fatal(err)
	}
	var dialled []string
	p := policies{resolver: zone, dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		dialled = append(dialled, address)
		return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
	}}
	if _, err := p.fetch(t.Context(), "https://none.test/"); err == nil || err.Error() != "none.test has no address" {
		t.Errorf("a host without address: %v", err)
	}
	if _, err := p.fetch(t.Context(), "https://example.com/"); err == nil || err.Error() != "its certificate is not of an authority that this system trusts" {
		t.Errorf("a certificate of nobody's: %v", err)
	}
	if len(dialled) != 1 || dialled[0] != "192.0.2.7:443" {
		t.Errorf("connected to %q, want the zone's 192.0.2.7:443", dialled)
	}
	p.trusted = x509.NewCertPool()
	p.trusted.AddCert(server.Certificate())
	if got, err := p.fetch(t.Context(), "https://example.com/"); err != nil || string(got) != policy {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := p.fetch(t.Context(), "https://other.test/"); err == nil || err.Error() != "its certificate is for other names" {
		t.Errorf("a certificate of another name: %v", err)
	}
}
