package dsn

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var testKey = []byte("0123456789abcdef0123456789abcdef")

func ExampleVERP() {
	verp := &VERP{Local: "bounces", Domain: "news.example.org"}
	path, _ := verp.Address("user@example.net")
	fmt.Println(path)
	recipient, _ := verp.Recipient(path)
	fmt.Println(recipient)
	// Output:
	// bounces+user=example.net@news.example.org
	// user@example.net
}

func TestVERPReadsWhatItWrites(t *testing.T) {
	for _, key := range [][]byte{nil, testKey} {
		v := &VERP{Local: "b", Domain: "example.org", Key: key}
		for _, recipient := range []string{
			"user@example.net", "user+tag@example.net", "a=b@example.net", "a-b.c@x.example", "jürgen@example.net", `"a b"@example.net`, "100%@example.net", "User@Example.Net",
		} {
			path, err := v.Address(recipient)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := v.Recipient("<" + path + ">"); got != recipient || err != nil {
				t.Errorf("%s: %q %v", path, got, err)
			}
			// Servers may change the case on the way back.
			if got, err := v.Recipient(strings.ToLower(path)); !strings.EqualFold(got, recipient) || err != nil {
				t.Errorf("%s in lower case: %q %v", path, got, err)
			}
		}
	}
}

func TestVERPRefuses(t *testing.T) {
	keyed := &VERP{Local: "b", Domain: "example.org", Key: testKey}
	path, err := keyed.Address("user@example.net")
	if err != nil {
		t.Fatal(err)
	}
	other := &VERP{Local: "b", Domain: "example.org", Key: []byte("another key, of 16 bytes or more")}
	elsewhere := &VERP{Local: "b", Domain: "example.com", Key: testKey}
	for _, c := range []struct {
		verp    *VERP
		address string
		want    error
	}{
		{keyed, strings.Replace(path, "user", "luser", 1), ErrForged},
		{keyed, strings.Replace(path, "example.net", "example.com", 1), ErrForged},
		{other, path, ErrForged},
		{elsewhere, path, ErrNotVERP},
		{elsewhere, strings.Replace(path, "@example.org", "@example.com", 1), ErrForged},
		{keyed, "b+user=example.net@example.org", ErrNotVERP},
		{keyed, "b@example.org", ErrNotVERP},
		{keyed, "", ErrNotVERP},
		{&VERP{Local: "b", Domain: "example.org"}, "b+user@example.org", ErrNotVERP},
		{&VERP{Local: "b", Domain: "example.org", Key: []byte{}}, path, ErrVERPConfig},
		{&VERP{}, path, ErrVERPConfig},
	} {
		if got, err := c.verp.Recipient(c.address); !errors.Is(err, c.want) {
			t.Errorf("%q: %q %v, want %v", c.address, got, err, c.want)
		}
	}
	if _, err := keyed.Address(strings.Repeat("a", 60) + "@example.net"); !errors.Is(err, ErrVERPTooLong) {
		t.Error(err)
	}
	if _, err := keyed.Address("nobody"); err == nil {
		t.Error("a recipient without a domain was taken")
	}
}

