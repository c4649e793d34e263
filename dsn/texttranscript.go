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
		case at >= 0 && !hasReply(f.about) && t.found[at].about != "":
			// No server's words, and others of the mail system stand there.
		case at >= 0 && !hasReply(t.found[at].about):
			t.found[at].about, t.found[at].host, t.found[at].status = f.about, f.host, f.status
		case at >= 0:
			t.found[at].heard(&f)
		case at < 0 && listed == 0:
			t.add(f)
		}
	}
	first := cmp.Or(d.server, d.first)
	if len(t.found) == 0 || listed == 0 && d.all {
		for _, address := range d.asked {
			t.add(textRecipient{address: address, line: -1, about: first, host: d.host})
		}
	}
	for i := range t.found {
		if about := t.found[i].about; about == "" || d.all && !hasReply(about) {
			t.found[i].about, t.found[i].host = first, d.host
		} else {
			t.found[i].heard(&textRecipient{about: first, host: d.host})
		}
	}
}

// heard takes from the dialogue what the list of failed addresses leaves out: who
// gave the reply that it quotes, and the status the mail system gave it.
func (f *textRecipient) heard(said *textRecipient) {
	listed, text, ok := replyIn(f.about)
	_, heard, ok2 := replyIn(said.about)
	if !ok || !ok2 || text != heard {
		return
	}
	f.host = cmp.Or(f.host, remoteHost(singleLine(f.about)), said.host)
	if listed.Status.IsZero() && f.status.IsZero() {
		f.status = said.status
	}
}

// turn is how a program marks what client and server say where it logs each
// command and its reply in turn, behind a time perhaps.
type turn struct {
	mark   string
	server bool
	source string
}

var turns = []turn{
	{"--> ", false, "MDaemon"}, {"<-- ", true, "MDaemon"},
	{"sent <<< ", false, "InterScan"}, {"received >>> ", true, "InterScan"},
}

// clientMarks are those of the client, in any case.
var clientMarks = []string{"--> ", " <<< "}

// cutTurn reads who says what in a line of such a log.
func cutTurn(l *textLine) (said string, server, ok bool) {
	const stamp = 40 // bytes before a mark: "Tue 2026-08-04 10:00:00: "
	for _, turn := range turns {
		i := strings.Index(l.lower[:min(len(l.lower), stamp+len(turn.mark))], turn.mark)
		if i < 0 || i > 0 && !strings.HasSuffix(l.lower[:i], ": ") || len(l.lower) != len(l.text) {
			continue
		}
		return l.text[i+len(turn.mark):], turn.server, true
	}
	return "", false, false
}

// turnsFrom returns the line that such a log begins in, past the last line when
// there is none.
func (t *textReader) turnsFrom() int {
	if !t.turns {
		return len(t.lines)
	}
	first := len(t.lines)
	for i := range t.lines {
		l := &t.lines[i]
		said, server, ok := cutTurn(l)
		if first == len(t.lines) && (ok || strings.Contains(l.lower, attempting) || strings.Contains(l.lower, "session transcript")) {
			first = i
		}
		if ok && !server && hasPrefixFold(said, "rcpt to:") {
			return first
		}
	}
	return len(t.lines)
}

// attempting comes before the host that MDaemon talks to, or its address.
const attempting = "attempting smtp connection to "

// dialledHost is a host without the brackets and the port that a log gives it.
func dialledHost(name string) string {
	name = strings.Trim(name, "[]. ")
	if host, _, ok := strings.Cut(name, ":"); ok && strings.Count(name, ":") == 1 {
		return strings.TrimRight(host, " ]")
	}
	return name
}

// dialogue is how far an SMTP dialogue has been read.
type dialogue struct {
	host    string   // that is talked to
	server  string   // its last reply that belongs to nobody yet
	first   string   // reply in the dialogue
	program string   // what a delivery program said, until a reply follows
	asked   []string // addresses of RCPT TO
	turn    string   // the address of the command that the server answers next, where each is logged in turn
	text    bool     // that command sent the text
	all     bool     // the text was refused, and so all whom the server took
}

// read takes the next line, and returns the recipient whose reply it completes:
// the line names him, behind a reply of the server's or with one of its own.
func (d *dialogue) read(l *textLine) (f textRecipient, ok bool) {
	if said, server, ok := cutTurn(l); ok {
		return d.takeTurn(said, server)
	}
	if _, name, ok := strings.Cut(l.lower, attempting); ok {
		d.host = dialledHost(name)
	}
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
		if f, ok := ownWords(text, isServer); ok {
			return f, true
		}
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
	f = textRecipient{address: address, about: d.server, host: d.host, status: reply.Status}
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

// ownWords reads what sendmail says itself of a recipient, who no server refused:
// "<ann@example.net>... Deferred: Connection refused by mx.example.net."
func ownWords(line string, isServer bool) (f textRecipient, ok bool) {
	address, n := cutAddress(line)
	said, ok := strings.CutPrefix(line[n:], "... ")
	if n == 0 || !ok || isServer {
		return f, false
	}
	return textRecipient{address: address, about: said, host: remoteHost(said)}, true
}

// takeTurn reads a line of a log in turns: a refusal is of the address that was
// asked for last, or of the text and with it of all.
func (d *dialogue) takeTurn(said string, server bool) (f textRecipient, ok bool) {
	if !server {
		d.turn, d.text = "", hasPrefixFold(said, "data") || hasPrefixFold(said, "bdat ")
		if hasPrefixFold(said, "rcpt to:") {
			d.turn, _, _ = findAddress(said)
		}
		return f, false
	}
	address := d.turn
	d.turn = ""
	switch reply := smtpcode.ParseReply(said); {
	case reply.Code < 400 && address != "":
		d.asked = append(d.asked, address)
	case reply.Code < 400:
	case address != "":
		if reply.Code == 503 && d.server != "" {
			said = d.server // bad sequence: what went before was refused
		}
		d.first = cmp.Or(d.first, said)
		return textRecipient{address: address, about: said, host: d.host}, true
	default:
		d.server, d.all = cmp.Or(d.server, said), d.all || d.text
		d.first = cmp.Or(d.first, said)
	}
	return f, false
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
