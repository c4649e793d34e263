package dsn

import (
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
	host, server, first, program := "", "", "", ""
	var asked []string
	for i := from; i < len(t.lines); i++ {
		l := &t.lines[i]
		text := strings.TrimLeft(l.text, ".> ")
		lower := strings.TrimLeft(l.lower, ".> ")
		if name, ok := strings.CutPrefix(lower, "while talking to "); ok {
			host, server = strings.Trim(name, ":. "), ""
			continue
		}
		command := strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(lower, "in:"), "---"))
		if strings.HasPrefix(command, "rcpt to:") {
			if address, start, _ := findAddress(text); start >= 0 {
				asked = append(asked, address)
			}
			continue
		}
		said, isServer := strings.CutPrefix(text, "<<< ")
		if !isServer {
			said, isServer = strings.CutPrefix(text, "Out: ")
		}
		reply, _, ok := replyIn(said)
		if !ok {
			if isProgramLine(l.lower) {
				program = l.text
			}
			continue
		}
		if first == "" {
			first = said
		}
		if isServer {
			if reply.Code != 503 || server == "" {
				server = said
			}
			continue
		}
		address, start, end := findAddress(text)
		if start < 0 {
			continue
		}
		about, by := server, host
		if about == "" {
			by = ""
			about = strings.TrimLeft(text[end:], " .>:")
			if !hasReply(about) {
				about = said
			}
			if program != "" {
				about, program = program+"\n"+about, ""
			}
		}
		f := textRecipient{address: address, line: i, about: about, host: by}
		switch at := t.index(address); {
		case at >= 0 && t.found[at].about == "":
			t.found[at].about, t.found[at].host = about, by
		case at < 0 && listed == 0:
			t.add(f)
		}
		server = ""
	}
	if server != "" {
		first = server
	}
	if len(t.found) == 0 {
		for _, address := range asked {
			t.add(textRecipient{address: address, line: -1, about: first, host: host})
		}
	}
	for i := range t.found {
		if t.found[i].about == "" {
			t.found[i].about, t.found[i].host = first, host
		}
	}
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
