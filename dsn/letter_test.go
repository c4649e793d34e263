package dsn_test

import (
	"encoding/base64"
	stdmime "mime"
	"mime/quotedprintable"
	"slices"
	"strings"

	"github.com/mailfault/mailfault/internal/mime"
)

// letter is a mail, or a part of one, taken apart so that a relay's changes can
// be made to it.
type letter struct {
	fields   []string // with their folds, without the last line end
	body     string   // of what has no parts, as transferred
	parts    []*letter
	boundary string
	preamble string
	epilogue string
}

// parseLetter takes a mail with LF line ends apart, as far as its boundaries
// are what its header says.
func parseLetter(mail string, depth int) *letter {
	l := &letter{}
	header, body, found := strings.Cut(mail, "\n\n")
	if strings.HasPrefix(mail, "\n") {
		header, body, found = "", mail[1:], true
	}
	for line := range strings.SplitSeq(header, "\n") {
		if n := len(l.fields); n > 0 && (strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")) {
			l.fields[n-1] += "\n" + line
		} else if line != "" {
			l.fields = append(l.fields, line)
		}
	}
	if !found {
		return l
	}
	l.body = body
	kind, params := l.contentType()
	boundary := params.Get("boundary")
	if !strings.HasPrefix(kind, "multipart/") || boundary == "" || depth > 5 {
		return l
	}
	blocks := []string{""}
	closed := false
	var epilogue strings.Builder
	for line := range strings.Lines(body) {
		switch bare := strings.TrimRight(line, " \t\n"); {
		case closed:
			epilogue.WriteString(line)
		case bare == "--"+boundary:
			blocks = append(blocks, "")
		case bare == "--"+boundary+"--":
			closed = true
		default:
			blocks[len(blocks)-1] += line
		}
	}
	if len(blocks) < 2 || !closed {
		return l
	}
	l.boundary, l.preamble, l.epilogue, l.body = boundary, blocks[0], epilogue.String(), ""
	for _, block := range blocks[1:] {
		l.parts = append(l.parts, parseLetter(block, depth+1))
	}
	return l
}

func (l *letter) String() string {
	var b strings.Builder
	for _, f := range l.fields {
		b.WriteString(f + "\n")
	}
	b.WriteByte('\n')
	if l.parts == nil {
		b.WriteString(l.body)
		return b.String()
	}
	b.WriteString(l.preamble)
	for _, p := range l.parts {
		b.WriteString("--" + l.boundary + "\n" + p.String())
		if !strings.HasSuffix(b.String()[max(0, b.Len()-1):], "\n") {
			b.WriteByte('\n')
		}
	}
	b.WriteString("--" + l.boundary + "--\n" + l.epilogue)
	return b.String()
}

func fieldName(f string) string {
	name, _, _ := strings.Cut(f, ":")
	return strings.ToLower(strings.TrimSpace(name))
}

func (l *letter) get(name string) string {
	for _, f := range l.fields {
		if fieldName(f) == name {
			_, value, _ := strings.Cut(f, ":")
			return strings.TrimSpace(strings.ReplaceAll(value, "\n", ""))
		}
	}
	return ""
}

func (l *letter) drop(name string) bool {
	n := len(l.fields)
	l.fields = slices.DeleteFunc(l.fields, func(f string) bool { return fieldName(f) == name })
	return len(l.fields) < n
}

func (l *letter) set(name, value string) {
	for i, f := range l.fields {
		if fieldName(f) == strings.ToLower(name) {
			l.fields[i] = name + ": " + value
			return
		}
	}
	l.fields = append(l.fields, name+": "+value)
}

func (l *letter) contentType() (string, mime.Params) { return mime.ParseType(l.get("content-type")) }

func (l *letter) kind() string {
	kind, _ := l.contentType()
	return kind
}

// walk calls f for l and what is in it, without the returned messages.
func (l *letter) walk(f func(*letter)) {
	f(l)
	for _, p := range l.parts {
		p.walk(f)
	}
}

