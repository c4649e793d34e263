package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/mailfault/mailfault/dmarcreport"
	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/dmarcreport/history/digest"
	"github.com/mailfault/mailfault/internal/dmarcyear"
)

// screenshotsVariable names a folder for pictures of the pages, to be looked
// at by eye.
const screenshotsVariable = "DMARCWATCH_SCREENSHOTS"

// browser is a headless Chromium that fails the test when a page does anything
// that no page of ours does: run a script, open a dialog, load from elsewhere.
type browser struct {
	*testing.T
	ctx      context.Context
	origin   string
	requests atomic.Int64
}

func openBrowser(t *testing.T, origin string) *browser {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("MAILFAULT_CORPORA_REQUIRED") != "" {
			t.Fatal("chromium is not installed (Debian: chromium)")
		}
		t.Skip("chromium is not installed (Debian: chromium)")
	}
	// The sandbox cannot be had by root, and the pages are the test's own.
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox,
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(2*time.Minute))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &browser{T: t, ctx: ctx, origin: origin}
	b.do() // starts it
	// From here on, so that the limit is not the browser's life.
	b.ctx, cancel = context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(cancel)
	err = chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *page.EventJavascriptDialogOpening:
			t.Errorf("the page opened a dialog: %s", e.Message)
		case *runtime.EventConsoleAPICalled, *runtime.EventExceptionThrown:
			t.Errorf("the page ran a script: %+v", e)
		case *log.EventEntryAdded:
			if !strings.Contains(e.Entry.URL, "favicon") {
				t.Errorf("the browser complains: %s %s", e.Entry.Text, e.Entry.URL)
			}
		case *network.EventRequestWillBeSent:
			b.requests.Add(1)
			if u := e.Request.URL; !strings.HasPrefix(u, origin+"/") && !strings.HasPrefix(u, "data:") {
				t.Errorf("the page asks for %s", u)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	b.do(command(log.Enable, cdp.Empty{}), command(network.Enable, network.EnableParams{}), command(runtime.Enable, cdp.Empty{}), command(page.Enable, page.EnableParams{}))
	t.Cleanup(func() {
		if b.requests.Load() == 0 {
			t.Error("nothing was seen of what the browser did")
		}
	})
	return b
}

// command is a command of the protocol whose answer is of no interest.
func command[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

func (b *browser) open(path string) {
	b.Helper()
	b.do(chromedp.Navigate(b.origin + path))
}

// look makes a picture of the whole page where somebody wants to see it.
func (b *browser) look(name string) {
	dir := os.Getenv(screenshotsVariable)
	if dir == "" {
		return
	}
	picture, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o600); err != nil {
		b.Fatal(err)
	}
}

// read evaluates an expression about the page.
func read[T any](b *browser, expression string) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.Fatal(err)
	}
	return v
}

// texts returns the text of each element that a selector finds.
func (b *browser) texts(selector string) []string {
	b.Helper()
	return read[[]string](b, fmt.Sprintf(`[...document.querySelectorAll(%q)].map(e => e.textContent.trim())`, selector))
}

