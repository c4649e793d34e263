package mime

import (
	"strconv"
	"strings"
)

// Part is a mail or a part of one.
type Part struct {
	Header Header
	Type   string  // media type in lower case; text/plain where none is given
	Params Params  // of Content-Type
	Body   string  // as transferred
	Offset int     // of Body in the message
	Path   string  // "1.2"; "" for the mail itself
	Parts  []*Part // of a multipart
	Cut    bool    // the closing boundary after it is missing
}

// Limits bound what is read of a mail. Zero is the default, negative no limit.
type Limits struct {
	Depth int // nesting of multiparts: 20
	Parts int // parts in all: 1,000
}

func (l Limits) withDefaults() Limits {
	if l.Depth == 0 {
		l.Depth = 20
	}
	if l.Parts == 0 {
		l.Parts = 1000
	}
	return l
}

// Parse reads a mail whose lines end in LF or CRLF, or in CR alone.
func Parse(data string, limits Limits) (*Part, []Defect) {
	r := reader{limits: limits.withDefaults()}
	return r.part(lines(data), 0, "", 0), r.defects
}

// Message reads the header of a mail alone and returns what follows it.
func Message(data string) (h Header, body string) {
	data = lines(data)
	h, at := readHeader(data, 0, func(Defect) {})
	return h, data[at:]
}

// lines makes line ends of CR alone LF.
func lines(data string) string {
	if strings.IndexByte(data, '\n') < 0 && strings.IndexByte(data, '\r') >= 0 {
		return strings.ReplaceAll(data, "\r", "\n")
	}
	return data
}

type reader struct {
	limits  Limits
	parts   int
	defects []Defect
	room    []Part // for parts to come: most mails have several
}

func (r *reader) newPart() *Part {
	if len(r.room) == cap(r.room) {
		r.room = make([]Part, 0, usualParts)
	}
	r.room = r.room[:len(r.room)+1]
	return &r.room[len(r.room)-1]
}

// maxDefects is how many defects of one mail are named.
const maxDefects = 100

func (r *reader) found(d Defect) {
	if len(r.defects) < maxDefects {
		r.defects = append(r.defects, d)
	}
}

func (r *reader) part(data string, base int, path string, depth int) *Part {
	r.parts++
	h, body := readHeader(data, base, func(d Defect) { d.Part = path; r.found(d) })
	p := r.newPart()
	*p = Part{Header: h, Body: data[body:], Offset: base + body, Path: path}
	p.Type, p.Params = ParseType(h.Get("Content-Type"))
	if depth == 0 && len(h) > 0 && !h.Has("Content-Type") {
		if boundary := openingBoundary(p.Body); boundary != "" {
			p.Type = "multipart/mixed"
			r.found(Defect{NoBoundary, p.Offset, p.Path})
		}
	}
	if !strings.HasPrefix(p.Type, "multipart/") {
		return p
	}
	if r.limits.Depth >= 0 && depth >= r.limits.Depth {
		r.found(Defect{TooDeep, p.Offset, path})
		return p
	}
	r.split(p, depth)
	return p
}

// usualParts is how many parts a multipart/report has, with one to spare.
const usualParts = 4

// opening returns the line that parts a multipart and where its first part
// begins: by the boundary it names, else by the first line that looks like one;
// -1 where there is none.
func (r *reader) opening(p *Part) (mark string, next int) {
	defect := NoBoundary
	if named := p.Params.Get("boundary"); named != "" {
		mark = "--" + named
		if at, next, _ := findBoundary(p.Body, 0, mark); at >= 0 {
			return mark, next
		}
		defect = WrongBoundary
	}
	r.found(Defect{defect, p.Offset, p.Path})
	guess := guessBoundary(p.Body)
	if guess == "" {
		return "", -1
	}
	mark = "--" + guess
	_, next, _ = findBoundary(p.Body, 0, mark)
	return mark, next
}

// split reads the parts of a multipart.
func (r *reader) split(p *Part, depth int) {
	mark, next := r.opening(p)
	if next < 0 {
		return
	}
	p.Parts = make([]*Part, 0, usualParts)
	for next >= 0 {
		if r.limits.Parts >= 0 && r.parts >= r.limits.Parts {
			r.found(Defect{TooManyParts, p.Offset + next, p.Path})
			return
		}
		end, after, closing := findBoundary(p.Body, next, mark)
		path := strconv.Itoa(len(p.Parts) + 1)
		if p.Path != "" {
			path = p.Path + "." + path
		}
		content := p.Body[next:]
		if end >= 0 {
			content = trimLineBreak(p.Body[next:end])
		}
		child := r.part(content, p.Offset+next, path, depth+1)
		p.Parts = append(p.Parts, child)
		switch {
		case end < 0:
			child.Cut = true
			r.found(Defect{NoClosing, p.Offset + len(p.Body), p.Path})
			return
		case closing:
			return
		}
		next = after
	}
}

// findBoundary returns where the next line with the mark of a boundary begins
// and ends, from at on, and whether it closes the multipart; start is -1 when
// there is none.
func findBoundary(body string, from int, mark string) (start, end int, closing bool) {
	for at := from; at < len(body); {
		i := strings.Index(body[at:], mark)
		if i < 0 {
			return -1, -1, false
		}
		i += at
		at = i + len(mark)
		if i > 0 && body[i-1] != '\n' {
			continue
		}
		end := lineEnd(body, at)
		rest := strings.TrimRight(body[at:end], " \t\r\n")
		switch rest {
		case "":
			return i, end, false
		case "--":
			return i, end, true
		}
	}
	return -1, -1, false
}

// guessBoundary returns the first line of body that looks like a boundary: it
// begins with two hyphens, has no blanks, and a header field follows.
func guessBoundary(body string) string {
	for at := 0; at < len(body); {
		end := lineEnd(body, at)
		line := strings.TrimRight(body[at:end], " \t\r\n")
		if len(line) > 4 && strings.HasPrefix(line, "--") && !strings.ContainsAny(line, " \t") && end < len(body) {
			next := strings.TrimRight(body[end:lineEnd(body, end)], "\r\n")
			if len(strings.Trim(line, "-")) > 0 && (len(next) == 0 || isField(next)) {
				return line[2:]
			}
		}
		at = end
	}
	return ""
}

// openingBoundary returns the boundary of a body that begins with a part, behind
// a line about MIME at most, and ends it: what is left of a multipart that has
// lost its Content-Type.
func openingBoundary(body string) string {
	for at, lines := 0, 0; at < len(body) && lines < 3; {
		end := lineEnd(body, at)
		line := strings.TrimRight(body[at:end], " \t\r\n")
		switch {
		case line == "":
		case strings.HasPrefix(line, "--"):
			next := strings.TrimRight(body[end:lineEnd(body, end)], "\r\n")
			name, _ := fieldName(next)
			if len(line) < 5 || strings.ContainsAny(line, " \t") || !strings.HasPrefix(strings.ToLower(next[:name]), "content-") || !strings.Contains(body[end:], "\n"+line+"--") {
				return ""
			}
			return line[2:]
		case !strings.Contains(strings.ToLower(line), "mime"):
			return ""
		default:
			lines++
		}
		at = end
	}
	return ""
}

func isField(line string) bool {
	name, _ := fieldName(line)
	return name > 0
}

func trimLineBreak(s string) string {
	s = strings.TrimSuffix(s, "\n")
	return strings.TrimSuffix(s, "\r")
}