func TestParseReturnPath(t *testing.T) {
	for raw, want := range map[string]ReturnPath{
		"<>":                 {Address: ""},
		"<user@example.org>": {Address: "user@example.org"},
		"SRS0=HHH=TT=example.org=user@fwd.example":                      {Address: "user@example.org", Layers: []Wrapping{{"srs0", "fwd.example", "HHH=TT"}}},
		"SRS0+HHH=TT=example.org=us=er@fwd.example":                     {Address: "us=er@example.org", Layers: []Wrapping{{"srs0", "fwd.example", "HHH=TT"}}},
		"srs1=GGG=one.example==HHH=TT=example.org=user@two.example":     {Address: "user@example.org", Layers: []Wrapping{{"srs1", "two.example", "GGG"}, {"srs0", "one.example", "HHH=TT"}}},
		"prvs=7012abcdef=user@example.org":                              {Address: "user@example.org", Layers: []Wrapping{{"prvs", "example.org", "7012abcdef"}}},
		"prvs=user/7012abcdef@example.org":                              {Address: "user@example.org", Layers: []Wrapping{{"prvs", "example.org", "7012abcdef"}}},
		"btv1==abc==user@example.org":                                   {Address: "user@example.org", Layers: []Wrapping{{"btv1", "example.org", "abc"}}},
		"msprvs1=18abc=bounces-12@example.org":                          {Address: "bounces-12@example.org", Layers: []Wrapping{{"msprvs1", "example.org", "18abc"}}},
		"SRS0=H=T=example.org=prvs=7012abcdef=user@fwd.example":         {Address: "user@example.org", Layers: []Wrapping{{"srs0", "fwd.example", "H=T"}, {"prvs", "example.org", "7012abcdef"}}},
		"SRS0=HHH=TT=nodomain=user@fwd.example":                         {Address: "SRS0=HHH=TT=nodomain=user@fwd.example"},
		"prvs=@example.org":                                             {Address: "prvs=@example.org"},
		"srs0nia@example.org":                                           {Address: "srs0nia@example.org"},
		strings.Repeat("prvs=1=", 40) + "user@example.org":              {},
		"SRS1=" + strings.Repeat("G=one.example==H=", 9) + "@a.example": {},
	} {
		got := ParseReturnPath(raw)
		if got.Raw != raw {
			t.Errorf("%s: raw %q", raw, got.Raw)
		}
		if len(got.Layers) > maxWrappings {
			t.Errorf("%s: %d layers", raw, len(got.Layers))
		}
		if want.Address == "" && raw != "<>" {
			continue // only bounds matter
		}
		want.Raw = raw
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", raw, diff)
		}
	}
}

// bounce makes a report of one group, with the fields of its header, of the
// group and of the returned message.
func bounce(header, group, returned string) string {
	return header + "From: mailer-daemon@mx.example.net\nContent-Type: multipart/report; report-type=delivery-status; boundary=x\n\n" +
		"--x\n\nFailed.\n--x\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.net\n\n" + group +
		"\n--x\nContent-Type: text/rfc822-headers\n\n" + returned + "\n--x--\n"
}

