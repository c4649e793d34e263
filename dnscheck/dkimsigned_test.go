package dnscheck

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-msgauth/dkim"
)

// testSeed makes the key that tests sign with.
var testSeed = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))

func testKeyText() string {
	return "k=ed25519; p=" + base64.StdEncoding.EncodeToString(testSeed.Public().(ed25519.PublicKey))
}

// signedMessage is a message that a test signs. What the signature covers is
// written out, so that the canonical forms are the test's and not the package's.
type signedMessage struct {
	tags   string // of the signature but for a, d, s, bh and b; "" is "v=1; h=from"
	header string // below the signature
	body   string
	covers string // canonical form of the header; "" is header
	hashed string // canonical form of the body; "" is body
	more   string // put behind the body when it is signed
}

const plainTags = "v=1; h=from"

// text signs the message for example.org with the selector sel.
func (m signedMessage) text() string {
	if m.tags == "" {
		m.tags = plainTags
	}
	if m.covers == "" {
		m.covers = m.header
	}
	if m.hashed == "" {
		m.hashed = m.body
	}
	sum := sha256.Sum256([]byte(m.hashed))
	value := m.tags + "; a=ed25519-sha256; d=example.org; s=sel; bh=" + base64.StdEncoding.EncodeToString(sum[:]) + "; b="
	name := "DKIM-Signature: "
	if strings.Contains(m.tags, "c=relaxed") {
		name = "dkim-signature:"
	}
	sum = sha256.Sum256([]byte(m.covers + name + value))
	return "DKIM-Signature: " + value + base64.StdEncoding.EncodeToString(ed25519.Sign(testSeed, sum[:])) + crlf + m.header + crlf + m.body + m.more
}

// verifyOne verifies a message with one signature.
func verifyOne(t *testing.T, key, message string) *SignatureCheck {
	t.Helper()
	var zone Zone
	zone.AddTXT("sel._domainkey.example.org", key)
	checks, err := VerifyDKIM(t.Context(), &zone, DKIMQuery{Message: strings.NewReader(message), Time: signedTime})
	if err != nil || len(checks) != 1 {
		t.Fatalf("%d signatures, %v", len(checks), err)
	}
	return checks[0]
}

// signedTime is when the messages of these tests are looked at.
var signedTime = time.Unix(1_780_000_000, 0) // in 2026

const from = "From: a@example.org\r\n"

// RFC 6376 section 3.5: the first l octets of the canonical body are signed. A
// body with more passes, and how much more is said.
func TestBodyLengthLimitsWhatIsSigned(t *testing.T) {
	tests := []struct {
		name, l string
		message signedMessage
		result  DKIMResult
		left    int64
	}{
		{"all of the body", "6", signedMessage{body: "body\r\n"}, DKIMPass, 0},
		{"a list's footer behind it", "6", signedMessage{body: "body\r\n", more: "footer\r\n"}, DKIMPass, 8},
		{"within a line", "2", signedMessage{body: "body\r\n", hashed: "bo"}, DKIMPass, 4},
		{"octets of the canonical form", "6", signedMessage{tags: "c=simple/relaxed", body: "bo \t y \r\nmore\r\n\r\n", hashed: "bo y\r\n"}, DKIMPass, 6},
		{"none of the body", "0", signedMessage{more: "body\r\n"}, DKIMPass, 6},
		{"what is signed is changed", "6", signedMessage{body: "Body\r\nfooter\r\n", hashed: "body\r\n"}, DKIMFail, 0},
		{"the body was cut on the way", "12", signedMessage{body: "body\r\n", hashed: "body\r\nmore\r\n"}, DKIMFail, 0},
		{"more than there ever was", "7", signedMessage{body: "body\r\n"}, DKIMPermError, 0},
		{"more than a number holds", strings.Repeat("9", 76), signedMessage{body: "body\r\n"}, DKIMPermError, 0},
		{"no number", "six", signedMessage{body: "body\r\n"}, DKIMPermError, 0},
		{"too long a number", strings.Repeat("0", 77), signedMessage{body: "body\r\n"}, DKIMPermError, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.message.header, tt.message.tags = from, plainTags+"; l="+tt.l+"; "+tt.message.tags
			got := verifyOne(t, testKeyText(), tt.message.text())
			if got.Result != tt.result || got.UnsignedBody != tt.left || (len(got.Caveats) > 0) != (tt.left > 0) {
				t.Errorf("%v (%s), %d octets unsigned, %q; want %v, %d", got.Result, got.Reason, got.UnsignedBody, got.Caveats, tt.result, tt.left)
			}
		})
	}
}

