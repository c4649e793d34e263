package main

import (
	"bytes"
	"context"
	"crypto/subtle"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/examples/internal/database"
	"github.com/mailfault/mailfault/examples/internal/mailbox"
	"github.com/mailfault/mailfault/examples/internal/page"
	"github.com/mailfault/mailfault/smtpcode"
)

// maxPaste bounds what the page takes to explain.
const maxPaste = 8 << 20

// site is the page, and the door for raw mail.
type site struct {
	*desk
	history *history.History // nil: none
	token   string           // that POST /mail asks for; "" for none
	log     func(error)
}

func (k *desk) serve(ctx context.Context, o *options, stdout, stderr io.Writer) error {
	s := &site{desk: k, log: func(err error) { fmt.Fprintln(stderr, "ticketing:", err) }}
	if o.token != "" {
		token, err := os.ReadFile(o.token)
		if err != nil {
			return err
		}
		s.token = strings.TrimSpace(string(token))
	}
	if o.history != "" {
		h, end, err := database.OpenOldHistory(ctx, o.history)
		if err != nil {
			return fmt.Errorf("-history: %w", err)
		}
		defer end()
		s.history = h
	}
	return page.Serve(ctx, o.listen, stdout, s.handler())
}

func (s *site) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.show("list", s.list))
	mux.HandleFunc("GET /ticket/{id}", s.show("ticket", s.oneTicket))
	mux.HandleFunc("POST /ticket/{id}/state", s.changeState)
	mux.HandleFunc("GET /mail/{id}", s.show("report", s.oneMail))
	mux.HandleFunc("GET /explain", s.show("paste", func(*http.Request) (any, error) { return nil, nil }))
	mux.HandleFunc("POST /explain", s.show("report", s.explain))
	mux.HandleFunc("POST /dns", s.show("dns", s.dns))
	mux.HandleFunc("POST /mail", s.takeMail)
	mux.HandleFunc("GET /style.css", page.ServeStyle)
	return page.Secure(mux)
}

// takeMail takes raw mail in. Only a 200 means that it is stored.
func (s *site) takeMail(w http.ResponseWriter, r *http.Request) {
	given := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	if s.token != "" && subtle.ConstantTimeCompare([]byte(given), []byte(s.token)) != 1 {
		http.Error(w, "the bearer token is wrong", http.StatusUnauthorized)
		return
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mailbox.MaxMessage))
	if err != nil {
		http.Error(w, "the mail could not be read to its end: "+err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	if len(bytes.TrimSpace(data)) == 0 {
		http.Error(w, "no mail", http.StatusBadRequest)
		return
	}
	o, err := s.take(r.Context(), data)
	if err != nil {
		s.log(err)
		w.Header().Set("Retry-After", "60")
		http.Error(w, "not stored: send it again", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(o)
}

// problem is what the visitor did wrong.
type problem struct {
	status int
	text   string
}

func (p problem) Error() string { return p.text }

var errNoSuch = problem{http.StatusNotFound, "There is nothing here."}

//go:embed page.html
var pageSource string

var pageTemplate = template.Must(template.New("page").Funcs(page.Funcs).Funcs(template.FuncMap{"sentence": sentence}).Parse(page.Parts + pageSource))

// show writes a view of the page.
func (s *site) show(view string, build func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, maxPaste)
		data, err := build(r)
		view, status := view, http.StatusOK // this answer's
		var wrong problem
		switch {
		case errors.As(err, &wrong):
			view, data, status = "problem", wrong.text, wrong.status
		case err != nil:
			s.log(err)
			view, data, status = "problem", "The store cannot be read just now. Nothing is lost; try again.", http.StatusServiceUnavailable
		}
		var b bytes.Buffer
		if err := pageTemplate.ExecuteTemplate(&b, "page", map[string]any{"View": view, "Data": data, "Path": r.URL.Path}); err != nil {
			s.log(err)
			http.Error(w, "the page cannot be shown", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(status)
		w.Write(page.Clean(b.Bytes()))
	}
}

type listView struct {
	Tickets   []ticketRow
	Elsewhere []mailRow
	Patterns  []smtpcode.Pattern
	Waits     int    // events for the webhook
	Problem   string // of the webhook
}

func (s *site) list(r *http.Request) (any, error) {
	ctx := r.Context()
	var v listView
	var errs [4]error
	v.Tickets, errs[0] = s.tickets(ctx)
	v.Elsewhere, errs[1] = s.elsewhere(ctx)
	v.Patterns, errs[2] = s.patterns(ctx, time.Time{})
	v.Waits, v.Problem, errs[3] = s.outboxState(ctx)
	return v, errors.Join(errs[:]...)
}

type ticketView struct {
	ticketRow
	Entries []entry
}

func (s *site) oneTicket(r *http.Request) (any, error) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		return nil, errNoSuch
	}
	t, ok, err := s.ticket(r.Context(), id)
	if err != nil {
		return nil, err
	} else if !ok {
		return nil, errNoSuch
	}
	entries, err := s.entries(r.Context(), id)
	return ticketView{t, entries}, err
}

// changeState closes or opens a ticket.
func (s *site) changeState(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	state := r.PostFormValue("state")
	if err != nil || state != open && state != closed {
		http.Error(w, "no such ticket or state", http.StatusBadRequest)
		return
	}
	if err := s.setState(r.Context(), id, state, s.now()); err != nil {
		s.log(err)
		http.Error(w, "the store cannot be written just now; try again", http.StatusServiceUnavailable)
		return
	}
	http.Redirect(w, r, "/ticket/"+strconv.FormatInt(id, 10), http.StatusSeeOther)
}
