package authres

import "strings"

// maxValue is how many bytes of a field are read.
const maxValue = 64 << 10

// blank stands for a blank inside a quoted string while words are split.
const blank = "\x00"

// A segment is what stands between two semicolons, with its comments taken
// out.
type segment struct {
	text     strings.Builder
	comments []string
}

func (s *segment) words() []string {
	words := strings.Fields(s.text.String())
	// "spf = pass" is allowed (RFC 8601 section 2.2): join around the sign.
	out := words[:0]
	for _, w := range words {
		if n := len(out); n > 0 && (w[0] == '=' || strings.HasSuffix(out[n-1], "=")) && strings.Count(out[n-1]+w, "=") == 1 {
			out[n-1] += w
			continue
		}
		out = append(out, w)
	}
	return out
}

func (s *segment) comment() string {
	if len(s.comments) == 0 {
		return ""
	}
	return s.comments[0]
}

// segments splits a value at semicolons outside comments and quoted strings.
// A parenthesis or quote that is never closed is an ordinary character.
func segments(value string) []*segment {
	value = value[:min(len(value), maxValue)]
	closing := pairs(value)
	seg := &segment{}
	out := []*segment{seg}
	for i := 0; i < len(value); i++ {
		end, opens := closing[i]
		switch c := value[i]; {
		case opens && c == '(':
			seg.comments = append(seg.comments, strings.Join(strings.Fields(value[i+1:end]), " "))
			seg.text.WriteByte(' ')
			i = end
		case opens: // quoted string: kept with its quotes, blanks made unbreakable
			seg.text.WriteString(strings.Join(strings.Fields(value[i:end+1]), blank))
			i = end
		case c == ';':
			seg = &segment{}
			out = append(out, seg)
		default:
			seg.text.WriteByte(c)
		}
	}
	return out
}

// pairs maps the offset of each outermost opening parenthesis or quote to the
// offset of what closes it, in one pass.
func pairs(value string) map[int]int {
	m := map[int]int{}
	var open []int
	quote := -1
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '\\':
			i++
		case quote >= 0:
			if c == '"' {
				m[quote], quote = i, -1
			}
		case c == '"' && len(open) == 0:
			quote = i
		case c == '(':
			open = append(open, i)
		case c == ')' && len(open) > 0:
			m[open[len(open)-1]] = i
			open = open[:len(open)-1]
		}
	}
	return m
}
