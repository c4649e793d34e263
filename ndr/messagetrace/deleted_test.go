package messagetrace

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/ndr"
	"github.com/mailfault/mailfault/smtpcode"
)

// TestDeletedBounces reads ten failures out of a trace and judges them as the
// reports themselves are judged: when the sender deleted the bounce, the trace
// answers the same question, unless the report's own sentence decides, which a
// trace does not have. Each row's message_info names the report.
func TestDeletedBounces(t *testing.T) {
	cases := 0
	for row, err := range Read(bytes.NewReader(fixture(t, "deleted-bounces.csv"))) {
		if err != nil {
			t.Fatal(err)
		}
		var file string
		for _, c := range row.Extra {
			if c.Name == "message_info" {
				file = c.Value
			}
		}
		for _, text := range row.Texts {
			if _, err := os.Stat("../testdata/" + text); err == nil {
				file = text
			}
		}
		data, err := os.ReadFile("../testdata/" + file)
		if err != nil {
			t.Fatalf("line %d: %v", row.Line, err)
		}
		report, err := dsn.Read(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		notice, err := ndr.Parse(report)
		if err != nil {
			t.Fatal(err)
		}
		if m := KeyOf(notice).Match(&row); m != ByNetworkID {
			t.Errorf("%s: the row joins the report by %v", file, m)
		}
		if KeyOfReport(report).Match(&row) == NoMatch { // by time where no message came back
			t.Errorf("%s: the row does not join the plain report", file)
		}
		failures := row.Failures()
		if len(failures) != 1 {
			t.Fatalf("%s: %d failures in the trace", file, len(failures))
		}
		for _, f := range notice.Failures() {
			if f.Recipient != failures[0].Recipient {
				continue
			}
			cases++
			want, got := smtpcode.Diagnose(f), smtpcode.Diagnose(failures[0])
			if got.Condition != want.Condition || !slices.Equal(got.Owners, want.Owners) || got.Steps[0] != want.Steps[0] {
				t.Errorf("%s: the trace gives %s %v %q, the report %s %v %q", file, got.Condition, got.Owners, got.Steps[0].Text, want.Condition, want.Owners, want.Steps[0].Text)
			}
		}
	}
	if cases != 10 {
		t.Errorf("%d cases", cases)
	}
}

// TestReportOfAnotherSystem joins a report that is not Microsoft's.
func TestReportOfAnotherSystem(t *testing.T) {
	report, err := dsn.Read(strings.NewReader("From: MAILER-DAEMON@mx.contoso.example\nMIME-Version: 1.0\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n\n" +
		"--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.contoso.example\n\nFinal-Recipient: rfc822; bob@contoso.example\nAction: failed\nStatus: 5.1.1\n\n" +
		"--b\nContent-Type: text/rfc822-headers\n\nReturn-Path: <alice@fabrikam.example>\nMessage-ID: <offer-2@fabrikam.example>\nDate: Sat, 28 Nov 2026 09:05:03 +0000\n\n--b--\n"))
	if err != nil {
		t.Fatal(err)
	}
	k := KeyOfReport(report)
	for _, tt := range []struct {
		name string
		row  Row
		want Match
	}{
		{"the same id", Row{MessageID: "offer-2@fabrikam.example"}, ByMessageID},
		{"another id", Row{MessageID: "offer-3@fabrikam.example", Recipients: one("bob@contoso.example", Failed, "Failed"), Time: k.Sent}, NoMatch},
		{"no id, the recipient at the time", Row{Recipients: one("bob@contoso.example", Failed, "Failed"), Sender: "alice@fabrikam.example", Time: k.Sent.Add(time.Hour)}, ByTime},
		{"no id, another recipient", Row{Recipients: one("carol@contoso.example", Failed, "Failed"), Sender: "alice@fabrikam.example", Time: k.Sent}, NoMatch},
	} {
		if m := k.Match(&tt.row); m != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, m, tt.want)
		}
	}
}
