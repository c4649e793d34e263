package dsn

import (
	"strings"

	"github.com/mailfault/mailfault/internal/mime"
)

// junkMailReport reads a complaint of Microsoft's Junk Mail Reporting Program:
// the message complained about, attached, with a field that names the user who
// called it junk. The subject has the address that sent it.
func (b *builder) junkMailReport(root *mime.Part) {
	r := b.report
	if r.Kind != KindUnknown || r.Returned == nil || !r.Returned.Header.Has("X-HmXmrOriginalRecipient") {
		return
	}
	_, source, ok := cutFold(root.Header.Get("Subject"), "complaint about message from ")
	if !ok {
		return
	}
	r.Kind, r.Format, r.Path = FeedbackReport, JMRP, r.Returned.Path
	f := &Feedback{Type: Abuse, SourceIP: parseIP(source)}
	for _, recipient := range r.Returned.Header.All("X-HmXmrOriginalRecipient") {
		f.OriginalRcptTo = append(f.OriginalRcptTo, parseAddress(recipient))
	}
	f.AuthenticationResults = append(f.AuthenticationResults, r.Returned.Header.All("Authentication-Results")...)
	r.Feedback = f
}

// cutFold is strings.Cut without regard to the case of ASCII letters.
func cutFold(s, sep string) (before, after string, found bool) {
	for i := 0; i+len(sep) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(sep)], sep) {
			return s[:i], s[i+len(sep):], true
		}
	}
	return s, "", false
}
