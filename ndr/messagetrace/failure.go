package messagetrace

import (
	"slices"
	"strings"

	"github.com/mailfault/mailfault/smtpcode"
)

// Failures returns the evidence about each failed recipient of the row, as a
// report would have given it: with the reply where the row quotes one. A trace
// does not hold the reason sentence, nor the From header of the message.
func (r *Row) Failures() []smtpcode.Failure {
	if !r.Failed() {
		return nil
	}
	q := r.reply()
	var out []smtpcode.Failure
	for _, rc := range r.Recipients {
		if rc.Status != Failed {
			continue
		}
		f := smtpcode.Failure{
			Recipient:        rc.Address,
			Action:           smtpcode.Failed,
			Replies:          q.replies,
			GeneratingServer: r.ServerHostname,
			RemoteServer:     q.host,
			EnvelopeFrom:     r.ReturnPath,
			SendingIP:        r.OriginalIP,
			Date:             r.Time,
		}
		if f.EnvelopeFrom == "" {
			f.EnvelopeFrom = r.Sender
		}
		if r.Related != "" && !strings.EqualFold(r.Related, rc.Address) {
			f.OriginalRecipient = r.Related
		}
		if len(q.replies) > 0 {
			f.Status = q.replies[0].Status
		}
		out = append(out, f)
	}
	return out
}

// quoted is a reply as a trace quotes it.
type quoted struct {
	replies []smtpcode.Reply
	host    string // that gave it
}

// reply finds the reply among the row's texts: in the bracketed form of
// message tracking, [{LED=550 5.1.10 ...};{MSG=};{FQDN=host};{IP=...}], else
// as a reply code with an enhanced status. A bare code could be anything.
func (r *Row) reply() quoted {
	texts := r.Texts
	for _, c := range r.Extra {
		texts = append(slices.Clip(texts), c.Value)
	}
	for _, t := range texts {
		if led, ok := bracketed(t, "LED"); ok && strings.TrimSpace(led) != "" {
			host, _ := bracketed(t, "FQDN")
			return quoted{replies: smtpcode.ParseReplies(led), host: strings.TrimSpace(host)}
		}
	}
	for _, t := range texts {
		if i := replyAt(t); i >= 0 {
			return quoted{replies: smtpcode.ParseReplies(strings.TrimRight(t[i:], "' ]}"))}
		}
	}
	return quoted{}
}

// bracketed returns the value of {NAME=value}. The value may hold brackets of
// its own, so it ends where the next member or the list does.
func bracketed(s, name string) (string, bool) {
	i := strings.Index(s, "{"+name+"=")
	if i < 0 {
		return "", false
	}
	s = s[i+len(name)+2:]
	for _, end := range []string{"};{", "}]", "}"} {
		if v, _, ok := strings.Cut(s, end); ok {
			return v, true
		}
	}
	return s, true
}

// replyAt returns the offset of a failure's reply code with an enhanced
// status, or -1.
func replyAt(s string) int {
	for i := 0; i+9 <= len(s); i++ {
		if (s[i] != '4' && s[i] != '5') || i > 0 && isWordByte(s[i-1]) {
			continue
		}
		if !isDigit(s[i+1]) || !isDigit(s[i+2]) || s[i+3] != ' ' && s[i+3] != '-' {
			continue
		}
		if _, _, ok := smtpcode.CutStatus(s[i+4:]); ok {
			return i
		}
	}
	return -1
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWordByte(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '.' || c == '-' || c == '_'
}
