package history_test

import (
	"context"
	"fmt"
	"net/netip"
	"os"
	"time"

	"github.com/mailfault/mailfault/dmarcreport"
	"github.com/mailfault/mailfault/dmarcreport/history"
)

func ExampleHistory_Add() {
	h := &history.History{Store: new(history.Memory)}
	ctx := context.Background()

	// The reports of two days, in the wrong order and one of them twice.
	monday := report("google.example", 4, pass("192.0.2.1", 120))
	tuesday := report("google.example", 5, fail("192.0.2.1", 80), fail("203.0.113.9", 2))
	outcomes, err := h.Add(ctx, tuesday, monday, tuesday)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, o := range outcomes {
		fmt.Println(o.Key.ID, o.Status)
	}
	events, err := h.Events(ctx, "a.example")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range events {
		fmt.Println(e)
	}
	// Output:
	// google.example-5 accepted
	// google.example-4 accepted
	// google.example-5 duplicate
	// 2026-01-06 a.example started-failing 192.0.2.1 (since 2026-01-05)
	// 2026-01-06 a.example new-failing-source 203.0.113.9
}

// A file may hold several reports, in any wrapping; none is held in memory.
func ExampleOfStream() {
	file, err := os.Open("../testdata/generators/opendmarc.xml")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	h := &history.History{Store: new(history.Memory)}
	ctx := context.Background()
	for doc, err := range new(dmarcreport.Reader).Documents(file) {
		if err != nil {
			fmt.Println(err) // of this document; the next one may be whole
			continue
		}
		if doc.Kind != dmarcreport.KindAggregate {
			continue
		}
		s := history.OfStream(doc.Aggregate)
		s.Learnt, s.Authentic = time.Date(2026, 12, 3, 6, 0, 0, 0, time.UTC), true
		if _, err := h.Add(ctx, s); err != nil {
			fmt.Println(err) // the store's
			return
		}
	}
	events, err := h.Events(ctx, "")
	if err != nil {
		fmt.Println(err)
	}
	for _, e := range events {
		fmt.Println(e)
	}
	// Output:
	// 2026-12-02 sender.example new-failing-source 2001:db8::25
	// 2026-12-02 sender.example new-failing-source 203.0.113.66
}

func ExampleHistory_Deliver() {
	h := &history.History{Store: new(history.Memory)}
	ctx := context.Background()
	if _, err := h.Add(ctx, report("google.example", 5, fail("203.0.113.9", 2))); err != nil {
		fmt.Println(err)
		return
	}
	for range 2 { // the second time there is nothing left to say
		err := h.Deliver(ctx, "mail", time.Minute, time.Now, func(e history.Entry) error {
			if e.Change == history.Told && e.Event.Kind.Onset() {
				fmt.Printf("%s: %s reported %d failing messages of %s\n", e.Event.Domain, e.Report.Reporter, e.Messages, e.Event.Source)
			}
			return nil
		})
		if err != nil {
			fmt.Println(err)
		}
	}
	// Output:
	// a.example: google.example reported 2 failing messages of 203.0.113.9
}

func ExampleHistory_Find() {
	h := &history.History{Store: new(history.Memory)}
	ctx := context.Background()
	if _, err := h.Add(ctx, report("outlook.example", 5, fail("203.0.113.9", 2))); err != nil {
		fmt.Println(err)
		return
	}
	m, err := h.Find(ctx, history.Refusal{
		AuthorDomain: "news.a.example",
		IP:           netip.MustParseAddr("203.0.113.9"),
		Day:          history.DayOf(time.Date(2026, 1, 6, 15, 0, 0, 0, time.UTC)),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Grade, "failing since", m.Since, "by", m.Reporters(), "more may come:", m.Open)
	// Output:
	// strong failing since 2026-01-06 by [outlook.example] more may come: true
}
