package dsn

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/mailfault/mailfault/internal/mime"
)

// ErrNotReport says that a mail is no report about mail.
var ErrNotReport = errors.New("dsn: not a report about mail")

// LimitError says that the input exceeds a limit of the [Reader].
type LimitError struct {
	Limit string // name of the Reader's field
	Max   int64
}

// Error names the limit and what it allows.
func (e *LimitError) Error() string {
	return fmt.Sprintf("dsn: input exceeds %s (%d)", e.Limit, e.Max)
}

// Reader reads reports within limits. The zero value has the defaults; a
// negative number means no limit. It is safe for concurrent use.
type Reader struct {
	MaxBytes      int64 // of the mail: 64 MiB; beyond it a *LimitError
	MaxDepth      int   // nesting of parts: 20; deeper ones are not read, with a finding
	MaxParts      int   // parts: 1,000; further ones are not read, with a finding
	MaxRecipients int   // groups: 10,000; further ones are not read, with a finding
}

const (
	defaultMaxBytes      = 64 << 20
	defaultMaxRecipients = 10_000
)

func (rd *Reader) maxRecipients() int {
	switch {
	case rd.MaxRecipients == 0:
		return defaultMaxRecipients
	case rd.MaxRecipients < 0:
		return math.MaxInt
	}
	return rd.MaxRecipients
}

// Read reads a report with the default limits: any [Kind]. Of a mail that is no report it
// returns ErrNotReport, and beside it a Report of kind unknown that has the
// header and the text, for callers who look further.
func Read(r io.Reader) (*Report, error) { return (&Reader{}).Read(r) }

// Read is the function of that name with the reader's limits.
func (rd *Reader) Read(r io.Reader) (*Report, error) {
	limit := rd.MaxBytes
	if limit == 0 {
		limit = defaultMaxBytes
	}
	data, err := readAll(r, limit)
	if err != nil {
		return nil, err
	}
	root, defects := mime.Parse(data, mime.Limits{Depth: rd.MaxDepth, Parts: rd.MaxParts})
	b := &builder{reader: rd, report: &Report{Header: Header{root.Header}}}
	for _, d := range defects {
		b.defect(d)
	}
	b.walk(root)
	return b.finish(root)
}

// readAll reads r into memory up to limit, in one piece where r is in memory
// already.
func readAll(r io.Reader, limit int64) (string, error) {
	var b strings.Builder
	size := int64(-1)
	switch in := r.(type) {
	case *bytes.Reader:
		size = int64(in.Len())
	case *bytes.Buffer:
		size = int64(in.Len())
	case *strings.Reader:
		size = int64(in.Len())
	}
	switch {
	case size >= 0 && (size <= limit || limit < 0):
		b.Grow(int(size))
	case limit > 0:
		r = io.LimitReader(r, limit+1)
	}
	if _, err := io.Copy(&b, r); err != nil {
		return "", fmt.Errorf("dsn: %w", err)
	}
	if limit > 0 && int64(b.Len()) > limit {
		return "", &LimitError{"MaxBytes", limit}
	}
	return b.String(), nil
}

// ReadStatus reads the bytes of a message/delivery-status part alone, for
// callers whose mail API has split the mail already.
func ReadStatus(status []byte) (*Report, error) {
	b := &builder{reader: &Reader{}, report: &Report{}}
	body := string(status)
	if strings.IndexByte(body, '\n') < 0 {
		body = strings.ReplaceAll(body, "\r", "\n")
	}
	b.status(body, 0, RFC3464, "")
	if len(b.report.Recipients) == 0 {
		return b.report, ErrNotReport
	}
	b.review()
	return b.report, nil
}

// place is where a mail stands that may be a report.
type place uint8

const (
	outermost    place = iota
	attached           // to another mail
	deepAttached       // so often that its parts are read, and its text is not
	inText             // in another mail's text, where no third one is looked for
)

// builder gathers a report from the parts of a mail.
type builder struct {
	reader *Reader
	report *Report
	place  place

	attachedText bool // the explanation is a part that the mail calls an attachment
}

func (b *builder) defect(d mime.Defect) {
	text := defectTexts[d.Kind]
	b.report.Findings = append(b.report.Findings, Finding{ID: text.id, Severity: text.severity,
		Where: Position{Part: d.Part, Offset: int64(d.Offset)}, Spec: text.spec, Message: text.message})
}

// maxFindings is how many findings of this package's own are kept.
const maxFindings = 200

func (b *builder) found(id, part string, offset int) {
	if len(b.report.Findings) >= maxFindings {
		return
	}
	text := findingTexts[id]
	b.report.Findings = append(b.report.Findings, Finding{ID: id, Severity: text.severity,
		Where: Position{Part: part, Offset: int64(offset)}, Spec: text.spec, Message: text.message})
}

