package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dnscheck"
	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/examples/internal/explained"
	"github.com/mailfault/mailfault/smtpcode"
)

// gateway decides what happens to a mail; both doors ask it.
type gateway struct {
	Hostname   string            // of the gateway: in replies, and the authserv-id of RFC 8601
	Inside     []netip.Prefix    // clients whose mail is our own
	OwnDomains []string          // domains and hosts of the sending side
	MaxReport  int64             // bytes of a possible report that are read before it is passed on
	Timeout    time.Duration     // of the questions to DNS about one mail
	Resolver   dnscheck.Resolver // nil: no SPF and no DMARC
	Sent       *sentMail         // nil: no look-up of mail sent
	Key        batvKey           // nil: reverse paths are not signed
	Events     *events           // nil: reports go nowhere but on
	Log        *slog.Logger
}

// envelope is what SMTP says about a mail.
type envelope struct {
	Door     string // smtp or milter
	Client   netip.Addr
	HELO     string
	From     string // reverse path; "" for a report
	To       []string
	Trusted  bool // the client is inside, or logged in
	Unsigned bool // a recipient should carry our signature and does not
	Signed   bool // a recipient carries our signature
}

// mail is a mail as far as it was read.
type mail struct {
	envelope
	data  []byte // the header and, of a mail that may be a report, MaxReport bytes of the body
	split int    // where the header ends, its empty line included
	whole bool   // data is all of it
}

func (m *mail) header() []byte { return m.data[:m.split:m.split] }
func (m *mail) body() []byte   { return m.data[m.split:] }

// decision is what a door does to a mail: it goes on in every case.
type decision struct {
	Add   []field // on top
	Event *event  // nil: no report
}

// inside reports whether the client is one of ours.
func (g *gateway) inside(client netip.Addr) bool {
	for _, p := range g.Inside {
		if p.Contains(client.Unmap()) {
			return true
		}
	}
	return false
}

// strip says which fields of the mail must go; mail of our own that we have
// nothing to say about keeps what it has.
func (g *gateway) strip(m *mail, d decision) func(name, value string) bool {
	if m.Trusted && len(d.Add) == 0 {
		return func(string, string) bool { return false }
	}
	return g.removed
}

// mayBeReport reports whether the body is worth reading: judged from the
// envelope and the header alone.
func (m *mail) mayBeReport() bool {
	return m.From == "" || dsn.Classify(dsn.ReadHeader(m.header())).Author == dsn.Reporter
}

// decide is the one decision of both doors. It always comes to one: what fails
// on the way leaves the mail as it came, and says so in the log.
func (g *gateway) decide(ctx context.Context, m *mail) (d decision) {
	defer func() {
		if r := recover(); r != nil {
			g.Log.Error("no decision: the mail passes as it came", "panic", fmt.Sprint(r), "client", m.Client)
			d = decision{}
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, g.Timeout)
	defer cancel()
	if m.Trusted && m.From != "" {
		if err := g.Sent.add(get(m.header(), "Message-ID"), time.Now()); err != nil {
			g.Log.Error("sent mail not written down", "err", err)
		}
	} else if !m.Trusted && g.Resolver != nil {
		d.Add = g.authenticate(ctx, m)
	}
	if !m.mayBeReport() {
		return d
	}
	doc := explained.Mail(m.Door, 0, m.data)
	if doc.Kind == explained.NotAReport {
		return d
	}
	origin := g.origin(ctx, m, doc.Report)
	d.Add = append(d.Add, resultFields(&doc, origin)...)
	d.Event = newEvent(m, doc, origin)
	return d
}

// maxRecipients is how many recipients of a report get fields of their own.
const maxRecipients = 10

// resultFields says in fields what a report means; recipient by recipient, each
// group led by the address.
func resultFields(doc *explained.Document, o dsn.Origin) []field {
	fields := []field{{prefix + "Report", clean(doc.Kind)}, {prefix + "Origin", o.Verdict.String()}}
	add := func(name, value string) {
		if value != "" {
			fields = append(fields, field{prefix + name, clean(value)})
		}
	}
	for i, r := range doc.Recipients {
		if i == maxRecipients {
			add("More-Recipients", fmt.Sprint(len(doc.Recipients)-i))
			break
		}
		d := r.Diagnosis
		add("Recipient", r.FinalRecipient)
		add("Action", r.Action.String())
		add("Condition", known(string(d.Condition)))
		switch {
		case o.Verdict == dsn.NotOurs: // what others have to do about their mail is not told to us
			add("First-Move", explained.ForgedAdvice)
			add("Address", smtpcode.Keep.String())
		default:
			add("Owner", known(parties(d.Owners)))
			if len(d.Steps) > 0 {
				add("First-Move", d.Steps[0].Text)
			}
			add("Address", d.Address.String())
		}
		add("Refuser", strings.TrimSpace(r.Refuser.By.String()+" "+r.Refuser.Host))
	}
	return fields
}

func known(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

func parties(list []smtpcode.Party) string {
	names := make([]string, len(list))
	for i, p := range list {
		names[i] = p.String()
	}
	return strings.Join(names, ", ")
}

// id names the mail, so that whoever gets an event twice can tell.
func (m *mail) id() string {
	sum := sha256.Sum256(m.data)
	return hex.EncodeToString(sum[:16])
}
