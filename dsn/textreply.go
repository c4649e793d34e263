package dsn

import (
	"strings"

	"github.com/mailfault/mailfault/smtpcode"
)

// replyIn finds the reply of a server in the text about a recipient: its lines
// up to a blank line, or one after a blank line that goes on with its code.
func replyIn(about string) (reply smtpcode.Reply, text string, ok bool) {
	about, at := unbrokenReply(about)
	if at < 0 {
		return reply, "", false
	}
	at = wordedReply(about, at)
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
	if strings.HasSuffix(text, ")") && strings.Count(text, ")") > strings.Count(text, "(") {
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

// wordedReply returns where the reply that begins at at stands with its words: a
// line "Status code: 550 5.1.10" comes before the reply itself.
func wordedReply(about string, at int) int {
	line, after, ok := strings.Cut(about[at:], "\n")
	if codes := strings.TrimSpace(line); ok && len(codes) >= 9 && len(codes) <= 16 {
		if r := smtpcode.ParseReply(codes); r.Code != 0 && !r.Status.IsZero() && r.Text == "" {
			if next := strings.Index(after, codes+" "); next >= 0 {
				return at + len(line) + 1 + next
			}
		}
	}
	return at
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

// bracketedStatus reads "(#5.1.1)", as qmail writes it, and "<mail.example.net
// #5.5.0 smtp;554 ...>", as Exchange 2003 does.
func bracketedStatus(s string) smtpcode.Status {
	for from := 0; ; {
		i := strings.IndexByte(s[from:], '#')
		if i < 0 {
			return smtpcode.Status{}
		}
		from += i + 1
		status, rest, ok := smtpcode.CutStatus(s[from:])
		if !ok || from < 2 {
			continue
		}
		switch s[from-2] {
		case '(':
			return status
		case ' ', '<':
			if hasPrefixFold(rest, " smtp;") || strings.HasPrefix(rest, ">") {
				return status
			}
		}
	}
}
