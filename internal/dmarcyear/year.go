// Package dmarcyear makes up a year of aggregate reports about three domains
// with known incidents, to test what a history makes of them.
package dmarcyear

import (
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/mailfault/mailfault/dmarcreport"
	"github.com/mailfault/mailfault/dmarcreport/history"
)

// The domains.
const (
	Shop = "shop.example" // its ESP's DKIM breaks; an old server is switched off
	Bank = "bank.example" // is spoofed, then publishes p=reject; a reporter vanishes
	Club = "club.example" // forwarders, lists, odd reporters, a newsletter that jumps
)

// Start is the first day of the year.
var Start = time.Date(2025, 3, 1, 0, 0, 0, 0, time.UTC)

// Length is the number of its days.
const Length = 365

// Day returns the year's nth day, from 0.
func Day(n int) history.Day { return history.DayOf(Start.AddDate(0, 0, n)) }

// The incidents, by the year's days.
const (
	esp, espBreaks, espMended   = "198.51.100.10", 120, 130
	oldServer, oldServerLast    = "192.0.2.11", 59
	spoofer, spoofFirst         = "203.0.113.66", 200
	policyDay                   = 250
	yahooLast                   = 299
	newsletter, newsletterJumps = "192.0.2.30", 90
	lateSpoofer, seenLate       = "2001:db8:bad::9", 148
)

// Events returns the events that the year holds, in order.
func Events() []history.Event {
	events := []history.Event{
		{Kind: history.GoneQuiet, Domain: Shop, Source: oldServer, Day: Day(oldServerLast + 30), Since: Day(oldServerLast)},
		{Kind: history.VolumeJump, Domain: Club, Source: newsletter, Day: Day(newsletterJumps)},
		{Kind: history.StartedFailing, Domain: Shop, Source: esp, Day: Day(espBreaks), Since: Day(espBreaks - 1)},
		{Kind: history.Recovered, Domain: Shop, Source: esp, Day: Day(espMended), Since: Day(espBreaks)},
		{Kind: history.NewFailingSource, Domain: Club, Source: lateSpoofer, Day: Day(seenLate)},
		{Kind: history.NewFailingSource, Domain: Bank, Source: spoofer, Day: Day(spoofFirst)},
		{Kind: history.PolicyChange, Domain: Bank, Day: Day(policyDay), Detail: "p none -> reject"},
		{Kind: history.ReporterVanished, Domain: Bank, Reporter: "yahoo.example", Day: Day(yahooLast + 14), Since: Day(yahooLast)},
	}
	slices.SortFunc(events, history.Event.Compare)
	return events
}

// Log returns how the year is told when its reports are added one by one as
// they arrive: the events, and the day each was learnt.
func Log() []history.Entry {
	all := make(map[history.Kind]history.Event)
	for _, e := range Events() {
		if e.Domain != Club {
			all[e.Kind] = e
		}
	}
	club := history.Event{Kind: history.NewFailingSource, Domain: Club, Source: lateSpoofer}
	firstTold, moved := club, club
	firstTold.Day, moved.Day = Day(seenLate+2), Day(seenLate)
	told := func(e history.Event, learnt int) history.Entry {
		return history.Entry{Change: history.Told, Event: e, Learnt: Day(learnt).Time()}
	}
	return []history.Entry{
		// The silence must be over: the day after it is reported a day later.
		told(all[history.GoneQuiet], oldServerLast+30+2),
		told(history.Event{Kind: history.VolumeJump, Domain: Club, Source: newsletter, Day: Day(newsletterJumps)}, newsletterJumps+1),
		told(all[history.StartedFailing], espBreaks+1),
		// Seven good days, and the report that shows the eighth begin.
		told(all[history.Recovered], espMended+7+1),
		told(firstTold, seenLate+3),
		// The reporter that is a week late saw it two days before.
		{Change: history.Amended, Event: moved, Was: firstTold, Learnt: Day(seenLate + 8).Time()},
		told(all[history.NewFailingSource], spoofFirst+1),
		told(all[history.PolicyChange], policyDay+1),
		told(all[history.ReporterVanished], yahooLast+14+2),
	}
}

// line is a line of a report.
type line struct {
	ip    string
	count int64
	as    history.Verdict
}

// Submissions returns the reports in the order they arrive.
func Submissions() []history.Submission {
	var subs []history.Submission
	for n := range Length {
		subs = append(subs, shop(n)...)
		subs = append(subs, bank(n)...)
		subs = append(subs, club(n)...)
	}
	slices.SortStableFunc(subs, func(a, b history.Submission) int { return a.Learnt.Compare(b.Learnt) })
	return subs
}

