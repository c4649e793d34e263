package main

import (
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/examples/internal/database"
	"github.com/mailfault/mailfault/internal/dmarcyear"
)

// TestSeenInReports looks a refusal up in a history in a database, as
// dmarcwatch keeps it: on day 120 of its year the provider's signature broke,
// and its mail, whose path is its own, failed DMARC.
func TestSeenInReports(t *testing.T) {
	file := filepath.Join(t.TempDir(), "dmarcwatch.db")
	h, end, err := database.OpenHistory(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Add(t.Context(), dmarcyear.Submissions()...); err != nil {
		t.Fatal(err)
	}
	end()

	h, end, err = database.OpenHistory(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	k := testDesk(t)
	var logged []error
	server := httptest.NewServer((&site{desk: k, history: h, log: func(err error) { logged = append(logged, err) }}).handler())
	defer server.Close()
	refused := func(domain, ip string) string {
		mail := strings.NewReplacer("help@desk.example", "news@"+domain, "192.0.2.20", ip,
			"30 Nov 2026", dmarcyear.Start.AddDate(0, 0, 121).Format("2 Jan 2006"), "Mon, ", "").Replace(string(demoMail(t, "09-refused-by-spf")))
		page := explainText(t, server, mail)
		_, seen, ok := strings.Cut(page, "Seen in reports")
		if !ok {
			t.Fatalf("nothing is said of reports:\n%s", page)
		}
		seen, _, _ = strings.Cut(seen, "</dd>")
		return seen
	}
	contains(t, refused(dmarcyear.Shop, "198.51.100.10"), "198.51.100.10 for "+dmarcyear.Shop, "Known since", "google.example")
	if seen := refused(dmarcyear.Shop, "192.0.2.99"); strings.Contains(seen, "Known since") || !strings.Contains(seen, "192.0.2.99 for "+dmarcyear.Shop) {
		t.Errorf("of a source that no report names: %s", seen)
	}
	contains(t, refused("other.example", "198.51.100.10"), "No report about other.example has come.")
	end()
	if contains(t, refused(dmarcyear.Shop, "198.51.100.10"), "cannot be read just now"); len(logged) != 1 {
		t.Errorf("logged %v", logged)
	}
}