// texts calls f for each part with text for people, and reports whether any
// was changed.
func (l *letter) texts(f func(*letter) bool) (changed bool) {
	l.walk(func(p *letter) {
		if p.parts == nil && (p.kind() == "text/plain" || p.kind() == "text/html") {
			changed = f(p) || changed
		}
	})
	return changed
}

// plain calls f for the text of each text/plain part, decoded and in UTF-8,
// and puts what it returns in its place.
func (l *letter) plain(f func(string) string) (changed bool) {
	return l.texts(func(p *letter) bool {
		if p.kind() != "text/plain" {
			return false
		}
		text := p.text()
		if text == "" {
			return false
		}
		after := f(text)
		p.put(after)
		return after != text
	})
}

// text is a part's body decoded and in UTF-8.
func (l *letter) text() string {
	root, _ := mime.Parse(l.String(), mime.Limits{})
	text, _ := root.Text()
	return text
}

// put makes text the body, in UTF-8 and as it stands.
func (l *letter) put(text string) {
	kind, params := l.contentType()
	value := kind + "; charset=utf-8"
	if name := params.Get("name"); name != "" {
		value += "; name=\"" + name + "\""
	}
	l.set("Content-Type", value)
	l.set("Content-Transfer-Encoding", "8bit")
	l.body = text
}

// status calls f for each delivery-status part.
func (l *letter) status(f func(*letter)) (changed bool) {
	l.walk(func(p *letter) {
		if p.kind() == "message/delivery-status" {
			f(p)
			changed = true
		}
	})
	return changed
}

// statusLines calls f for each field of each delivery-status part.
func (l *letter) statusLines(f func(line string) string) bool {
	return l.status(func(p *letter) {
		if strings.EqualFold(p.get("content-transfer-encoding"), "base64") {
			return
		}
		lines := strings.Split(p.body, "\n")
		for i, line := range lines {
			if line != "" && line[0] != ' ' && line[0] != '\t' && strings.Contains(line, ":") {
				lines[i] = f(line)
			}
		}
		p.body = strings.Join(lines, "\n")
	})
}

// transfer encodes the body of a part anew.
func (l *letter) transfer(encoding string) bool {
	root, _ := mime.Parse(l.String(), mime.Limits{})
	raw, _ := root.Decoded()
	switch encoding {
	case "base64":
		l.body = wrapAt(base64.StdEncoding.EncodeToString([]byte(raw)), 76)
	case "quoted-printable":
		var b strings.Builder
		w := quotedprintable.NewWriter(&b)
		w.Write([]byte(raw))
		w.Close()
		l.body = strings.ReplaceAll(b.String(), "\r\n", "\n") + "\n"
	default:
		l.body = raw
	}
	l.set("Content-Transfer-Encoding", encoding)
	return true
}

func wrapAt(s string, n int) string {
	var b strings.Builder
	for len(s) > n {
		b.WriteString(s[:n] + "\n")
		s = s[n:]
	}
	return b.String() + s + "\n"
}

// wrapped breaks the lines of a text at blanks before the given column. What a
// line begins with begins only its first piece, as mail programs do it; join
// stands at the end of a broken line.
func wrapped(text string, column int, join string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(text, "\n") {
		for len(line) > column {
			at := strings.LastIndexByte(line[:column], ' ')
			if at <= 0 || strings.TrimSpace(line[:at]) == "" {
				break
			}
			b.WriteString(line[:at] + join + "\n")
			line = strings.TrimLeft(line[at:], " ")
		}
		b.WriteString(line + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// typeAgain writes the content type anew with every parameter as f has it.
func (l *letter) typeAgain(f func(kind string, params map[string]string) string) (changed bool) {
	l.walk(func(p *letter) {
		value := p.get("content-type")
		if value == "" {
			return
		}
		kind, params, err := stdmime.ParseMediaType(value)
		if err != nil {
			return
		}
		p.set("Content-Type", f(kind, params))
		changed = true
	})
	return changed
}
