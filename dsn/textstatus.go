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
	begun, recipient, fate := false, false, false
	var fields strings.Builder
	for i := range t.lines {
		l := &t.lines[i]
		name, _, ok := strings.Cut(l.lower, ":")
		name = strings.TrimRight(name, " ")
		known := ok && l.indent == 0 && (messageFields[name] != nil || recipientFields[name] != nil)
		begun = begun || known
		recipient = recipient || known && name == "final-recipient"
		fate = fate || known && (name == "action" || name == "status")
		if !begun || strings.HasPrefix(l.text, "--") || ok && name == "content-type" {
			continue
		}
		if l.indent > 0 {
			fields.WriteByte(' ')
		}
		fields.WriteString(l.text)
		fields.WriteByte('\n')
	}
	if !recipient || !fate {
		return false
	}
	b.status(fields.String(), 0, RFC3464, b.report.Path)
	b.found(findingStatusInText, b.report.Path, 0)
	b.report.TextFormat = t.format.name
	b.returnedInText(t)
	return true
}

// withHeaderFields puts the fields of a delivery status that stand in its part's
// header before its body: the blank line between them is missing. It returns a copy,
// and where that begins in the mail.
func (b *builder) withHeaderFields(p *mime.Part, body string) (string, int) {
	for i, f := range p.Header {
		name := strings.ToLower(f.Name)
		if messageFields[name] == nil && recipientFields[name] == nil {
			continue
		}
		b.found(findingMerged, p.Path, f.Offset)
		var fields strings.Builder
		for _, f := range p.Header[i:] {
			fields.WriteString(f.Name + ":" + strings.TrimRight(f.Raw, "\r\n") + "\n")
		}
		fields.WriteString("\n" + body)
		return fields.String(), f.Offset
	}
	return strings.Clone(body), p.Offset
}

// statusMistyped reads the fields of RFC 3464 in a part that gateways and mail
// programs made a text or an attachment of.
func (b *builder) statusMistyped(root *mime.Part) bool {
	for _, p := range root.Parts {
		if b.statusMistyped(p) {
			return true
		}
		if len(p.Parts) > 0 || p.Type != "application/octet-stream" && p.Type != "text/plain" {
			continue
		}
		body, _ := p.Decoded()
		if !beginsStatus(body) {
			continue
		}
		b.status(strings.Clone(body), p.Offset, RFC3464, p.Path)
		b.found(findingStatusInText, p.Path, p.Offset)
		return true
	}
	return false
}

// beginsStatus reports whether a part is nothing but the fields of a delivery
// status, a recipient and what became of it among them.
func beginsStatus(body string) bool {
	var recipient, fate bool
	for line := range strings.Lines(body[:min(len(body), maxTextHead)]) {
		if strings.TrimSpace(line) == "" || line[0] == ' ' || line[0] == '\t' {
			continue
		}
		name, _, ok := strings.Cut(line[:min(len(line), 80)], ":")
		name = strings.ToLower(strings.TrimSpace(name))
		if !ok || strings.ContainsAny(name, " \t") {
			return false
		}
		recipient = recipient || name == "final-recipient" || name == "original-recipient"
		fate = fate || name == "action" || name == "status"
	}
	return recipient && fate
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
	e := &r.Explanation
	missing := func(rcpt Recipient) bool { return rcpt.Diagnostic.Raw == "" }
	if r.Kind != DeliveryStatus || r.Format == Prose || e.Text == "" && e.HTML == "" || !slices.ContainsFunc(r.Recipients, missing) {
		return
	}
	t := newTextReader(root.Header, b.explanation(root), b.reader.maxRecipients())
	t.declared(r.Recipients)
	t.readRecipients()
	if len(t.found) == 0 && len(r.Recipients) == 1 {
		t.unnamed()
	}
	for i := range r.Recipients {
		rcpt := &r.Recipients[i]
		if at := t.of(rcpt, len(r.Recipients) == 1); at >= 0 && missing(*rcpt) {
			rcpt.Said = t.found[at].recipient(0).Diagnostic
		}
	}
}

// of returns which of the text's recipients a declared one is; -1 is none. The
// text may name him as he was written to, or the address that it made of that
// one; where each has only one, they are the same.
func (t *textReader) of(rcpt *Recipient, only bool) int {
	for _, address := range [...]string{rcpt.FinalRecipient.Address, rcpt.OriginalRecipient.Address} {
		if at := t.index(address); at >= 0 && address != "" {
			return at
		}
	}
	if only && len(t.found) == 1 {
		return 0
	}
	if t.madeOf == nil {
		t.madeOf = make(map[string]int)
		for i := range t.found {
			if original := strings.ToLower(t.found[i].original); original != "" {
				t.madeOf[original] = i
			}
		}
	}
	if at, ok := t.madeOf[strings.ToLower(rcpt.FinalRecipient.Address)]; ok {
		return at
	}
	return -1
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
