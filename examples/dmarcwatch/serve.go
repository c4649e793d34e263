package main

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/dmarcreport/history/digest"
	"github.com/mailfault/mailfault/examples/internal/page"
	"github.com/mailfault/mailfault/examples/internal/progress"
	"github.com/mailfault/mailfault/internal/dmarcyear"
)

//go:embed page.html charts.css
var files embed.FS

// Bounds of the page.
const (
	maxUpload  = 32 << 20
	maxSources = 500 // rows of the sources table
	maxEvents  = 500
	maxReports = 100
	maxRows    = 2000 // of the days and reporters of a source
	topSources = 6    // that get a colour of their own
)

func (a *app) serve(ctx context.Context, args []string) error {
	flags, parse := a.flags("serve", "", 0)
	listen := flags.String("listen", "127.0.0.1:8025", "the address to listen on; the page has no password")
	demo := flags.Bool("demo", false, "show a made-up year of three domains, in memory")
	if err := parse(args); err != nil {
		return err
	}
	h := &history.History{Store: new(history.Memory)}
	if *demo {
		if _, err := h.Add(ctx, dmarcyear.Submissions()...); err != nil {
			return err
		}
	} else {
		opened, closeDB, err := a.open(ctx) // made if need be: reports can be uploaded
		if err != nil {
			return err
		}
		defer closeDB()
		h = opened
	}
	return page.Serve(ctx, *listen, a.stdout, a.handler(h))
}

// site serves the page.
type site struct {
	*app
	history  *history.History
	page     *template.Template
	messages messages
}

func (a *app) handler(h *history.History) http.Handler {
	s := &site{app: a, history: h}
	s.page = template.Must(template.New("page.html").Funcs(template.FuncMap{
		"sentence": digest.Sentence,
		"rate": func(t history.Totals) string {
			if rate, ok := t.PassRate(); ok {
				return percent(rate)
			}
			return "–"
		},
		"query": func(pairs ...string) template.URL {
			q := url.Values{}
			for i := 0; i+1 < len(pairs); i += 2 {
				q.Set(pairs[i], pairs[i+1])
			}
			return template.URL("?" + q.Encode())
		},
	}).ParseFS(files, "page.html"))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.show(s.overview))
	mux.HandleFunc("GET /domain", s.show(s.domain))
	mux.HandleFunc("GET /source", s.show(s.source))
	mux.HandleFunc("POST /upload", s.upload)
	mux.HandleFunc("GET /style.css", page.ServeStyle)
	mux.HandleFunc("GET /charts.css", func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, files, "charts.css") })
	return page.Secure(mux)
}

// page is what the template shows: one of the three views.
type pageData struct {
	Title   string
	Message string

	Domains []domainRow

	Domain  string
	Window  int
	Windows []int
	Totals  history.Totals
	Period  history.Period
	Rate    template.HTML
	Volumes template.HTML
	Legend  []legend
	Days    []history.DayTotals
	Sources []history.Source
	More    int
	Events  []history.Event
	// MoreEvents are older ones.
	MoreEvents int
	Reporters  []history.Reporter
	Reports    []history.ReportInfo

	Source *history.Source
	Rows   []history.Row
}

type domainRow struct {
	Domain  string
	Totals  history.Totals
	Failing int
	Last    history.Day
	Chart   template.HTML
}

type legend struct {
	Name   string
	Class  string
	Totals history.Totals
}

var errNotFound = errors.New("nothing is known of this")