func TestOriginalAddresses(t *testing.T) {
	verp := &VERP{Local: "bounces", Domain: "example.org", Key: testKey}
	keyed, err := verp.Address("list.user@example.com")
	if err != nil {
		t.Fatal(err)
	}
	forged := strings.Replace(keyed, "list.user", "victim", 1)
	group := "Final-Recipient: rfc822; final@inner.example\nAction: failed\nStatus: 5.1.1\n"
	for _, c := range []struct{ name, mail, want string }{
		{"only the final recipient", bounce("To: a@example.org\n", group, "From: a@example.org\n"), "final@inner.example final-recipient 0"},
		{"Original-Recipient", bounce("To: a@example.org\n", group+"Original-Recipient: rfc822; asked+2Bx@example.com\n", "From: a@example.org\n"),
			"asked+x@example.com original-recipient 0|final@inner.example final-recipient 0"},
		{"a keyed return path wins", bounce("To: "+keyed+"\n", group+"Original-Recipient: rfc822; asked@example.com\n", ""),
			"list.user@example.com keyed-verp 0|asked@example.com original-recipient 0|final@inner.example final-recipient 0"},
		{"a forged one names nobody", bounce("To: "+forged+"\n", group, ""), "final@inner.example final-recipient 0"},
		{"a keyed return path behind a forwarder", bounce("To: a@example.org\n", group, "Return-Path: <SRS0=HHH=TT=example.org="+strings.TrimSuffix(keyed, "@example.org")+"@fwd.example>\n"),
			"list.user@example.com keyed-verp 0|final@inner.example final-recipient 0"},
		{"a plain return path", bounce("Delivered-To: news-bounces+user=example.com@lists.example\nTo: x@lists.example\n", group, ""),
			"user@example.com plain-verp 0|final@inner.example final-recipient 0"},
		{"ezmlm", bounce("To: talk-return-312-user=example.com@lists.example\n", group, ""), "user@example.com plain-verp 0|final@inner.example final-recipient 0"},
		{"a mass mailer", bounce("To: bounces+123456-ab12-user=example.com@em.example\n", group, ""), "user@example.com plain-verp 0|final@inner.example final-recipient 0"},
		{"an unknown form of a known address", bounce("To: x-99-final=inner.example@em.example\n", group, ""), "final@inner.example plain-verp,final-recipient 0"},
		{"an unknown form of an unknown address", bounce("To: x-99-user=example.com@em.example\n", group, ""), "final@inner.example final-recipient 0"},
		{"Received", bounce("", group, "Received: from b by c for <final@inner.example>; Thu, 1 Jan 2026 00:00:00 +0000\nReceived: from a by b\n\tfor <first@example.com>; Thu, 1 Jan 2026 00:00:00 +0000\nReceived: from x by a; Thu, 1 Jan 2026 00:00:00 +0000\n"),
			"first@example.com received-for 0|final@inner.example final-recipient 0"},
		{"the returned To", bounce("", group, "To: A <a@example.com>, b@example.com\nCc: final@inner.example\n"),
			"final@inner.example final-recipient,returned-to 0|a@example.com returned-to 0|b@example.com returned-to 0"},
		{"X-Failed-Recipients", bounce("X-Failed-Recipients: final@inner.example, other@example.com\n", group, ""),
			"final@inner.example x-failed-recipients,final-recipient 0|other@example.com x-failed-recipients 0"},
		{"a tagged recipient", bounce("", "Final-Recipient: rfc822; prvs=7012abcdef=user@example.com\nAction: failed\nStatus: 5.1.1\n", ""),
			"user@example.com batv 0|prvs=7012abcdef=user@example.com final-recipient 0"},
		{"a rewritten recipient", bounce("", "Final-Recipient: rfc822; SRS0=H=T=example.com=user@fwd.example\nAction: failed\nStatus: 5.1.1\n", ""),
			"user@example.com srs 0|SRS0=H=T=example.com=user@fwd.example final-recipient 0"},
		{"two recipients", bounce("To: "+keyed+"\n", group+"\nFinal-Recipient: rfc822; list.user@example.com\nAction: failed\nStatus: 5.1.1\n", "To: c@example.com\n"),
			"list.user@example.com keyed-verp,final-recipient 1|final@inner.example final-recipient 0|c@example.com returned-to -1"},
		{"a complaint", feedbackMail("Feedback-Type: abuse\nUser-Agent: x\nVersion: 1\nOriginal-Rcpt-To: <u@example.com>\nOriginal-Mail-From: <" + keyed + ">\n"),
			"list.user@example.com keyed-verp -1|u@example.com original-recipient -1"},
		{"a receipt", notification("message/disposition-notification", "Final-Recipient: rfc822; b@example.net\nOriginal-Recipient: rfc822; all@example.net\nDisposition: manual-action/MDN-sent-manually; displayed\n"),
			"all@example.net original-recipient -1|b@example.net final-recipient,returned-to -1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := Read(strings.NewReader(c.mail))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, o := range r.OriginalAddresses(verp) {
				var sources []string
				for _, s := range o.Sources {
					sources = append(sources, s.String())
				}
				got = append(got, fmt.Sprintf("%s %s %d", o.Address, strings.Join(sources, ","), o.Recipient))
				if o.Text == "" {
					t.Errorf("%s: no text", o.Address)
				}
			}
			if strings.Join(got, "|") != c.want {
				t.Errorf("\n got %s\nwant %s", strings.Join(got, "|"), c.want)
			}
		})
	}
}

