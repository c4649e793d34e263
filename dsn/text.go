package dsn

import (
	"strings"

	"github.com/mailfault/mailfault/internal/mime"
	"github.com/mailfault/mailfault/smtpcode"
)

const (
	maxText       = 1 << 20 // bytes of a text that are read for facts about the failure
	maxTextHead   = 8 << 10 // bytes of it in which a format must show
	maxTextReason = 2 << 10 // bytes of the text about one recipient that are kept
)

// prose reads a mail that has no delivery-status part, if it is a bounce.
// Facts are taken from before the returned message alone.
func (b *builder) prose(root *mime.Part) {
	text := b.explanation(root)
	if b.notification(text) {
		return
	}
	t := newTextReader(root.Header, text, b.reader.maxRecipients())
	if b.place != inText && !t.daemon && !t.header.Has("X-Failed-Recipients") && b.pasted(text, namedPaste) {
		return
	}
	b.readText(t, text)
}

// readText takes what a text says, if it is a bounce's.
func (b *builder) readText(t *textReader, text string) {
	if b.statusInText(t) {
		return
	}
	t.readRecipients()
	if len(t.found) == 0 && b.place != inText && strings.HasPrefix(t.copied, "From ") {
		if b.nested(b.parse(t.copied), inText) { // a report within the report's text
			return
		}
	}
	b.returnedInText(t)
	if len(t.found) == 0 {
		// A text that names nobody around a report is a gateway's: who failed
		// stands in the report, whose To is the sender. Within another mail,
		// wrapped goes on to it.
		if returned := b.report.Returned; returned != nil && t.format.name != "" && Classify(returned.Header).Author == Reporter && (b.place != outermost || b.wrapped()) {
			return
		}
		t.fromReturned(b.report.Returned)
	}
	if len(t.found) == 0 && t.asked {
		t.unnamed()
	}
	switch {
	case t.isBounce():
		b.take(t)
	case b.place == inText || t.format.name == "" || !b.pasted(text, openingPaste):
		b.report.TextFormat = ""
	}
}

// explanation returns the text for people: the plain one, else the HTML one as
// text, else the body of a multipart whose parts cannot be told.
func (b *builder) explanation(root *mime.Part) string {
	e := &b.report.Explanation
	text := e.Text
	if strings.TrimSpace(text) == "" && e.HTML != "" {
		text = htmlText(e.HTML)
	}
	if strings.TrimSpace(text) == "" && len(root.Parts) == 0 {
		text, _ = root.Text()
	}
	if len(text) > maxText {
		b.found(findingTextLimit, root.Path, 0)
		text = text[:maxText]
	}
	if containsAny(text, typographic) {
		text = typography.Replace(text)
	}
	return singleSpaced(text)
}

// typography is what programs put into a text on its way, and what stood there.
var (
	typography  = strings.NewReplacer("\x00", "", "\u00a0", " ", "’", "'")
	typographic = []string{"\x00", "\u00a0", "’"}
)

// take fills the report with what was read.
func (b *builder) take(t *textReader) {
	r := b.report
	r.Kind, r.Format, r.TextFormat = DeliveryStatus, Prose, t.format.name
	if r.TextFormat == "" {
		r.TextFormat = "generic"
	}
	if host := t.reporter(); host != "" && r.ReportingMTA.Raw == "" {
		r.ReportingMTA = MTA{Host: host, Raw: host}
	}
	action := t.action()
	for _, f := range t.found {
		if !b.add(f.recipient(action)) {
			break
		}
	}
	if t.derived {
		b.found(findingRecipientDerived, r.Path, 0)
	}
}

// add keeps a recipient that a text names, and reports whether there was room.
func (b *builder) add(rcpt Recipient) bool {
	if len(b.report.Recipients) >= b.reader.maxRecipients() {
		b.found(findingTooManyRecipients, b.report.Path, 0)
		return false
	}
	b.report.Recipients = append(b.report.Recipients, rcpt)
	return true
}

// textRecipient is a recipient and the text about it.
type textRecipient struct {
	address  string
	original string // it was generated or expanded from
	line     int    // of the text; -1 when a header field named it
	before   string // it in its line
	about    string // with its line breaks
	host     string
	status   smtpcode.Status // that the reporting system gave a reply without one
}

func (f *textRecipient) recipient(action smtpcode.Action) Recipient {
	r := Recipient{FinalRecipient: Address{Address: f.address, Raw: f.address}, Action: action}
	if f.original != "" && !strings.EqualFold(f.original, f.address) {
		r.OriginalRecipient = Address{Address: f.original, Raw: f.original}
	}
	about := strings.TrimSpace(f.about)
	if len(about) > maxTextReason {
		about = strings.ToValidUTF8(about[:maxTextReason], "")
	}
	if about == "" {
		return r
	}
	raw := singleLine(about)
	r.Diagnostic = Diagnostic{Text: raw, Raw: raw}
	if reply, text, ok := replyIn(about); ok {
		r.Diagnostic.Type, r.Diagnostic.Text = "smtp", text
		r.Status = reply.Status
	}
	if r.Status.IsZero() {
		r.Status = f.status
	}
	if r.Status.IsZero() {
		r.Status = bracketedStatus(raw)
	}
	r.StatusRaw = r.Status.String()
	if f.host == "" {
		f.host = remoteHost(raw)
	}
	if lower := strings.ToLower(f.before); f.host == "" && len(lower) == len(f.before) {
		f.host = actingHost(f.before, lower, hostWords().in(lower))
	}
	if f.host == "" && r.Diagnostic.Type == "smtp" {
		f.host = hostBefore(raw, r.Diagnostic.Text)
	}
	if f.host != "" {
		r.RemoteMTA = MTA{Host: f.host, Raw: f.host}
	}
	return r
}
