package history

import (
	"context"
	"iter"
	"time"
)

// Store keeps a history. It holds plain records and knows nothing of events,
// so it is small: package storetest checks one. Domains are independent of one
// another, save for the log.
type Store interface {
	// Update calls read with what is stored of a domain, and stores the
	// change it returns, all of it or nothing. Nobody else updates the same
	// domain meanwhile, in this process or another; what read sees is the
	// state before the change. A nil change, or an error, which Update
	// returns, leaves all as it was. read may be called again if the store
	// has to start over.
	Update(ctx context.Context, domain string, read func(Reader) (*Delta, error)) error
	// View calls read with what is stored of a domain, at one point in time.
	View(ctx context.Context, domain string, read func(Reader) error) error
	// Domains returns the domains that have reports, sorted.
	Domains(ctx context.Context) ([]string, error)
	// Log returns the entries after seq, in order, at most limit of them
	// (negative: all). An entry that is not there yet has a greater Seq than
	// all that are.
	Log(ctx context.Context, after int64, limit int) ([]Entry, error)
	// Consume hands the log to a named consumer, one holder at a time. It
	// calls deliver with each entry after the last one that was delivered,
	// and notes each that deliver returns nil for before it goes on. Where
	// another holder is at work, it returns ErrBusy. A holder that has not
	// delivered for the lease is taken for dead.
	Consume(ctx context.Context, consumer string, now func() time.Time, lease time.Duration, deliver func(Entry) error) error
	// Note sets the value of a key within a topic, if it is was now ("" = not
	// there), and reports whether it did. The value "" removes it. Of several
	// that try at once, one succeeds.
	Note(ctx context.Context, topic, key, was, value string) (bool, error)
	// Notes returns the notes of a topic by key.
	Notes(ctx context.Context, topic string) (map[string]string, error)
}

// Reader reads what is stored of one domain.
type Reader interface {
	// Domain returns the domain's own record, nil where there is none.
	Domain(ctx context.Context) ([]byte, error)
	// SameKey returns the reports whose key is one of keys.
	SameKey(ctx context.Context, keys []ReportKey) ([]ReportInfo, error)
	// Tracks returns the tracks of the named sources, without their Past.
	// Sources that are not known are left out.
	Tracks(ctx context.Context, sources []string) ([]Track, error)
	// Due returns the tracks that are due on or before day, without Past.
	Due(ctx context.Context, day Day) ([]Track, error)
	// AllTracks returns all tracks by source, without Past.
	AllTracks(ctx context.Context) iter.Seq2[Track, error]
	// Past returns the Past of a source, nil where it has none.
	Past(ctx context.Context, source string) ([]byte, error)
	// Rows returns the rows of a source, or of all where source is "", whose
	// Day lies in the period, in order of source, day and reporter.
	Rows(ctx context.Context, source string, p Period) iter.Seq2[Row, error]
	// Reports returns the reports whose first day lies in the period, in
	// order of begin, reporter and id.
	Reports(ctx context.Context, p Period) iter.Seq2[ReportInfo, error]
}

// Delta is a change to what is stored of one domain.
type Delta struct {
	Domain  []byte       // replaces the domain's record
	Reports []ReportInfo // added, or replaced where key and digest are the same
	Rows    []Row        // counts to add; those that come to nothing can be dropped
	Tracks  []Track      // added or replaced; all sources of Rows are among them
	Log     []Entry      // appended in this order; the store gives the Seq
	// Prune drops rows and reports whose Last is before this day.
	Prune Day
}

// Row is what one reporter saw of one source on one day.
type Row struct {
	Source   string `json:"source"`
	Day      Day    `json:"day"`
	Last     Day    `json:"last"` // as Day, save for reports of many days
	Reporter string `json:"reporter"`
	// Authentic rows and others are kept apart.
	Authentic bool `json:"authentic"`
	Totals
	Refused int64 `json:"refused"` // of all messages, those that the reporter rejected
}

// ReportInfo is what is kept of a report itself.
type ReportInfo struct {
	Key       ReportKey `json:"key"`
	Digest    Digest    `json:"digest"`
	Days      Period    `json:"days"`
	Authentic bool      `json:"authentic"`
	Conflict  bool      `json:"conflict"` // another report of the same key says something else
	Learnt    time.Time `json:"learnt"`   // when the first copy arrived
	Copies    int       `json:"copies"`
	Email     string    `json:"email"`
	Policy    string    `json:"policy"`
	Sources   int       `json:"sources"`
	Totals
	Unattributed int64 `json:"unattributed"` // messages without a source, among the totals
}

// NoTraffic reports whether the report says that there was no mail.
func (r *ReportInfo) NoTraffic() bool { return r.Messages() == 0 }
