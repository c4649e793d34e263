// Package history remembers every source that sends mail in the name of a
// domain, as DMARC aggregate reports show it, and says when one first fails
// and when one that used to pass starts to fail.
//
//	h := &history.History{Store: new(history.Memory)}
//	s := history.Of(report) // that dmarcreport.Read returned
//	s.Learnt = time.Now()
//	s.Authentic = true // its mail was shown to come from the reporter; else it raises no event
//	outcomes, err := h.Add(ctx, s)
//	...
//	events, err := h.Events(ctx, report.Policy.Domain) // which source, what, which day
//
// [OfStream] does the same with a report that is too large to hold. [History.Add]
// takes reports in any order, twice, or weeks late. What it
// derives is a pure fold over the set of accepted reports: the same set gives
// the same events, however it arrived. Beside the fold stands a log that is
// only ever appended to: what was told, what a late report amended, what it
// retracted. Whoever mails people reads the log, so nobody is mailed twice;
// whoever asks what is true today reads [History.Events], which is the log
// replayed and equals the fold.
//
// Every event has two clocks. Its Day is the reports' own: when it happened.
// The log entry's Learnt is when the report that showed it arrived.
//
// A source is the sending IP address unless Rules.Source says otherwise. Mail
// fails where neither DKIM nor SPF passed with an aligned domain. Mail that a
// forwarder or a mailing list broke is counted apart, shown and muted.
//
// The zero [Memory] is a [Store] to begin with; package sqlstore keeps a
// history in SQLite or PostgreSQL, and package digest sums up weeks for people.
// [History.Sources], [History.Days] and [History.Rows] read what was seen,
// [History.Deliver] hands out alerts, [History.Find] looks for the source of a
// refused mail, and [History.Prune] forgets days but never a source. scale.md
// in this folder says what a service of 100,000 domains takes.
package history
