package digest_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/dmarcreport/history/digest"
)

// Each kind of event has a sentence of its own, with the day and the name that it is
// about, and a name cannot steer a terminal.
func TestSentences(t *testing.T) {
	const d = history.Day(20454) // 2026-01-01
	event := func(k history.Kind) history.Event {
		return history.Event{Kind: k, Domain: "a.example", Source: "192.0.2.1\x1b[2J", Reporter: "r.example\u202e", Day: d + 1, Since: d, Detail: "p none -> reject"}
	}
	for kind, want := range map[history.Kind]string{
		history.NewFailingSource: "192.0.2.1\ufffd[2J, never seen before, sends mail that fails DMARC",
		history.StartedFailing:   "192.0.2.1\ufffd[2J passed until 2026-01-01 and now fails DMARC",
		history.Recovered:        "192.0.2.1\ufffd[2J passes again after failing since 2026-01-01",
		history.GoneQuiet:        "192.0.2.1\ufffd[2J, a regular source, was last seen on 2026-01-01",
		history.VolumeJump:       "192.0.2.1\ufffd[2J sends far more than it used to",
		history.PolicyChange:     "the published policy changed: p none -> reject",
		history.ReporterVanished: "r.example\ufffd, a regular reporter, told last of 2026-01-01",
	} {
		if got := digest.Sentence(event(kind)); got != want {
			t.Errorf("%v: %q, want %q", kind, got, want)
		}
	}
	for change, want := range map[history.Change]string{
		history.Told:      "learnt late: the published policy changed: p none -> reject",
		history.Amended:   "corrected by a late report: the published policy changed: p none -> reject (told before for 2026-01-01)",
		history.Retracted: "taken back after a late report: the published policy changed: p none -> reject",
	} {
		if got := digest.LateSentence(history.Entry{Change: change, Event: event(history.PolicyChange), Was: history.Event{Day: d}}); got != want {
			t.Errorf("%v: %q, want %q", change, got, want)
		}
	}
}

// What is wrong stands in the subject first; no reports are told apart from no fault.
func TestSubjects(t *testing.T) {
	for want, states := range map[string][]digest.State{
		"DMARC 2026-01-01 to 2026-01-07: 2 of 4 domains need attention":   {digest.Attention, digest.NoReports, digest.Clean, digest.Attention},
		"DMARC 2026-01-01 to 2026-01-07: no reports about 1 of 2 domains": {digest.NoReports, digest.Clean},
		"DMARC 2026-01-01 to 2026-01-07: all clean":                       {digest.Clean, digest.Clean},
	} {
		d := digest.Digest{Period: history.Period{First: 20454, Last: 20460}}
		for _, s := range states {
			d.Domains = append(d.Domains, digest.Domain{State: s})
		}
		if got := d.Subject(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A share is rounded, but a failure never away.
func TestHeadlines(t *testing.T) {
	for _, tt := range []struct {
		d    digest.Domain
		want string
	}{
		{digest.Domain{State: digest.NoReports}, "no reports about this period have arrived; this says nothing about the mail"},
		{digest.Domain{State: digest.Clean, Totals: history.Totals{Pass: 1}, Sources: 1, Reports: 2}, "clean: 1 message from 1 source in 2 reports, 100.0% passed"},
		{digest.Domain{State: digest.Attention, Totals: history.Totals{Pass: 99_999, Fail: 1}, Sources: 2, Reports: 1, Before: history.Totals{Pass: 2, Fail: 1}}, "100000 messages from 2 sources in 1 report, over 99.9% passed (before: 66.7%)"},
		{digest.Domain{State: digest.Clean, Totals: history.Totals{Muted: 3}, Sources: 1, Reports: 1}, "clean: 3 messages from 1 source in 1 report"},
	} {
		if got := tt.d.Headline(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// A reporter that has vanished is silent, one whose last report is old is not.
func TestSilent(t *testing.T) {
	d := digest.Domain{State: digest.Clean, Reporters: []history.Reporter{{Reporter: "a.example"}, {Reporter: "b.example", Vanished: true}}}
	if got := d.Silent(); len(got) != 1 || got[0] != "b.example" {
		t.Errorf("%q", got)
	}
	var text, page strings.Builder
	all := digest.Digest{Domains: []digest.Domain{d}}
	if err := errors.Join(all.Text(&text), all.HTML(&page, nil)); err != nil {
		t.Fatal(err)
	}
	if strings.Count(text.String(), "gone silent") != 1 || strings.Count(page.String(), "gone silent") != 1 {
		t.Errorf("%s\n%s", &text, &page)
	}
}

// A sender that was killed leaves its digest at Sending until somebody releases it.
func TestReleaseLetsADigestBeSentAgain(t *testing.T) {
	h := &history.History{Store: new(history.Memory)}
	d := &digest.Digest{Address: "Ops <Admin@ops.example>", Period: history.Period{First: 20454, Last: 20460}, Domains: []digest.Domain{{State: digest.Attention}}}
	func() {
		defer func() { recover() }()
		digest.Send(t.Context(), h, d, false, func(*digest.Digest) error { panic("killed") })
	}()
	sent := 0
	send := func() string {
		fate, err := digest.Send(t.Context(), h, d, false, func(*digest.Digest) error { sent++; return nil })
		if err != nil {
			t.Fatal(err)
		}
		return fate
	}
	if fate := send(); fate != digest.Sending || sent != 0 {
		t.Errorf("%s, %d sent", fate, sent)
	}
	if err := digest.Release(t.Context(), h, "admin@ops.example", d.Period); err != nil {
		t.Fatal(err)
	}
	if fate := send(); fate != digest.Sent || sent != 1 {
		t.Errorf("released: %s, %d sent", fate, sent)
	}
	if err := digest.Release(t.Context(), h, d.Address, d.Period); err != nil || send() != digest.Sent || sent != 1 {
		t.Errorf("one that was sent is not released: %v, %d sent", err, sent)
	}
}
