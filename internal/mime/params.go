package mime

import (
	"strconv"
	"strings"
)

// Params are the parameters of a field in order; most fields have one or two.
type Params []Param

// Param is one parameter, its name in lower case.
type Param struct{ Name, Value string }

// maxParams is how many parameters of a field are read.
const maxParams = 100

// ParseType reads the value of a Content-Type field.
func ParseType(value string) (mediaType string, params Params) {
	mediaType, rest, _ := strings.Cut(value, ";")
	mediaType = strings.ToLower(strings.TrimSpace(mediaType))
	if mediaType == "" {
		mediaType = "text/plain"
	}
	if n := strings.Count(rest, "="); n > 0 {
		params = make(Params, 0, min(n, maxParams))
	}
	for rest != "" && len(params) < maxParams {
		name, after, ok := strings.Cut(rest, "=")
		if !ok {
			break
		}
		name = strings.TrimRight(name, " ") // no blank belongs there, but some write one
		if i := strings.LastIndexAny(name, "; "); i >= 0 {
			name = name[i+1:]
		}
		var text string
		after = strings.TrimLeft(after, " ")
		if quoted, ok := strings.CutPrefix(after, `"`); ok {
			text, rest = cutQuoted(quoted)
		} else {
			end := strings.IndexAny(after, "; ")
			if end < 0 {
				end = len(after)
			}
			text, rest = after[:end], after[end:]
		}
		params = append(params, Param{strings.ToLower(strings.TrimSpace(name)), text})
	}
	return mediaType, params
}

// cutQuoted reads a quoted string after its opening quote.
func cutQuoted(s string) (text, rest string) {
	if i := strings.IndexAny(s, `"\`); i >= 0 && s[i] == '"' {
		return s[:i], s[i+1:] // nothing is escaped
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:]
		case s[i] == '\\' && i+1 < len(s):
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String(), ""
}

// Get returns the first parameter of that name, which is lower case, or "". One
// that is written in pieces or with a charset (RFC 2231) is put together.
func (p Params) Get(name string) string {
	extended := false
	for i := range p {
		if p[i].Name == name {
			return p[i].Value
		}
		extended = extended || len(p[i].Name) > len(name) && p[i].Name[len(name)] == '*' && strings.HasPrefix(p[i].Name, name)
	}
	if !extended {
		return ""
	}
	return p.extended(name)
}

// extended puts together "name*0=a; name*1=b" and decodes "name*=charset'en'%XX",
// or both at once.
func (p Params) extended(name string) string {
	var raw strings.Builder
	charset := ""
	add := func(piece Param, first bool) {
		value := piece.Value
		if strings.HasSuffix(piece.Name, "*") {
			if parts := strings.SplitN(value, "'", 3); first && len(parts) == 3 {
				charset, value = parts[0], parts[2]
			}
			value = unpercent(value)
		}
		raw.WriteString(value)
	}
	if i := p.index(name + "*"); i >= 0 {
		add(p[i], true)
	} else {
		for n := range maxParams {
			piece := name + "*" + strconv.Itoa(n)
			i := max(p.index(piece), p.index(piece+"*"))
			if i < 0 {
				break
			}
			add(p[i], n == 0)
		}
	}
	text, _ := ToUTF8(raw.String(), charset)
	return text
}

func (p Params) index(name string) int {
	for i := range p {
		if p[i].Name == name {
			return i
		}
	}
	return -1
}

// unpercent decodes "%XX"; an escape that is none stays.
func unpercent(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if hi, lo := hexDigit(s[i+1]), hexDigit(s[i+2]); hi >= 0 && lo >= 0 {
				b.WriteByte(byte(hi<<4 | lo))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
