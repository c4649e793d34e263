package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	netmail "net/mail"
	"net/url"
	"strings"
	"time"

	"github.com/emersion/go-message/mail"

	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/dmarcreport/history/digest"
)

// smtpAlert returns the way to the addresses of an URL's query.
func smtpAlert(u *url.URL) (alertFunc, error) {
	q := u.Query()
	from, err := addresses(q["from"])
	if err != nil || len(from) != 1 {
		return nil, fmt.Errorf("alert: %s://HOST needs one from=ADDRESS (%v)", u.Scheme, err)
	}
	to, err := addresses(q["to"])
	if err != nil || len(to) == 0 {
		return nil, fmt.Errorf("alert: %s://HOST needs to=ADDRESS, where a plus is written %%2B (%v)", u.Scheme, err)
	}
	return func(ctx context.Context, a alert) error {
		err := sendAlert(ctx, u, a, from[0], to)
		var refused refusedError
		if errors.As(err, &refused) {
			// Names in an alert come from strangers. Those that a filter
			// takes offence at must not hold up all that come after.
			a.bare = true
			err = sendAlert(ctx, u, a, from[0], to)
		}
		return err
	}, nil
}

// addresses reads bare addresses, several in one value or in several.
func addresses(values []string) ([]string, error) {
	var all []string
	for _, value := range values {
		list, err := netmail.ParseAddressList(value)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", value, err)
		}
		for _, a := range list {
			all = append(all, a.Address)
		}
	}
	return all, nil
}

func sendAlert(ctx context.Context, u *url.URL, a alert, from string, to []string) error {
	var b bytes.Buffer
	if err := alertMail(&b, a, from, to, time.Now()); err != nil {
		return err
	}
	return sendMail(ctx, u, from, to, b.Bytes())
}

// alertMail writes the mail of an alert, with a message id that is the same
// each time.
func alertMail(b *bytes.Buffer, a alert, from string, to []string, date time.Time) error {
	var h mail.Header
	h.SetAddressList("From", []*mail.Address{{Address: from}})
	var list []*mail.Address
	for _, address := range to {
		list = append(list, &mail.Address{Address: address})
	}
	h.SetAddressList("To", list)
	subject, body := a.words()
	h.SetSubject(subject)
	h.SetDate(date)
	_, host, _ := strings.Cut(from, "@")
	h.SetMessageID(fmt.Sprintf("%s.%s@%s", a.Event.ID(), a.Change, host))
	h.Set("Auto-Submitted", "auto-generated") // RFC 3834
	h.SetContentType("text/plain", map[string]string{"charset": "utf-8"})
	h.Set("Content-Transfer-Encoding", "quoted-printable")
	w, err := mail.CreateSingleInlineWriter(b, h)
	if err != nil {
		return err
	}
	if _, err := w.Write([]byte(body)); err != nil {
		return err
	}
	return w.Close()
}

// words returns what the mail of an alert says.
func (a alert) words() (subject, body string) {
	var more string
	if a.more > 0 {
		more = fmt.Sprintf("\n%d more alerts of this run are not mailed one by one. They are listed by: dmarcwatch events -log\n", a.more)
	}
	when := fmt.Sprintf("It happened on %s and was learnt on %s.\n", a.Event.Day, a.Learnt.UTC().Format(time.DateOnly))
	if a.bare {
		return "DMARC: " + a.Event.Kind.String() + " on " + a.Event.Day.String(),
			"The server refused this alert with the names that the report has in it.\n" + when +
				"It is listed by: dmarcwatch events -log\n" + more
	}
	subject = digest.Plain(a.Event.Domain) + ": " + sentence(a.Entry)
	body = subject + ".\n\n" + when
	if a.Report.ID != "" {
		body += fmt.Sprintf("%q reported %d failing messages (report %q).\n", a.Report.Reporter, a.Messages, a.Report.ID)
	}
	if a.more > 0 {
		subject += fmt.Sprintf(", and %d more", a.more)
	}
	return subject, body + more
}

// sentence says what an entry tells.
func sentence(e history.Entry) string {
	if e.Change == history.Told {
		return digest.Sentence(e.Event)
	}
	return digest.LateSentence(e)
}
