package messagetrace

import (
	"bytes"
	"os"
	"testing"
	"time"

	"github.com/mailfault/mailfault/ndr"
)

func TestMatch(t *testing.T) {
	row := Row{Time: sent, Sender: "alice@fabrikam.example", Recipients: one("bob@contoso.example", Failed, "Failed"),
		MessageID: "offer-2@fabrikam.example", NetworkID: networkID}
	tests := []struct {
		name string
		key  Key
		row  func(*Row)
		want Match
	}{
		{"the service's ID in any case", Key{NetworkID: "5F0A5B0E-0000-4000-8000-00000000A001"}, nil, ByNetworkID},
		{"another ID of the service", Key{NetworkID: "other"}, nil, NoMatch},
		{"another copy of one message", Key{NetworkID: "other", MessageID: "offer-2@fabrikam.example"}, nil, ByMessageID},
		{"Message-ID in brackets", Key{MessageID: "<offer-2@fabrikam.example>"}, nil, ByMessageID},
		{"another Message-ID is another message, whatever the time", Key{MessageID: "x@y", Recipients: []string{"bob@contoso.example"}, Sent: sent}, nil, NoMatch},
		{"recipient and time, no IDs in the file", Key{MessageID: "x@y", Recipients: []string{"BOB@contoso.example"}, Sent: sent.Add(-time.Hour)}, func(r *Row) { r.MessageID, r.NetworkID = "", "" }, ByTime},
		{"another recipient", Key{Recipients: []string{"carol@contoso.example"}, Sent: sent}, nil, NoMatch},
		{"too long after", Key{Recipients: []string{"bob@contoso.example"}, Sent: sent.Add(-27 * time.Hour)}, nil, NoMatch},
		{"another sender", Key{Recipients: []string{"bob@contoso.example"}, Sent: sent, Sender: "mallory@tailspin.example"}, nil, NoMatch},
		{"a date that could be either", Key{Recipients: []string{"bob@contoso.example"}, Sent: sent}, func(r *Row) { r.Time, r.TimeOr = time.Time{}, []time.Time{sent.AddDate(0, 3, 0), sent} }, ByTime},
		{"the address before a group was expanded", Key{Recipients: []string{"team@contoso.example"}, Sent: sent}, func(r *Row) { r.Related = "team@contoso.example" }, ByTime},
		{"nothing known", Key{}, nil, NoMatch},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := row
			if tt.row != nil {
				tt.row(&r)
			}
			if got := tt.key.Match(&r); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestNoticeJoinsEveryExport(t *testing.T) {
	text, err := os.ReadFile("../testdata/pasted-current-quoted.txt")
	if err != nil {
		t.Fatal(err)
	}
	n, err := ndr.ParseText(string(text))
	if err != nil {
		t.Fatal(err)
	}
	key := KeyOf(n)
	for name, want := range map[string]Match{
		"summary.csv": ByTime, "enhanced.csv": ByNetworkID, "extended.csv": ByNetworkID, "get-messagetrace.csv": ByNetworkID,
		"get-messagetracev2.json": ByNetworkID, "get-messagetracedetail.csv": ByNetworkID,
	} {
		best := NoMatch
		for row, err := range Read(bytes.NewReader(fixture(t, name))) {
			if err != nil {
				t.Fatal(err)
			}
			if row.Failed() {
				best = max(best, key.Match(&row))
			}
		}
		if best != want {
			t.Errorf("%s: %v, want %v", name, best, want)
		}
	}
}
