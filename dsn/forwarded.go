package dsn

import (
	"strings"

	"github.com/mailfault/mailfault/internal/mime"
)

// maxForwards is how often a report may have been forwarded as an attachment
// and is still looked for; each time costs one more reading of what is within.
const maxForwards = 20

// maxTextForwards is how often one without fields may have been, which costs
// far more to tell from any other text.
const maxTextForwards = 3

// wrapped looks for a report within a returned-looking message: a bounce that a
// person or a gateway forwarded as an attachment, once or several times.
func (b *builder) wrapped() bool {
	if b.report.Returned == nil {
		return false
	}
	raw, path := b.report.Returned.Raw, b.report.Returned.Path
	for i := range maxForwards {
		root, place := b.parse(raw), attached
		if i >= maxTextForwards {
			place = deepAttached
		}
		if b.nested(root, place) {
			b.report.Path = strings.TrimSuffix(path+"/"+b.report.Path, "/")
			b.found(b.forwarder(), b.report.Path, 0)
			return true
		}
		message := attachedMessage(root)
		if message == nil {
			return false
		}
		raw, _ = message.Decoded()
		path += "/" + message.Path
	}
	return false
}

// forwarder names who attached a report, by the outer mail's header.
func (b *builder) forwarder() string {
	if Classify(b.report.Header).Author == Person {
		return findingForwarded
	}
	return findingForwardedByProgram
}

func (b *builder) parse(data string) *mime.Part {
	root, _ := mime.Parse(data, mime.Limits{Depth: b.reader.MaxDepth, Parts: b.reader.MaxParts})
	return root
}

// nested reads a report within another mail.
func (b *builder) nested(root *mime.Part, at place) bool {
	inner := &builder{reader: b.reader, report: &Report{Header: Header{root.Header}}, place: at}
	inner.walk(root)
	inner.gather(root)
	r := inner.report
	if r.Kind == KindUnknown || at == inText && (r.Kind != DeliveryStatus || len(r.Recipients) == 0) {
		return false
	}
	r.Header, r.Findings = b.report.Header, append(b.report.Findings, r.Findings...)
	b.report = r
	return true
}

// attachedMessage returns the first message attached below p, or nil.
func attachedMessage(p *mime.Part) *mime.Part {
	if p.Type == "message/rfc822" || p.Type == "message/global" {
		return p
	}
	for _, child := range p.Parts {
		if message := attachedMessage(child); message != nil {
			return message
		}
	}
	return nil
}
