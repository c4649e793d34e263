package dsn

import (
	"slices"
	"strings"

	"github.com/mailfault/mailfault/internal/mime"
)

// ReadText reads a report of which only the text is there: copied from a mail
// program into a ticket or a form, quoted perhaps, with or without the lines
// that say whose it is. It reads fields of RFC 3464 too where the text has
// them. Text in which nothing speaks for a report is ErrNotReport; of more than
// 1 MiB the rest is not read, with a finding.
//
// The caller says that it is a report, so less has to speak for it than in a
// mail that [Read] reads.
func ReadText(text string) (*Report, error) {
	b := &builder{reader: &Reader{}, report: &Report{Explanation: Explanation{Text: text}}}
	text = unmarked(b.explanation(&mime.Part{}))
	if !b.pasted(text, namedPaste) {
		if _, rest, ok := namedPaste(strings.SplitAfterN(text, "\n", maxPasteLines)); ok {
			text = rest
		}
		text = unmarked(unquotedText(text))
		t := newTextReader(nil, text, b.reader.maxRecipients())
		t.daemon, t.asked = true, true
		b.readText(t, text)
	}
	if b.report.Kind == KindUnknown {
		return b.report, ErrNotReport
	}
	b.review()
	return b.report, nil
}

// maxPasteLines is how many lines of a person's mail are searched for the
// beginning of a report.
const maxPasteLines = 200

// paste finds a report that a person pasted or quoted in a text. It returns
// the header the text gives it, as From and Subject, and what follows.
type paste func(lines []string) (header, rest string, ok bool)

// pasted reads a report that a person's text has in it, if find finds one.
func (b *builder) pasted(text string, find paste) bool {
	header, rest, ok := find(strings.SplitAfterN(text, "\n", maxPasteLines))
	if !ok {
		return false
	}
	var mail strings.Builder
	mail.WriteString(header)
	mail.WriteByte('\n')
	mail.WriteString(unmarked(unquotedText(rest)))
	if !b.nested(b.parse(mail.String()), inText) {
		return false
	}
	b.found(findingForwarded, b.report.Path, 0)
	return true
}

// unquoted takes the marks of a quoted text off a line, and says how often it
// is quoted. ">>> RCPT TO" is no quotation but a dialogue.
func unquoted(line string) (string, int) {
	depth := 0
	for ; strings.HasPrefix(line, ">") && !strings.HasPrefix(line, ">>>"); depth++ {
		line = strings.TrimPrefix(line[1:], " ")
	}
	return line, depth
}

func unquotedText(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for line := range strings.Lines(text) {
		line, _ = unquoted(line)
		b.WriteString(line)
	}
	return b.String()
}

// namedPaste finds the mail that the text says a mail system wrote: behind a
// line that begins a forwarded mail, behind the fields that a mail program puts
// before what it answers to, or behind "Mail Delivery System wrote:".
func namedPaste(lines []string) (header, rest string, ok bool) {
	forwarded := false
	for i := range lines {
		line, _ := unquoted(lines[i])
		lower := strings.ToLower(strings.TrimSpace(line))
		if lower == "" || len(lower) > 400 {
			continue
		}
		forwarded = forwarded || containsAny(strings.Trim(lower, "-: "), forwardLines)
		if value, ok := pastedField(line, fromFields); ok && fromDaemon(mime.Header{{Name: "From", Raw: value}}) {
			if subject, ok := pastedSubject(lines[i+1:]); ok || forwarded {
				return "From: " + value + "\nSubject: " + subject + "\n", body(lines[i+1:]), true
			}
		}
		if who, next, ok := attribution(lines[i:]); ok {
			return "From: " + who + "\n", strings.Join(lines[i+next:], ""), true
		}
	}
	return "", "", false
}

// pastedField returns the value of a field of a header that is pasted as text,
// perhaps in bold: "From: x", "*Von:* x".
func pastedField(line string, names []string) (value string, ok bool) {
	name, value, ok := strings.Cut(strings.TrimLeft(line, " \t*"), ":")
	if !ok || len(name) > 40 {
		return "", false
	}
	name = strings.ToLower(strings.Trim(name, " *\u00a0"))
	if slices.Contains(names, name) {
		return strings.Trim(value, " \t\r\n*"), true
	}
	return "", false
}

// pastedSubject finds the subject among the fields that follow a pasted From.
func pastedSubject(lines []string) (subject string, ok bool) {
	for i := range min(len(lines), 10) {
		line, _ := unquoted(lines[i])
		if subject, ok := pastedField(line, subjectFields); ok {
			return subject, true
		}
	}
	return "", false
}

// body skips the other fields of a pasted header. What cannot be told from a
// field stays.
func body(lines []string) string {
	for i := range min(len(lines), 20) {
		line, _ := unquoted(lines[i])
		if strings.TrimSpace(line) == "" {
			return strings.Join(lines[i:], "")
		}
	}
	return strings.Join(lines, "")
}

// attribution reads the line or two before a quotation: "On Monday, Ann
// <a@example.org> wrote:". It returns the mail system that wrote, if one did,
// and how many lines that takes.
func attribution(lines []string) (who string, n int, ok bool) {
	joined := ""
	for n < min(len(lines), 3) {
		line, _ := unquoted(lines[n])
		joined = strings.TrimSpace(joined + " " + strings.TrimSpace(line))
		n++
		if !strings.HasSuffix(joined, ":") {
			continue
		}
		lower := strings.ToLower(joined)
		if len(lower) != len(joined) || !containsAny(lower, daemonHints) {
			return "", 0, false
		}
		for _, verb := range wroteWords {
			at := strings.LastIndex(lower, verb)
			if at < 0 {
				continue
			}
			// The name stands before the verb, perhaps behind the date and a
			// comma, or, in German and Dutch, behind it.
			before, after := strings.TrimSpace(joined[:at]), strings.Trim(joined[at+len(verb):], " :")
			before = strings.TrimSpace(before[strings.LastIndexByte(before, ',')+1:])
			for _, who := range [...]string{before, after} {
				if who != "" && fromDaemon(mime.Header{{Name: "From", Raw: who}}) {
					return who, n, true
				}
			}
		}
		return "", 0, false
	}
	return "", 0, false
}

// daemonHints stand in the names and addresses of mail systems: without one of
// them a line needs no closer look.
var daemonHints = []string{"mail", "<>", "postmaster", "daemon", "administrator"}

// openingPaste finds the paragraph that begins as a format's reports do. Who
// wrote it is not said, so the text itself has to be convincing.
func openingPaste(lines []string) (header, rest string, ok bool) {
	const opening = 4 // lines of a paragraph in which the format must show
	start := true
	for i := range lines {
		line, depth := unquoted(lines[i])
		if strings.TrimSpace(line) == "" {
			start = true
			continue
		}
		if start && depth <= 1 {
			var head strings.Builder
			for _, l := range lines[i:min(i+opening, len(lines))] {
				l, _ = unquoted(l)
				head.WriteString(strings.ToLower(strings.Join(strings.Fields(l), " ")))
				head.WriteByte(' ')
				if head.Len() > maxTextHead {
					break
				}
			}
			seen := textMarks().look(head.String(), 0)
			if textMarks().format(&seen).name != "" {
				return "", strings.Join(lines[i:], ""), true
			}
		}
		start = false
	}
	return "", "", false
}
