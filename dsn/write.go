package dsn

import (
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strings"
	"time"

	"github.com/emersion/go-message"
	"github.com/mailfault/mailfault/internal/mime"
	"github.com/mailfault/mailfault/smtpcode"
)

// Writer composes reports: multipart/report mails of RFC 6522. Send them with
// the empty return path, MAIL FROM:<> (RFC 3461 section 6.1), so that nobody
// reports about a report; in the internationalized form only to a server that
// offers SMTPUTF8 (RFC 6533). The zero value has the defaults.
type Writer struct {
	From      string    // default: the report's own, else MAILER-DAEMON at the reporting MTA
	To        string    // default: the report's own, else the returned message's return path
	Subject   string    // default: the report's own, else one for its worst action
	Date      time.Time // default: the report's own, else now
	MessageID string    // with or without angle brackets; default: the report's own, else none
	Boundary  string    // default: a random one

	// MaxReturn is how many bytes of the message are returned: 50,000 when zero, no
	// limit when negative. Of a longer message only the header is.
	MaxReturn int64
	// HeadersOnly returns the header alone, as RET=HDRS asks for (RFC 3461 section
	// 4.3) and as is right for anything but a failure.
	HeadersOnly bool
}

const defaultMaxReturn = 50_000

// Errors of writing.
var (
	// ErrIncomplete says that a report lacks what the standard wants in it:
	// RFC 3464 requires the reporting MTA, and of each recipient the address, the
	// action and the status. It is not returned for a report that was read, which
	// is written as it stands.
	ErrIncomplete = errors.New("dsn: report is incomplete")
	// ErrEmptyReturnPath says that nothing may be reported: the message came from
	// the empty return path, so it was a report itself (RFC 3464 section 2).
	ErrEmptyReturnPath = errors.New("dsn: no report about a message with an empty return path")
	// ErrUnwritable says that a report's kind has no form to write, or that its
	// part of fields is not there.
	ErrUnwritable = errors.New("dsn: only delivery status, disposition and feedback reports can be written")
)

// NewReturned makes the returned message of a report to be written from the
// message as it was received, with its Return-Path field.
func NewReturned(message []byte) *Returned {
	raw := string(message)
	header, _ := mime.Message(raw)
	return &Returned{Header: Header{header}, Extent: Whole, Raw: raw}
}

// WriteTo writes the report as a mail with a Writer's defaults. It implements
// [io.WriterTo].
//
// A report that was read, written and read again has the same facts; only the
// form is mended. A report read out of a text becomes one with fields, and of a
// returned message that was cut the header alone is written.
func (r *Report) WriteTo(w io.Writer) (int64, error) { return (&Writer{}).Write(w, r) }

// Write writes the report as a mail, and returns how many bytes it wrote.
func (wr *Writer) Write(w io.Writer, r *Report) (int64, error) {
	reportType, err := writable(r)
	if err != nil {
		return 0, err
	}
	header, err := wr.header(r, reportType)
	if err != nil {
		return 0, err
	}
	counter := &countingWriter{w: w}
	mail, err := message.CreateWriter(counter, header)
	if err != nil {
		return counter.n, fmt.Errorf("dsn: %w", err)
	}
	global := isGlobal(r)
	part := func(contentType string, params map[string]string, encoding string, content []byte) {
		if err != nil {
			return
		}
		var h message.Header
		if encoding != "" {
			h.Set("Content-Transfer-Encoding", encoding)
		}
		h.SetContentType(contentType, params)
		var p *message.Writer
		if p, err = mail.CreatePart(h); err != nil {
			return
		}
		if _, err = p.Write(content); err == nil {
			err = p.Close()
		}
	}
	wr.explanation(r, part)
	statusType := "message/" + reportType
	if global && reportType != "feedback-report" {
		statusType = "message/global-" + reportType
	}
	status := statusBody(r, global)
	part(statusType, nil, encodingOf(status), status)
	if content, contentType := wr.returned(r, global); content != nil {
		part(contentType, nil, encodingOf(content), content)
	}
	if err == nil {
		err = mail.Close()
	}
	if err != nil {
		err = fmt.Errorf("dsn: %w", err)
	}
	return counter.n, err
}

