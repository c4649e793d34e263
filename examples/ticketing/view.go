package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/dnscheck"
	"github.com/mailfault/mailfault/examples/internal/explained"
	"github.com/mailfault/mailfault/examples/internal/page"
)

// reportView is a report as the page shows it.
type reportView struct {
	*page.Report
	Mail       *mailRow        // where it was taken in; nil for a paste
	Recipients []recipientView // those of the report, and more about each
}

// recipientView is one recipient.
type recipientView struct {
	page.Recipient
	Checks []dnscheck.Refusal // questions for DNS
	Seen   []string           // what DMARC reports say of the source
}

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
	v.Mail, v.Forged = &m, m.Kind == string(backscatter)
	return v, nil
}

// view lays a report out.
func (s *site) view(ctx context.Context, doc explained.Document, data []byte) *reportView {
	v := &reportView{Report: page.NewReport(doc, data)}
	for _, r := range v.Report.Recipients {
		v.Recipients = append(v.Recipients, recipientView{r, s.checks(&doc, &r.Recipient), s.seen(ctx, &r.Recipient)})
	}
	return v
}

// seen is what DMARC reports say of the source that was refused.
func (s *site) seen(ctx context.Context, r *explained.Recipient) []string {
	f := &r.Failure
	domain := f.AuthorDomain
	if domain == "" {
		domain = domainOf(f.EnvelopeFrom)
	}
	ip := explained.SendingIP(r)
	if s.history == nil || domain == "" || !ip.IsValid() {
		return nil
	}
	day := f.Date
	if day.IsZero() {
		day = s.now()
	}
	m, err := s.history.Find(ctx, history.Refusal{AuthorDomain: domain, IP: ip, Day: history.DayOf(day)})
	if err != nil {
		s.log(err)
		return []string{"The history cannot be read just now."}
	}
	if m.Domain == "" {
		return []string{"No report about " + domain + " has come."}
	}
	lines := []string{fmt.Sprintf("%s for %s: the fit with the refusal is %s.", ip, m.Domain, m.Grade)}
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
