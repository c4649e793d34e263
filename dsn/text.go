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
	if strings.ContainsAny(text, "\x00\u00a0’") {
		text = typography.Replace(text)
	}
	return singleSpaced(text)
}

// typography is what programs put into a text on its way, and what stood there.
var typography = strings.NewReplacer("\x00", "", "\u00a0", " ", "’", "'")

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
	for _, f := range t.found {
		if len(r.Recipients) >= b.reader.maxRecipients() {
			b.found(findingTooManyRecipients, r.Path, 0)
			break
		}
		r.Recipients = append(r.Recipients, f.recipient(t.action()))
	}
	if t.derived {
		b.found(findingRecipientDerived, r.Path, 0)
	}
}

// found is a recipient and the text about it.
type textRecipient struct {
	address  string
	original string // it was generated or expanded from
	line     int    // of the text; -1 when a header field named it
	before   string // it in its line
	about    string // with its line breaks
	host     string
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
		r.Status = bracketedStatus(raw)
	}
	r.StatusRaw = r.Status.String()
	if f.host == "" {
		f.host = remoteHost(raw)
	}
	if lower := strings.ToLower(f.before); f.host == "" && len(lower) == len(f.before) {
		f.host = actingHost(f.before, lower, hostWords().in(lower))
	}
	if f.host != "" {
		r.RemoteMTA = MTA{Host: f.host, Raw: f.host}
	}
	return r
}

// replyIn finds the reply of a server in the text about a recipient: its lines
// up to a blank line, or one after a blank line that goes on with its code.
func replyIn(about string) (reply smtpcode.Reply, text string, ok bool) {
	about, at := unbrokenReply(about)
	if at < 0 {
		return reply, "", false
	}
	text = about[at:]
	end := 0
	for {
		i := strings.Index(text[end:], "\n\n")
		if i < 0 {
			end = len(text)
			break
		}
		rest := strings.TrimLeft(text[end+i:], "\n ")
		if len(text) < 3 || !strings.HasPrefix(rest, text[:3]) {
			end += i
			break
		}
		end += i + 2
	}
	text = singleLine(text[:end])
	if at > 0 {
		if close := strings.IndexByte("[]()''\"\"", about[at-1]); close >= 0 {
			if i := strings.LastIndexByte(text, "[]()''\"\""[close|1]); i > 0 {
				text = text[:i]
			}
		}
	}
	if strings.HasSuffix(text, ")") && !strings.Contains(text, "(") {
		text = text[:len(text)-1] // sendmail's "(reason: 550 5.1.1 ...)"
	}
	if len(text) > 8 && text[:3] == text[4:7] && text[3] == ' ' {
		text = text[4:] // Google writes the code twice
	}
	if len(text) > 4 && text[3] == ':' {
		text = text[:3] + text[4:] // "550: 5.1.1 ...", as Yahoo writes it
	}
	return smtpcode.ParseReply(text), text, true
}

// unbrokenReply returns where the first reply in a text begins, and the text, on
// one line where the reply has a line break behind its code; -1 is none.
func unbrokenReply(about string) (string, int) {
	at := replyStart(about)
	if at < 0 && strings.IndexByte(about, '\n') >= 0 {
		about = strings.ReplaceAll(about, "\n", " ")
		at = replyStart(about)
	}
	return about, at
}

func hasReply(about string) bool {
	_, at := unbrokenReply(about)
	return at >= 0
}

// replyStart returns where the first reply in a text begins; -1 is none.
func replyStart(about string) int {
	from := 0
	for r := range smtpcode.FindReplies(about) {
		i := strings.Index(about[from:], r.Raw)
		if i < 0 {
			return -1
		}
		at := from + i
		from = at + len(r.Raw)
		if r.Code == 0 && at > 0 {
			if about[at-1] == '#' {
				continue // "(#5.1.1)": a status alone, as qmail writes it
			}
			// "550: 5.1.1 ...", as Yahoo writes it.
			if before := strings.TrimRight(about[:at], ": "); len(before) >= 3 && len(before) < at && smtpcode.ParseReply(before[len(before)-3:]+" x").Code > 0 && (len(before) == 3 || before[len(before)-4] <= ' ') {
				return len(before) - 3
			}
		}
		return at
	}
	return -1
}

// bracketedStatus reads "(#5.1.1)", as qmail writes it.
func bracketedStatus(s string) smtpcode.Status {
	for from := 0; ; {
		i := strings.Index(s[from:], "(#")
		if i < 0 {
			return smtpcode.Status{}
		}
		from += i + 2
		if status, _, ok := smtpcode.CutStatus(s[from:]); ok {
			return status
		}
	}
}
