package smtpcode

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseReplies(t *testing.T) {
	type reply struct {
		Code         int
		Status, Text string
	}
	tests := []struct {
		name, in string
		want     []reply
	}{
		{"a plain reply", "550 5.1.1 User unknown", []reply{{550, "5.1.1", "User unknown"}}},
		{"a reply without a status", "550 User unknown", []reply{{550, "", "User unknown"}}},
		{"a status without a code", "5.1.1 User unknown", []reply{{0, "5.1.1", "User unknown"}}},
		{"text alone", "User unknown", []reply{{0, "", "User unknown"}}},
		{"nothing", "  ", nil},
		{"an arrow that quotes no reply before one that does", "550 5.7.1 list a->b refused -> 550 5.1.1 gone", []reply{{550, "5.7.1", "list a->b refused"}, {550, "5.1.1", "gone"}}},
		{"Exchange: quoted", "Remote Server returned '550 5.1.10 RESOLVER.ADR.RecipientNotFound; gone'", []reply{{550, "5.1.10", "RESOLVER.ADR.RecipientNotFound; gone"}}},
		{"Exchange: doubled blank, other case", "remote server  returned '554 5.2.2 mailbox full'", []reply{{554, "5.2.2", "mailbox full"}}},
		{"Exchange 2007: hash marks", "#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##", []reply{{550, "5.1.1", "RESOLVER.ADR.RecipNotFound; not found"}}},
		{"Exchange 2007: original address behind the marks", "#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##rfc822;a@example.net", []reply{{550, "5.1.1", "RESOLVER.ADR.RecipNotFound; not found"}}},
		{"Exchange: in angle brackets", "#<mx.example.net #5.7.1 smtp;530 5.7.1 Client was not authenticated> #SMTP#", []reply{{530, "5.7.1", "Client was not authenticated"}}},
		{"diagnostic type", "smtp;550 5.1.1 gone", []reply{{550, "5.1.1", "gone"}}},
		{"diagnostic type with a blank", "smtp; 550 5.1.1 gone", []reply{{550, "5.1.1", "gone"}}},
		{"Postfix", "host mx.example.net[192.0.2.1] said: 550 5.1.1 <a@example.net>: gone (in reply to RCPT TO command)", []reply{{550, "5.1.1", "<a@example.net>: gone (in reply to RCPT TO command)"}}},
		{"Exim", "SMTP error from remote mail server after RCPT TO:<a@example.net>: 550 gone", []reply{{550, "", "gone"}}},
		{"a status behind a hash mark", "550 #5.1.0 Address rejected", []reply{{550, "5.1.0", "Address rejected"}}},
		{"several lines", "550-5.7.26 one\r\n550-5.7.26 two\r\n550 5.7.26 three", []reply{{550, "5.7.26", "one two three"}}},
		{"several lines whose codes are gone, as a textproto.Error has them", "550 5.1.1 one\n5.1.1 two\n5.1.1 three", []reply{{550, "5.1.1", "one two three"}}},
		{"a later line that opens with another status", "550 5.1.1 one\n5.7.1 two", []reply{{550, "5.1.1", "one 5.7.1 two"}}},
		{"several lines run together", "550-5.7.26 one 550-5.7.26 two 550 5.7.26 three", []reply{{550, "5.7.26", "one two three"}}},
		{"several lines, status in the first alone", "550-5.7.1 one\n550 two", []reply{{550, "5.7.1", "one two"}}},
		{"inner reply behind an arrow", "550 5.7.23 The message was rejected because of Sender Policy Framework violation -> 550 5.7.26 refused", []reply{
			{550, "5.7.23", "The message was rejected because of Sender Policy Framework violation"}, {550, "5.7.26", "refused"}}},
		{"inner reply without a blank", "550 5.0.350 Remote server returned an error ->550 gone", []reply{{550, "5.0.350", "Remote server returned an error"}, {550, "", "gone"}}},
		{"an arrow that leads to no reply", "550 5.7.1 see <a> -> help", []reply{{550, "5.7.1", "see <a> -> help"}}},
		{"trailing server mark stays in the text", "550 5.4.1 Recipient address rejected: Access denied. AS(201806281) [AM5.example 2026-01-01T00:00:00.000Z 08DE]", []reply{
			{550, "5.4.1", "Recipient address rejected: Access denied. AS(201806281) [AM5.example 2026-01-01T00:00:00.000Z 08DE]"}}},
		{"Python: a pair", "(501, '5.1.5 Recipient address reserved by RFC 2606')", []reply{{501, "5.1.5", "Recipient address reserved by RFC 2606"}}},
		{"Python: a pair with bytes in it", "{'a@example.net': (550, b'5.1.1 <a@example.net>: gone')}", []reply{{550, "5.1.1", "<a@example.net>: gone"}}},
		{"Python: a pair with double quotes", `(550, b"5.7.1 we don't relay")`, []reply{{550, "5.7.1", "we don't relay"}}},
		{"Go: the error of net/smtp", `550 "5.1.1 <a@example.net>: gone"`, []reply{{550, "5.1.1", "<a@example.net>: gone"}}},
		{"Go: several lines", `550 "5.7.1 one\nsaid \"no\""`, []reply{{550, "5.7.1", `one said "no"`}}},
		{"Go: in a line of a log", `delivery failed: 550 "5.1.1 gone"`, []reply{{550, "5.1.1", "gone"}}},
		{"a double-quoted word begins the text", `550 "gone" is no user`, []reply{{550, "", `"gone" is no user`}}},
		{"the text in quotes behind the status", "550 (5.1.1) 'User unknown')", []reply{{550, "5.1.1", "User unknown"}}},
		{"a quoted word begins the text", "550 'gone' is no user", []reply{{550, "", "'gone' is no user"}}},
		{"quoted words at both ends", "550 'gone' is now 'here'", []reply{{550, "", "'gone' is now 'here'"}}},
		{"a code followed by letters is none", "550abc", []reply{{0, "", "550abc"}}},
		{"an address is no status", "550 5.1.1.1 is odd", []reply{{550, "", "5.1.1.1 is odd"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []reply
			for _, r := range ParseReplies(test.in) {
				got = append(got, reply{r.Code, r.Status.String(), r.Text})
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFindReplies(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string // Raw of each
	}{
		{"in a sentence with its status", "the server answered 550 5.1.1 gone\nthat was all", []string{"550 5.1.1 gone"}},
		{"after a colon", "Remote host said: 554 no thanks", []string{"554 no thanks"}},
		{"in quotes", "returned '550 5.1.1 gone' twice", []string{"550 5.1.1 gone"}},
		{"a house number", "at 550 Main Street", nil},
		{"a version", "sent with Exim 4.99.5 today", nil},
		{"an address", "from 5.1.1.7 and 192.0.2.550", nil},
		{"a size", "size 550 bytes", nil},
		{"a status after a colon", "error: 5.1.1 gone", []string{"5.1.1 gone"}},
		{"several lines", "550-5.1.1 one\n550 5.1.1 two\nend", []string{"550-5.1.1 one\n550 5.1.1 two"}},
		{"a comma after the code", "said: 550, no such user here", []string{"550, no such user here"}},
		{"a colon after the code", "it failed with 550: 5.1.1 no such user\nend", []string{"550: 5.1.1 no such user"}},
		{"a colon and no status", "said: 554: refused", []string{"554: refused"}},
		{"a thousand", "cost: 550,000 yen", nil},
		{"a port", "at: 550:25 or so", nil},
		{"a place in a page", "see docs.example.com/DOC-1369#550 [x1.us] for it", nil},
		{"success is no refusal", "said: 250 2.0.0 fine", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for r := range FindReplies(test.in) {
				got = append(got, r.Raw)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func FuzzParseReplies(f *testing.F) {
	for _, seed := range []string{"#550 5.1.1 x ##", "550-a\n550 b", "a -> 550 b", "#<h #5.7.1 smtp;530 x> #SMTP#", "returned '", "5.1.1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, r := range ParseReplies(s) {
			if len(r.Text) > len(s) || len(r.Raw) > len(s) {
				t.Errorf("a reply longer than its text: %+v", r)
			}
		}
		for r := range FindReplies(s) {
			if r.Code == 0 && r.Status.IsZero() {
				t.Errorf("found a reply without code and status: %q", r.Raw)
			}
		}
	})
}

// A status of the reporting system's own before a quoted reply, as AsyncOS writes
// it: the quoted one is the refusing server's.
func TestReplyQuotedBehindAStatus(t *testing.T) {
	for text, want := range map[string]Reply{
		"5.1.0 - Unknown address error 550-'5.1.1 <a@example.net>: can't be found' (delivery attempts: 0)": {Code: 550, Status: Status{5, 1, 1}, Text: "<a@example.net>: can't be found"},
		"5.3.0 - Other mail system problem 554-'no'":                                                       {Code: 554, Text: "no"},
		"5.4.7 - Delivery expired (message too old) 'timeout'":                                             {Status: Status{5, 4, 7}, Text: "- Delivery expired (message too old) 'timeout'"},
	} {
		got := ParseReply(text)
		got.Raw, want.Raw = "", ""
		if got.Text = strings.TrimPrefix(got.Text, "- "); got.Text != strings.TrimPrefix(want.Text, "- ") || got.Code != want.Code || got.Status != want.Status {
			t.Errorf("%s: %+v", text, got)
		}
	}
}