// hostileReport writes a report of yesterday in which every text that a
// stranger chooses would do something if it were let.
func hostileReport(t *testing.T) string {
	t.Helper()
	begin := yesterday
	r := &dmarcreport.Report{
		Metadata: dmarcreport.Metadata{OrgName: hostileName, Email: hostileName, ReportID: hostileName, ExtraContactInfo: "javascript:alert(1)",
			Errors: []string{hostileName}, DateRange: dmarcreport.DateRange{Begin: begin, End: begin.Add(24*time.Hour - time.Second)}},
		Policy: dmarcreport.PolicyPublished{Domain: `<svg onload=alert(1)>.example`, P: dmarcreport.DispositionReject},
	}
	rec := dmarcreport.Record{SourceIP: netip.MustParseAddr("192.0.2.66"), Count: 3, HeaderFrom: hostileName, EnvelopeFrom: hostileName}
	rec.Evaluated = dmarcreport.Evaluated{Disposition: dmarcreport.DispositionReject, DKIM: dmarcreport.ResultFail, SPF: dmarcreport.ResultFail,
		Reasons: []dmarcreport.Reason{{Type: dmarcreport.OverrideOther, Comment: hostileName}}}
	r.Records = []dmarcreport.Record{rec, {SourceIP: netip.MustParseAddr("192.0.2.67"), Count: 9, HeaderFrom: hostileName,
		Evaluated: dmarcreport.Evaluated{DKIM: dmarcreport.ResultPass, SPF: dmarcreport.ResultFail}}}
	name := filepath.Join(t.TempDir(), `<img src=x onerror=alert(1)>.xml`)
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := r.WriteXML(f, dmarcreport.RFC7489); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestInABrowser(t *testing.T) {
	server, h := site2025(t)
	b := openBrowser(t, server.URL)

	b.do(chromedp.EmulateViewport(1200, 900))
	b.open("/")
	b.do(chromedp.SetUploadFiles(`input[type=file]`, []string{hostileReport(t)}), chromedp.Click(`header button`), chromedp.WaitVisible(`.message`))
	if got := b.texts(".message"); len(got) != 1 || !strings.Contains(got[0], "1 accepted") {
		t.Fatalf("after the upload: %q", got)
	}
	const hostileDomain = `<svg onload=alert(1)>.example`
	if got := b.texts("td:first-child a"); len(got) != 4 || got[0] != hostileDomain {
		t.Errorf("domains: %q", got)
	}
	b.look("overview")

	// From the uploaded report's domain to its source, and its day.
	b.do(chromedp.Click(`td:first-child a`), chromedp.WaitVisible(`#sources`))
	if got, want := strings.Join(b.texts("#volumes > svg rect"), ", "), fmt.Sprintf("%s 192.0.2.67: 9, %[1]s 192.0.2.66: 3", history.DayOf(yesterday)); got != want {
		t.Errorf("the chart of volumes says %q, want %q", got, want)
	}
	b.look("hostile")
	b.do(chromedp.Click(`//table[@id="sources"]//a[text()="192.0.2.66"]`), chromedp.WaitVisible(`#rows`))
	if got, want := strings.Join(b.texts("#rows td"), "|"), history.DayOf(yesterday).String()+"|"+strings.ToLower(hostileName)+"|0|3|0|3|"; got != want {
		t.Errorf("the source's days: %q, want %q", got, want)
	}
	b.look("hostile-source")

	b.chartsOfTheYear(h)
	b.onAnyScreen()
}

// chartsOfTheYear reads numbers off the charts, as somebody who looks at them
// does, and compares them with the history.
func (b *browser) chartsOfTheYear(h *history.History) {
	days, err := h.Days(b.ctx, dmarcyear.Shop, history.Period{})
	if err != nil {
		b.Fatal(err)
	}
	b.open("/domain?days=366&domain=" + url.QueryEscape(dmarcyear.Shop))
	// The grid's lines say where 0, 50 and 100 percent are.
	grid := read[[]float64](b, `[...document.querySelectorAll("#rate line")].map(e => e.y1.baseVal.value)`)
	points := read[[][2]float64](b, `[...document.querySelectorAll("#rate polyline")].flatMap(e => [...e.points].map(p => [p.x, p.y]))`)
	if len(points) != len(days) || len(grid) != 3 {
		b.Fatalf("%d points for %d days, %d lines", len(points), len(days), len(grid))
	}
	for i, d := range days {
		want, _ := d.PassRate()
		if got := (grid[0] - points[i][1]) / (grid[0] - grid[2]); math.Abs(got-want) > 0.001 {
			b.Errorf("%s: the chart shows a pass rate of %.3f, it is %.3f", d.Day, got, want)
		}
	}
	perDay := make(map[string]int64)
	for _, title := range b.texts("#volumes > svg rect") {
		day, _, _ := strings.Cut(title, " ")
		n, err := strconv.ParseInt(title[strings.LastIndexByte(title, ' ')+1:], 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		perDay[day] += n
	}
	for _, d := range days {
		if got := perDay[d.Day.String()]; got != d.Messages() {
			b.Errorf("%s: the bars add up to %d, it is %d", d.Day, got, d.Messages())
		}
	}
	// The same numbers as a table.
	if got, want := len(b.texts("#days td:first-child")), 366; got != want && got != dmarcyear.Length {
		b.Errorf("%d days in the table, want %d", got, want)
	}
	if got := b.texts("#events li"); len(got) < 3 {
		b.Errorf("events: %q", got)
	}
}

// onAnyScreen looks at each kind of page in light and dark, wide and narrow.
func (b *browser) onAnyScreen() {
	backs := make(map[string]string)
	for name, path := range map[string]string{
		"domains": "/", "domain": "/domain?days=366&domain=" + url.QueryEscape(dmarcyear.Shop),
		"source": "/source?source=198.51.100.10&domain=" + url.QueryEscape(dmarcyear.Shop),
	} {
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int64{1200, 360} {
				screen := fmt.Sprintf("%s-%s-%d", name, scheme, width)
				b.do(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}),
					chromedp.EmulateViewport(width, 800))
				b.open(path)
				if got := read[int64](b, `document.documentElement.scrollWidth`); got > width {
					b.Errorf("%s: the page is %d wide", screen, got)
				}
				back := read[string](b, `getComputedStyle(document.body).backgroundColor`)
				backs[scheme] = back
				b.contrast(screen, back, `[...document.querySelectorAll("body, a, th, td, h2, .bad, figcaption, time")].map(e => getComputedStyle(e).color)`, 4.5)
				b.contrast(screen, back, `[...document.querySelectorAll("svg rect")].map(e => getComputedStyle(e).fill)`, 2.5)
				b.contrast(screen, back, `[...document.querySelectorAll("svg polyline")].map(e => getComputedStyle(e).stroke)`, 3)
				b.look(screen)
			}
		}
	}
	if backs["light"] == backs["dark"] {
		b.Errorf("light and dark look the same: %s", backs["light"])
	}
}