func TestThread(t *testing.T) {
	group := "Final-Recipient: rfc822; b@example.net\nAction: failed\nStatus: 5.1.1\n"
	returned := "Message-ID: <m@example.org>\nIn-Reply-To: <i@example.net>\nReferences: <r@example.net>\n <i@example.net>\n"
	for _, c := range []struct{ name, mail, id, field string }{
		{"the returned message", bounce("In-Reply-To: <other@example.org>\n", group, returned), "m@example.org", "Message-ID"},
		{"a field of the report's header", bounce("X-Original-Message-ID: <g@example.org>\n", group, returned), "g@example.org", "X-Original-Message-ID"},
		{"a field of the group", bounce("", group+"X-Original-Message-ID: <x@example.org>\n", ""), "x@example.org", "X-Original-Message-ID"},
		{"what the report answers", bounce("References: <a@example.org> <b@example.org>\n", group, ""), "b@example.org", "References"},
		{"nothing", bounce("", group, ""), "", ""},
		{"a receipt", notification("message/disposition-notification", "Final-Recipient: rfc822; b@example.net\nOriginal-Message-ID: <o@example.org>\nDisposition: manual-action/MDN-sent-manually; displayed\n"), "o@example.org", "Original-Message-ID"},
		{"an auto-reply", "From: b@example.net\nAuto-Submitted: auto-replied\nIn-Reply-To: <q@example.org>\n\nAway.\n", "q@example.org", "In-Reply-To"},
		{"an id without brackets", bounce("", group, "Message-ID: m@example.org\n"), "m@example.org", "Message-ID"},
	} {
		r, err := Read(strings.NewReader(c.mail))
		if err != nil {
			t.Fatal(c.name, err)
		}
		if got := r.Thread(); got.MessageID != c.id || got.From.Field != c.field {
			t.Errorf("%s: %q from %q, want %q from %q", c.name, got.MessageID, got.From.Field, c.id, c.field)
		}
	}
	r, err := Read(strings.NewReader(strings.Replace(bounce("", group, returned), "Reporting-MTA", "Original-Envelope-Id: e+2Bnv\nReporting-MTA", 1)))
	if err != nil {
		t.Fatal(err)
	}
	got := r.Thread()
	if got.EnvelopeID != "e+nv" || !slices.Equal(got.InReplyTo, []string{"i@example.net"}) || !slices.Equal(got.References, []string{"r@example.net", "i@example.net"}) {
		t.Errorf("%+v", got)
	}
}

func TestCorpusNamesWhomWeWroteTo(t *testing.T) {
	// Whatever else is found, a declared recipient is among the answers, and the
	// report's own address never is.
	for file, groups := range groupTruth(t) {
		r, err := Read(strings.NewReader(string(corpusMail(t, file))))
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		found := r.OriginalAddresses()
		for i, rcpt := range r.Recipients {
			if a := rcpt.FinalRecipient.Address; strings.Index(a, "@") > 0 && !slices.ContainsFunc(found, func(o OriginalAddress) bool { return strings.EqualFold(o.Address, a) }) {
				t.Errorf("%s: %d of %d, %q is not among %v", file, i, len(groups), a, found)
			}
		}
	}
}

func FuzzReturnPath(f *testing.F) {
	v := &VERP{Local: "b", Domain: "example.org", Key: testKey}
	path, err := v.Address("user@example.net")
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{path, "SRS1=G=one.example==H=T=example.org=user@two.example", "prvs=7012abcdef=user@example.org", "btv1==abc==user@example.org", "b%zz+%4=x.example@y.example", "<>"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if p := ParseReturnPath(text); len(p.Layers) > maxWrappings || p.Raw != text {
			t.Errorf("%+v", p)
		}
		plainVERP(text, []string{text, "user@example.net"})
		if recipient, err := v.Recipient(text); err == nil && !strings.EqualFold(recipient, "user@example.net") {
			t.Errorf("%q forges %q", text, recipient)
		}
		// Whoever a return path can be made for is read out of it.
		if path, err := v.Address(text); err == nil {
			if got, err := v.Recipient(path); err != nil || got != text {
				t.Errorf("%q: %q %v", path, got, err)
			}
		}
		Classify(ReadHeader([]byte(text)))
	})
}