func shop(n int) []history.Submission {
	lines := []line{{"192.0.2.10", int64(300 + n%50), history.VerdictPass}}
	if n <= oldServerLast {
		lines = append(lines, line{oldServer, 40, history.VerdictPass})
	}
	broken := n >= espBreaks && n < espMended
	if broken {
		lines = append(lines, line{esp, 80, history.VerdictFail})
	}
	// In the midst of it some of the ESP's mail still passes.
	if !broken || n == espBreaks+5 {
		lines = append(lines, line{esp, 20, history.VerdictPass})
	}
	return []history.Submission{
		report(Shop, "google.example", n, 1, n+1, dmarcreport.DispositionQuarantine, lines),
		report(Shop, "yahoo.example", n, 1, n+1, dmarcreport.DispositionQuarantine, lines[:1]),
	}
}

func bank(n int) []history.Submission {
	policy := dmarcreport.DispositionNone
	if n >= policyDay {
		policy = dmarcreport.DispositionReject
	}
	lines := []line{{"192.0.2.20", 500, history.VerdictPass}}
	if n >= spoofFirst && n < spoofFirst+4 {
		lines = append(lines, line{spoofer, 7, history.VerdictFail})
	}
	subs := []history.Submission{report(Bank, "google.example", n, 1, n+1, policy, lines)}
	if n <= yahooLast {
		// Yahoo sees the new policy a day late: its cache is older.
		if n == policyDay {
			policy = dmarcreport.DispositionNone
		}
		subs = append(subs, report(Bank, "yahoo.example", n, 1, n+1, policy, lines))
	}
	if n == 100 {
		forged := report(Bank, "forged.example", n, 1, n+1, policy, []line{{"203.0.113.77", 1000, history.VerdictFail}})
		forged.Authentic = false
		subs = append(subs, forged)
	}
	return subs
}

func club(n int) []history.Submission {
	volume := int64(200)
	if n == newsletterJumps {
		volume = 5000
	}
	lines := []line{
		{newsletter, volume, history.VerdictPass},
		{"192.0.2.200", 12, history.VerdictMuted},
	}
	if n >= seenLate+2 && n < seenLate+5 {
		lines = append(lines, line{lateSpoofer, 3, history.VerdictFail})
	}
	const policy = dmarcreport.DispositionNone
	subs := []history.Submission{report(Club, "google.example", n, 1, n+1, policy, lines)}

	small := []line{{"192.0.2.31", 2, history.VerdictPass}}
	twice := report(Club, "twice.example", n, 1, n+1, policy, small)
	again := report(Club, "twice.example", n, 1, n+1, policy, small)
	again.Learnt = again.Learnt.Add(time.Hour)
	subs = append(subs, twice, again)

	late := small
	if n == seenLate {
		late = append(slices.Clone(small), line{lateSpoofer, 1, history.VerdictFail})
	}
	subs = append(subs, report(Club, "late.example", n, 1, n+8, policy, late))

	// Ranges of a week that overlap by two days.
	if n%5 == 0 && n+7 <= Length {
		subs = append(subs, report(Club, "weekly.example", n, 7, n+7, policy, small))
	}
	return subs
}

// report returns a report about so many days from the nth on, learnt on
// another day of the year.
func report(domain, reporter string, n, days, learnt int, policy dmarcreport.Disposition, lines []line) history.Submission {
	begin := Start.AddDate(0, 0, n)
	r := &dmarcreport.Report{
		Metadata: dmarcreport.Metadata{
			OrgName: reporter, Email: "noreply@" + reporter, ReportID: fmt.Sprintf("%d.%d", begin.Unix(), days),
			DateRange: dmarcreport.DateRange{Begin: begin, End: begin.AddDate(0, 0, days).Add(-time.Second)},
		},
		Policy: dmarcreport.PolicyPublished{Domain: domain, P: policy},
	}
	for _, l := range lines {
		rec := dmarcreport.Record{SourceIP: netip.MustParseAddr(l.ip), Count: l.count, HeaderFrom: domain}
		e := &rec.Evaluated
		e.DKIM, e.SPF, e.Disposition = dmarcreport.ResultFail, dmarcreport.ResultFail, policy
		switch l.as {
		case history.VerdictPass:
			e.DKIM, e.Disposition = dmarcreport.ResultPass, dmarcreport.DispositionNone
		case history.VerdictMuted:
			e.Disposition = dmarcreport.DispositionNone
			e.Reasons = []dmarcreport.Reason{{Type: dmarcreport.OverrideForwarded}}
		}
		rec.DKIM = []dmarcreport.DKIMResult{{Domain: domain, Selector: "s1", Result: e.DKIM}}
		rec.SPF = []dmarcreport.SPFResult{{Domain: "bounce.example", Result: dmarcreport.ResultPass}}
		r.Records = append(r.Records, rec)
	}
	s := history.Of(r)
	s.Authentic = true
	s.Learnt = Start.AddDate(0, 0, learnt).Add(time.Duration(3+len(reporter)) * time.Hour)
	return s
}
