package dnscheck

import (
	"context"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/internal/corpora"
)

// The keys at the head of the signed messages: 1,024 bits of RSA but for the
// Ed25519 key of RFC 8463.
func TestKeysOfSignedMessages(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpora.Dir(t, "dkim"), "00*.txt"))
	if err != nil || len(files) != 6 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		head, _, _ := strings.Cut(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n\n")
		for line := range strings.SplitSeq(head, "\n") {
			name, record, _ := strings.Cut(line, " ")
			var z Zone
			z.AddTXT(name, record)
			selector, domain, _ := strings.Cut(name, "._domainkey.")
			got := CheckDKIM(context.Background(), &z, domain, selector)
			kind, bits := "rsa", 1024
			if selector == "brisbane" {
				kind, bits = "ed25519", 256
			}
			if got.Err != nil || got.Key.Type != kind || got.Key.Bits != bits {
				t.Errorf("%s: %+v, %v", name, got.Key, got.Err)
			}
		}
	}
}

func TestDKIMKeyFindings(t *testing.T) {
	const ed = "11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
	tests := []struct {
		record, id string
		err        error
	}{
		{"v=DKIM1; p=", "dkim-key-revoked", ErrBadKey},
		{"v=DKIM1; k=rsa", "dkim-key-absent", ErrBadKey},
		{"v=DKIM1; p=MIGfMA0GCSqGSIb3DQEB", "dkim-key-broken", ErrBadKey},
		{"v=DKIM1; p=\"abc\"", "dkim-key-broken", ErrBadKey},
		{"v=DKIM1; k=ed25519; p=" + ed, "dkim-ed25519", nil},
		{"v=DKIM1; k=ed25519; p=11qYAYKx", "dkim-key-broken", ErrBadKey},
		{"v=DKIM1; k=ed25519; p= 11qYAYKxCrfVS/7T\r\n\t yWQHOg7hcvPapiMlrwIaaPcHURo =", "dkim-ed25519", nil},
		{"v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7T\u00a0yWQHOg7hcvPapiMlrwIaaPcHURo=", "dkim-key-broken", ErrBadKey},
		{"v=DKIM1; k=dsa; p=" + ed, "dkim-type-unknown", ErrBadKey},
		{"k=ed25519; v=DKIM1; p=" + ed, "dkim-version", ErrBadKey},
		{"v=DMARC1; p=none", "dkim-version", ErrBadKey},
		{"v=DKIM2; k=ed25519; p=" + ed, "dkim-version", ErrBadKey},
		{"k=ed25519; p=" + ed + "; p=", "dkim-tag-repeated", ErrBadKey},
		{"k=ed25519; hello; p=" + ed, "dkim-tag-malformed", ErrBadKey},
		{"k=ed25519;; p=" + ed, "dkim-tag-empty", nil},
		{"k=ed25519; p=" + ed + "; ;", "dkim-tag-empty", nil},
		{"; k=ed25519; p=" + ed, "dkim-tag-empty", nil},
		{"k=ed25519; h=sha1; p=" + ed, "dkim-hash", ErrBadKey},
		{"k=ed25519; s=tlsrpt; p=" + ed, "dkim-service", ErrBadKey},
		{"k=ed25519; t=y:s; p=" + ed, "dkim-testing", nil},
	}
	for _, test := range tests {
		k, err := ParseDKIMKey(test.record)
		if !errors.Is(err, test.err) || !hasFinding(k.Findings, test.id) {
			t.Errorf("%q: %v, %v", test.record, k.Findings, err)
		}
		if other := test.record[:6] != "v=DKIM" && test.id == "dkim-version" && test.record[0] == 'v'; other && len(k.Findings) != 1 {
			t.Errorf("%q is no key record, and is read as one: %v", test.record, k.Findings)
		}
	}
}

// RFC 8301 section 3.2: 1024 to 4096 bits are to be verified, 2048 are asked for.
func TestDKIMKeySizes(t *testing.T) {
	for bits, want := range map[int]string{1023: "dkim-key-too-short", 1024: "dkim-key-short", 2047: "dkim-key-short", 2048: "", 4096: "", 4097: "dkim-key-long", 8192: "dkim-key-long", 8193: "dkim-key-too-long", 100_000: "dkim-key-too-long"} {
		n := new(big.Int).Lsh(big.NewInt(1), uint(bits-1))
		der, err := x509.MarshalPKIXPublicKey(&rsa.PublicKey{N: n.SetBit(n, 0, 1), E: 65537})
		if err != nil {
			t.Fatal(err)
		}
		k, err := ParseDKIMKey("p=" + base64.StdEncoding.EncodeToString(der))
		if findingIDs(k.Findings) != want || k.Bits != bits || (err != nil) != strings.Contains(want, "too") {
			t.Errorf("%d bits: %d, %v, %v", bits, k.Bits, k.Findings, err)
		}
	}
}

func FuzzParseDKIMKey(f *testing.F) {
	f.Add("v=DKIM1; k=rsa; t=y:s; h=sha256; s=email; p=MIGfMA0GCSqGSIb3DQEB")
	f.Fuzz(func(t *testing.T, text string) {
		k, _ := ParseDKIMKey(text)
		for _, finding := range k.Findings {
			if w := finding.Where; w.Start < 0 || w.End < w.Start || w.End > len(text) {
				t.Errorf("finding outside the record: %+v", finding)
			}
		}
	})
}
