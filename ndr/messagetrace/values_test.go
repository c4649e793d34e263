package messagetrace

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/smtpcode"
)

const traceJSON = `{"Received":"2026-11-28T09:05:03Z","SenderAddress":"a@b.example","RecipientAddress":"c@d.example","Status":"Failed"`

// ConvertTo-Json prints enumerations and dates as objects, lists as arrays, and what
// it does not know as it is; a name may have any character.
func TestJSONValues(t *testing.T) {
	for member, fits := range map[string]func(*Row) bool{
		`"FromIP":"[192.0.2.1]"`:               func(r *Row) bool { return r.OriginalIP.String() == "192.0.2.1" || r.ClientIP.String() == "192.0.2.1" },
		`"FromIP":"nowhere"`:                   func(r *Row) bool { return !r.OriginalIP.IsValid() && !r.ClientIP.IsValid() },
		`"FromIP":null`:                        func(r *Row) bool { return !r.OriginalIP.IsValid() },
		`"Size":17`:                            func(r *Row) bool { return r.Bytes == 17 },
		`"Subject":{"Value":"an enumeration"}`: func(r *Row) bool { return r.Subject == "an enumeration" },
		`"Subject":["one","two"]`:              func(r *Row) bool { return r.Subject == "one;two" },
		`"Subject":true`:                       func(r *Row) bool { return r.Subject == "true" },
		`"Subject":{"other":"x"}`:              func(r *Row) bool { return r.Subject == `{"other":"x"}` },
		`"odd\u0007\u007f\u00ad\ud83d\ude00\"name":"kept"`: func(r *Row) bool {
			return len(r.Extra) == 1 && r.Extra[0].Value == "kept" && r.Extra[0].Name == "odd\a\x7f\u00ad😀\"name"
		},
		`"MessageTraceId":"5F0A5B0E-0000-4000-8000-00000000A001"`: func(r *Row) bool { return r.NetworkID == "5f0a5b0e-0000-4000-8000-00000000a001" },
	} {
		for how, in := range map[string]string{"alone": traceJSON + "," + member + "}", "in a list": "[" + traceJSON + "," + member + "}]"} {
			rows := rowsOf(t, strings.NewReader(in))
			if len(rows) != 1 || !fits(&rows[0]) {
				t.Errorf("%s, %s: %+v", member, how, rows)
			}
		}
	}
}

// What is no record of a trace within the JSON is passed over; wrappers end where no
// service goes.
func TestJSONThatIsNotOfATrace(t *testing.T) {
	for in, want := range map[string]int{
		"[17, null, " + traceJSON + "}, [1]]":                                 1,
		`{"value":[],"x":1}` + traceJSON + "}":                                1,
		strings.Repeat(`{"d":`, 6) + traceJSON + "}" + strings.Repeat("}", 6): 1,
	} {
		if rows := rowsOf(t, strings.NewReader(in)); len(rows) != want {
			t.Errorf("%s: %d rows, want %d", in, len(rows), want)
		}
	}
	deep := strings.Repeat(`{"d":`, 7) + traceJSON + "}" + strings.Repeat("}", 7)
	var typed *Error
	for row, err := range Read(strings.NewReader(deep)) {
		if !errors.As(err, &typed) || !strings.Contains(err.Error(), "messagetrace: line 1: records nested deeper") {
			t.Errorf("%+v, %v", row, err)
		}
	}
	if typed == nil {
		t.Error("no error")
	}
}

// JSON that is cut gives the records before the cut and then an error that says
// where, wherever the cut is.
func TestJSONThatIsCut(t *testing.T) {
	in := `{"odata":"x","value":[` + traceJSON + "},\n" + traceJSON + `}]}`
	for cut := 1; cut < len(in); cut++ {
		rows, failed := 0, false
		for _, err := range Read(strings.NewReader(in[:cut])) {
			var typed *Error
			switch {
			case err == nil && !failed:
				rows++
			case errors.As(err, &typed) && typed.Line == rows+1, errors.Is(err, ErrNotTrace):
				failed = true
			default:
				t.Fatalf("cut at %d: %v", cut, err)
			}
		}
		if want := strings.Count(in[:cut], `"Failed"}`); rows != want || !failed {
			t.Errorf("cut at %d: %d rows, want %d; an error %v", cut, rows, want, failed)
		}
	}
}