// What Key says of a key record and what becomes of a signature is one reading:
// a key with an Error verifies nothing, and one without verifies what it has signed.
func TestTheKeyAndTheVerdictAgree(t *testing.T) {
	p := testKeyText()[len("k=ed25519; "):]
	tests := []struct {
		name, key, identity string
		result              DKIMResult
	}{
		{"plain", "v=DKIM1; k=ed25519; " + p, "", DKIMPass},
		{"the version is not first (RFC 6376 section 3.6.1)", "k=ed25519; " + p + "; v=DKIM1", "", DKIMPermError},
		{"another version", "v=DKIM2; k=ed25519; " + p, "", DKIMPermError},
		{"values are case-sensitive (section 3.2): k", "k=Ed25519; " + p, "", DKIMPermError},
		{"h", "k=ed25519; h=SHA256; " + p, "", DKIMPermError},
		{"h with others", "k=ed25519; h=sha1 : sha256; " + p, "", DKIMPass},
		{"s", "k=ed25519; s=tlsrpt; " + p, "", DKIMPermError},
		{"every service", "k=ed25519; s=*; " + p, "", DKIMPass},
		{"no k: the key is taken for RSA", p, "", DKIMPermError},
		{"a tag repeated", "k=ed25519; n=a; n=b; " + p, "", DKIMPermError},
		{"revoked", "k=ed25519; p=", "", DKIMPermError},
		{"blanks in the key", "k=ed25519; " + p[:9] + " \t " + p[9:], "", DKIMPass},
		{"t=s and no i", "k=ed25519; t=s; " + p, "", DKIMPass},
		{"t=s and the domain itself", "k=ed25519; t=y:s; " + p, "x@EXAMPLE.org", DKIMPass},
		{"t=s and a name below (section 3.6.1)", "k=ed25519; t=s; " + p, "@sub.example.org", DKIMPermError},
		{"a name below", "k=ed25519; t=y; " + p, "@sub.example.org", DKIMPass},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := signedMessage{header: from, body: "body\r\n"}
			if tt.identity != "" {
				m.tags = plainTags + "; i=" + tt.identity
			}
			got := verifyOne(t, tt.key, m.text())
			if got.Result != tt.result {
				t.Errorf("%v: %s", got.Result, got.Reason)
			}
			if got.Key.Err != nil && got.Result == DKIMPass {
				t.Errorf("passes with %v", got.Key.Err)
			}
		})
	}
}

