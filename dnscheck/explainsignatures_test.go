package dnscheck

import (
	"strings"
	"testing"
)

// One signature that can pass decides for a message with several; where none
// can, the one that counts does, and the others are spoken of.
func TestExplainLooksAtEverySignature(t *testing.T) {
	of := func(domain, selector string) string {
		return strings.NewReplacer("d=example.org", "d="+domain, "s=sel", "s="+selector, "rsa-", "ed25519-").Replace(signature)
	}
	const dmarc = "_dmarc.example.org TXT \"v=DMARC1; p=reject\"\n"
	const key = " TXT " + ed25519Key + "\n"
	tests := []struct {
		name, zone    string
		claim         Claim
		first         string
		others        []string
		cause, beside string
	}{
		{"the second is aligned and has a key", dmarc + "b._domainkey.example.org" + key, ClaimDMARC, of("esp.example", "a"), []string{of("example.org", "b")}, "dmarc-signature-decides", "esp.example"},
		{"the aligned one has no key, the other has", dmarc + "a._domainkey.esp.example" + key, ClaimDMARC, of("esp.example", "a"), []string{of("example.org", "b")}, "dkim-key-missing", "not aligned"},
		{"all among the further ones", dmarc + "a._domainkey.esp.example" + key, ClaimDMARC, "", []string{of("esp.example", "a"), of("example.org", "b")}, "dkim-key-missing", "not aligned"},
		{"for DKIM any will do", "a._domainkey.esp.example" + key, ClaimDKIM, of("example.org", "b"), []string{of("esp.example", "a")}, "dkim-key-fine", "no key at the selector b"},
		{"one is broken", "a._domainkey.example.org" + key, ClaimDKIM, "nonsense", []string{of("example.org", "a")}, "dkim-key-fine", "cannot be verified"},
		{"the same twice", "", ClaimDKIM, of("example.org", "b"), []string{of("example.org", "b")}, "dkim-key-missing", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Explain(t.Context(), readZone(t, tt.zone), Refusal{Claim: tt.claim, AuthorDomain: "example.org", Signature: tt.first, Signatures: tt.others})
			caveats := strings.Join(got.Caveats, "; ")
			if got.Cause != tt.cause || !strings.Contains(caveats, tt.beside) || (tt.beside == "") != (caveats == "") {
				t.Errorf("%s, %q; want %s, %q", got.Cause, caveats, tt.cause, tt.beside)
			}
			if got.Refusal.Signature != tt.first {
				t.Errorf("the refusal is changed: %q", got.Refusal.Signature)
			}
		})
	}
}