func (s *site) show(build func(*http.Request) (*pageData, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		data, err := build(r)
		if errors.Is(err, errNotFound) {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
		if err != nil {
			fmt.Fprintf(s.stderr, "dmarcwatch: %v\n", err)
			http.Error(w, "the history cannot be read", http.StatusInternalServerError)
			return
		}
		data.Message = s.messages.get(r.URL.Query().Get("message"))
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if err := s.page.Execute(w, data); err != nil {
			fmt.Fprintf(s.stderr, "dmarcwatch: %v\n", err)
		}
	}
}

func (s *site) overview(r *http.Request) (*pageData, error) {
	ctx := r.Context()
	domains, err := s.history.Store.Domains(ctx)
	if err != nil {
		return nil, err
	}
	data := &pageData{Title: "Domains"}
	for _, name := range domains {
		all, err := s.history.Days(ctx, name, history.Period{})
		if err != nil {
			return nil, err
		}
		days, _ := window(all, 30)
		row := domainRow{Domain: name, Chart: rateChart(days, 160, 32)}
		for _, d := range days {
			row.Totals.Add(d.Totals)
			row.Last = d.Day
		}
		sources, err := s.history.Sources(ctx, name, history.Period{})
		if err != nil {
			return nil, err
		}
		for _, src := range sources {
			if src.State == history.Failing {
				row.Failing++
			}
		}
		data.Domains = append(data.Domains, row)
	}
	return data, nil
}

// window returns the last n days up to the last that reports tell of, empty
// ones too. 0 is all.
func window(days []history.DayTotals, n int) ([]history.DayTotals, history.Period) {
	if len(days) == 0 {
		return nil, history.Period{}
	}
	p := history.Period{First: days[0].Day, Last: days[len(days)-1].Day}
	if n > 0 {
		p.First = p.Last - history.Day(n) + 1
	}
	return spread(days, p), p
}

// spread returns every day of a period.
func spread(days []history.DayTotals, p history.Period) []history.DayTotals {
	all := make([]history.DayTotals, p.Last-p.First+1)
	for i := range all {
		all[i].Day = p.First + history.Day(i)
	}
	for _, d := range days {
		if p.Contains(d.Day) {
			all[d.Day-p.First].Totals = d.Totals
		}
	}
	return all
}

var windows = []int{30, 90, 366}

func (s *site) domain(r *http.Request) (*pageData, error) {
	ctx, name := r.Context(), r.URL.Query().Get("domain")
	n, err := strconv.Atoi(r.URL.Query().Get("days"))
	if err != nil || !slices.Contains(windows, n) {
		n = windows[1]
	}
	all, err := s.history.Days(ctx, name, history.Period{})
	if err != nil {
		return nil, err
	}
	data := &pageData{Title: name, Domain: name, Window: n, Windows: windows}
	data.Days, data.Period = window(all, n)
	for _, d := range data.Days {
		data.Totals.Add(d.Totals)
	}
	if data.Sources, err = s.history.Sources(ctx, name, data.Period); err != nil {
		return nil, err
	}
	if data.Reports, err = s.history.Reports(ctx, name, data.Period); err != nil {
		return nil, err
	}
	if len(data.Sources) == 0 && len(data.Reports) == 0 {
		return nil, errNotFound
	}
	slices.Reverse(data.Reports)
	data.Reports = data.Reports[:min(len(data.Reports), maxReports)]
	if data.Events, err = s.history.Events(ctx, name); err != nil {
		return nil, err
	}
	slices.Reverse(data.Events)
	if len(data.Events) > maxEvents {
		data.MoreEvents = len(data.Events) - maxEvents
		data.Events = data.Events[:maxEvents]
	}
	if data.Reporters, err = s.history.Reporters(ctx, name); err != nil {
		return nil, err
	}
	data.Rate = rateChart(data.Days, 720, 160)
	if data.Volumes, data.Legend, err = s.volumes(ctx, data); err != nil {
		return nil, err
	}
	if len(data.Sources) > maxSources {
		data.More = len(data.Sources) - maxSources
		data.Sources = data.Sources[:maxSources]
	}
	return data, nil
}

// volumes draws the messages of the largest sources, and of the others
// together.
func (s *site) volumes(ctx context.Context, data *pageData) (template.HTML, []legend, error) {
	largest := slices.Clone(data.Sources)
	slices.SortStableFunc(largest, func(a, b history.Source) int { return int(b.Messages() - a.Messages()) })
	largest = largest[:min(len(largest), topSources)]
	var series []series
	var names []legend
	rest := slices.Clone(data.Days)
	others := data.Totals
	for i, src := range largest {
		_, days, _, err := s.history.Source(ctx, data.Domain, src.Source)
		if err != nil {
			return "", nil, err
		}
		l := legend{src.Source, fmt.Sprintf("c%d", i), src.Totals}
		names = append(names, l)
		days = spread(days, data.Period)
		series = append(series, chartSeries(l, days))
		for j, d := range days {
			rest[j].Totals = minus(rest[j].Totals, d.Totals)
		}
		others = minus(others, src.Totals)
	}
	if others.Messages() > 0 {
		l := legend{"others", "rest", others}
		names = append(names, l)
		series = append(series, chartSeries(l, rest))
	}
	return volumeChart(data.Days, series, 720, 200), names, nil
}

func minus(a, b history.Totals) history.Totals {
	return history.Totals{Pass: a.Pass - b.Pass, Fail: a.Fail - b.Fail, Muted: a.Muted - b.Muted}
}

func (s *site) source(r *http.Request) (*pageData, error) {
	ctx, domain, name := r.Context(), r.URL.Query().Get("domain"), r.URL.Query().Get("source")
	src, days, ok, err := s.history.Source(ctx, domain, name)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errNotFound
	}
	data := &pageData{Title: name + " for " + domain, Domain: domain, Source: &src}
	data.Days, data.Period = window(days, 0)
	data.Volumes = outcomeChart(data.Days, 720, 180)
	if data.Rows, err = s.history.Rows(ctx, domain, name, history.Period{}); err != nil {
		return nil, err
	}
	slices.Reverse(data.Rows)
	if len(data.Rows) > maxRows {
		data.More = len(data.Rows) - maxRows
		data.Rows = data.Rows[:maxRows]
	}
	events, err := s.history.Events(ctx, domain)
	if err != nil {
		return nil, err
	}
	data.Events = slices.DeleteFunc(events, func(e history.Event) bool { return e.Source != name })
	return data, nil
}

// upload adds the reports of a file that somebody at the page chose.
func (s *site) upload(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxUpload)
	file, header, err := r.FormFile("report")
	if err != nil {
		http.Error(w, "choose a file of at most 32 MB", http.StatusBadRequest)
		return
	}
	defer file.Close()
	var lines []string
	in := &ingester{app: s.app, history: s.history, now: time.Now, bar: new(progress.Bar), counts: make(map[history.Status]int)}
	in.tell = func(line string) { lines = append(lines, line) }
	whole := func() io.Reader { return io.NewSectionReader(file, 0, header.Size) }
	src := source{name: header.Filename, again: func(read func(io.Reader) error) error { return read(whole()) }}
	if err := errors.Join(in.input(r.Context(), whole(), src), in.flush(r.Context())); err != nil {
		lines = append(lines, strings.Split(err.Error(), "\n")...)
	}
	var text strings.Builder
	text.WriteString(header.Filename + ": " + cmp.Or(in.summary(), "no report was added"))
	for _, line := range lines[:min(len(lines), maxLines)] {
		text.WriteString("\n" + strings.ToValidUTF8(line[:min(len(line), maxLine)], ""))
	}
	http.Redirect(w, r, "/?message="+s.messages.add(text.String()), http.StatusSeeOther)
}
