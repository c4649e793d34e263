package ndr

import (
	"strings"
	"time"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/internal/localdate"
	"github.com/mailfault/mailfault/smtpcode"
)

// A source is what of a whole report a notice is read from.
type source struct {
	text, html string // the explanation

	language string // Content-Language of the report
	from     string // bare address in its From
	subject  string
	isNDR    bool     // X-MS-Exchange-Message-Is-Ndr is there; its value is always empty
	context  bool     // X-DSNContext is there: IIS SMTP service
	received []string // its own Received fields, newest first

	date       time.Time
	arrival    time.Time // of the message at the reporting server
	retryUntil time.Time

	declared []smtpcode.Failure // by the delivery-status part
	names    []string           // X-Display-Name of each
	told     []bool             // whether its replies are the text's: a delay has no diagnostic code

	returned     []dsn.Field // header of the returned message
	returnedSize int64       // of its attachments; 0 unless it came back whole
}

// parse reads a notice from a whole report.
func (rd *Reader) parse(src *source) (*Notice, error) {
	lim := rd.limits()
	n := readBoth(src, lim)
	if n == nil {
		if !src.marked() {
			return nil, ErrNotMicrosoft
		}
		n = &Notice{}
		n.addFinding(findingUnread, "the report has Microsoft's marks, but its text is in no layout that is known")
	}
	n.adopt(src)
	n.finish(localdate.Window{From: src.arrival, To: src.date, Language: src.language})
	n.failures = n.merge(src.declared, src.told)
	n.noNulls()
	return n, nil
}

// marked reports whether the report is Microsoft's by its header.
func (src *source) marked() bool {
	return src.isNDR || src.context
}

// readBoth reads the HTML, which shows hops and the marked party best, and the
// text where the HTML is missing, gutted or incomplete.
func readBoth(src *source, lim limits) *Notice {
	var n *Notice
	if src.html != "" {
		n, _ = readPage(htmlPage(src.html, lim), lim)
	}
	if n.complete() || src.text == "" {
		return n
	}
	text, _ := readPage(textPage(src.text, lim), lim)
	switch {
	case text == nil:
		return n
	case n == nil || n.Layout != text.Layout:
		if n != nil && !text.complete() {
			return n
		}
		return text
	}
	n.fillFrom(text)
	return n
}

// complete reports whether everything that matters was read.
func (n *Notice) complete() bool {
	if n == nil || n.Servers.Generating == "" || len(n.Recipients) == 0 {
		return false
	}
	for i := range n.Recipients {
		if len(n.Recipients[i].Replies) == 0 || n.Recipients[i].Reason == "" {
			return false
		}
	}
	return true
}

// fillFrom takes from the text what the HTML lacks.
func (n *Notice) fillFrom(text *Notice) {
	fill(&n.Headline, text.Headline)
	fill(&n.Cause, text.Cause)
	fill(&n.Label, text.Label)
	fill(&n.AdminText, text.AdminText)
	fill(&n.Servers.Generating, text.Servers.Generating)
	fill(&n.Servers.Receiving, text.Servers.Receiving)
	fill(&n.Servers.Remote, text.Servers.Remote)
	if n.Diagram == nil {
		n.Diagram, n.StatedOwner = text.Diagram, text.StatedOwner
	}
	if len(n.Hops) == 0 {
		n.Hops = text.Hops
	}
	if len(n.Original.Fields) == 0 {
		n.Original = text.Original
	}
	known := map[string]int{}
	for i := range n.Recipients {
		known[strings.ToLower(n.Recipients[i].Address)] = i
	}
	for _, rc := range text.Recipients {
		i, ok := known[strings.ToLower(rc.Address)]
		if !ok {
			n.Recipients = append(n.Recipients, rc)
			continue
		}
		have := &n.Recipients[i]
		fill(&have.Reason, rc.Reason)
		fill(&have.RemoteServer, rc.RemoteServer)
		fill(&have.OriginalAddress, rc.OriginalAddress)
		if len(have.Replies) == 0 {
			have.Replies, have.Attempts = rc.Replies, rc.Attempts
		}
	}
}

func fill(s *string, with string) {
	if *s == "" {
		*s = with
	}
}

// adopt takes over what the report says outside its text.
func (n *Notice) adopt(src *source) {
	if src.language != "" {
		n.Language = src.language
	} else if h := matchHeading(src.subject, undeliverable); h != nil && n.Language == "" {
		n.Language = h.lang
	}
	if len(n.Original.Fields) == 0 && len(src.returned) > 0 {
		n.Original = readOriginal(src.returned)
	}
	if n.Layout == LayoutExchange2003 {
		if host := mailService(src.received); host != "" {
			n.Servers.Generating = host
		}
	}
	if n.Layout == LayoutSMTPSVC || n.Layout == LayoutUnknown {
		for _, f := range src.declared {
			fill(&n.Servers.Generating, f.GeneratingServer)
		}
	}
	if domain := domainOf(src.from); domain == "outlook.com" || domain == "hotmail.com" || strings.HasSuffix(domain, ".hotmail.com") {
		n.Product = OutlookCom
	}
	n.attachments, n.until = src.returnedSize, src.retryUntil
	delayed, failed := false, false
	for _, f := range src.declared {
		delayed = delayed || f.Action == smtpcode.Delayed
		failed = failed || f.Action == smtpcode.Failed
	}
	if delayed || failed {
		n.Delayed = delayed && !failed
	}
	names := map[string]string{}
	for i, f := range src.declared {
		if i < len(src.names) && !strings.EqualFold(src.names[i], f.Recipient) {
			names[strings.ToLower(f.Recipient)] = src.names[i]
		}
	}
	for i := range n.Recipients {
		fill(&n.Recipients[i].DisplayName, names[strings.ToLower(n.Recipients[i].Address)])
	}
}

// mailService returns the host on which Exchange's own mail service wrote the
// report: "by gw.example.com with Internet Mail Service (5.5.2653.19)".
func mailService(received []string) string {
	for i := len(received) - 1; i >= 0; i-- {
		if strings.Contains(received[i], "Internet Mail Service") || strings.Contains(received[i], "Internet Mail Connector") {
			return parseReceived(received[i]).By
		}
	}
	return ""
}