// walk looks at a part and the parts within. What a part is for is told by its
// type, never by its place.
func (b *builder) walk(p *mime.Part) {
	switch p.Type {
	case "message/delivery-status", "message/global-delivery-status":
		if b.report.Format == FormatUnknown {
			format := RFC3464
			if p.Type == "message/global-delivery-status" {
				format = RFC6533
			}
			body, defects := p.Decoded()
			b.partDefects(p, defects)
			body, at := b.withHeaderFields(p, body)
			b.status(body, at, format, p.Path)
		}
	case "message/feedback-report":
		if b.report.Kind == KindUnknown {
			b.report.Feedback = readFeedback(b.only(FeedbackReport, RFC5965, p))
		}
	case "message/disposition-notification", "message/global-disposition-notification":
		if b.report.Kind == KindUnknown {
			b.report.Disposition = readDisposition(b.only(DispositionNotification, RFC8098, p))
		}
	case "message/rfc822", "message/global", "text/rfc822-headers", "text/rfc822-header", "message/global-headers", "message/rfc822-headers":
		b.returned(p)
	case "text/plain":
		attachment := hasPrefixFold(p.Header.Get("Content-Disposition"), "attachment")
		if b.report.Explanation.Text == "" || b.attachedText && !attachment {
			var defects []mime.DefectKind
			b.report.Explanation.Text, defects = p.Text()
			b.attachedText = attachment
			b.partDefects(p, defects)
		}
	case "text/html":
		if b.report.Explanation.HTML == "" {
			var defects []mime.DefectKind
			b.report.Explanation.HTML, defects = p.Text()
			b.partDefects(p, defects)
		}
	case "application/octet-stream":
		if isMessageFile(p) {
			b.returned(p)
		}
	default:
		if strings.HasPrefix(p.Type, "multipart/") && len(p.Parts) == 0 && b.report.Explanation.Text == "" {
			b.report.Explanation.Text, _ = p.Text() // its parts cannot be told
		}
	}
	for _, child := range p.Parts {
		b.walk(child)
	}
}

func (b *builder) partDefects(p *mime.Part, defects []mime.DefectKind) {
	for _, kind := range defects {
		b.defect(mime.Defect{Kind: kind, Offset: p.Offset, Part: p.Path})
	}
}

// only takes the one part that says what the mail reports, and returns what
// its fields are read from: a copy, as for status.
func (b *builder) only(k Kind, f Format, p *mime.Part) (body string, found func(id string, offset int)) {
	b.report.Kind, b.report.Format, b.report.Path = k, f, p.Path
	body, defects := p.Decoded()
	b.partDefects(p, defects)
	return strings.Clone(body), func(id string, at int) { b.found(id, p.Path, p.Offset+at) }
}

// status reads the fields of a delivery status. What it takes shares memory with
// body, which is therefore no part of the mail: who keeps a recipient for years
// does not keep the mail.
func (b *builder) status(body string, offset int, format Format, path string) {
	r := b.report
	r.Kind, r.Format, r.Path = DeliveryStatus, format, path
	s := statusReader{report: r, limit: b.reader.maxRecipients(), found: func(id string, at int) { b.found(id, path, at) }}
	s.read(body, offset)
}

// isMessageFile reports whether a part is a message that a mail program attached
// as a file: "bounce.eml".
func isMessageFile(p *mime.Part) bool {
	name := strings.ToLower(p.Header.Get("Content-Disposition") + ";" + p.Header.Get("Content-Type") + ";")
	return strings.Contains(name, ".eml\"") || strings.Contains(name, ".eml;")
}

// returned keeps the first returned message. It is not read for codes or
// addresses of the failure.
func (b *builder) returned(p *mime.Part) {
	if b.report.Returned != nil {
		return
	}
	body, defects := p.Decoded()
	b.partDefects(p, defects)
	header, content := mime.Message(body)
	ret := &Returned{Header: Header{header}, Raw: body, Path: p.Path, Extent: Whole}
	switch {
	case p.Type != "message/rfc822" && p.Type != "message/global" && p.Type != "application/octet-stream", strings.TrimSpace(content) == "":
		ret.Extent = HeadersOnly
	case p.Cut:
		ret.Extent = Cut
	}
	b.report.Returned = ret
}

// finish decides what the mail is where no part said so.
func (b *builder) finish(root *mime.Part) (*Report, error) {
	b.gather(root)
	r := b.report
	// A report that was attached to another mail: only where the outer mail
	// reports nothing itself, for a returned message may be a report too.
	if len(r.Recipients) == 0 && r.Kind != FeedbackReport && r.Kind != DispositionNotification {
		if b.answer() {
			return r, nil
		}
		b.wrapped()
		r = b.report
	}
	if r.Kind == KindUnknown {
		return r, ErrNotReport
	}
	b.said(root)
	if root.Type != "multipart/report" {
		b.found(findingNotReport, "", 0)
	}
	b.review()
	return r, nil
}

// gather reads what the text says where no part does.
func (b *builder) gather(root *mime.Part) {
	b.junkMailReport(root)
	if b.place == deepAttached {
		return
	}
	if b.report.Kind == KindUnknown || b.report.Kind == DeliveryStatus && len(b.report.Recipients) == 0 {
		if b.statusMistyped(root) {
			return
		}
		b.prose(root)
	}
}

// answer recognises an automatic answer by its header, and reports whether it
// is one. A report it returns is what it answers to, not what it says.
func (b *builder) answer() bool {
	if b.report.Kind != KindUnknown {
		return false
	}
	switch Classify(b.report.Header).Author {
	case AutoReplier:
		b.report.Kind = AutoReply
	case Challenger:
		b.report.Kind = Challenge
	default:
		return false
	}
	b.report.Format = HeaderFields
	return true
}

// review names what the groups lack.
func (b *builder) review() {
	for i := range b.report.Recipients {
		r := &b.report.Recipients[i]
		if b.report.Format == Prose {
			continue
		}
		if r.FinalRecipient.Raw == "" {
			b.found(findingNoFinalRecipient, b.report.Path, 0)
		}
		if r.Action == 0 {
			b.found(findingNoAction, b.report.Path, 0)
		}
		if r.Status.IsZero() {
			b.found(findingNoStatus, b.report.Path, 0)
		}
		for _, d := range []Date{r.LastAttemptDate, r.WillRetryUntil} {
			if d.Raw != "" && d.Time.IsZero() {
				b.found(findingBadDate, b.report.Path, 0)
			}
		}
	}
	if d := b.report.ArrivalDate; d.Raw != "" && d.Time.IsZero() {
		b.found(findingBadDate, b.report.Path, 0)
	}
}
