package dsn

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/emersion/go-msgauth/dkim"
)

// signed returns a message with a DKIM signature of domain, and the look-up
// that has its key.
func signed(t *testing.T, message, domain string) (string, func(context.Context, string) ([]string, error)) {
	t.Helper()
	private := ed25519.NewKeyFromSeed(testKey)
	var b bytes.Buffer
	err := dkim.Sign(&b, strings.NewReader(strings.ReplaceAll(message, "\n", "\r\n")), &dkim.SignOptions{
		Domain: domain, Selector: "s", Signer: private,
		HeaderCanonicalization: dkim.CanonicalizationRelaxed, BodyCanonicalization: dkim.CanonicalizationRelaxed,
	})
	if err != nil {
		t.Fatal(err)
	}
	record := "v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(private.Public().(ed25519.PublicKey))
	return strings.ReplaceAll(b.String(), "\r\n", "\n"), func(_ context.Context, name string) ([]string, error) {
		if name != "s._domainkey."+domain {
			return nil, errors.New("no such name: " + name)
		}
		return []string{record}, nil
	}
}

const ownMessage = "Message-ID: <m@example.org>\nFrom: A <a@example.org>\nTo: b@example.net\nSubject: hello\nDate: Thu, 1 Jan 2026 00:00:00 +0000\n\nlittle text\n"

// returning makes a report to an address that returns a message whole.
func returning(to, envelopeID, message string) string {
	return "To: " + to + "\nFrom: mailer-daemon@mx.example.net\nContent-Type: multipart/report; report-type=delivery-status; boundary=x\n\n" +
		"--x\n\nFailed.\n--x\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.net\n" + envelopeID + "\nFinal-Recipient: rfc822; b@example.net\nAction: failed\nStatus: 5.1.1\n" +
		"\n--x\nContent-Type: message/rfc822\n\n" + message + "\n--x--\n"
}

func TestBackscatter(t *testing.T) {
	verp := &VERP{Local: "b", Domain: "example.org", Key: testKey}
	path, err := verp.Address("b@example.net")
	if err != nil {
		t.Fatal(err)
	}
	forged := strings.Replace(path, "b=example.net", "c=example.net", 1)
	message, lookup := signed(t, ownMessage, "mail.example.org")
	changed := strings.Replace(message, "little", "other", 1)
	noKey := func(context.Context, string) ([]string, error) { return nil, errors.New("timeout") }
	sent := func(v Verdict) func(context.Context, SentMessage) (Verdict, error) {
		return func(context.Context, SentMessage) (Verdict, error) { return v, nil }
	}
	envelope := func(v Verdict) func(context.Context, string) (Verdict, error) {
		return func(context.Context, string) (Verdict, error) { return v, nil }
	}
	own := []string{"example.org"}
	for _, c := range []struct {
		name, mail string
		proof      Proof
		want       Verdict
		reason     string
	}{
		{"nothing to go by", returning("a@example.org", "", ownMessage), Proof{}, CannotTell, "nothing to check"},
		{"a signed return path", returning(path, "", ""), Proof{VERP: []*VERP{verp}}, Ours, "signed here, for b@example.net"},
		{"a forged return path", returning(forged, "", ""), Proof{VERP: []*VERP{verp}}, NotOurs, "not signed here"},
		{"another address", returning("a@example.org", "", ""), Proof{VERP: []*VERP{verp}}, CannotTell, "no signed return path"},
		{"another address, where all mail is signed", returning("a@example.org", "", ""), Proof{VERP: []*VERP{verp}, EveryReturnPath: true}, NotOurs, "none of the signed return paths"},
		{"a plain return path proves nothing", returning("b+b=example.net@example.org", "", ""), Proof{VERP: []*VERP{{Local: "b", Domain: "example.org"}}}, CannotTell, "nothing to check"},
		{"a valid signature", returning("a@example.org", "", message), Proof{Domains: own, LookupTXT: lookup}, Ours, "valid DKIM signature of mail.example.org"},
		{"a changed message", returning("a@example.org", "", changed), Proof{Domains: own, LookupTXT: lookup}, CannotTell, "does not verify"},
		{"no key to be had", returning("a@example.org", "", message), Proof{Domains: own, LookupTXT: noKey}, CannotTell, "does not verify"},
		{"somebody else's signature", returning("a@example.org", "", message), Proof{Domains: []string{"example.com", "ample.org"}, LookupTXT: lookup}, CannotTell, "of a domain of ours"},
		{"somebody else's key is not asked for", returning("a@example.org", "", message), Proof{Domains: []string{"example.com"}, LookupTXT: func(_ context.Context, name string) ([]string, error) {
			t.Error("asked for " + name)
			return nil, nil
		}}, CannotTell, "of a domain of ours"},
		{"no signature", returning("a@example.org", "", ownMessage), Proof{Domains: own, LookupTXT: lookup}, CannotTell, "no DKIM signature"},
		{"headers only", bounce("To: a@example.org\n", "Final-Recipient: rfc822; b@example.net\nAction: failed\nStatus: 5.1.1\n", message), Proof{Domains: own, LookupTXT: lookup}, CannotTell, "headers-only"},
		{"sent", returning("a@example.org", "", ownMessage), Proof{Sent: sent(Ours)}, Ours, "m@example.org"},
		{"not sent", returning("a@example.org", "", ownMessage), Proof{Sent: sent(NotOurs)}, NotOurs, "m@example.org"},
		{"not known", returning("a@example.org", "", ownMessage), Proof{Sent: sent(CannotTell)}, CannotTell, "m@example.org"},
		{"an envelope id of ours", returning("a@example.org", "Original-Envelope-Id: e1\n", ownMessage), Proof{EnvelopeID: envelope(Ours), Sent: sent(NotOurs)}, Ours, `"e1"`},
		{"an envelope id of others", returning("a@example.org", "Original-Envelope-Id: e1\n", ownMessage), Proof{EnvelopeID: envelope(NotOurs)}, NotOurs, `"e1"`},
		{"a signature beats a look-up", returning("a@example.org", "", message), Proof{Domains: own, LookupTXT: lookup, Sent: sent(NotOurs)}, Ours, "DKIM"},
		{"a forged return path beats a look-up", returning(forged, "", ownMessage), Proof{VERP: []*VERP{verp}, Sent: sent(Ours)}, NotOurs, "not signed here"},
		{"a signed message beats a return path of others", returning("a@example.org", "", message), Proof{VERP: []*VERP{verp}, EveryReturnPath: true, Domains: own, LookupTXT: lookup}, Ours, "DKIM"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := Read(strings.NewReader(c.mail))
			if err != nil {
				t.Fatal(err)
			}
			got, err := r.Backscatter(context.Background(), c.proof)
			if err != nil || got.Verdict != c.want || !strings.Contains(got.Reason, c.reason) {
				t.Errorf("%v because %q, %v; want %v because %q", got.Verdict, got.Reason, err, c.want, c.reason)
			}
		})
	}
}