// contrast checks that colours can be told from the background (WCAG 2.1, 1.4.3
// and 1.4.11).
func (b *browser) contrast(screen, back, expression string, least float64) {
	b.Helper()
	colours := make(map[string]bool)
	for _, c := range read[[]string](b, expression) {
		colours[c] = true
	}
	for c := range colours {
		if got := contrast(luminance(b.T, c), luminance(b.T, back)); got < least {
			b.Errorf("%s: %s on %s has a contrast of %.1f, want %.1f", screen, c, back, got, least)
		}
	}
}

func contrast(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }

// luminance is that of WCAG 2.1 for a colour as browsers compute it.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	var r, g, b float64
	if _, err := fmt.Sscanf(colour, "rgb(%f, %f, %f)", &r, &g, &b); err != nil {
		t.Fatalf("%q: %v", colour, err)
	}
	linear := func(v float64) float64 {
		if v /= 255; v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

func TestDigestInABrowser(t *testing.T) {
	h := &history.History{Store: new(history.Memory)}
	if _, err := h.Add(t.Context(), dmarcyear.Submissions()...); err != nil {
		t.Fatal(err)
	}
	hostile, err := dmarcreport.ReadFile(hostileReport(t))
	if err != nil {
		t.Fatal(err)
	}
	s := history.Of(hostile)
	s.Authentic, s.Learnt = true, time.Now()
	if _, err := h.Add(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	domains, err := h.Store.Domains(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	html := func(first history.Day, domains ...string) []byte {
		d, err := digest.Make(t.Context(), h, "admin@a.example", history.Period{First: first, Last: first + 6}, domains...)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := d.HTML(&b, inlineChart(d)); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	pages := map[string][]byte{
		"/digest":         html(dmarcyear.Day(118), dmarcyear.Shop, dmarcyear.Bank, dmarcyear.Club),
		"/digest-hostile": html(history.DayOf(yesterday)-6, domains...),
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write(pages[r.URL.Path])
	}))
	defer server.Close()
	b := openBrowser(t, server.URL)
	for path, body := range pages {
		if len(body) == 0 {
			t.Fatal("an empty digest")
		}
		for _, width := range []int64{700, 360} {
			b.do(chromedp.EmulateViewport(width, 800))
			b.open(path)
			if got := read[int64](b, `document.documentElement.scrollWidth`); got > width {
				t.Errorf("%s is %d wide on a screen of %d", path, got, width)
			}
			if n := read[int](b, `document.querySelectorAll("script, svg, [onload], [onerror]").length`); n != 0 {
				t.Errorf("%s: %d elements that could do something", path, n)
			}
			if n := read[int](b, `[...document.images].filter(i => i.naturalWidth > 0).length`); n == 0 {
				t.Errorf("%s: no chart is drawn", path)
			}
			b.look(fmt.Sprintf("%s-%d", path[1:], width))
		}
	}
}
