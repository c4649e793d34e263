package dnscheck

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/mailfault/mailfault/internal/corpora"
)

// The signed messages of the corpus with their keys: what passes passes, and
// the same message with one word more fails.
func TestVerifyDKIM(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(corpora.Dir(t, "dkim"), "00*.txt"))
	if err != nil || len(files) != 6 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	passed := 0
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		head, message, _ := strings.Cut(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n\n")
		message = strings.ReplaceAll(message, "\n", "\r\n")
		var zone Zone
		for line := range strings.SplitSeq(head, "\n") {
			name, record, _ := strings.Cut(line, " ")
			zone.AddTXT(name, record)
		}
		checks, err := VerifyDKIM(t.Context(), &zone, DKIMQuery{Message: strings.NewReader(message)})
		if err != nil || len(checks) == 0 {
			t.Errorf("%s: %d signatures, %v", filepath.Base(file), len(checks), err)
		}
		for _, c := range checks {
			if c.Result == DKIMPass {
				passed++
			}
			if c.Key == nil || c.Key.Err != nil || c.Result == DKIMPermError && c.Signature.Expires.IsZero() && !strings.HasSuffix(c.Signature.Algorithm, "sha1") {
				t.Errorf("%s: %v %s, key %+v", filepath.Base(file), c.Result, c.Reason, c.Key)
			}
		}
		checks, err = VerifyDKIM(t.Context(), &zone, DKIMQuery{Message: strings.NewReader(message + "more\r\n")})
		if err != nil {
			t.Errorf("%s: %v", filepath.Base(file), err)
		}
		for _, c := range checks {
			if c.Result == DKIMPass {
				t.Errorf("%s passes with a changed body", filepath.Base(file))
			}
		}
	}
	if passed < 3 { // RFC 8463's two signatures and RFC 6376's one
		t.Errorf("%d signatures pass", passed)
	}
}

