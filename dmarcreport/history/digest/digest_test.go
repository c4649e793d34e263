package digest_test

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-message/mail"
	"github.com/google/go-cmp/cmp"

	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/dmarcreport/history/digest"
	"github.com/mailfault/mailfault/internal/dmarcyear"
)

const address = "admin@ops.example"

func year(t *testing.T, subs []history.Submission) *history.History {
	t.Helper()
	h := &history.History{Store: new(history.Memory)}
	if _, err := h.Add(t.Context(), subs...); err != nil {
		t.Fatal(err)
	}
	return h
}

func week(t *testing.T, h *history.History, first int, domains ...string) *digest.Digest {
	t.Helper()
	d, err := digest.Make(t.Context(), h, address, history.Period{First: dmarcyear.Day(first), Last: dmarcyear.Day(first + 6)}, domains...)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestWeeksOfTheYear(t *testing.T) {
	h := year(t, dmarcyear.Submissions())
	tests := []struct {
		name   string
		first  int
		domain string
		state  digest.State
		events int
		fail   int64
	}{
		{"a clean week", 10, dmarcyear.Shop, digest.Clean, 0, 0},
		{"the ESP breaks", 119, dmarcyear.Shop, digest.Attention, 1, 6 * 80},
		{"it is mended", 126, dmarcyear.Shop, digest.Attention, 1, 4 * 80},
		{"forwarders alone are clean", 10, dmarcyear.Club, digest.Clean, 0, 0},
		{"the late report counts in the week it is about", 144, dmarcyear.Club, digest.Attention, 1, 1 + 3},
		{"an unauthenticated report is nothing", 98, dmarcyear.Bank, digest.Clean, 0, 0},
		{"two reporters saw the spoofer", 199, dmarcyear.Bank, digest.Attention, 1, 2 * 4 * 7},
		{"the policy changes", 248, dmarcyear.Bank, digest.Attention, 1, 0},
		{"after the year", 400, dmarcyear.Bank, digest.NoReports, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := week(t, h, tt.first, tt.domain).Domains[0]
			if d.State != tt.state || len(d.Events) != tt.events || d.Fail != tt.fail {
				t.Errorf("%s, events %v, %d failed; want %s, %d, %d", d.State, d.Events, d.Fail, tt.state, tt.events, tt.fail)
			}
		})
	}
}

// TestDigestsDoNotDependOnOrder leaves out Late: what came late depends on
// when it came.
func TestDigestsDoNotDependOnOrder(t *testing.T) {
	subs := dmarcyear.Submissions()
	straight := year(t, subs)
	rand.New(rand.NewPCG(5, 6)).Shuffle(len(subs), func(i, j int) { subs[i], subs[j] = subs[j], subs[i] })
	shuffled := year(t, subs)
	for first := 0; first < dmarcyear.Length; first += 7 {
		var got [2]*digest.Digest
		for i, h := range []*history.History{straight, shuffled} {
			got[i] = week(t, h, first, dmarcyear.Bank, dmarcyear.Club, dmarcyear.Shop)
			for j := range got[i].Domains {
				got[i].Domains[j].Late = nil
			}
		}
		if diff := cmp.Diff(got[0], got[1]); diff != "" {
			t.Fatalf("week from day %d (-straight +shuffled):\n%s", first, diff)
		}
	}
}

