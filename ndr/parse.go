package ndr

import (
	"errors"
	"strings"
	"time"

	"github.com/mailfault/mailfault/internal/localdate"
)

// ErrNotMicrosoft says that a report is in none of Microsoft's layouts.
var ErrNotMicrosoft = errors.New("ndr: not in a layout of Microsoft's")

// ParseHTML reads the HTML of a report's explanation. The error is
// [ErrNotMicrosoft] when it is in no layout of Microsoft's.
func ParseHTML(html string) (*Notice, error) { return (&Reader{}).ParseHTML(html) }

// ParseText reads the plain text of a report: its explanation part, or what a
// person pasted from a mail program or a ticket, with quote marks and lost
// blanks. The error is [ErrNotMicrosoft] when it is in no layout of
// Microsoft's.
func ParseText(text string) (*Notice, error) { return (&Reader{}).ParseText(text) }

// ParseHTML is the function of that name with the reader's limits.
func (rd *Reader) ParseHTML(html string) (*Notice, error) {
	lim := rd.limits()
	n, err := readPage(htmlPage(html, lim), lim)
	if err != nil {
		return nil, err
	}
	n.finish(localdate.Window{})
	return n, nil
}

// ParseText is the function of that name with the reader's limits.
func (rd *Reader) ParseText(text string) (*Notice, error) {
	lim := rd.limits()
	n, err := readPage(textPage(text, lim), lim)
	if err != nil {
		return nil, err
	}
	n.finish(localdate.Window{})
	return n, nil
}

func readPage(p *page, lim limits) (*Notice, error) {
	r := newReading(lim)
	if !r.read(p) {
		return nil, ErrNotMicrosoft
	}
	r.n.Language = r.language
	if r.signed {
		r.n.Product = ExchangeServer
	}
	return r.n, nil
}

// finish settles what needs the whole notice: dates, delays, the product.
func (n *Notice) finish(w localdate.Window) {
	if w.Language == "" {
		w.Language = n.Language
	}
	if w.From.IsZero() && len(n.Original.Received) > 0 {
		w.From = n.Original.Received[0].Date
	}
	n.settleDates(w)
	n.delays()
	if n.Product == ProductUnknown {
		n.Product = n.product()
	}
	n.noNulls()
}

// settleDates decides the order of day and month for all dates of the notice
// at once, for they are written in one locale, and reads them.
func (n *Notice) settleDates(w localdate.Window) {
	var dates []localdate.Date
	collect := func(s string) {
		if d, _, ok := localdate.Parse(s); ok {
			dates = append(dates, d)
		}
	}
	collect(n.Details.Created)
	for i := range n.Hops {
		collect(n.Hops[i].Date)
	}
	for i := range n.Recipients {
		for _, a := range n.Recipients[i].Attempts {
			collect(a.Date)
		}
	}
	order, by := w.Order(dates)
	open := 0
	read := func(s string) (time.Time, DateOrder, []time.Time) {
		d, _, ok := localdate.Parse(s)
		if !ok {
			return time.Time{}, OrderOpen, nil
		}
		o := d.Order
		if o == localdate.Open {
			o = order
		}
		if o == localdate.Open {
			open++
			return time.Time{}, OrderOpen, []time.Time{d.At(localdate.MonthFirst), d.At(localdate.DayFirst)}
		}
		return d.At(o), DateOrder(o), nil
	}
	if n.Details.CreatedAt, _, _ = read(n.Details.Created); n.Details.CreatedAt.IsZero() {
		n.Details.CreatedAt = headerDate(n.Details.Created)
	}
	for i := range n.Hops {
		n.Hops[i].At, _, _ = read(n.Hops[i].Date)
	}
	for i := range n.Recipients {
		for j := range n.Recipients[i].Attempts {
			a := &n.Recipients[i].Attempts[j]
			if at, o, or := read(a.Date); !at.IsZero() || or != nil {
				a.At, a.Order, a.Or = at, o, or
			}
		}
	}
	switch {
	case open > 0:
		n.addFinding(findingDateOpen, "%d dates may have day and month either way round", open)
	case by == "language":
		n.addFinding(findingDateLanguage, "dates read %s because the report's language is %s", order, w.Language)
	}
}

// delays computes each hop's delay from the hop before it.
func (n *Notice) delays() {
	for i := 1; i < len(n.Hops); i++ {
		h, prev := &n.Hops[i], &n.Hops[i-1]
		if !h.At.IsZero() && !prev.At.IsZero() {
			h.Delay = h.At.Sub(prev.At)
		}
	}
}

// product tells the product from the hosts that wrote the report.
func (n *Notice) product() Product {
	host := strings.ToLower(n.Servers.Generating)
	switch {
	case isExchangeOnline(host):
		return ExchangeOnline
	case strings.HasSuffix(host, ".hotmail.com"):
		return OutlookCom
	case n.Layout == LayoutExchange2003:
		return ExchangeServer
	case n.Layout == LayoutTwoSection && host != "":
		return ExchangeServer
	case n.Layout == LayoutCurrent:
		return ExchangeOnline // no other product has it
	}
	return ProductUnknown
}

// onlineDomains hold the hosts of Microsoft's cloud mail.
var onlineDomains = []string{".outlook.com", ".office365.com", ".exchangelabs.com", ".onmicrosoft.com", ".office365.us", ".partner.outlook.cn", ".outlook.de"}

func isExchangeOnline(host string) bool {
	host = strings.ToLower(host)
	for _, d := range onlineDomains {
		if strings.HasSuffix(host, d) {
			return true
		}
	}
	return false
}

// noNulls makes absent lists empty ones, so that JSON has [] for them.
func (n *Notice) noNulls() {
	empty(&n.FixIt.Steps)
	empty(&n.Details.Recipients)
	empty(&n.Recipients)
	empty(&n.Hops)
	empty(&n.Links)
	empty(&n.Findings)
	empty(&n.Original.To)
	empty(&n.Original.Received)
	empty(&n.Original.ReceivedSPF)
	empty(&n.Original.AuthResults)
	for i := range n.Recipients {
		rc := &n.Recipients[i]
		empty(&rc.Advice)
		empty(&rc.ReasonLinks)
		empty(&rc.Attempts)
		empty(&rc.Replies)
	}
}

func empty[T any](s *[]T) {
	if *s == nil {
		*s = []T{}
	}
}
