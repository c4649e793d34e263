package main

import (
	"crypto/tls"
	"os"
	"sync"
	"time"
)

// certificate is the SMTP door's. The files are looked at again when they have
// changed, for certificates are renewed while a gateway runs.
type certificate struct {
	cert, key string

	mu     sync.Mutex
	loaded *tls.Certificate
	of     time.Time // when the file that was loaded was written
}

// tlsConfig returns what the door offers STARTTLS with.
func tlsConfig(cert, key string) (*tls.Config, error) {
	c := &certificate{cert: cert, key: key}
	if _, err := c.get(nil); err != nil {
		return nil, err
	}
	return &tls.Config{GetCertificate: c.get, MinVersion: tls.VersionTLS12}, nil
}

// get returns the certificate as it stands in the files now. Files that are
// gone or half written leave the one before in use.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	info, err := os.Stat(c.cert)
	if err == nil && (c.loaded == nil || !info.ModTime().Equal(c.of)) {
		var pair tls.Certificate
		if pair, err = tls.LoadX509KeyPair(c.cert, c.key); err == nil {
			c.loaded, c.of = &pair, info.ModTime()
		}
	}
	if c.loaded != nil {
		return c.loaded, nil
	}
	return nil, err
}
