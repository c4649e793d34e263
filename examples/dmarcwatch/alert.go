package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"time"

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
	// alertMails is how many mails one run sends. The last of them says how
	// many more there would be: a report can name as many failing sources as
	// somebody likes to make up. Programs get all.
	alertMails = 20
	// outputKept is how much of what a command writes is shown.
	outputKept = 500
)

// alert is an entry that somebody is told of.
type alert struct {
	history.Entry
	more int  // entries that are not told one by one, but with this
	bare bool // without what strangers wrote
}

// alertFunc tells somebody.
type alertFunc func(context.Context, alert) error

// alerts is who is told of what.
type alerts struct {
	target string
	all    bool // every kind of event, and corrections
	send   alertFunc
	most   int // alerts of one run; 0 = no limit
}

// newAlerts reads a target: an address to mail to, a webhook, or a command.
func newAlerts(target string, all bool) (*alerts, error) {
	a := &alerts{target: target, all: all}
	if scheme, _, _ := strings.Cut(target, "://"); scheme == "smtp" || scheme == "smtps" {
		u, err := serverURL(target)
		if err != nil {
			return nil, fmt.Errorf("alert: %w", err)
		}
		a.most = alertMails
		a.send, err = smtpAlert(u)
		return a, err
	}
	u, err := url.Parse(target)
	if err != nil {
		u = new(url.URL) // a command, for all that is known
	}
	switch u.Scheme {
	case "http", "https":
		a.send = func(ctx context.Context, one alert) error { return post(ctx, target, alertJSON(one.Entry)) }
		return a, nil
	}
	if u.Host != "" {
		return nil, fmt.Errorf("alert: %s:// is none of smtp, smtps, http and https", u.Scheme)
	}
	words := strings.Fields(target)
	if len(words) == 0 {
		return nil, errors.New("alert: an empty command")
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return nil, fmt.Errorf("alert: %w", err)
	}
	a.send = func(ctx context.Context, one alert) error { return runCommand(ctx, words, alertJSON(one.Entry)) }
	return a, nil
}

// deliver sends what has not been sent to the target yet, and returns how many
// entries it passed over because they are no news any more. Another process that
// is at it already does the same work.
func (a *alerts) deliver(ctx context.Context, h *history.History) (old int, err error) {
	// The target may hold a password, which the database need not know.
	sum := sha256.Sum256([]byte(a.target))
	var sent int
	var told int64 // all up to this entry
	// Store.Consume is History.Deliver with the quiet entries, to count them.
	err = h.Store.Consume(ctx, "alert "+hex.EncodeToString(sum[:8]), time.Now, alertLease, func(e history.Entry) error {
		if a.meant(e) && !a.wanted(e) {
			old++
		}
		if !a.wanted(e) || e.Seq <= told {
			return nil
		}
		one := alert{Entry: e}
		if sent++; sent == a.most {
			sent-- // what comes later in this run is one more mail
			rest, err := h.Store.Log(ctx, e.Seq, -1)
			if err != nil {
				return err
			}
			for _, e := range rest {
				if a.wanted(e) {
					one.more++
				}
				told = e.Seq
			}
		}
		ctx, cancel := context.WithTimeout(ctx, alertTimeout)
		defer cancel()
		if err := a.send(ctx, one); err != nil {
			told = 0
			return err
		}
		return nil
	})
	if errors.Is(err, history.ErrBusy) {
		return old, nil
	}
	if err != nil {
		return old, fmt.Errorf("alert: %w (it will be sent by the next run)", err)
	}
	return old, nil
}

// meant reports whether an entry is of a kind that is told.
func (a *alerts) meant(e history.Entry) bool {
	return a.all || e.Change == history.Told && e.Event.Kind.Onset()
}

// wanted reports whether it is told: no news are what a baseline or a day long
// past brought, and what was learnt too long ago.
func (a *alerts) wanted(e history.Entry) bool {
	return a.meant(e) && !e.Quiet && time.Since(e.Learnt) <= alertPatience
}

// runCommand runs a program, without a shell, and gives it the alert. What it
// leaves running is not waited for.
func runCommand(ctx context.Context, words []string, input []byte) error {
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Stdin = bytes.NewReader(input)
	var out head
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second
	if err := cmd.Run(); err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return fmt.Errorf("%s: %w: %s", words[0], err, digest.Plain(string(out)))
	}
	return nil
}

// head keeps the start of what is written to it.
type head []byte

func (h *head) Write(p []byte) (int, error) {
	*h = append(*h, p[:min(len(p), outputKept-len(*h))]...)
	return len(p), nil
}

// alertJSON is what webhooks and commands get. The id is the same each time the
// same event is told.
func alertJSON(e history.Entry) []byte {
	data, _ := json.Marshal(struct {
		ID   string `json:"id"`
		Text string `json:"text"`
		history.Entry
	}{e.Event.ID(), digest.Plain(e.Event.Domain) + ": " + sentence(e), e})
	return append(data, '\n')
}

// webhooks is a client that follows no redirects: a POST would come out as a
// GET, which is answered well and tells nobody.
var webhooks = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

func post(ctx context.Context, target string, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := webhooks.Do(req)
	var failed *url.Error
	if errors.As(err, &failed) {
		return fmt.Errorf("%s: %w", req.URL.Host, failed.Err) // the path of a webhook is its password
	}
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("%s answered %s", req.URL.Host, resp.Status)
	}
	return nil
}
