package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/smtp"
	"net/url"
	"os/exec"
	"strings"
	"time"

	"github.com/emersion/go-message/mail"

	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/dmarcreport/history/digest"
)

// alertTimeout bounds one delivery. The lease is longer, so that a slow one
// keeps it.
const (
	alertTimeout = 20 * time.Second
	alertLease   = time.Minute
	// A target that is new, or was down for longer, is not flooded with what
	// the events command lists anyway.
	alertPatience = 7 * 24 * time.Hour
)

// alertFunc tells somebody of an entry.
type alertFunc func(context.Context, history.Entry) error

// deliver sends what has not been sent to this target yet. Another process that
// is at it already does the same work.
func deliver(ctx context.Context, h *history.History, target string, all bool, send alertFunc) error {
	// The target may hold a password, which the database need not know.
	sum := sha256.Sum256([]byte(target))
	err := h.Deliver(ctx, "alert "+hex.EncodeToString(sum[:8]), alertLease, time.Now, func(e history.Entry) error {
		if !all && (e.Change != history.Told || !e.Event.Kind.Onset()) || time.Since(e.Learnt) > alertPatience {
			return nil
		}
		ctx, cancel := context.WithTimeout(ctx, alertTimeout)
		defer cancel()
		return send(ctx, e)
	})
	if errors.Is(err, history.ErrBusy) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("alert: %w (it will be sent by the next run)", err)
	}
	return nil
}

// newAlert returns the way to a target.
func newAlert(target string) (alertFunc, error) {
	if target == "" {
		return nil, nil
	}
	u, err := url.Parse(target)
	switch {
	case err == nil && u.Scheme == "smtp":
		q := u.Query()
		if q.Get("from") == "" || q.Get("to") == "" {
			return nil, errors.New("alert: smtp://HOST needs ?from=ADDRESS&to=ADDRESS")
		}
		return func(ctx context.Context, e history.Entry) error {
			var b bytes.Buffer
			if err := alertMail(&b, e, q.Get("from"), q.Get("to"), time.Now()); err != nil {
				return err
			}
			return sendMail(ctx, u, q.Get("from"), q.Get("to"), b.Bytes())
		}, nil
	case err == nil && (u.Scheme == "https" || u.Scheme == "http"):
		return func(ctx context.Context, e history.Entry) error { return post(ctx, target, alertJSON(e)) }, nil
	}
	words := strings.Fields(target)
	if len(words) == 0 {
		return nil, errors.New("alert: an empty command")
	}
	return func(ctx context.Context, e history.Entry) error {
		cmd := exec.CommandContext(ctx, words[0], words[1:]...)
		cmd.Stdin = bytes.NewReader(alertJSON(e))
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %.500s", words[0], err, out)
		}
		return nil
	}, nil
}

// alertJSON is what webhooks and commands get. The id is the same each time the
// same event is told.
func alertJSON(e history.Entry) []byte {
	data, _ := json.Marshal(struct {
		ID   string `json:"id"`
		Text string `json:"text"`
		history.Entry
	}{e.Event.ID(), e.Event.Domain + ": " + digest.Sentence(e.Event), e})
	return append(data, '\n')
}

func post(ctx context.Context, target string, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("%s answered %s", req.URL.Host, resp.Status)
	}
	return nil
}

// alertMail writes the mail of an alert, with a message id that is the same
// each time.
func alertMail(b *bytes.Buffer, e history.Entry, from, to string, date time.Time) error {
	var h mail.Header
	h.SetAddressList("From", []*mail.Address{{Address: from}})
	h.SetAddressList("To", []*mail.Address{{Address: to}})
	sentence := digest.Sentence(e.Event)
	if e.Change != history.Told {
		sentence = digest.LateSentence(e)
	}
	h.SetSubject(e.Event.Domain + ": " + sentence)
	h.SetDate(date)
	_, host, _ := strings.Cut(from, "@")
	h.SetMessageID(fmt.Sprintf("%s.%s@%s", e.Event.ID(), e.Change, host))
	h.Set("Auto-Submitted", "auto-generated") // RFC 3834
	h.SetContentType("text/plain", map[string]string{"charset": "utf-8"})
	h.Set("Content-Transfer-Encoding", "quoted-printable")
	w, err := mail.CreateSingleInlineWriter(b, h)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s: %s.\n\nIt happened on %s and was learnt on %s.\n", e.Event.Domain, sentence, e.Event.Day, e.Learnt.UTC().Format(time.DateOnly))
	if e.Report.ID != "" {
		fmt.Fprintf(w, "%q reported %d failing messages (report %q).\n", e.Report.Reporter, e.Messages, e.Report.ID)
	}
	return w.Close()
}

// sendMail hands a mail to a server, with TLS where it offers that and with
// the URL's user where it has one.
func sendMail(ctx context.Context, u *url.URL, from, to string, data []byte) error {
	addr := u.Host
	if u.Port() == "" {
		addr = net.JoinHostPort(u.Hostname(), "25")
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	if deadline, ok := ctx.Deadline(); ok {
		conn.SetDeadline(deadline)
	}
	c, err := smtp.NewClient(conn, u.Hostname())
	if err != nil {
		return err
	}
	if ok, _ := c.Extension("STARTTLS"); ok {
		if err := c.StartTLS(tlsConfig(u.Hostname())); err != nil {
			return err
		}
	}
	if password, ok := u.User.Password(); ok {
		if err := c.Auth(smtp.PlainAuth("", u.User.Username(), password, u.Hostname())); err != nil {
			return err
		}
	}
	if err := c.Mail(from); err != nil {
		return err
	}
	if err := c.Rcpt(to); err != nil {
		return err
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write(data); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	c.Quit() // the mail is taken; a lost goodbye changes nothing
	return nil
}