func TestVerifyDKIMTellsThatReadingFailed(t *testing.T) {
	broken := errors.New("the line is cut")
	var zone Zone
	zone.AddTXT("sel._domainkey.example.org", "k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=")
	field := strings.Replace(signature, "rsa-", "ed25519-", 1)
	message := io.MultiReader(strings.NewReader("DKIM-Signature: "+field+"\r\nFrom: a@example.org\r\n\r\nbo"), iotest.ErrReader(broken))
	if _, err := VerifyDKIM(t.Context(), &zone, DKIMQuery{Message: message}); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

const signature = "v=1; a=rsa-sha256; d=example.org; s=sel; c=relaxed/simple;\r\n h=From : To:Subject; bh=aGVsbG8=;\r\n b=aGVs\r\n bG8="

func TestVerifyDKIMWhereTheKeyCannotBeHad(t *testing.T) {
	message := "DKIM-Signature: " + signature + "\r\nFrom: a@example.org\r\n\r\nbody\r\n"
	var zone Zone
	zone.SetOutcome("sel._domainkey.example.org", TypeTXT, ServFail)
	checks, err := VerifyDKIM(t.Context(), &zone, DKIMQuery{Message: strings.NewReader(message)})
	if err != nil || len(checks) != 1 || checks[0].Result != DKIMTempError || !checks[0].Verdict().TempError || checks[0].Key.Err != ErrDNS {
		t.Fatalf("%+v, %v", checks, err)
	}
	checks, err = VerifyDKIM(t.Context(), &Zone{}, DKIMQuery{Message: strings.NewReader(message)})
	if err != nil || len(checks) != 1 || checks[0].Result != DKIMPermError || checks[0].Key.Err != ErrNoRecord {
		t.Fatalf("%+v, %v", checks, err)
	}
	if checks, err = VerifyDKIM(t.Context(), &Zone{}, DKIMQuery{Message: strings.NewReader("From: a@example.org\r\n\r\nDKIM-Signature: v=1\r\n")}); err != nil || len(checks) != 0 {
		t.Fatalf("%+v, %v", checks, err)
	}
}

func TestDKIMSignature(t *testing.T) {
	replaced := func(old, new string) string { return strings.Replace(signature, old, new, 1) }
	tests := []struct {
		value, findings string
		err             error
	}{
		{signature, "", nil},
		{replaced("d=", "t=1767225600; x=1767830400; i=x@news.example.org; d="), "", nil},
		{replaced("v=1; ", ""), "dkim-signature-lacks", ErrBadSignature},
		{replaced("v=1", "v=2"), "dkim-signature-version", ErrBadSignature},
		{replaced("From :", ""), "dkim-signature-from", ErrBadSignature},
		{replaced("rsa-sha256", "rsa-sha1"), "dkim-signature-sha1", ErrBadSignature},
		{replaced("rsa-sha256", "dsa"), "dkim-signature-algorithm", ErrBadSignature},
		{replaced("d=", "i=x@badexample.org; d="), "dkim-signature-identity", ErrBadSignature},
		{replaced("d=", "l=10; d="), "dkim-signature-length", nil},
		{replaced("d=", "t=soon; d="), "dkim-signature-number", ErrBadSignature},
		{replaced("d=", "l=-1; d="), "dkim-signature-number", ErrBadSignature},
		{replaced("d=", "t=1767225600; x=1767225600; d="), "dkim-signature-expiry", ErrBadSignature},
		{replaced("d=", "t=1767225600; x=0; d="), "dkim-signature-expiry", ErrBadSignature},
		{replaced("d=", "t=1767225600; x=99999999999999999999; d="), "", nil},
		{replaced("d=", "i=example.org; d="), "dkim-signature-identity", ErrBadSignature},
		{replaced("d=", "i=\"a@b\"@Example.ORG; d="), "", nil},
		{replaced("rsa-sha256", "RSA-SHA256"), "dkim-signature-algorithm", ErrBadSignature},
		{replaced("relaxed/simple", "relaxed"), "", nil},
		{replaced("relaxed/simple", "relaxed/"), "dkim-signature-canonical", ErrBadSignature},
		{replaced("relaxed/simple", "nowsp"), "dkim-signature-canonical", ErrBadSignature},
		{replaced("d=", "q=dns/txt:x; d="), "", nil},
		{replaced("d=", "q=http; d="), "dkim-signature-query", ErrBadSignature},
		{replaced("bh=aGVsbG8=", "bh=aGVsbG8"), "dkim-signature-base64", ErrBadSignature},
		{replaced("aGVs\r\n bG8=", ""), "dkim-signature-base64", ErrBadSignature},
		{replaced("d=", "d=example.org; d="), "dkim-signature-repeated", ErrBadSignature},
		{replaced("sel", "s e l"), "", nil},
		{replaced("sel", ".."), "dkim-signature-domain", ErrBadSignature},
		{"nonsense", "dkim-signature-malformed dkim-signature-lacks dkim-signature-lacks dkim-signature-lacks dkim-signature-lacks dkim-signature-lacks dkim-signature-lacks dkim-signature-lacks", ErrBadSignature},
	}
	for _, tt := range tests {
		got, err := ParseDKIMSignature(tt.value)
		if findingIDs(got.Findings) != tt.findings || err != tt.err {
			t.Errorf("%s: %q, %v; want %q, %v", tt.value, findingIDs(got.Findings), err, tt.findings, tt.err)
		}
		if tt.err == nil && (got.Domain != "example.org" || got.Selector != "sel" || strings.Join(got.Headers, " ") != "from to subject") {
			t.Errorf("%s: %+v", tt.value, got)
		}
	}
}

func TestReadDKIMSignatures(t *testing.T) {
	message := strings.Repeat("dkim-signature: "+signature+"\r\n", 30) + "From: a@example.org\r\n\r\nDKIM-Signature: " + signature
	got, err := ReadDKIMSignatures(strings.NewReader(message))
	if err != nil || len(got) != maxSignatures || got[0].Selector != "sel" {
		t.Errorf("%d signatures, %v", len(got), err)
	}
	if _, err = ReadDKIMSignatures(bytes.NewReader(make([]byte, maxHeader+1))); !errors.Is(err, ErrLongHeader) {
		t.Errorf("%v", err)
	}
}

func TestDiscoverDKIM(t *testing.T) {
	const key = `"v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="` + "\n"
	tests := []struct {
		name, zone string
		selectors  []string
		findings   string
	}{
		{"a key", "a._domainkey.example.org TXT " + key, []string{"a"}, "dkim-ed25519"},
		{"the same selector twice", "a._domainkey.example.org TXT " + key, []string{"a", "A"}, "dkim-ed25519"},
		{"one of two", "a._domainkey.example.org TXT " + key, []string{"a", "b"}, "dkim-ed25519 dkim-key-missing"},
		{"another selector than published", "a._domainkey.example.org TXT " + key, []string{"b"}, "dkim-key-missing dkim-none-found"},
		{"no selector known", "a._domainkey.example.org TXT " + key, nil, "dkim-not-asked"},
		{"nothing below _domainkey", "example.org A 192.0.2.1", nil, "dkim-no-keys"},
		{"a wildcard", probeSelector + "._domainkey.example.org TXT \"v=spf1 -all\"", nil, "dkim-wildcard"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := DiscoverDKIM(t.Context(), readZone(t, tt.zone), "example.org", tt.selectors)
			if findingIDs(got.Findings) != tt.findings {
				t.Errorf("%q, want %q", findingIDs(got.Findings), tt.findings)
			}
		})
	}
}

func FuzzReadDKIMSignatures(f *testing.F) {
	f.Add([]byte("DKIM-Signature: " + signature + "\r\nFrom: a@example.org\r\n\r\nbody"))
	f.Add([]byte("DKIM-Signature:\r\n v=1; t=99999999999999999999; l=; i=@;\n\n"))
	f.Fuzz(func(t *testing.T, message []byte) {
		got, _ := ReadDKIMSignatures(bytes.NewReader(message))
		if len(got) > maxSignatures {
			t.Errorf("%d signatures", len(got))
		}
		for _, s := range got {
			checkPositions(t, s.Findings)
		}
		if len(message) < 1<<16 {
			_, _ = VerifyDKIM(t.Context(), &Zone{}, DKIMQuery{Message: bytes.NewReader(message)})
		}
	})
}
