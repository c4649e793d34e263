package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mailfault/mailfault/smtpcode"
)

type posted struct {
	key  string
	body []byte
}

// hookServer is a webhook that fails while down is set.
func hookServer(t *testing.T, down *atomic.Bool, got *[]posted) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mac := hmac.New(sha256.New, []byte("hush"))
		mac.Write(body)
		if r.Header.Get("X-Mailfault-Signature") != "sha256="+hex.EncodeToString(mac.Sum(nil)) {
			t.Error("the signature is wrong")
		}
		*got = append(*got, posted{r.Header.Get("Idempotency-Key"), body})
		if down.Load() {
			w.WriteHeader(http.StatusBadGateway)
		}
	}))
	t.Cleanup(server.Close)
	return server
}

func TestWebhookIsToldUntilItTakesIt(t *testing.T) {
	k := testDesk(t)
	takeAll(t, k, people...)
	takeAll(t, k, "05-expired")
	var down atomic.Bool
	var got []posted
	server := hookServer(t, &down, &got)
	hook := &webhook{URL: server.URL, Shape: plainShape, Secret: []byte("hush"), Client: server.Client()}
	down.Store(true)
	now := k.now()
	if n, err := hook.deliver(t.Context(), k.store, now); n != 0 || err == nil || !strings.Contains(err.Error(), "502") {
		t.Fatalf("%d delivered, %v", n, err)
	}
	// Each ticket's first event was tried; the second of ticket 1 waits behind it.
	if len(got) != 3 {
		t.Errorf("%d posts, want one a ticket", len(got))
	}
	if n, err := hook.deliver(t.Context(), k.store, now.Add(time.Second)); n != 0 || err != nil || len(got) != 3 {
		t.Errorf("before its time: %d delivered in %d posts, %v", n, len(got), err)
	}
	down.Store(false)
	if n, err := hook.deliver(t.Context(), k.store, now.Add(time.Minute)); n != 4 || err != nil {
		t.Errorf("%d delivered, want 4 (%v)", n, err)
	}
	if n, err := hook.deliver(t.Context(), k.store, now.Add(time.Hour)); n != 0 || err != nil {
		t.Errorf("%d delivered twice (%v)", n, err)
	}
	keys := make(map[string]int)
	for _, p := range got {
		keys[p.key]++
	}
	if len(keys) != 4 {
		t.Errorf("%d keys for 4 events", len(keys))
	}
	var last event
	if err := json.Unmarshal(got[len(got)-1].body, &last); err != nil {
		t.Fatal(err)
	}
	f := last.Failures[0]
	if last.Ticket != 1 || last.Kind != report || last.Answer || f.Recipient != "anna@customer.example" || len(f.Evidence) == 0 || f.Owner == smtpcode.Unknown {
		t.Errorf("told %+v", last)
	}
	if !strings.Contains(f.AgentText, "Connection timed out") || strings.Contains(f.CustomerText, "Connection timed out") {
		t.Errorf("for the agent: %s\nfor the customer: %s", f.AgentText, f.CustomerText)
	}
}

func TestShapesAreThoseOfTheSystems(t *testing.T) {
	k := testDesk(t)
	takeAll(t, k, people...)
	takeAll(t, k, "05-expired")
	for shape, want := range map[shape][2][]string{
		zendeskShape: {{"ticket.external_id", "ticket.subject", "ticket.requester.email"}, {"ticket.external_id", "ticket.comment.body"}},
		jiraShape:    {{"fields.summary", "fields.description", "fields.issuetype.name"}, {"body"}},
		zammadShape:  {{"title", "customer_id", "article.body"}, {"article.body", "state"}},
	} {
		var got []posted
		server := hookServer(t, new(atomic.Bool), &got)
		hook := &webhook{URL: server.URL, Shape: shape, Secret: []byte("hush"), Client: server.Client()}
		if _, err := k.exec(t.Context(), "UPDATE outbox SET delivered = 0, due = 0"); err != nil {
			t.Fatal(err)
		}
		if n, err := hook.deliver(t.Context(), k.store, k.now()); n != 4 || err != nil {
			t.Fatal(n, err)
		}
		for i, body := range [][]byte{got[0].body, got[3].body} {
			for _, path := range want[i] {
				var v any
				if err := json.Unmarshal(body, &v); err != nil {
					t.Fatal(err)
				}
				for name := range strings.SplitSeq(path, ".") {
					m, _ := v.(map[string]any)
					v = m[name]
				}
				if s, _ := v.(string); s == "" {
					t.Errorf("%s has no %s: %s", shape, path, body)
				}
			}
		}
	}
}

func TestFailuresAreSeenTogetherAcrossTickets(t *testing.T) {
	k := testDesk(t)
	takeAll(t, k, people...)
	takeAll(t, k, "05-expired", "14-expired-too")
	patterns, err := k.patterns(t.Context(), k.now().Add(-correlateOver))
	if err != nil || len(patterns) != 1 || patterns[0].Kind != smtpcode.PatternOneDomain {
		t.Fatalf("%+v (%v): want one domain, theirs", patterns, err)
	}
	// An expiry elsewhere: look at home.
	data := strings.NewReplacer("billing@customer.example", "x@elsewhere.example", "mx.customer.example", "mx.elsewhere.example", "d5@", "d6@").Replace(string(demoMail(t, "14-expired-too")))
	if _, err := k.take(t.Context(), []byte(data)); err != nil {
		t.Fatal(err)
	}
	patterns, err = k.patterns(t.Context(), k.now().Add(-correlateOver))
	if err != nil || len(patterns) != 1 || patterns[0].Kind != smtpcode.PatternSeveral {
		t.Errorf("%+v (%v): want several domains, ours", patterns, err)
	}
}
