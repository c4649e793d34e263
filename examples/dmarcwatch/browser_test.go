package main

import (
	"bytes"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/mailfault/mailfault/dmarcreport"
	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/dmarcreport/history/digest"
	"github.com/mailfault/mailfault/examples/internal/chromium"
	"github.com/mailfault/mailfault/internal/dmarcyear"
)

// browser is a Chromium that looks at the pages.
type browser struct{ *chromium.Browser }

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
	b := browser{chromium.Open(t, server.URL, "dmarcwatch")}

	b.Do(chromedp.EmulateViewport(1200, 900))
	b.Open("/")
	b.Do(chromedp.SetUploadFiles(`input[type=file]`, []string{hostileReport(t)}), chromedp.Click(`header button`), chromedp.WaitVisible(`.message`))
	if got := b.Texts(".message"); len(got) != 1 || !strings.Contains(got[0], "1 accepted") {
		t.Fatalf("after the upload: %q", got)
	}
	const hostileDomain = `<svg onload=alert(1)>.example`
	if got := b.Texts("td:first-child a"); len(got) != 4 || got[0] != hostileDomain {
		t.Errorf("domains: %q", got)
	}
	b.Look("overview")

	// From the uploaded report's domain to its source, and its day.
	b.Do(chromedp.Click(`td:first-child a`), chromedp.WaitVisible(`#sources`))
	if got, want := strings.Join(b.Texts("#volumes > svg rect"), ", "), fmt.Sprintf("%s 192.0.2.67: 9, %[1]s 192.0.2.66: 3", history.DayOf(yesterday)); got != want {
		t.Errorf("the chart of volumes says %q, want %q", got, want)
	}
	b.Look("hostile")
	b.Do(chromedp.Click(`//table[@id="sources"]//a[text()="192.0.2.66"]`), chromedp.WaitVisible(`#rows`))
	if got, want := strings.Join(b.Texts("#rows td"), "|"), history.DayOf(yesterday).String()+"|"+strings.ToLower(hostileName)+"|0|3|0|3|"; got != want {
		t.Errorf("the source's days: %q, want %q", got, want)
	}
	b.Look("hostile-source")

	b.chartsOfTheYear(h)
	b.onAnyScreen()
}

// chartsOfTheYear reads numbers off the charts, as somebody who looks at them
// does, and compares them with the history.
func (b browser) chartsOfTheYear(h *history.History) {
	days, err := h.Days(b.Context(), dmarcyear.Shop, history.Period{})
	if err != nil {
		b.Fatal(err)
	}
	b.Open("/domain?days=366&domain=" + url.QueryEscape(dmarcyear.Shop))
	// The grid's lines say where 0, 50 and 100 percent are.
	grid := chromium.Read[[]float64](b.Browser, `[...document.querySelectorAll("#rate line")].map(e => e.y1.baseVal.value)`)
	points := chromium.Read[[][2]float64](b.Browser, `[...document.querySelectorAll("#rate polyline")].flatMap(e => [...e.points].map(p => [p.x, p.y]))`)
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
	for _, title := range b.Texts("#volumes > svg rect") {
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
	if got, want := len(b.Texts("#days td:first-child")), 366; got != want && got != dmarcyear.Length {
		b.Errorf("%d days in the table, want %d", got, want)
	}
	if got := b.Texts("#events li"); len(got) < 3 {
		b.Errorf("events: %q", got)
	}
}

// onAnyScreen looks at each kind of page in light and dark, wide and narrow.
func (b browser) onAnyScreen() {
	backs := make(map[string]string)
	for name, path := range map[string]string{
		"domains": "/", "domain": "/domain?days=366&domain=" + url.QueryEscape(dmarcyear.Shop),
		"source": "/source?source=198.51.100.10&domain=" + url.QueryEscape(dmarcyear.Shop),
	} {
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int64{1200, 360} {
				screen := fmt.Sprintf("%s-%s-%d", name, scheme, width)
				b.Screen(scheme, width)
				b.Open(path)
				if got := chromium.Read[int64](b.Browser, `document.documentElement.scrollWidth`); got > width {
					b.Errorf("%s: the page is %d wide", screen, got)
				}
				back := chromium.Read[string](b.Browser, `getComputedStyle(document.body).backgroundColor`)
				backs[scheme] = back
				b.Contrast(screen, back, `[...document.querySelectorAll("body, a, th, td, h2, .bad, figcaption, time")].map(e => getComputedStyle(e).color)`, 4.5)
				b.Contrast(screen, back, `[...document.querySelectorAll("svg rect")].map(e => getComputedStyle(e).fill)`, 2.5)
				b.Contrast(screen, back, `[...document.querySelectorAll("svg polyline")].map(e => getComputedStyle(e).stroke)`, 3)
				b.Look(screen)
			}
		}
	}
	if backs["light"] == backs["dark"] {
		b.Errorf("light and dark look the same: %s", backs["light"])
	}
}

func TestDigestInABrowser(t *testing.T) {
	h := &history.History{Store: new(history.Memory)}
	if _, err := h.Add(t.Context(), dmarcyear.Submissions()...); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(hostileReport(t))
	if err != nil {
		t.Fatal(err)
	}
	hostile, err := dmarcreport.Read(bytes.NewReader(data))
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
	b := browser{chromium.Open(t, server.URL, "dmarcwatch")}
	for path, body := range pages {
		if len(body) == 0 {
			t.Fatal("an empty digest")
		}
		for _, width := range []int64{700, 360} {
			b.Do(chromedp.EmulateViewport(width, 800))
			b.Open(path)
			if got := chromium.Read[int64](b.Browser, `document.documentElement.scrollWidth`); got > width {
				t.Errorf("%s is %d wide on a screen of %d", path, got, width)
			}
			if n := chromium.Read[int](b.Browser, `document.querySelectorAll("script, svg, [onload], [onerror]").length`); n != 0 {
				t.Errorf("%s: %d elements that could do something", path, n)
			}
			if n := chromium.Read[int](b.Browser, `[...document.images].filter(i => i.naturalWidth > 0).length`); n == 0 {
				t.Errorf("%s: no chart is drawn", path)
			}
			b.Look(fmt.Sprintf("%s-%d", path[1:], width))
		}
	}
}
