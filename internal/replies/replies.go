// Package replies reads SMTP replies out of Microsoft's reports.
package replies

import (
	"strings"

	"github.com/mailfault/mailfault/smtpcode"
)

// Parse reads a reply and those quoted behind " -> ", outermost first.
func Parse(raw string) []smtpcode.Reply {
	var out []smtpcode.Reply
	if i := strings.Index(raw, "smtp;"); i >= 0 && (strings.HasPrefix(raw, "#<") || strings.HasPrefix(raw, "<")) {
		in, _, _ := strings.Cut(raw[i+len("smtp;"):], ">") // "#<host #5.7.1 smtp;530 5.7.1 ...> #SMTP#"
		out = Parse(in)
		out[0].Raw = raw
		return out
	}
	if host, status, ok := strings.Cut(strings.Trim(raw, "<> "), " #"); ok && strings.HasPrefix(raw, "<") && !strings.Contains(host, " ") {
		if st, rest, ok := smtpcode.CutStatus(status); ok { // "<host #5.1.1>"
			return []smtpcode.Reply{{Status: st, Text: strings.TrimSpace(rest), Raw: raw}}
		}
	}
	for s := range strings.SplitSeq(raw, " -> ") {
		r := smtpcode.Reply{Raw: s, Text: s}
		if len(s) >= 3 && '2' <= s[0] && s[0] <= '5' && digit(s[1]) && digit(s[2]) && (len(s) == 3 || !digit(s[3])) {
			r.Code = int(s[0]-'0')*100 + int(s[1]-'0')*10 + int(s[2]-'0')
			r.Text = strings.TrimLeft(s[3:], " -")
			if st, rest, ok := smtpcode.CutStatus(r.Text); ok {
				r.Status, r.Text = st, strings.TrimSpace(rest)
			}
		}
		out = append(out, r)
	}
	return out
}

func digit(c byte) bool { return '0' <= c && c <= '9' }
