package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/emersion/go-msgauth/dkim"
)

// zone publishes SPF that allows 127.0.0.0/8 for pass.example and nobody for
// fail.example, and a DKIM key of signed.example.
func zone(t *testing.T) (file string, key ed25519.PrivateKey) {
	t.Helper()
	key = ed25519.NewKeyFromSeed(bytes.Repeat([]byte("s"), ed25519.SeedSize))
	file = filepath.Join(t.TempDir(), "zone")
	records := fmt.Sprintf(`pass.example. TXT "v=spf1 ip4:127.0.0.0/8 -all"
fail.example. TXT "v=spf1 -all"
broken.example. TXT SERVFAIL
key._domainkey.signed.example. TXT "v=DKIM1; k=ed25519; p=%s"
signed.example. TXT "v=spf1 -all"
later._domainkey.signed.example. TXT SERVFAIL
`, base64.StdEncoding.EncodeToString(key.Public().(ed25519.PublicKey)))
	if err := os.WriteFile(file, []byte(records), 0o600); err != nil {
		t.Fatal(err)
	}
	return file, key
}

func TestMailFromOutsideIsAuthenticated(t *testing.T) {
	file, key := zone(t)
	sign := func(selector, text string) string {
		var b bytes.Buffer
		if err := dkim.Sign(&b, strings.NewReader(text), &dkim.SignOptions{Domain: "signed.example", Selector: selector, Signer: key}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	signed := sign("key", ordinary)
	large := sign("key", ordinary+strings.Repeat("long\r\n", 600000))
	for name, test := range map[string]struct{ from, data, auth, spf string }{
		"pass":             {"a@pass.example", ordinary, "gw.test; spf=pass smtp.mailfrom=a@pass.example; dkim=none", "pass "},
		"fail":             {"a@fail.example", ordinary, "gw.test; spf=fail smtp.mailfrom=a@fail.example; dkim=none", "fail "},
		"no record":        {"a@none.example", ordinary, "gw.test; spf=none smtp.mailfrom=a@none.example; dkim=none", "none "},
		"DNS is down":      {"a@broken.example", ordinary, "gw.test; spf=temperror smtp.mailfrom=a@broken.example; dkim=none", "temperror "},
		"report":           {"", bounce("", "1@x", now), "gw.test; spf=none smtp.helo=client.test; dkim=none", "none "},
		"signed":           {"a@signed.example", signed, "gw.test; spf=fail smtp.mailfrom=a@signed.example; dkim=pass header.d=signed.example", "fail "},
		"changed":          {"a@signed.example", signed + "x\r\n", "gw.test; spf=fail smtp.mailfrom=a@signed.example; dkim=fail header.d=signed.example", "fail "},
		"no key to be had": {"a@signed.example", sign("later", ordinary), "gw.test; spf=fail smtp.mailfrom=a@signed.example; dkim=temperror header.d=signed.example", "fail "},
		"too large":        {"a@signed.example", large, "gw.test; spf=fail smtp.mailfrom=a@signed.example; dkim=neutral (larger than the gateway reads) header.d=signed.example", "fail "},
	} {
		t.Run(name, func(t *testing.T) {
			h := startHop(t)
			gw := startGateway(t, h, "-dns", file)
			if got := send(t, gw, test.from, []string{"b@example.net"}, test.data); !strings.HasPrefix(got, "250") {
				t.Fatal(got)
			}
			got := h.mails()[0].data
			if !bytes.HasSuffix(got, []byte(test.data)) {
				t.Error("below the results the mail is not as it came")
			}
			fields := fieldsOf(got)
			author := "example.org"
			if test.from == "" {
				author = "mx.example.net"
			}
			want := test.auth + "; dmarc=none header.from=" + author
			if auth := strings.Join(fields["Authentication-Results"], "|"); auth != want {
				t.Errorf("got  %s\nwant %s", auth, want)
			}
			if spf := strings.Join(fields["Received-SPF"], "|"); !strings.HasPrefix(spf, test.spf) || !strings.Contains(spf, "client-ip=127.0.0.1;") {
				t.Errorf("Received-SPF: %s", spf)
			}
		})
	}
	t.Run("from inside it is not", func(t *testing.T) {
		h := startHop(t)
		send(t, startGateway(t, h, "-dns", file, "-inside", "127.0.0.0/8"), "a@fail.example", []string{"b@example.net"}, ordinary)
		if got := h.mails()[0].data; string(got) != ordinary {
			t.Errorf("got %q", got)
		}
	})
}

// A message that came back whole with our signature is ours, whatever was
// remembered.
func TestReturnedSignatureTellsTheOrigin(t *testing.T) {
	file, key := zone(t)
	var signed bytes.Buffer
	if err := dkim.Sign(&signed, strings.NewReader("Message-ID: <2@signed.example>\r\nDate: "+now+"\r\n"+ordinary), &dkim.SignOptions{Domain: "signed.example", Selector: "key", Signer: key}); err != nil {
		t.Fatal(err)
	}
	report, _, _ := strings.Cut(bounce("", "", ""), "--b\r\nContent-Type: text/rfc822-headers")
	report += "--b\r\nContent-Type: message/rfc822\r\n\r\n" + signed.String() + "\r\n--b--\r\n"
	for want, text := range map[string]string{"ours": report, "not-ours": strings.Replace(report, "Subject: hello", "Subject: other", 1)} {
		h := startHop(t)
		gw := startGateway(t, h, "-dns", file, "-own", "signed.example", "-sent", filepath.Join(t.TempDir(), "sent"))
		if got := send(t, gw, "", []string{"a@signed.example"}, text); !strings.HasPrefix(got, "250") {
			t.Fatal(got)
		}
		if got := fieldsOf(h.mails()[0].data)["X-Mailfault-Origin"]; len(got) != 1 || got[0] != want {
			t.Errorf("got %q, want %s", got, want)
		}
	}
}

func TestDMARCWantsAnAlignedPass(t *testing.T) {
	_, key := zone(t)
	public := base64.StdEncoding.EncodeToString(key.Public().(ed25519.PublicKey))
	file := filepath.Join(t.TempDir(), "zone")
	records := `relaxed.example. TXT "v=spf1 ip4:127.0.0.0/8 -all"
_dmarc.relaxed.example. TXT "v=DMARC1; p=reject"
sub.relaxed.example. TXT "v=spf1 ip4:127.0.0.0/8 -all"
strict.example. TXT "v=spf1 ip4:127.0.0.0/8 -all"
_dmarc.strict.example. TXT "v=DMARC1; p=quarantine; aspf=s; adkim=s"
sub.strict.example. TXT "v=spf1 ip4:127.0.0.0/8 -all"
other.example. TXT "v=spf1 ip4:127.0.0.0/8 -all"
down.example. TXT SERVFAIL
_dmarc.down.example. TXT "v=DMARC1; p=reject"
_dmarc.broken.example. TXT SERVFAIL
key._domainkey.relaxed.example. TXT "v=DKIM1; k=ed25519; p=` + public + `"
`
	if err := os.WriteFile(file, []byte(records), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ envelope, author, signer, want string }{
		"SPF, same domain":           {"a@relaxed.example", "a@relaxed.example", "", "dmarc=pass header.from=relaxed.example"},
		"SPF, same organization":     {"a@sub.relaxed.example", "a@relaxed.example", "", "dmarc=pass header.from=relaxed.example"},
		"SPF, strict":                {"a@strict.example", "a@strict.example", "", "dmarc=pass header.from=strict.example"},
		"SPF, strict, subdomain":     {"a@sub.strict.example", "a@strict.example", "", "dmarc=fail (p=quarantine) header.from=strict.example"},
		"SPF of somebody else":       {"a@other.example", "a@relaxed.example", "", "dmarc=fail (p=reject) header.from=relaxed.example"},
		"DKIM, SPF of somebody else": {"a@other.example", "a@relaxed.example", "relaxed.example", "dmarc=pass header.from=relaxed.example"},
		"SPF without an answer":      {"a@down.example", "a@down.example", "", "dmarc=temperror header.from=down.example"},
		"that of another domain":     {"a@down.example", "a@relaxed.example", "", "dmarc=fail (p=reject) header.from=relaxed.example"},
		"two From fields":            {"a@relaxed.example", "a@relaxed.example\r\nFrom: b@strict.example", "", "dmarc=none (no single author domain)"},
		"the second hidden":          {"a@relaxed.example", "a@relaxed.example\r\nFr\x00om : b@strict.example", "", "dmarc=none (no single author domain)"},
		"no record":                  {"a@other.example", "a@other.example", "", "dmarc=none header.from=other.example"},
		"policy without an answer":   {"a@other.example", "a@broken.example", "", "dmarc=temperror header.from=broken.example"},
		"two authors":                {"a@other.example", "a@relaxed.example, b@strict.example", "", "dmarc=none (no single author domain)"},
	} {
		t.Run(name, func(t *testing.T) {
			text := "From: " + test.author + "\r\nSubject: x\r\n\r\nbody\r\n"
			if test.signer != "" {
				var b bytes.Buffer
				if err := dkim.Sign(&b, strings.NewReader(text), &dkim.SignOptions{Domain: test.signer, Selector: "key", Signer: key}); err != nil {
					t.Fatal(err)
				}
				text = b.String()
			}
			h := startHop(t)
			if got := send(t, startGateway(t, h, "-dns", file), test.envelope, []string{"b@example.net"}, text); !strings.HasPrefix(got, "250") {
				t.Fatal(got)
			}
			got := strings.Join(fieldsOf(h.mails()[0].data)["Authentication-Results"], "|")
			if at := strings.Index(got, "dmarc="); at < 0 && test.want != "" || at >= 0 && got[at:] != test.want {
				t.Errorf("got %s, want %q", got, test.want)
			}
		})
	}
}

func TestStrangersWordsStayInTheirPlace(t *testing.T) {
	for in, want := range map[string]string{
		"a@example.org":              "a@example.org",
		"":                           `""`,
		`"x; spf=pass"@e.example`:    `"\"x; spf=pass\"@e.example"`,
		`x\"; spf=pass; y="`:         `"x\\\"; spf=pass; y=\""`,
		"a\r\nX-Mailfault-Owner: me": `"a X-Mailfault-Owner: me"`,
	} {
		if got := token(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}
