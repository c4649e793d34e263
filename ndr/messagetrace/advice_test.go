package messagetrace

import (
	"strings"
	"testing"
	"time"
)

var now = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

// B20 and the article, "Message trace": the age of the message decides.
func TestB20RangeDecidesTheKindOfTrace(t *testing.T) {
	day := 24 * time.Hour
	tests := []struct {
		name     string
		age      time.Duration
		kind     Kind
		standard bool // the default range covers it
	}{
		{"an hour ago", time.Hour, Summary, true},
		{"two days are the default range", 2 * day, Summary, true},
		{"past two days the range has to be set", 2*day + time.Minute, Summary, false},
		{"exactly ten days is still Summary", 10 * day, Summary, false},
		{"past ten days by any amount is a CSV", 10*day + time.Second, Historical, false},
		{"ninety days is the end", 90 * day, Historical, false},
		{"past ninety days there is nothing", 90*day + time.Second, TooOld, false},
		{"sent in the future", -time.Hour, KindUnknown, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := Advise(Query{Sent: now.Add(-tt.age), Now: now, Recipient: "bob@contoso.example"})
			if a.Kind != tt.kind || a.Default != tt.standard {
				t.Errorf("got %v, default %v", a.Kind, a.Default)
			}
			if a.Filter != Failed {
				t.Errorf("filter %v", a.Filter)
			}
			if (a.Kind == Summary || a.Kind == Historical) && (len(a.Commands) == 0 || a.From.IsZero() || now.Sub(a.From) > MaxRange) {
				t.Errorf("range or commands: %+v", a)
			}
			if a.Kind == Summary && a.To.Sub(a.From) > SummaryRange {
				t.Errorf("a range of %v is no Summary", a.To.Sub(a.From))
			}
		})
	}
	if a := Advise(Query{Now: now}); a.Kind != KindUnknown || len(a.Caveats) == 0 {
		t.Errorf("unknown time: %+v", a)
	}
}

func TestArticleTheFileCanTakeSeveralHours(t *testing.T) {
	a := Advise(Query{Sent: now.AddDate(0, 0, -30), Now: now, Sender: "alice@fabrikam.example"})
	if !strings.Contains(strings.Join(a.Caveats, " "), "several hours") {
		t.Errorf("%q", a.Caveats)
	}
}

func TestTheDoubtAboutTenDaysIsSaid(t *testing.T) {
	a := Advise(Query{Sent: now.Add(-SummaryRange), Now: now})
	if !strings.Contains(strings.Join(a.Caveats, " "), "Exactly 10 days") {
		t.Errorf("%q", a.Caveats)
	}
}

func TestCommands(t *testing.T) {
	q := Query{Sent: time.Date(2026, 11, 28, 9, 5, 3, 0, time.UTC), Now: now, Sender: "alice@fabrikam.example", Recipient: "bob@contoso.example", MessageID: "<offer-2@fabrikam.example>"}
	a := Advise(q)
	want := "Get-MessageTraceV2 -StartDate '11/28/2026 08:05' -EndDate '12/01/2026 12:00' -SenderAddress 'alice@fabrikam.example' -RecipientAddress 'bob@contoso.example' -MessageId '<offer-2@fabrikam.example>' -Status Failed"
	if len(a.Commands) != 1 || a.Commands[0].Line != want {
		t.Errorf("got %+v\nwant %s", a.Commands, want)
	}

	q.Sent = time.Date(2026, 10, 2, 9, 5, 3, 0, time.UTC)
	a = Advise(q)
	if len(a.Commands) != 2 || a.Commands[1].Name != "Start-HistoricalSearch" {
		t.Fatalf("%+v", a.Commands)
	}
	// One query of Get-MessageTraceV2 covers ten days.
	if got := a.Commands[0].Line; !strings.Contains(got, "-StartDate '10/02/2026 08:05' -EndDate '10/12/2026 08:05'") {
		t.Error(got)
	}
}

// A value from a hostile report must stay one value: PowerShell takes
// typographic quotes for quotes.
func TestCommandsQuoteHostileValues(t *testing.T) {
	for _, evil := range []string{"a'; Remove-Mailbox b #", "a’; Remove-Mailbox b #", "a\n; Remove-Mailbox b"} {
		line := Advise(Query{Sent: now.Add(-time.Hour), Now: now, Recipient: evil}).Commands[0].Line
		_, value, _ := strings.Cut(line, "-RecipientAddress '")
		value, _, _ = strings.Cut(value, "' -Status")
		for _, q := range []string{"'", "’"} {
			if strings.Count(value, q)%2 != 0 {
				t.Errorf("%q leaves its quotes: %s", evil, line)
			}
		}
		if strings.Contains(line, "\n") {
			t.Errorf("%q starts a line: %s", evil, line)
		}
	}
}