func TestWhatTheSignatureAllows(t *testing.T) {
	const twice = "From: b@example.org\r\nFrom: a@example.org\r\n"
	const later = "1924992000" // in 2031
	tests := []struct {
		name    string
		message signedMessage
		inject  string // put above the signature
		result  DKIMResult
		caveat  string // a word of the only one
	}{
		{"valid for long", signedMessage{tags: plainTags + "; t=1767225600; x=" + later}, "", DKIMPass, ""},
		{"expired", signedMessage{tags: plainTags + "; t=1767225600; x=1779999999"}, "", DKIMPermError, ""},
		{"in its last second", signedMessage{tags: plainTags + "; t=1767225600; x=1780000000"}, "", DKIMPass, ""},
		{"ended before it was made (section 3.5)", signedMessage{tags: plainTags + "; t=4102444800; x=" + later}, "", DKIMPermError, ""},
		{"dated ahead", signedMessage{tags: plainTags + "; t=4102444800"}, "", DKIMPass, "yet to come"},
		{"the last From is the signed one (section 5.4.2)", signedMessage{header: twice, covers: from}, "", DKIMPass, "several From"},
		{"the first From is not", signedMessage{header: twice, covers: "From: b@example.org\r\n"}, "", DKIMFail, ""},
		{"From signed once more than it stands there", signedMessage{tags: "v=1; h=from:from"}, "", DKIMPass, ""},
		{"and put in a second time", signedMessage{tags: "v=1; h=from:from"}, from, DKIMFail, ""},
		{"put in a second time above", signedMessage{}, "From: boss@example.org\r\n", DKIMPass, "several From"},
		{"the order of h counts", signedMessage{tags: "v=1; h=subject:from", header: from + "Subject: x\r\n", covers: "Subject: x\r\n" + from}, "", DKIMPass, ""},
		{"a field that is not there", signedMessage{tags: "v=1; h=from:cc"}, "", DKIMPass, ""},
		{"blanks before the colon (section 3.4.2)", signedMessage{tags: "v=1; h=from; c=relaxed/simple", header: "From :\ta@example.org \r\n\t (A)\r\n", covers: "from:a@example.org (A)\r\n"}, "", DKIMPass, ""},
		{"b= within another tag", signedMessage{tags: "v=1; h=from; z=From:a@b=2Eexample"}, "", DKIMPass, ""},
		{"a tag nobody knows that ends with b", signedMessage{tags: "v=1; h=from; xb=abc"}, "", DKIMPass, ""},
		{"blanks at the end of a line, in the simple form", signedMessage{body: "body \r\n"}, "", DKIMPass, ""},
		{"empty lines at the end", signedMessage{body: "body\r\n\r\n\r\n", hashed: "body\r\n"}, "", DKIMPass, ""},
		{"a last line without an end", signedMessage{body: "body", hashed: "body\r\n"}, "", DKIMPass, ""},
		{"a lone CR is a byte like others", signedMessage{body: "bo\rdy\r\n"}, "", DKIMPass, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.message.header == "" {
				tt.message.header = from
			}
			if tt.message.body == "" {
				tt.message.body = "body\r\n"
			}
			text := tt.inject + tt.message.text()
			for _, text := range []string{text, strings.ReplaceAll(text, crlf, "\n")} { // as a file holds it
				got := verifyOne(t, testKeyText(), text)
				if got.Result != tt.result {
					t.Errorf("%v: %s", got.Result, got.Reason)
				}
				if caveats := strings.Join(got.Caveats, "; "); !strings.Contains(caveats, tt.caveat) || (tt.caveat == "") != (caveats == "") {
					t.Errorf("caveats %q", caveats)
				}
			}
		})
	}
}

// Signatures of one message are judged each for itself.
func TestEachSignatureIsJudgedForItself(t *testing.T) {
	good := signedMessage{header: from, body: "body\r\n"}.text()
	first := func(text string) string { return text[:strings.Index(text, crlf)+len(crlf)] }
	broken := strings.Replace(first(good), "d=example.org", "d=example.net", 1)
	cut := first(signedMessage{tags: plainTags + "; l=2", header: from, hashed: "bo"}.text())
	var zone Zone
	zone.AddTXT("sel._domainkey.example.org", testKeyText())
	zone.AddTXT("sel._domainkey.example.net", testKeyText())
	zone.SetOutcome("sel._domainkey.example.com", TypeTXT, ServFail)
	message := broken + "DKIM-Signature: nonsense\r\n" + cut + strings.Replace(first(good), "d=example.org", "d=example.com", 1) + good
	checks, err := VerifyDKIM(t.Context(), &zone, DKIMQuery{Message: strings.NewReader(message)})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range checks {
		got = append(got, c.Result.String())
	}
	if strings.Join(got, " ") != "fail permerror pass temperror pass" {
		t.Errorf("%q", got)
	}
}