func TestDirections(t *testing.T) {
	for text, want := range map[string]Direction{
		"1": Inbound, "Inbound": Inbound, " incoming ": Inbound, "2": Outbound, "Originating": Outbound, "OUTBOUND": Outbound, "": DirectionUnknown, "3": DirectionUnknown, "sideways": DirectionUnknown,
	} {
		in := "Date,Sender,Recipient,Status,directionality\n2026-11-28T09:05:03Z,a@b.example,c@d.example,Failed," + text + "\n"
		rows := rowsOf(t, strings.NewReader(in))
		if len(rows) != 1 || rows[0].Direction != want {
			t.Errorf("%q: %+v, want %v", text, rows, want)
		}
	}
}

// Whom the message was sent to before a list was expanded, and no reply where only
// something like one stands.
func TestFailuresOfExpandedRecipients(t *testing.T) {
	for related, want := range map[string]string{"team@d.example": "team@d.example", "C@d.example": "", "": ""} {
		row := Row{Recipients: one("c@d.example", Failed, "FAIL"), Related: related}
		if f := row.Failures(); len(f) != 1 || f[0].OriginalRecipient != want {
			t.Errorf("%q: %+v", related, f)
		}
	}
	for text, want := range map[string]smtpcode.Status{
		"550 5.1.1 gone":                {5, 1, 1},
		"said '550-5.1.1 gone'":         {5, 1, 1},
		"x550 5.1.1 gone":               {},
		"5a0 5.1.1 gone":                {},
		"550:5.1.1 gone":                {},
		"550 gone":                      {},
		"[{LED=550 5.1.1 gone":          {5, 1, 1},
		"[{LED= };{MSG=};{FQDN=x}]":     {},
		"port 450 of 5, then 552 5.2.2": {5, 2, 2},
	} {
		row := Row{Recipients: one("c@d.example", Failed, "FAIL"), Texts: []string{text}}
		if f := row.Failures(); len(f) != 1 || f[0].Status != want || (len(f[0].Replies) > 0) != (want != smtpcode.Status{}) {
			t.Errorf("%q: %+v, want %v", text, f, want)
		}
	}
}

// "addr##Receive, Fail" lists events, of which the last with a meaning decides.
func TestEventsOfRecipients(t *testing.T) {
	in := "origin_timestamp_utc,sender_address,recipient_status\n2026-11-28T09:05:03Z,a@b.example,\"c@d.example##Receive, , Fail;no mark;e@d.example##Receive, Deliver, Frobnicate;f@d.example##\"\n"
	rows := rowsOf(t, strings.NewReader(in))
	if len(rows) != 1 || len(rows[0].Recipients) != 3 {
		t.Fatalf("%+v", rows)
	}
	for i, want := range []RecipientStatus{
		{Address: "c@d.example", Status: Failed, Events: []string{"Receive", "Fail"}},
		{Address: "e@d.example", Status: Delivered, Events: []string{"Receive", "Deliver", "Frobnicate"}},
		{Address: "f@d.example", Status: StatusUnknown},
	} {
		if got := rows[0].Recipients[i]; got.Address != want.Address || got.Status != want.Status || !slices.Equal(got.Events, want.Events) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	var many strings.Builder
	for i := range maxRecipients + 5 {
		fmt.Fprintf(&many, "u%d@d.example##Fail;", i)
	}
	rows = rowsOf(t, strings.NewReader("origin_timestamp_utc,sender_address,recipient_status\n2026-11-28T09:05:03Z,a@b.example,\""+many.String()+"\"\n"))
	if len(rows) != 1 || len(rows[0].Recipients) != maxRecipients {
		t.Errorf("%d recipients are kept", len(rows[0].Recipients))
	}
}

// A search in the archive needs something to look for.
func TestAHistoricalSearchNeedsWhomOrWhat(t *testing.T) {
	for name, q := range map[string]Query{"nothing": {}, "a sender": {Sender: "a@b.example"}, "a recipient": {Recipient: "c@d.example"}, "an ID": {MessageID: "1@b.example"}} {
		q.Sent, q.Now = now.AddDate(0, 0, -30), now
		if said := strings.Contains(strings.Join(Advise(q).Caveats, " "), "need a sender"); said != (name == "nothing") {
			t.Errorf("%s: %q", name, Advise(q).Caveats)
		}
	}
}