func TestBackscatterAsksForTheMessage(t *testing.T) {
	r, err := Read(strings.NewReader(returning("a@example.org", "Original-Envelope-Id: e1\n", "Return-Path: <prvs=1234abcdef=a@example.org>\n"+ownMessage)))
	if err != nil {
		t.Fatal(err)
	}
	var asked SentMessage
	broken := errors.New("broken")
	_, err = r.Backscatter(context.Background(), Proof{Sent: func(_ context.Context, m SentMessage) (Verdict, error) {
		asked = m
		return CannotTell, broken
	}})
	if !errors.Is(err, broken) {
		t.Error(err)
	}
	if asked.MessageID != "m@example.org" || asked.EnvelopeID != "e1" || asked.From != "a@example.org" || asked.ReturnPath != "a@example.org" ||
		asked.Subject != "hello" || asked.Date.Year() != 2026 || !slices.Contains(asked.Recipients, "b@example.net") {
		t.Errorf("%+v", asked)
	}
}

func TestBackscatterEnds(t *testing.T) {
	// A thousand signatures cost ten look-ups, and a cancelled context is told.
	message, lookup := signed(t, ownMessage, "example.org")
	end := strings.Index(message, "\nMessage-ID") + 1
	r, err := Read(strings.NewReader(returning("a@example.org", "", strings.Repeat(strings.ReplaceAll(message[:end], "bh=", "bh=A"), 1000)+message)))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	var n atomic.Int32
	_, err = r.Backscatter(ctx, Proof{Domains: []string{"example.org"}, LookupTXT: func(ctx context.Context, name string) ([]string, error) {
		if n.Add(1) == maxSignatures {
			cancel()
		}
		return lookup(ctx, name)
	}})
	if n.Load() != maxSignatures || !errors.Is(err, context.Canceled) {
		t.Errorf("%d look-ups, %v", n.Load(), err)
	}
}

// An error of the caller's own look-up is returned; what no message can show is said.
func TestBackscatterSaysWhatCouldNotBeChecked(t *testing.T) {
	down := errors.New("the log is down")
	r := reread(t, returning("a@example.org", "Original-Envelope-Id: e1", ownMessage))
	if _, err := r.Backscatter(t.Context(), Proof{EnvelopeID: func(context.Context, string) (Verdict, error) { return CannotTell, down }}); !errors.Is(err, down) {
		t.Errorf("%v", err)
	}
	if _, err := r.Backscatter(t.Context(), Proof{Sent: func(context.Context, SentMessage) (Verdict, error) { return CannotTell, down }}); !errors.Is(err, down) {
		t.Errorf("%v", err)
	}
	lookup := func(context.Context, string) ([]string, error) { return nil, errors.New("not asked") }
	bare := reread(t, strings.Replace(returning("a@example.org", "", ""), "\n--x\nContent-Type: message/rfc822\n\n\n", "", 1))
	for name, tt := range map[string]struct {
		r    *Report
		want string
	}{
		"no message":       {bare, "no message came back"},
		"its header alone": {reread(t, strings.Replace(returning("a@example.org", "", ownMessage), "message/rfc822", "text/rfc822-headers", 1)), "did not come back whole"},
		"no signature":     {r, "no DKIM signature"},
		"others' alone":    {reread(t, returning("a@example.org", "", "DKIM-Signature: v=1; a=rsa-sha256; d=example.net; s=s; h=from; bh=x; b=x\n"+ownMessage)), "of a domain of ours"},
	} {
		o, err := tt.r.Backscatter(t.Context(), Proof{Domains: []string{"example.org"}, LookupTXT: lookup})
		if err != nil || o.Verdict != CannotTell || len(o.Grounds) != 1 || o.Grounds[0].Check != CheckDKIM || !strings.Contains(o.Grounds[0].Reason, tt.want) {
			t.Errorf("%s: %+v, %v; want %q", name, o, err, tt.want)
		}
	}
}
