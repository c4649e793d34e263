package main

import (
	"context"
	"strings"

	"github.com/mailfault/mailfault/dsn"
)

// decision is what a mail is and which ticket it belongs to.
type decision struct {
	Kind   kind
	Why    string     // it is that, for people
	Ticket int64      // 0: none is known
	Found  string     // how the ticket was found
	Origin dsn.Origin // of a report
}

// directory is what the decision asks the store.
type directory interface {
	sentMail(ctx context.Context, messageID string) (ticket int64, ok bool, err error)
	party(ctx context.Context, ticket int64, address string) (bool, error)
	exists(ctx context.Context, ticket int64) (bool, error)
}

// rules are what decide needs beside the mail.
type rules struct {
	Marks      marks
	AllMarked  bool     // all our mail has the mark: a report about other mail is not ours
	OwnDomains []string // whose DKIM signature makes mail ours
	LookupTXT  func(ctx context.Context, name string) ([]string, error)
}

// decide is the one decision about a mail, whichever way it came.
func (r *rules) decide(ctx context.Context, dir directory, m *mail) (d decision, err error) {
	d.Ticket, d.Found, err = r.find(ctx, dir, m)
	if err != nil {
		return d, err
	}
	d.Why = because(m.class)
	switch {
	case m.isReport():
		if err := r.judge(ctx, dir, m, &d); err != nil {
			return d, err
		}
	case m.class.Author == dsn.Reporter:
		d.Kind = unknown
	case m.class.Author == dsn.AutoReplier || m.class.Author == dsn.Challenger:
		d.Kind = autoReply
	case m.class.Author == dsn.Person:
		d.Kind = person
	default:
		d.Kind = automatic
	}
	return d, nil
}

// judge says whether a report is about our mail.
func (r *rules) judge(ctx context.Context, dir directory, m *mail, d *decision) error {
	switch m.doc.Report.Kind {
	case dsn.AutoReply, dsn.Challenge, dsn.DispositionNotification:
		d.Kind = autoReply
		return nil
	}
	proof := dsn.Proof{Domains: r.OwnDomains, LookupTXT: r.LookupTXT,
		EnvelopeID: func(_ context.Context, id string) (dsn.Verdict, error) {
			_, v := r.Marks.Ticket(id)
			return v, nil
		},
		Sent: func(ctx context.Context, sent dsn.SentMessage) (dsn.Verdict, error) {
			return r.sent(ctx, dir, sent.MessageID)
		},
	}
	for _, address := range m.arrivals() {
		local, _, _ := strings.Cut(address, "+")
		if n, ok := ticketNumber(local); ok && r.Marks.Key != nil {
			proof.VERP = append(proof.VERP, r.Marks.verp(n))
		}
	}
	o, err := m.doc.Report.Backscatter(ctx, proof)
	if err != nil {
		return err
	}
	d.Origin, d.Kind = o, unproven
	switch o.Verdict {
	case dsn.Ours:
		d.Kind = report
	case dsn.NotOurs:
		d.Kind, d.Ticket, d.Found = backscatter, 0, ""
	}
	return nil
}

// sent says whether we sent a message, by its id.
func (r *rules) sent(ctx context.Context, dir directory, id string) (dsn.Verdict, error) {
	if id == "" {
		return dsn.CannotTell, nil
	}
	if _, v := r.Marks.Ticket(id); v != dsn.CannotTell {
		return v, nil
	}
	_, ok, err := dir.sentMail(ctx, id)
	switch {
	case err != nil:
		return dsn.CannotTell, err
	case ok:
		return dsn.Ours, nil
	case r.AllMarked:
		return dsn.NotOurs, nil
	}
	return dsn.CannotTell, nil
}

// find looks for the ticket: by ids that our key signed or that we sent, by the
// return path, and last by the token in the subject, which counts only where
// the mail is about or from somebody the ticket knows.
func (r *rules) find(ctx context.Context, dir directory, m *mail) (int64, string, error) {
	thread := m.thread()
	ids := append([]string{thread.MessageID, thread.EnvelopeID}, thread.InReplyTo...)
	for _, id := range append(ids, thread.References...) {
		if n, v := r.Marks.Ticket(id); v == dsn.Ours {
			if ok, err := dir.exists(ctx, n); ok || err != nil {
				return n, "our mark in the message id " + id, err
			}
		}
		if id == "" {
			continue
		}
		if n, ok, err := dir.sentMail(ctx, id); err != nil || ok && n > 0 {
			return n, "the id of a mail sent: " + id, err
		}
	}
	for _, address := range m.arrivals() {
		if n, to, ok := r.Marks.ReturnPath(address); ok {
			if ok, err := dir.exists(ctx, n); ok || err != nil {
				return n, "the signed return path of mail to " + to, err
			}
		}
	}
	for _, subject := range [...]string{m.returnedField("Subject"), m.subject} {
		n := tokenTicket(subject)
		if n == 0 {
			continue
		}
		for _, address := range m.parties() {
			if ok, err := dir.party(ctx, n, address); ok || err != nil {
				return n, "the token " + subjectToken(n) + " in the subject, and " + address, err
			}
		}
	}
	return 0, "", nil
}

// remembered asks once for each name.
func remembered(lookup func(context.Context, string) ([]string, error)) func(context.Context, string) ([]string, error) {
	type answer struct {
		texts []string
		err   error
	}
	known := make(map[string]answer)
	return func(ctx context.Context, name string) ([]string, error) {
		a, ok := known[name]
		if !ok {
			a.texts, a.err = lookup(ctx, name)
			known[name] = a
		}
		return a.texts, a.err
	}
}

// parties are whom a mail is from or, if a report, about.
func (m *mail) parties() []string {
	if !m.isReport() {
		return []string{m.from}
	}
	var all []string
	for _, a := range m.doc.Report.OriginalAddresses() {
		all = append(all, a.Address)
	}
	for _, r := range m.doc.Recipients {
		all = append(all, r.FinalRecipient)
	}
	return all
}

// because says in words which field of the header decided.
func because(c dsn.Class) string {
	if c.Because.Field == "" {
		return "no field of the header says that a program wrote it"
	}
	return c.Because.Field + ": " + c.Because.Value + " (" + c.Because.Source + ")"
}
