package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	netmail "net/mail"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/examples/internal/explained"
)

// kind says what a mail is to a desk.
type kind string

const (
	report      kind = "report"      // what became of our mail
	backscatter kind = "backscatter" // a report about mail that is not ours
	unproven    kind = "unproven"    // a report that may be about our mail or not
	autoReply   kind = "auto-reply"  // a program's answer, a receipt, a challenge
	person      kind = "person"
	automatic   kind = "automatic" // a list or a program wrote it
	unknown     kind = "unknown"   // it says it is a report and cannot be read
)

// mail is a mail that came in, as far as it tells about itself.
type mail struct {
	data    []byte
	id      string // the same for every copy
	header  dsn.Header
	class   dsn.Class
	doc     explained.Document
	from    string // bare address of the author
	subject string
	at      time.Time // when it was taken in
}

// read takes a mail apart; no question is asked of anybody.
func read(data []byte, now time.Time) *mail {
	m := &mail{data: data, header: dsn.ReadHeader(data), at: now}
	m.class = dsn.Classify(m.header)
	m.id = copyID(m.header, data)
	m.subject = strings.ToValidUTF8(m.header.Get("Subject"), "\uFFFD")
	m.from = bareAddress(m.header.Get("From"))
	m.doc = explained.New("", 0, explained.NotAReport)
	// A person who forwards a bounce stays a person.
	if m.class.Author != dsn.Person || strings.TrimSpace(m.header.Get("Return-Path")) == "<>" {
		m.doc = explained.Mail("", 0, data)
	}
	return m
}

// about is what a report says in short, "" where the mail is none.
func (m *mail) about() string {
	if len(m.doc.Recipients) == 0 {
		return ""
	}
	r := &m.doc.Recipients[0]
	words := r.FinalRecipient + ": " + r.Diagnosis.Summary
	if more := len(m.doc.Recipients) - 1; more > 0 {
		words += fmt.Sprintf(" (and %d more)", more)
	}
	return words
}

func (m *mail) isReport() bool { return m.doc.Kind != explained.NotAReport && m.doc.Report != nil }

// copyID names a mail whichever way a copy came: the fields that servers write
// on the way are left out, and so is the form of line ends.
func copyID(h dsn.Header, data []byte) string {
	hash := sha256.New()
	for _, name := range [...]string{"Message-ID", "Date", "From", "Subject"} {
		fmt.Fprintf(hash, "%s\x00", strings.Join(h.All(name), "\x01"))
	}
	data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	if _, body, ok := bytes.Cut(data, []byte("\n\n")); ok {
		data = body
	}
	hash.Write(bytes.TrimRight(data, "\n"))
	return hex.EncodeToString(hash.Sum(nil)[:16])
}

func bareAddress(value string) string {
	if a, err := netmail.ParseAddress(value); err == nil {
		return a.Address
	}
	if _, after, ok := strings.Cut(value, "<"); ok {
		value, _, _ = strings.Cut(after, ">")
	}
	return strings.TrimSpace(value)
}

// arrivalFields say which address a mail came to.
var arrivalFields = []string{"Delivered-To", "X-Original-To", "Envelope-To", "To"}

// arrivals are the addresses a mail came to.
func (m *mail) arrivals() []string {
	var all []string
	for _, name := range arrivalFields {
		for _, value := range m.header.All(name) {
			for address := range strings.SplitSeq(value, ",") {
				all = append(all, bareAddress(address))
			}
		}
	}
	return all
}

// returnedField is a field of the message a report is about.
func (m *mail) returnedField(name string) string {
	if m.doc.Report == nil || m.doc.Report.Returned == nil {
		return ""
	}
	return m.doc.Report.Returned.Header.Get(name)
}

// thread is what leads from the mail to what it is about.
func (m *mail) thread() dsn.Thread {
	if m.doc.Report != nil {
		return m.doc.Report.Thread()
	}
	return (&dsn.Report{Header: m.header, Returned: &dsn.Returned{Header: onlyThread(m.header)}}).Thread()
}

// onlyThread leaves the mail's own id out: it is about another mail.
func onlyThread(h dsn.Header) dsn.Header {
	return dsn.NewHeader(func(yield func(string, string) bool) {
		for _, name := range [...]string{"In-Reply-To", "References"} {
			if h.Has(name) && !yield(name, h.Get(name)) {
				return
			}
		}
	})
}