func TestVerifyDKIMWithoutWhatItNeeds(t *testing.T) {
	message := strings.NewReader("")
	var none *SignatureCheck
	if none.Verdict() != (SignatureResult{}) || new(SignatureCheck).Verdict() != (SignatureResult{}) {
		t.Error("no signature has a verdict")
	}
	_, noResolver := VerifyDKIM(t.Context(), nil, DKIMQuery{Message: message})
	_, noMessage := VerifyDKIM(t.Context(), &Zone{}, DKIMQuery{})
	_, noHeader := ReadDKIMSignatures(nil)
	var absent context.Context
	_, noContext := VerifyDKIM(absent, &Zone{}, DKIMQuery{Message: message})
	if noResolver != ErrNoResolver || noMessage != ErrNoMessage || noHeader != ErrNoMessage || noContext != ErrNoContext {
		t.Errorf("%v, %v, %v, %v", noResolver, noMessage, noHeader, noContext)
	}
}

// The examples of RFC 6376 section 3.4.5, and the hashes of an empty body that
// sections 3.4.3 and 3.4.4 name.
func TestCanonicalForms(t *testing.T) {
	const head, body = "A: X\r\nB : Y\t\r\n\tZ  \r\n\r\n", " C \r\nD \t E\r\n\r\n\r\n"
	fields := splitHeader([]byte(head))
	for relaxed, want := range map[bool]string{false: "A: X\r\nB : Y\t\r\n\tZ  \r\n", true: "a:X\r\nb:Y Z\r\n"} {
		var got strings.Builder
		for _, f := range fields {
			got.WriteString(canonicalField(f.text, relaxed))
		}
		if got.String() != want {
			t.Errorf("header %q, want %q", got.String(), want)
		}
	}
	bodies := []struct {
		relaxed     bool
		body, canon string
	}{
		{true, body, " C\r\nD E\r\n"},
		{false, body, " C \r\nD \t E\r\n"},
		{true, " \r\n\t\r\n", ""},
	}
	for _, tt := range bodies {
		if got := bodySum(tt.relaxed, tt.body); got != sha256.Sum256([]byte(tt.canon)) {
			t.Errorf("%q, relaxed %v: not the hash of %q", tt.body, tt.relaxed, tt.canon)
		}
	}
	for relaxed, want := range map[bool]string{false: "frcCV1k9oG9oKj3dpUqdJg1PxRT2RSN/XKdLCPjaYaY=", true: "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="} {
		got := bodySum(relaxed, "")
		if base64.StdEncoding.EncodeToString(got[:]) != want {
			t.Errorf("an empty body, relaxed %v: %x", relaxed, got)
		}
	}
}

func bodySum(relaxed bool, parts ...string) (sum [sha256.Size]byte) {
	h := newBodyHash(relaxed, -1)
	for _, part := range parts {
		_, _ = io.WriteString(h, part)
	}
	copy(sum[:], h.end())
	return sum
}

// FuzzBodyHash compares with the canonical forms made of whole lines, wherever
// the body is cut in two.
func FuzzBodyHash(f *testing.F) {
	f.Add(" C \r\nD \t E\r\n\r\n\r\n", 4)
	f.Add("a\r\r\n \n\rb\r", 2)
	f.Fuzz(func(t *testing.T, body string, at int) {
		if at < 0 || at > len(body) {
			at = len(body) / 2
		}
		lines := strings.Split(strings.ReplaceAll(body, crlf, "\n"), "\n")
		for _, relaxed := range []bool{false, true} {
			var canon []string
			for _, line := range lines {
				if relaxed {
					blank := func(c rune) bool { return c == ' ' || c == '\t' }
					words := strings.Join(strings.FieldsFunc(line, blank), " ")
					if words != "" && blank(rune(line[0])) {
						words = " " + words
					}
					line = words
				}
				canon = append(canon, line)
			}
			for len(canon) > 0 && canon[len(canon)-1] == "" {
				canon = canon[:len(canon)-1]
			}
			want := strings.Join(canon, crlf)
			if len(canon) > 0 || !relaxed {
				want += crlf
			}
			if bodySum(relaxed, body[:at], body[at:]) != sha256.Sum256([]byte(want)) {
				t.Errorf("relaxed %v: not the hash of %q", relaxed, want)
			}
		}
	})
}

