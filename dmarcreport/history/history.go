package history

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// History is a store under rules. It keeps nothing itself and can be used by
// several goroutines and processes at once.
type History struct {
	Store Store
	Rules Rules
}

// Outcome is what became of one submission.
type Outcome struct {
	Key    ReportKey `json:"key"`
	Digest Digest    `json:"digest"`
	Status Status    `json:"status"`
	Reason string    `json:"reason,omitempty"` // Err in words
	Err    error     `json:"-"`                // why it is invalid
}

// Add takes reports and derives what they change. One outcome is returned for
// each submission, in order; a report that cannot be kept is an outcome, not
// an error. An error is the store's: then some domains of the submissions may
// be stored and others not, each of them whole, and the same call can be made
// again without harm.
//
// Submissions of a domain that are given together are stored in one
// transaction, which is much faster than one by one.
func (h *History) Add(ctx context.Context, submissions ...Submission) ([]Outcome, error) {
	outcomes := make([]Outcome, len(submissions))
	groups := make(map[string][]int) // by domain and whether it is a baseline
	var order []string
	ready := make([]*prepared, len(submissions))
	for i := range submissions {
		p, err := h.prepare(&submissions[i])
		if err != nil {
			key, _, _ := identify(&submissions[i])
			outcomes[i] = Outcome{Key: key, Status: Invalid, Reason: err.Error(), Err: err}
			continue
		}
		ready[i] = p
		outcomes[i] = Outcome{Key: p.info.Key, Digest: p.info.Digest}
		group := fmt.Sprintf("%t %s", p.baseline, p.info.Key.Domain)
		if groups[group] == nil {
			order = append(order, group)
		}
		groups[group] = append(groups[group], i)
	}
	for _, group := range order {
		batch := make([]*prepared, 0, len(groups[group]))
		for _, i := range groups[group] {
			batch = append(batch, ready[i])
		}
		var statuses []Status
		err := h.Store.Update(ctx, batch[0].info.Key.Domain, func(r Reader) (*Delta, error) {
			u := &update{Reader: r, rules: h.Rules.resolve(), domain: batch[0].info.Key.Domain, quiet: batch[0].baseline}
			var err error
			statuses, err = u.sort(ctx, batch)
			if err != nil || len(u.reports)+len(u.expired) == 0 {
				return nil, err
			}
			return u.apply(ctx)
		})
		if err != nil {
			return outcomes, fmt.Errorf("history: %s: %w", batch[0].info.Key.Domain, err)
		}
		for n, i := range groups[group] {
			outcomes[i].Status = statuses[n]
		}
	}
	return outcomes, nil
}

// ErrBusy says that another holder is delivering the log to a consumer.
var ErrBusy = errors.New("history: another process is delivering")

// Deliver hands the entries of the log that are to be told, one by one, to
// send, and never again once send returned nil. Quiet entries are passed over: a
// baseline's, and those of a day more than Rules.AlertDays before Entry.Learnt, so
// reports that lay in a folder for months alert nobody.
// It stops at the first error. Where it returns ErrBusy, another process does
// the same work.
//
// A crash between send and the note of it makes the entry come once more; who
// sends mail takes Entry.Event.ID for the message id, so that the second one
// can be told for what it is.
func (h *History) Deliver(ctx context.Context, consumer string, lease time.Duration, now func() time.Time, send func(Entry) error) error {
	return h.Store.Consume(ctx, consumer, now, lease, func(e Entry) error {
		if e.Quiet {
			return nil
		}
		return send(e)
	})
}

// Prune drops rows and reports older than Rules.KeepDays before now. The
// marks of their sources, and the log, stay.
func (h *History) Prune(ctx context.Context, now time.Time) error {
	r := h.Rules.resolve()
	if r.keep == 0 {
		return nil
	}
	cut := DayOf(now) - r.keep
	domains, err := h.Store.Domains(ctx)
	if err != nil {
		return err
	}
	for _, domain := range domains {
		err := h.Store.Update(ctx, domain, func(rd Reader) (*Delta, error) {
			u := &update{Reader: rd, rules: r, domain: domain}
			return u.prune(ctx, cut)
		})
		if err != nil {
			return fmt.Errorf("history: prune %s: %w", domain, err)
		}
	}
	return nil
}

// prune moves the days before cut into marks.
func (u *update) prune(ctx context.Context, cut Day) (*Delta, error) {
	data, err := u.Domain(ctx)
	if err != nil {
		return nil, err
	}
	dt, err := decodeDomain(data)
	if err != nil || dt.prunedTo >= cut {
		return nil, err
	}
	delta := &Delta{Prune: cut}
	for stored, err := range u.AllTracks(ctx) {
		if err != nil {
			return nil, err
		}
		t, err := u.load(ctx, stored, true)
		if err != nil {
			return nil, err
		}
		if first := t.first(); first == 0 || first >= cut {
			continue
		}
		t.prune(u.rules, cut)
		_, due := t.events(u.rules, u.domain, dt.horizon)
		delta.Tracks = append(delta.Tracks, t.encode(due))
	}
	dt.prune(cut, u.regular)
	delta.Domain = dt.encode()
	return delta, nil
}

// first returns the first day kept.
func (t *track) first() Day {
	for _, days := range [][]DayTotals{t.past, t.recent} {
		if len(days) > 0 {
			return days[0].Day
		}
	}
	return 0
}

// prune drops what is before cut, but for the latest points of each reporter:
// they say what was usual and which policy it last saw.
func (t *domainTrack) prune(cut Day, keep int) {
	t.prunedTo = cut
	left := make([]int, len(t.reporters))
	kept := make([]point, 0, len(t.points))
	for _, p := range slices.Backward(t.points) {
		if p.day < cut {
			if left[p.reporter] >= keep {
				continue
			}
			left[p.reporter]++
		}
		kept = append(kept, p)
	}
	slices.Reverse(kept)
	t.points = kept
	t.days = slices.Clone(t.days[cutDays(t.days, cut):])
}