func TestLateNewsSaysSo(t *testing.T) {
	h := &history.History{Store: new(history.Memory)}
	for _, s := range dmarcyear.Submissions() {
		if _, err := h.Add(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	// Told for day 150, corrected on day 156 to day 148.
	d := week(t, h, 151, dmarcyear.Club)
	var b strings.Builder
	if err := d.Text(&b); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("%s  corrected by a late report: 2001:db8:bad::9, never seen before, sends mail that fails DMARC (told before for %s)",
		dmarcyear.Day(148), dmarcyear.Day(150))
	if !strings.Contains(b.String(), want) {
		t.Errorf("no %q in:\n%s", want, b.String())
	}
}

func TestSendOnceAndSkipClean(t *testing.T) {
	h := year(t, dmarcyear.Submissions())
	down := errors.New("mail server is down")
	var sent []history.Day
	send := func(first int, fail error) string {
		fate, err := digest.Send(t.Context(), h, week(t, h, first, dmarcyear.Shop), true, func(d *digest.Digest) error {
			if fail == nil {
				sent = append(sent, d.Period.First)
			}
			return fail
		})
		if !errors.Is(err, fail) {
			t.Errorf("Send returned %v", err)
		}
		return fate
	}
	got := []string{send(10, nil), send(119, down), send(119, nil), send(119, nil), send(400, nil)}
	if diff := cmp.Diff([]string{"skipped", "", "sent", "sent", "sent"}, got); diff != "" {
		t.Errorf("fates (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]history.Day{dmarcyear.Day(119), dmarcyear.Day(400)}, sent); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
	fates, err := digest.Fates(t.Context(), h)
	if err != nil || len(fates) != 3 {
		t.Errorf("fates: %v, %v", fates, err)
	}
}

func TestMailHasTextHTMLAndCharts(t *testing.T) {
	h := year(t, dmarcyear.Submissions())
	d := week(t, h, 119, dmarcyear.Bank, dmarcyear.Shop)
	var first, second bytes.Buffer
	for _, b := range []*bytes.Buffer{&first, &second} {
		if err := d.Mail(b, "DMARC <dmarc@ops.example>", time.Date(2025, 7, 8, 9, 0, 0, 0, time.UTC)); err != nil {
			t.Fatal(err)
		}
	}
	r, err := mail.CreateReader(&first)
	if err != nil {
		t.Fatal(err)
	}
	again, err := mail.CreateReader(&second)
	if err != nil {
		t.Fatal(err)
	}
	id, _ := r.Header.MessageID()
	if other, _ := again.Header.MessageID(); id == "" || id != other {
		t.Errorf("message ids %q and %q", id, other)
	}
	if subject, _ := r.Header.Subject(); !strings.Contains(subject, "1 of 2 domains need attention") {
		t.Errorf("subject %q", subject)
	}
	var types []string
	for {
		p, err := r.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(p.Body)
		if err != nil {
			t.Fatal(err)
		}
		kind, _, _ := strings.Cut(p.Header.Get("Content-Type"), ";")
		types = append(types, kind)
		switch kind {
		case "text/html":
			for _, want := range []string{`src="cid:chart0@digest"`, `src="cid:chart1@digest"`, "198.51.100.10", "passed until"} {
				if !bytes.Contains(body, []byte(want)) {
					t.Errorf("no %q in the HTML", want)
				}
			}
		case "image/png":
			if img, err := png.Decode(bytes.NewReader(body)); err != nil || img.Bounds().Dx() != 1120 {
				t.Errorf("chart: %v", err)
			}
		}
	}
	if diff := cmp.Diff([]string{"text/plain", "text/html", "image/png", "image/png"}, types); diff != "" {
		t.Errorf("parts (-want +got):\n%s", diff)
	}
}

func TestHostileNamesDoNothing(t *testing.T) {
	d := &digest.Digest{Address: address, Domains: []digest.Domain{{
		Domain: `<script>alert(1)</script>.example`, State: digest.Attention, Reports: 1,
		Events:    []history.Event{{Kind: history.NewFailingSource, Source: "<img src=x onerror=alert(1)>\x1b[2J"}},
		Reporters: []history.Reporter{{Reporter: "\u202egnp.exe\"><b>"}},
	}}}
	var html, text strings.Builder
	if err := errors.Join(d.HTML(&html, nil), d.Text(&text)); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"<script", "<img", "<b>", "\u202e"} {
		if strings.Contains(html.String(), bad) {
			t.Errorf("%q is in the HTML", bad)
		}
	}
	if strings.ContainsAny(text.String(), "\x1b\u202e") {
		t.Errorf("steering characters in the text: %q", text.String())
	}
}
