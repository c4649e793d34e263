package storetest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/dmarcreport/history/digest"
	"github.com/mailfault/mailfault/internal/dmarcyear"
)

func yearStraight(t *testing.T, s history.Store) {
	h, inMemory := &history.History{Store: s}, &history.History{Store: new(history.Memory)}
	for part := range slices.Chunk(dmarcyear.Submissions(), 3) {
		for _, h := range []*history.History{h, inMemory} {
			if _, err := h.Add(t.Context(), part...); err != nil {
				t.Fatal(err)
			}
		}
	}
	same(t, "events", must[[]history.Event](t)(h.Events(t.Context(), "")), dmarcyear.Events())
	var log []string
	for _, e := range must[[]history.Entry](t)(s.Log(t.Context(), 0, -1)) {
		log = append(log, line(e))
	}
	var want []string
	for _, e := range dmarcyear.Log() {
		want = append(want, line(e))
	}
	same(t, "log", log, want)
	sameDigests(t, h, inMemory)
}

func line(e history.Entry) string {
	s := fmt.Sprintf("learnt %s: %s %s", e.Learnt.Format(time.DateOnly), e.Change, e.Event)
	if e.Change == history.Amended {
		s += " was " + e.Was.String()
	}
	return s
}

func yearShuffled(t *testing.T, s history.Store) {
	subs := dmarcyear.Submissions()
	straight := &history.History{Store: new(history.Memory)}
	if _, err := straight.Add(t.Context(), subs...); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(2, 3))
	rng.Shuffle(len(subs), func(i, j int) { subs[i], subs[j] = subs[j], subs[i] })
	// A digest also tells what was learnt late, which is the order's to say.
	h, inMemory := &history.History{Store: s}, &history.History{Store: new(history.Memory)}
	for len(subs) > 0 {
		n := min(len(subs), 1+rng.IntN(60))
		for _, h := range []*history.History{h, inMemory} {
			if _, err := h.Add(t.Context(), subs[:n]...); err != nil {
				t.Fatal(err)
			}
		}
		subs = subs[n:]
	}
	same(t, "events", must[[]history.Event](t)(h.Events(t.Context(), "")), dmarcyear.Events())
	compare(t, h, straight)
	sameDigests(t, h, inMemory)
}

// sameDigests compares the digests of weeks all over the year.
func sameDigests(t *testing.T, got, want *history.History) {
	t.Helper()
	for first := 10; first < dmarcyear.Length; first += 54 {
		same(t, fmt.Sprintf("digest of the week from day %d", first), week(t, got, first), week(t, want, first))
	}
}

// week returns the digest of a week as people read it.
func week(t *testing.T, h *history.History, first int) string {
	t.Helper()
	p := history.Period{First: dmarcyear.Day(first), Last: dmarcyear.Day(first + 6)}
	d := must[*digest.Digest](t)(digest.Make(t.Context(), h, "admin@ops.example", p, dmarcyear.Bank, dmarcyear.Club, dmarcyear.Shop))
	var b strings.Builder
	if err := d.Text(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// compare checks that two histories say the same, copies and learnt days
// aside.
func compare(t *testing.T, got, want *history.History) {
	t.Helper()
	ctx := t.Context()
	domains := must[[]string](t)(want.Store.Domains(ctx))
	same(t, "domains", must[[]string](t)(got.Store.Domains(ctx)), domains)
	for _, d := range domains {
		same(t, d+" events", must[[]history.Event](t)(got.Events(ctx, d)), must[[]history.Event](t)(want.Events(ctx, d)))
		same(t, d+" fold", must[[]history.Event](t)(got.Derive(ctx, d)), must[[]history.Event](t)(want.Derive(ctx, d)))
		same(t, d+" sources", must[[]history.Source](t)(got.Sources(ctx, d, history.Period{})), must[[]history.Source](t)(want.Sources(ctx, d, history.Period{})))
		same(t, d+" days", must[[]history.DayTotals](t)(got.Days(ctx, d, history.Period{})), must[[]history.DayTotals](t)(want.Days(ctx, d, history.Period{})))
		same(t, d+" reporters", must[[]history.Reporter](t)(got.Reporters(ctx, d)), must[[]history.Reporter](t)(want.Reporters(ctx, d)))
		same(t, d+" rows", must[[]history.Row](t)(got.Rows(ctx, d, "", history.Period{})), must[[]history.Row](t)(want.Rows(ctx, d, "", history.Period{})))
		reports := func(h *history.History) []history.ReportInfo {
			list := must[[]history.ReportInfo](t)(h.Reports(ctx, d, history.Period{}))
			for i := range list {
				list[i].Copies, list[i].Learnt = 0, time.Time{}
			}
			return list
		}
		same(t, d+" reports", reports(got), reports(want))
	}
}