// writable returns the report-type of a report, or why it has none.
func writable(r *Report) (string, error) {
	switch r.Kind {
	case DispositionNotification, FeedbackReport:
		if len(r.partFields()) == 0 {
			return "", ErrUnwritable
		}
		return r.Kind.String(), nil
	case KindUnknown, DeliveryStatus:
	default:
		return "", ErrUnwritable
	}
	if r.Format != FormatUnknown {
		return DeliveryStatus.String(), nil
	}
	switch {
	case r.ReportingMTA.Raw == "" && r.ReportingMTA.Host == "":
		return "", fmt.Errorf("%w: no reporting MTA", ErrIncomplete)
	case len(r.Recipients) == 0:
		return "", fmt.Errorf("%w: no recipient", ErrIncomplete)
	}
	for i := range r.Recipients {
		rcpt := &r.Recipients[i]
		switch {
		case rcpt.FinalRecipient.Raw == "" && rcpt.FinalRecipient.Address == "":
			return "", fmt.Errorf("%w: recipient %d has no address", ErrIncomplete, i)
		case rcpt.ActionRaw == "" && rcpt.Action == 0:
			return "", fmt.Errorf("%w: recipient %d has no action", ErrIncomplete, i)
		case rcpt.StatusRaw == "" && rcpt.Status.IsZero():
			return "", fmt.Errorf("%w: recipient %d has no status", ErrIncomplete, i)
		}
	}
	return DeliveryStatus.String(), nil
}

// header makes the header of the mail. Fields are put in front one by one, so
// the last comes first.
func (wr *Writer) header(r *Report, reportType string) (message.Header, error) {
	var h message.Header
	to, err := wr.to(r)
	if err != nil {
		return h, err
	}
	params := map[string]string{"report-type": reportType}
	if wr.Boundary != "" {
		params["boundary"] = wr.Boundary
	}
	h.SetContentType("multipart/report", params)
	h.Set("MIME-Version", "1.0")
	h.Set("Auto-Submitted", "auto-replied")
	if id := r.Thread().MessageID; id != "" {
		h.Set("References", "<"+oneLine(id)+">")
		h.Set("In-Reply-To", "<"+oneLine(id)+">")
	}
	if id := firstOf(wr.MessageID, r.Header.Get("Message-ID")); id != "" {
		h.Set("Message-ID", "<"+parseMessageID(oneLine(id))+">")
	}
	date := firstOf(formatDate(wr.Date), r.Header.Get("Date"), formatDate(time.Now()))
	h.Set("Date", oneLine(date))
	h.SetText("Subject", oneLine(firstOf(wr.Subject, r.Header.Get("Subject"), subject(r))))
	h.SetText("To", oneLine(to))
	h.SetText("From", oneLine(firstOf(wr.From, r.Header.Get("From"), "Mail Delivery System <MAILER-DAEMON@"+hostName(r.ReportingMTA)+">")))
	return h, nil
}

func (wr *Writer) to(r *Report) (string, error) {
	if to := firstOf(wr.To, r.Header.Get("To")); to != "" {
		return to, nil
	}
	if r.Format != FormatUnknown {
		return "undisclosed-recipients:;", nil // a report that was read without a To
	}
	if r.Returned == nil || !r.Returned.Header.Has("Return-Path") {
		return "", fmt.Errorf("%w: nobody to send it to, neither To nor a return path", ErrIncomplete)
	}
	to := bareAddress(r.Returned.Header.Get("Return-Path"))
	if to == "" {
		return "", ErrEmptyReturnPath
	}
	return "<" + to + ">", nil
}

