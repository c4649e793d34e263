package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/dnscheck"
	"github.com/mailfault/mailfault/examples/internal/explained"
	"github.com/mailfault/mailfault/examples/internal/page"
	"github.com/mailfault/mailfault/ndr"
	"github.com/mailfault/mailfault/smtpcode"
)

// reportView is a report as the page shows it.
type reportView struct {
	Doc        explained.Document
	Mail       *mailRow // where it was taken in; nil for a paste
	Recipients []recipientView
	More       int          // recipients that are not shown
	Text       []page.Piece // the report's own text
	Path       ndr.Path
}

// recipientView is one recipient.
type recipientView struct {
	explained.Recipient
	Columns []page.Column
	Replies [][]page.Piece     // outermost first
	Checks  []dnscheck.Refusal // questions for DNS
	Seen    []string           // what DMARC reports say of the source
}

// Bounds of what is shown.
const (
	maxShown   = 50
	maxReplies = 10
	maxText    = 64 << 10
	maxSteps   = 50
)

func (s *site) explain(r *http.Request) (any, error) {
	data, err := pasted(r)
	if err != nil {
		return nil, problem{http.StatusBadRequest, fmt.Sprintf("That could not be read: %v. Paste or upload at most %d MB.", err, maxPaste>>20)}
	}
	if strings.TrimSpace(string(data)) == "" {
		return nil, problem{http.StatusBadRequest, "Paste a bounce, or choose a file."}
	}
	return s.view(r.Context(), explained.Any("", 0, data), data), nil
}

// pasted is the file that was uploaded, else the text.
func pasted(r *http.Request) ([]byte, error) {
	if err := r.ParseMultipartForm(1 << 20); err != nil && err != http.ErrNotMultipart {
		return nil, err
	}
	if r.MultipartForm != nil {
		defer r.MultipartForm.RemoveAll()
		if files := r.MultipartForm.File["file"]; len(files) > 0 && files[0].Size > 0 {
			f, err := files[0].Open()
			if err != nil {
				return nil, err
			}
			defer f.Close()
			return io.ReadAll(f)
		}
	}
	return []byte(r.FormValue("text")), nil
}

func (s *site) oneMail(r *http.Request) (any, error) {
	m, ok, err := s.mail(r.Context(), r.PathValue("id"))
	if err != nil {
		return nil, err
	} else if !ok {
		return nil, errNoSuch
	}
	v := s.view(r.Context(), explained.Any("", 0, m.Raw), m.Raw)
	v.Mail = &m
	return v, nil
}

// view lays a report out.
func (s *site) view(ctx context.Context, doc explained.Document, data []byte) *reportView {
	v := &reportView{Doc: doc, Path: pathOf(&doc)}
	var failures []smtpcode.Failure
	var diagnoses []smtpcode.Diagnosis
	for i, r := range doc.Recipients {
		if i == maxShown {
			v.More = len(doc.Recipients) - i
			break
		}
		failures, diagnoses = append(failures, r.Failure), append(diagnoses, r.Diagnosis)
		row := recipientView{Recipient: r, Columns: page.Columns(r.Diagnosis.Owners)}
		for i, reply := range r.Failure.Replies[:min(len(r.Failure.Replies), maxReplies)] {
			row.Replies = append(row.Replies, page.MarkReply(reply.Raw, i, r.Diagnosis.Evidence))
		}
		row.Checks = s.checks(&doc, &r)
		row.Seen = s.seen(ctx, &r)
		v.Recipients = append(v.Recipients, row)
	}
	v.Text = page.MarkText(ownText(&doc, data), failures, diagnoses)
	return v
}

// ownText is the report's text for people; HTML is shown as its text.
func ownText(doc *explained.Document, data []byte) string {
	text := string(data)
	switch {
	case doc.Report != nil && strings.TrimSpace(doc.Report.Explanation.Text) != "":
		text = doc.Report.Explanation.Text
	case doc.Report != nil && doc.Report.Explanation.HTML != "":
		text = page.HTMLText(doc.Report.Explanation.HTML)
	case explained.Sniff(data) == explained.ShapeHTML:
		text = page.HTMLText(text)
	}
	if len(text) > maxText {
		text = text[:maxText] + "\n(cut here)"
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// pathOf is the way of the message, as the report or its header tells it.
func pathOf(doc *explained.Document) ndr.Path {
	var p ndr.Path
	if doc.Notice != nil {
		p = doc.Notice.Path()
	}
	if len(p.Steps) == 0 && doc.Report != nil && doc.Report.Returned != nil {
		p = ndr.PathOf(doc.Report.Returned.Header)
	}
	p.Steps = p.Steps[:min(len(p.Steps), maxSteps)]
	if p.Slowest >= len(p.Steps) || p.Slowest >= 0 && p.Steps[p.Slowest].Delay < time.Minute {
		p.Slowest = -1 // nothing was slow
	}
	return p
}

func delayText(d time.Duration) string {
	switch {
	case d == 0:
		return ""
	case d < 0:
		return fmt.Sprintf("%s early: the clocks differ", -d)
	}
	return "after " + d.String()
}

// seen is what DMARC reports say of the source that was refused.
func (s *site) seen(ctx context.Context, r *explained.Recipient) []string {
	f := &r.Failure
	domain := f.AuthorDomain
	if domain == "" {
		domain = domainOf(f.EnvelopeFrom)
	}
	if s.history == nil || domain == "" || !f.SendingIP.IsValid() {
		return nil
	}
	day := f.Date
	if day.IsZero() {
		day = s.now()
	}
	m, err := s.history.Find(ctx, history.Refusal{AuthorDomain: domain, IP: f.SendingIP, Day: history.DayOf(day)})
	if err != nil {
		s.log(err)
		return []string{"The history cannot be read just now."}
	}
	if m.Domain == "" {
		return []string{"No report about " + domain + " has come."}
	}
	lines := []string{fmt.Sprintf("%s for %s: the fit with the refusal is %s.", f.SendingIP, m.Domain, m.Grade)}
	if m.Known {
		lines = append(lines, fmt.Sprintf("Known since %s, now %s: %d mails passed, %d failed.", m.Source.FirstSeen, m.Source.State, m.Source.Pass, m.Source.Fail))
	}
	if names := m.Reporters(); len(names) > 0 {
		lines = append(lines, "Failures around that day were reported by "+strings.Join(names, ", ")+".")
	}
	if len(m.Elsewhere) > 0 {
		lines = append(lines, "It also sends for "+strings.Join(m.Elsewhere, ", ")+".")
	}
	if m.Open {
		lines = append(lines, "Reports about that day may still come.")
	}
	return lines
}
