package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/examples/internal/explained"
	"github.com/mailfault/mailfault/smtpcode"
)

// States of a delivery.
const (
	waiting   = "waiting" // a server still tries
	failed    = "failed"
	delivered = "delivered"
)

// report does what a report about our mail asks for.
func (a *applying) report(ctx context.Context) error {
	if a.m.doc.Report.Kind == dsn.FeedbackReport {
		return a.complaint(ctx)
	}
	var failures []explained.Recipient
	for _, r := range a.m.doc.Recipients {
		if stateOf(&r) == failed {
			failures = append(failures, r)
		}
	}
	if len(failures) > 0 {
		if err := a.need(ctx, "Not delivered: "+a.m.returnedField("Subject"), failures[0].FinalRecipient); err != nil {
			return err
		}
	}
	message := a.message()
	for i := range a.m.doc.Recipients {
		if err := a.delivery(ctx, message, &a.m.doc.Recipients[i]); err != nil {
			return err
		}
	}
	if len(failures) == 0 {
		return nil
	}
	return a.failures(ctx, failures)
}

// complaint puts a recipient's complaint on its ticket.
func (a *applying) complaint(ctx context.Context) error {
	if err := a.need(ctx, "Complaint: "+a.m.returnedField("Subject"), ""); err != nil {
		return err
	}
	if err := a.note(ctx, "complaint", "The recipient complained about our mail: send no more before that is settled"); err != nil {
		return err
	}
	return a.emit(ctx, &event{})
}

// delivery notes what became of the mail for one recipient; failures are told
// together, by failures.
func (a *applying) delivery(ctx context.Context, message string, r *explained.Recipient) error {
	state := stateOf(r)
	switch state {
	case "":
		return a.note(ctx, "noted", fmt.Sprintf("%s: the report does not say what became of the mail. %s", r.FinalRecipient, r.Diagnosis.Summary))
	case waiting:
		fresh, err := a.wait(ctx, message, r)
		if err != nil {
			return err
		}
		words := "Still being tried"
		if !fresh {
			words = "A late notice of a delay that is over"
		}
		return a.note(ctx, "delayed", fmt.Sprintf("%s: %s. %s", words, r.FinalRecipient, r.Diagnosis.Summary))
	case delivered:
		if err := a.note(ctx, "delivered", fmt.Sprintf("Delivered: %s (%s)", r.FinalRecipient, r.Action)); err != nil {
			return err
		}
	}
	return a.settle(ctx, message, r, state)
}

// stateOf says what became of the mail for one recipient, "" where the report
// does not say.
func stateOf(r *explained.Recipient) string {
	switch r.Action {
	case smtpcode.Failed:
		return failed
	case smtpcode.Delayed:
		return waiting
	case smtpcode.Delivered, smtpcode.Relayed, smtpcode.Expanded:
		return delivered
	}
	if r.Status[0] == 5 || r.Reply.Code/100 == 5 {
		return failed
	}
	return ""
}

// failures notes each refusal, keeps it for Correlate and tells the webhook.
func (a *applying) failures(ctx context.Context, list []explained.Recipient) error {
	for i := range list {
		r := &list[i]
		words := r.FinalRecipient + ": " + r.Diagnosis.Summary
		if len(r.Diagnosis.Steps) > 0 {
			words += " First: " + r.Diagnosis.Steps[0].Text
		}
		if err := a.note(ctx, report, words); err != nil {
			return err
		}
		failure, err := json.Marshal(r.Failure)
		if err != nil {
			return err
		}
		if _, err := a.exec(ctx, "INSERT INTO failures (mail, n, ticket, at, failure) VALUES (?, ?, ?, ?, ?)", a.m.id, i, a.d.Ticket, a.m.at.Unix(), text(string(failure))); err != nil {
			return err
		}
	}
	patterns, err := a.patterns(ctx, a.m.at.Add(-correlateOver))
	if err != nil {
		return err
	}
	return a.emit(ctx, &event{Failures: tell(list, patterns)})
}

// message names what a report is about, "" where it does not say.
func (a *applying) message() string {
	t := a.m.thread()
	if t.MessageID != "" {
		return t.MessageID
	}
	return t.EnvelopeID
}

// wait remembers that a delivery is still being tried, and reports whether it
// is: a final report may have come first.
func (a *applying) wait(ctx context.Context, message string, r *explained.Recipient) (bool, error) {
	if message == "" {
		return true, nil
	}
	n, err := a.exec(ctx, `INSERT INTO deliveries (message, recipient, state, ticket, at, until) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (message, recipient) DO UPDATE SET until = excluded.until WHERE deliveries.state = 'waiting'`,
		text(message), text(strings.ToLower(r.FinalRecipient)), waiting, a.d.Ticket, a.m.at.Unix(), a.until(r))
	return n > 0, err
}

// until is when the server gives up, where the report says so.
func (a *applying) until(r *explained.Recipient) int64 {
	for _, declared := range a.m.doc.Report.Recipients {
		if strings.EqualFold(declared.FinalRecipient.Address, r.FinalRecipient) && !declared.WillRetryUntil.Time.IsZero() {
			return declared.WillRetryUntil.Time.Unix()
		}
	}
	return 0
}

// settle closes what waited, and says so on its ticket.
func (a *applying) settle(ctx context.Context, message string, r *explained.Recipient, state string) error {
	if message == "" {
		return nil
	}
	var was string
	if err := a.row(ctx, "SELECT COALESCE(MAX(state), '') FROM deliveries WHERE message = ? AND recipient = ?", text(message), text(strings.ToLower(r.FinalRecipient))).Scan(&was); err != nil {
		return err
	}
	if _, err := a.exec(ctx, `INSERT INTO deliveries (message, recipient, state, ticket, at, until) VALUES (?, ?, ?, ?, ?, 0)
		ON CONFLICT (message, recipient) DO UPDATE SET state = excluded.state, at = excluded.at`,
		text(message), text(strings.ToLower(r.FinalRecipient)), state, a.d.Ticket, a.m.at.Unix()); err != nil {
		return err
	}
	if was == waiting {
		return a.note(ctx, "settled", fmt.Sprintf("The wait for %s is over: %s", r.FinalRecipient, state))
	}
	return nil
}