// explanation writes the text for people, in both forms where there are two.
func (wr *Writer) explanation(r *Report, part func(string, map[string]string, string, []byte)) {
	utf8Text := map[string]string{"charset": "utf-8"}
	text := r.Explanation.Text
	if text == "" && (r.Explanation.HTML == "" || r.Format == FormatUnknown) {
		text = explain(r)
	}
	if text != "" {
		part("text/plain", utf8Text, "quoted-printable", []byte(text))
	}
	if r.Explanation.HTML != "" {
		part("text/html", utf8Text, "quoted-printable", []byte(r.Explanation.HTML))
	}
}

// returned returns the returned message's part, as much as may be returned.
func (wr *Writer) returned(r *Report, global bool) (content []byte, contentType string) {
	if r.Returned == nil {
		return nil, ""
	}
	limit := wr.MaxReturn
	if limit == 0 {
		limit = defaultMaxReturn
	}
	raw := r.Returned.Raw
	if r.Returned.Extent == Whole && !wr.HeadersOnly && (limit < 0 || int64(len(raw)) <= limit) {
		if global {
			return []byte(crlf(raw)), "message/global"
		}
		return []byte(crlf(raw)), "message/rfc822"
	}
	root, _ := mime.Parse(raw, mime.Limits{Depth: -1, Parts: 1})
	head := raw[:min(root.Offset, len(raw))]
	if limit >= 0 && int64(len(head)) > limit {
		head = head[:limit]
		head = head[:strings.LastIndexByte(head, '\n')+1] // whole lines
	}
	content = []byte(crlf(strings.TrimRight(head, "\r\n")) + "\r\n")
	if global {
		return content, "message/global-headers"
	}
	return content, "text/rfc822-headers"
}

// encodingOf names how a part goes as it stands: message types may have no
// encoding that changes them (RFC 2046 section 5.2).
func encodingOf(content []byte) string {
	for _, c := range content {
		if c >= 0x80 {
			return "8bit"
		}
	}
	return ""
}

// isGlobal reports whether a report needs the internationalized form
// (RFC 6533): it was read from one, or an address is not ASCII.
func isGlobal(r *Report) bool {
	switch r.Format {
	case RFC6533:
		return true
	case RFC3464, RFC8098, RFC5965:
		return r.Format == RFC8098 && r.Disposition != nil && strings.HasPrefix(r.Disposition.FinalRecipient.Type, "utf-8") && !isASCII(r.Disposition.FinalRecipient.Raw)
	}
	for i := range r.Recipients {
		if !isASCII(r.Recipients[i].FinalRecipient.Address) || !isASCII(r.Recipients[i].OriginalRecipient.Address) {
			return true
		}
	}
	return false
}

// oneLine makes text fit for a header field: a line break in it would begin
// another field.
func oneLine(text string) string {
	if !strings.ContainsAny(text, "\r\n\x00") {
		return text
	}
	return strings.Join(strings.FieldsFunc(text, func(c rune) bool { return c == '\r' || c == '\n' || c == 0 }), " ")
}

func firstOf(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}

// formatDate writes a date as RFC 5322 section 3.3 has it; "" for the zero time.
func formatDate(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format("Mon, 2 Jan 2006 15:04:05 -0700")
}

func hostName(m MTA) string {
	if ip, err := netip.ParseAddr(m.Host); err == nil {
		if ip.Is6() {
			return "[IPv6:" + m.Host + "]"
		}
		return "[" + m.Host + "]"
	}
	return firstOf(m.Host, "localhost")
}

// worst returns the action that a mixed report is named after.
func worst(r *Report) smtpcode.Action {
	var found smtpcode.Action
	for _, action := range [...]smtpcode.Action{smtpcode.Expanded, smtpcode.Delivered, smtpcode.Relayed, smtpcode.Delayed, smtpcode.Failed} {
		for i := range r.Recipients {
			if r.Recipients[i].Action == action {
				found = action
			}
		}
	}
	return found
}

type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}