// What go-msgauth signs passes with both kinds of keys in every canonical form,
// and go-msgauth gives the same verdict once the message is changed.
func TestVerdictsOfGoMsgauth(t *testing.T) {
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(rsaKey.Public())
	if err != nil {
		t.Fatal(err)
	}
	keys := []struct {
		signer crypto.Signer
		record string
	}{
		{rsaKey, "v=DKIM1; p=" + base64.StdEncoding.EncodeToString(der)},
		{testSeed, testKeyText()},
	}
	const message = "Received: one\r\nReceived: two\r\nSubject: a  long\r\n\tsubject \r\nFrom: A <a@example.org>\r\n\r\nbody  of\t lines \r\n\r\n more\r\n\r\n"
	changes := []struct{ old, new string }{
		{"", ""}, {"  long", " long"}, {"\r\n\tsubject", " subject"}, {"Subject:", "SUBJECT:"}, {"two", "three"}, {"Received: one\r\n", ""},
		{"body  of", "body of"}, {" more\r\n\r\n", " more\r\n"}, {" more\r\n\r\n", " more"}, {" more\r\n", "more\r\n"}, {"lines \r\n", "lines\r\n"},
		{"From: A", "From: B"}, {"d=example.org", "d=Example.org"}, {"s=sel", "s=other"}, {"v=1", "v=2"}, {"; b=", "; b=A"}, {"\r\n\r\n", "\r\nTo: x\r\n\r\n"},
	}
	for _, key := range keys {
		var zone Zone
		zone.AddTXT("sel._domainkey.example.org", key.record)
		look := func(name string) ([]string, error) {
			answer := zone.Lookup(t.Context(), strings.ToLower(name), TypeTXT)
			if len(answer.TXT) == 0 {
				return nil, errors.New("none")
			}
			return []string{answer.TXT[0].Text}, nil
		}
		for form := range 4 {
			forms := []dkim.Canonicalization{dkim.CanonicalizationSimple, dkim.CanonicalizationRelaxed}
			var signed bytes.Buffer
			err := dkim.Sign(&signed, strings.NewReader(message), &dkim.SignOptions{Domain: "example.org", Selector: "sel", Signer: key.signer,
				HeaderCanonicalization: forms[form&1], BodyCanonicalization: forms[form>>1]})
			if err != nil {
				t.Fatal(err)
			}
			for _, change := range changes {
				text := strings.Replace(signed.String(), change.old, change.new, 1)
				theirs, err := dkim.VerifyWithOptions(strings.NewReader(text), &dkim.VerifyOptions{LookupTXT: look})
				if err != nil || len(theirs) != 1 {
					t.Fatal(len(theirs), err)
				}
				ours, err := VerifyDKIM(t.Context(), &zone, DKIMQuery{Message: strings.NewReader(text)})
				if err != nil || len(ours) != 1 {
					t.Fatal(len(ours), err)
				}
				want := DKIMPass
				switch err := theirs[0].Err; {
				case dkim.IsPermFail(err):
					want = DKIMPermError
				case err != nil:
					want = DKIMFail
				}
				if ours[0].Result != want || change.old == "" && want != DKIMPass {
					t.Errorf("%T, form %d, %q for %q: %v (%s), go-msgauth %v", key.signer, form, change.new, change.old, ours[0].Result, ours[0].Reason, theirs[0].Err)
				}
			}
		}
	}
}
