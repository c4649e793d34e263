package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/mailfault/mailfault/dnscheck"
)

// policies fetches MTA-STS policies.
type policies struct {
	// resolver is asked for the address of a policy's host, so that the whole
	// check sees one DNS: that of -server or -zone.
	resolver dnscheck.Resolver
	dial     func(ctx context.Context, network, address string) (net.Conn, error)
	trusted  *x509.CertPool // nil: the system's
}

// fetch fetches a policy as RFC 8461 section 3.3 says: the certificate is
// verified, no redirect is followed, only plain text counts.
func (p policies) fetch(ctx context.Context, from string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return nil, err
	}
	response, err := p.client(request.URL.Hostname()).Do(request)
	if err != nil {
		return nil, plain(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answered %s", response.Status)
	}
	if kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); kind != "text/plain" {
		return nil, fmt.Errorf("it is of type %q, not text/plain", kind)
	}
	return io.ReadAll(io.LimitReader(response.Body, 64<<10+1))
}

// client is for one request to a host. A proxy of the environment's is found as
// other programs find it.
func (p policies) client(wanted string) *http.Client {
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		host, port, err := net.SplitHostPort(address)
		if err != nil || host != wanted || net.ParseIP(host) != nil {
			return p.dial(ctx, network, address)
		}
		addresses, err := p.addresses(ctx, host)
		for _, ip := range addresses {
			var conn net.Conn
			if conn, err = p.dial(ctx, network, net.JoinHostPort(ip, port)); err == nil {
				return conn, nil
			}
		}
		return nil, err
	}
	return &http.Client{
		Timeout:       15 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return errors.New("it redirects, which is not followed") },
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: dial, DisableKeepAlives: true,
			TLSClientConfig: &tls.Config{RootCAs: p.trusted},
		},
	}
}

// addresses returns the addresses of a host, or why there are none.
func (p policies) addresses(ctx context.Context, host string) (all []string, err error) {
	err = fmt.Errorf("%s has no address", host)
	for _, t := range [...]dnscheck.Type{dnscheck.TypeA, dnscheck.TypeAAAA} {
		answer := p.resolver.Lookup(ctx, host, t)
		if answer.Outcome.Failed() {
			err = fmt.Errorf("the address of %s: DNS gave no answer (%s)", host, answer.Outcome)
		}
		for _, ip := range answer.Addrs {
			all = append(all, ip.String())
		}
	}
	return all, err
}

// plain says in few words why nothing was fetched: the finding names the address
// and has room for one line.
func plain(err error) error {
	var (
		request   *url.Error
		name      x509.HostnameError
		authority x509.UnknownAuthorityError
		invalid   x509.CertificateInvalidError
	)
	switch {
	case errors.As(err, &name):
		return errors.New("its certificate is for other names")
	case errors.As(err, &authority):
		return errors.New("its certificate is not of an authority that this system trusts")
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return errors.New("its certificate has expired, or is not valid yet")
	case errors.As(err, &request):
		return request.Err
	}
	return err
}
