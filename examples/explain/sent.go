package main

import (
	"bufio"
	"context"
	"io"
	"strings"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/ndr"
)

// sentMail is which messages were really sent, by their ids; nil is not known.
type sentMail map[string]bool

// readSent reads a message id a line.
func readSent(r io.Reader) (sentMail, error) {
	sent := make(sentMail)
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		if id := bareID(lines.Text()); id != "" {
			sent[id] = true
		}
	}
	return sent, lines.Err()
}

func bareID(id string) string { return strings.Trim(strings.TrimSpace(id), "<>") }

// answer says in a package's own words whether a message was sent.
func answer[T any](s sentMail, id string, unknown, yes, no T) T {
	switch id = bareID(id); {
	case id == "":
		return unknown
	case s[id]:
		return yes
	}
	return no
}

// origin is whether a report is about mail that was sent.
type origin struct {
	forged bool     // it is not: somebody else sent that mail
	why    []string // in sentences; nil where nothing was asked
	steps  []string
}

// origin looks the message up that a report is about.
func (s sentMail) origin(d *document) origin {
	switch {
	case s == nil:
	case d.Notice != nil:
		b, _ := d.Notice.Backscatter(context.Background(), ndr.SentItems{Lookup: func(_ context.Context, m ndr.SentMessage) (ndr.Answer, error) {
			return answer(s, m.MessageID, ndr.NotKnown, ndr.Yes, ndr.No), nil
		}}) // the look-up has no errors
		return origin{b.Backscatter == ndr.Yes, b.Why, b.Steps}
	case d.Report != nil:
		o, _ := d.Report.Backscatter(context.Background(), dsn.Proof{Sent: func(_ context.Context, m dsn.SentMessage) (dsn.Verdict, error) {
			return answer(s, m.MessageID, dsn.CannotTell, dsn.Ours, dsn.NotOurs), nil
		}})
		switch o.Verdict {
		case dsn.NotOurs:
			return origin{forged: true, why: []string{"No such message was sent: the report is backscatter."}}
		case dsn.Ours:
			return origin{why: []string{"The report is about mail that was sent."}}
		}
		return origin{why: []string{"Whether the message was sent is not known."}}
	}
	return origin{}
}
