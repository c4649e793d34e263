package dsn

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mailfault/mailfault/smtpcode"
)

// readTranscript reads an SMTP dialogue: what the server said to whom.
func (t *textReader) readTranscript(from int) {
	if from == len(t.lines) {
		if !t.format.transcript {
			return
		}
		from = 0
	}
	listed := len(t.found)
	var d dialogue
	for i := from; i < len(t.lines); i++ {
		f, ok := d.read(&t.lines[i])
		if !ok {
			continue
		}
		f.line = i
		switch at := t.index(f.address); {
		case at >= 0 && t.found[at].about == "":
			t.found[at].about, t.found[at].host = f.about, f.host
		case at < 0 && listed == 0:
			t.add(f)
		}
	}
	first := cmp.Or(d.server, d.first)
	if len(t.found) == 0 {
		for _, address := range d.asked {
			t.add(textRecipient{address: address, line: -1, about: first, host: d.host})
		}
	}
	for i := range t.found {
		if t.found[i].about == "" {
			t.found[i].about, t.found[i].host = first, d.host
		}
	}
}

// dialogue is how far an SMTP dialogue has been read.
type dialogue struct {
	host    string   // that is talked to
	server  string   // its last reply that belongs to nobody yet
	first   string   // reply in the dialogue
	program string   // what a delivery program said, until a reply follows
	asked   []string // addresses of RCPT TO
}

// read takes the next line, and returns the recipient whose reply it completes:
// the line names him, behind a reply of the server's or with one of its own.
func (d *dialogue) read(l *textLine) (f textRecipient, ok bool) {
	text := strings.TrimLeft(l.text, ".> ")
	lower := strings.TrimLeft(l.lower, ".> ")
	if name, ok := strings.CutPrefix(lower, "while talking to "); ok {
		d.host, d.server = strings.Trim(name, ":. "), ""
		return f, false
	}
	command := strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(lower, "in:"), "---"))
	if strings.HasPrefix(command, "rcpt to:") {
		if address, start, _ := findAddress(text); start >= 0 {
			d.asked = append(d.asked, address)
		}
		return f, false
	}
	said, isServer := strings.CutPrefix(text, "<<< ")
	if !isServer {
		said, isServer = strings.CutPrefix(text, "Out: ")
	}
	reply, _, ok := replyIn(said)
	if !ok {
		if isProgramLine(l.lower) {
			d.program = l.text
		}
		return f, false
	}
	d.first = cmp.Or(d.first, said)
	if isServer {
		if reply.Code != 503 || d.server == "" {
			d.server = said
		}
		return f, false
	}
	address, start, end := findAddress(text)
	if start < 0 {
		return f, false
	}
	f = textRecipient{address: address, about: d.server, host: d.host}
	d.server = ""
	if f.about == "" {
		f.host = ""
		f.about = strings.TrimLeft(text[end:], " .>:")
		if !hasReply(f.about) {
			f.about = said
		}
		if d.program != "" {
			f.about, d.program = d.program+"\n"+f.about, ""
		}
	}
	return f, true
}

// isProgramLine reports whether a line is what a local delivery program wrote
// before it failed. sendmail puts it above a reply of its own, which only tells
// the exit code.
func isProgramLine(lower string) bool {
	name, said, ok := strings.Cut(lower, ": ")
	return ok && said != "" && slices.Contains(deliveryPrograms, name)
}

// programReply returns what a delivery program said before the reply that its
// mail system made of it.
func programReply(d *Diagnostic) (smtpcode.Reply, bool) {
	said, ok := strings.CutSuffix(d.Raw, " "+d.Text)
	if !ok || !isProgramLine(strings.ToLower(said)) {
		return smtpcode.Reply{}, false
	}
	return smtpcode.Reply{Text: said, Raw: said}, true
}

func (t *textReader) index(address string) int {
	if i, ok := t.at[strings.ToLower(address)]; ok {
		return i
	}
	return -1
}
