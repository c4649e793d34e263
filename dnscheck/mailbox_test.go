package dnscheck

import "testing"

// RFC 5321 section 4.1.2: Mailbox, Quoted-string, A-d-l.
func TestTheDomainOfAnAddress(t *testing.T) {
	tests := []struct{ text, local, domain string }{
		{"example.org", "", "example.org"},
		{"anna@example.org", "anna", "example.org"},
		{" <anna@example.org> ", "anna", "example.org"},
		{`"a@b c"@example.org`, `"a@b c"`, "example.org"},
		{"<@relay.example,@b.example:anna@example.org>", "anna", "example.org"},
		{"@example.org", "", "example.org"},
		{"<>", "", ""},
		{"", "", ""},
		{"a@@q.example", "", "a@@q.example"},
		{"a@b@q.example", "", "a@b@q.example"},
		{"anna b@example.org", "", "anna b@example.org"},
		{"<anna@example.org", "", "<anna@example.org"},
		{"Anna <anna@example.org>", "", "Anna <anna@example.org>"},
	}
	for _, tt := range tests {
		if local, domain := cutMailbox(tt.text); local != tt.local || domain != tt.domain {
			t.Errorf("%q: %q at %q, want %q at %q", tt.text, local, domain, tt.local, tt.domain)
		}
	}
}
