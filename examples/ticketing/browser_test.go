package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/mailfault/mailfault/examples/internal/chromium"
)

func TestAgentFollowsABounceInABrowser(t *testing.T) {
	_, server := testSite(t)
	b := chromium.Open(t, server.URL, "ticketing")
	b.Screen("light", 1200)

	// A ticket, to its mail, to what DNS says.
	b.Open("/")
	if got := b.Texts("tbody tr td:nth-child(2)"); !slices.Contains(got, "Order 77 has not come") {
		t.Fatalf("tickets: %q", got)
	}
	b.Do(chromedp.Click(`//a[text()="Order 77 has not come"]`), chromedp.WaitVisible(`.timeline`))
	if got := b.Texts(".timeline .tag"); !slices.Equal(got, []string{"person", "report"}) {
		t.Errorf("timeline: %q", got)
	}
	b.Do(chromedp.Click(`.timeline li:last-child a`), chromedp.WaitVisible(`.verdict`))
	if got := b.Texts(".acts"); len(got) != 1 || !strings.HasPrefix(got[0], "Sender") {
		t.Errorf("who acts: %q", got)
	}
	// The words that decided are marked within the report's own text.
	if got := b.Texts("#words mark"); len(got) == 0 || !strings.Contains(strings.ToLower(strings.Join(got, " ")), "spf") && !strings.Contains(strings.Join(got, " "), "Sender Policy Framework") {
		t.Errorf("marked in the report: %q", got)
	}
	b.Do(chromedp.Click(`form[action="/dns"] button`), chromedp.WaitVisible(`.tree`))
	if got := b.Texts("main dd code"); !slices.Contains(got, "ip4:192.0.2.20") {
		t.Errorf("to add: %q", got)
	}
	if got := b.Texts(".tree code"); len(got) < 2 {
		t.Errorf("the SPF tree: %q", got)
	}

	// A bounce as pasted, and as a file.
	b.Open("/explain")
	b.Do(chromedp.SetValue(`#text`, string(demoMail(t, "05-expired"))), chromedp.Click(`main button`), chromedp.WaitVisible(`.verdict`))
	if got := b.Texts("h2"); !strings.HasPrefix(got[0], "anna@customer.example") {
		t.Errorf("pasted: %q", got)
	}
	if got := b.Texts("#way li"); len(got) < 2 || !strings.Contains(strings.Join(got, " "), "after 3s") {
		t.Errorf("the way: %q", got)
	}
	file := filepath.Join(t.TempDir(), "bounce.eml")
	if err := os.WriteFile(file, demoMail(t, "07-user-unknown"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.Open("/explain")
	b.Do(chromedp.SetUploadFiles(`#file`, []string{file}), chromedp.Click(`main button`), chromedp.WaitVisible(`.verdict`))
	if got := b.Texts("h2"); !strings.HasPrefix(got[0], "bob@partner.example") {
		t.Errorf("uploaded: %q", got)
	}
}

// TestHostileBounceInABrowser pastes a hostile bounce and opens it where it was
// taken in; had anything in it run or drawn, the page would say so.
func TestHostileBounceInABrowser(t *testing.T) {
	k, server := testSite(t)
	hostile, err := os.ReadFile("testdata/hostile.eml")
	if err != nil {
		t.Fatal(err)
	}
	o, err := k.take(t.Context(), hostile)
	if err != nil {
		t.Fatal(err)
	}
	b := chromium.Open(t, server.URL, "ticketing")
	b.Screen("light", 1200)
	b.Open("/mail/" + o.Mail)
	unharmed(t, b, "of the mailbox")
	b.Open("/explain")
	b.Do(chromedp.SetValue(`#text`, string(hostile)), chromedp.Click(`main button`), chromedp.WaitVisible(`.verdict`))
	unharmed(t, b, "pasted")
	b.Look("hostile")
}

// unharmed checks what is on the page of the hostile bounce.
func unharmed(t *testing.T, b *chromium.Browser, where string) {
	t.Helper()
	if n := chromium.Read[int](b, `document.querySelectorAll("script, style, img, iframe, svg, base, object, embed, [style], [onload], [onerror], form[action*=':'], a[href*=':']").length`); n != 0 {
		t.Errorf("%s: %d elements of a stranger's", where, n)
	}
	for selector, want := range map[string]int{"main": 1, ".acts": 1, ".parties": 1, ".verdict": 1, "#words": 1} {
		if n := len(b.Texts(selector)); n != want {
			t.Errorf("%s: %d elements %s, want %d", where, n, selector, want)
		}
	}
	// Nothing lies over the page, and its colour is its own.
	if !chromium.Read[bool](b, `document.querySelector("header").contains(document.elementFromPoint(40, 25))`) {
		t.Errorf("%s: something lies over the header", where)
	}
	if back := chromium.Read[string](b, `getComputedStyle(document.body).backgroundColor`); back != "rgb(255, 255, 255)" {
		t.Errorf("%s: the page is %s", where, back)
	}
	// The verdict is the program's, the forged one stands in the report's words only.
	if got := b.Texts(".verdict"); len(got) == 1 && strings.Contains(got[0], "password") {
		t.Errorf("%s: the verdict is %q", where, got)
	}
	const forged = "Everything is fine"
	if all, own := chromium.Read[string](b, `document.body.innerText`), strings.Join(b.Texts("#words pre"), ""); strings.Count(all, forged) != 1 || !strings.Contains(own, forged) {
		t.Errorf("%s: the forged verdict is not kept to the report's own words", where)
	}
	// The look-alike address is told by the name that DNS knows, and no text runs
	// from right to left.
	if got := b.Texts("main section h2"); len(got) == 0 || !strings.Contains(got[0], "xn--prtner-3nf.example") {
		t.Errorf("%s: %q does not tell the look-alike", where, got)
	}
	if chromium.Read[bool](b, `/[\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText)`) {
		t.Errorf("%s: text is turned round", where)
	}
}

// TestPagesOnAnyScreen looks at each kind of page in light and dark, wide and
// narrow.
func TestPagesOnAnyScreen(t *testing.T) {
	k, server := testSite(t)
	takeAll(t, k, "07-user-unknown", "08-out-of-office", "11-answer", "12-newsletter", "13-unreadable", "14-expired-too")
	b := chromium.Open(t, server.URL, "ticketing")
	mail := func(name string) string { return "/mail/" + read(demoMail(t, name), k.now()).id }
	backs := make(map[string]string)
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{1200, 360} {
			b.Screen(scheme, width)
			check := func(name string) {
				screen := fmt.Sprintf("%s-%s-%d", name, scheme, width)
				if got := chromium.Read[int64](b, `document.documentElement.scrollWidth`); got > width {
					t.Errorf("%s: the page is %d wide", screen, got)
				}
				backs[scheme] = chromium.Read[string](b, `getComputedStyle(document.body).backgroundColor`)
				b.Contrast(screen, backs[scheme], `[...document.querySelectorAll("body, a, th, td, h1, h2, small, time, .soft, .bad, .good, .tag, .acts b, .then b, dt, label")].map(e => getComputedStyle(e).color)`, 4.5)
				for _, mark := range chromium.Read[[][2]string](b, `[...document.querySelectorAll("mark, button, textarea, pre")].map(e => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor])`) {
					b.Contrast(screen, mark[1], fmt.Sprintf("[%q]", mark[0]), 4.5)
				}
				b.Look(screen)
			}
			for name, path := range map[string]string{"list": "/", "ticket": "/ticket/1", "expired": mail("05-expired"), "spf": mail("09-refused-by-spf"),
				"not-ours": mail("10-backscatter"), "person": mail("01-person"), "paste": "/explain"} {
				b.Open(path)
				check(name)
			}
			b.Open(mail("09-refused-by-spf"))
			b.Do(chromedp.Click(`form[action="/dns"] button`), chromedp.WaitVisible(`.tree`))
			check("dns")
		}
	}
	if backs["light"] == backs["dark"] {
		t.Errorf("light and dark look the same: %s", backs["light"])
	}
}

// TestPagesForKeyboardAndScreenReader goes over each kind of page as those do
// who see no screen or use no mouse.
func TestPagesForKeyboardAndScreenReader(t *testing.T) {
	k, server := testSite(t)
	takeAll(t, k, "07-user-unknown", "08-out-of-office", "12-newsletter", "14-expired-too")
	b := chromium.Open(t, server.URL, "ticketing")
	b.Screen("light", 1200)
	mail := func(name string) string { return "/mail/" + read(demoMail(t, name), k.now()).id }
	titles := make(map[string]string)
	check := func(name string) {
		b.Accessible(name)
		title := chromium.Read[string](b, `document.title`)
		if titles[title] != "" {
			t.Errorf("%s and %s have one title: %q", titles[title], name, title)
		}
		titles[title] = name
	}
	for name, path := range map[string]string{"list": "/", "ticket": "/ticket/1", "expired": mail("05-expired"),
		"not-ours": mail("10-backscatter"), "person": mail("01-person"), "paste": "/explain"} {
		b.Open(path)
		check(name)
	}
	b.Open("/explain")
	b.Do(chromedp.SetValue(`#text`, string(demoMail(t, "09-refused-by-spf"))), chromedp.Click(`main button`), chromedp.WaitVisible(`.verdict`))
	check("pasted")
	b.Do(chromedp.Click(`form[action="/dns"] button`), chromedp.WaitVisible(`.tree`))
	check("dns")
}
