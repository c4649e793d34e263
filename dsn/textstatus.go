package dsn

import (
	"slices"
	"strings"

	"github.com/mailfault/mailfault/internal/mime"
)

// statusInText reads the fields of RFC 3464 that stand in a text: the part's
// boundary was lost, or a program writes them for people. They are declared all
// the same.
func (b *builder) statusInText(t *textReader) bool {
	if !slices.ContainsFunc(t.lines, func(l textLine) bool { return strings.HasPrefix(l.lower, "final-recipient") }) {
		return false
	}
	start, finals := -1, 0
	var fields strings.Builder
	for i := range t.lines {
		l := &t.lines[i]
		name, _, ok := strings.Cut(l.lower, ":")
		name = strings.TrimRight(name, " ")
		known := ok && l.indent == 0 && (messageFields[name] != nil || recipientFields[name] != nil)
		if known && name == "final-recipient" {
			finals++
		}
		if start < 0 && known {
			start = i
		}
		if start < 0 || strings.HasPrefix(l.text, "--") || ok && name == "content-type" {
			continue
		}
		if l.indent > 0 {
			fields.WriteByte(' ')
		}
		fields.WriteString(l.text)
		fields.WriteByte('\n')
	}
	if finals == 0 || !strings.Contains(strings.ToLower(fields.String()), "\nstatus:") && !strings.Contains(strings.ToLower(fields.String()), "\naction:") && !strings.HasPrefix(strings.ToLower(fields.String()), "action:") {
		return false
	}
	b.status(fields.String(), 0, RFC3464, b.report.Path)
	b.found(findingStatusInText, b.report.Path, 0)
	b.report.TextFormat = t.format.name
	b.returnedInText(t)
	return true
}

// returnedInText keeps the copy of the returned message behind the text.
func (b *builder) returnedInText(t *textReader) {
	if b.report.Returned != nil || strings.TrimSpace(t.copied) == "" {
		return
	}
	copied := strings.TrimLeft(t.copied, "\n\r-=_* ")
	header, body := mime.Message(copied)
	if len(header) < 2 {
		return
	}
	r := &Returned{Header: Header{header}, Raw: copied, Path: b.report.Path, Extent: Whole}
	if strings.TrimSpace(body) == "" {
		r.Extent = HeadersOnly
	}
	b.report.Returned = r
}

// said reads the text about recipients whose fields have no diagnostic code:
// OpenSMTPD writes the server's reply nowhere else, Exim its own reason.
func (b *builder) said(root *mime.Part) {
	r := b.report
	missing := func(rcpt Recipient) bool { return rcpt.Diagnostic.Raw == "" }
	if r.Kind != DeliveryStatus || r.Format == Prose || r.Explanation.Text == "" || !slices.ContainsFunc(r.Recipients, missing) {
		return
	}
	t := newTextReader(root.Header, r.Explanation.Text[:min(len(r.Explanation.Text), maxText)], b.reader.maxRecipients())
	t.declared(r.Recipients)
	t.readRecipients()
	for i := range r.Recipients {
		rcpt := &r.Recipients[i]
		if at := t.index(rcpt.FinalRecipient.Address); at >= 0 && missing(*rcpt) {
			rcpt.Said = t.found[at].recipient(0).Diagnostic
		}
	}
}

// declared tells the reader the names that the fields have for recipients that
// are no addresses: a text such as Exim's writes "save to /var/mail/ann" where the
// fields name the file.
func (t *textReader) declared(recipients []Recipient) {
	if !t.format.textCounts {
		return
	}
	t.failed, t.failedSet = nil, nil
	for i := range recipients {
		if name := recipients[i].FinalRecipient.Address; name != "" && !strings.Contains(name, "@") {
			t.failed = append(t.failed, name)
		}
	}
}
