package dnscheck

import (
	"iter"
	"strings"
)

// Tag is one tag of a tag list (RFC 6376 section 3.2), the form of DMARC, DKIM,
// MTA-STS, TLS-RPT and BIMI records.
type Tag struct {
	Name  string `json:"name"`  // as written; "" where the equals sign or the name is missing
	Value string `json:"value"` // without the blanks around it
	Start int    `json:"start"` // byte offsets of the whole tag in the record
	End   int    `json:"end"`

	valueAt int // byte offset of the value
}

const blanks = " \t\r\n"

// tags goes through a tag list; empty places between semicolons are passed over.
func tags(record string) iter.Seq[Tag] {
	return func(yield func(Tag) bool) {
		for at := 0; at < len(record); {
			end := strings.IndexByte(record[at:], ';')
			next := at + end + 1
			if end < 0 {
				end, next = len(record)-at, len(record)
			}
			start, stop := trimSpan(record, at, at+end)
			at = next
			if start == stop {
				continue
			}
			t := Tag{Start: start, End: stop, Value: record[start:stop], valueAt: start}
			if i := strings.IndexByte(record[start:stop], '='); i > 0 {
				_, nameEnd := trimSpan(record, start, start+i)
				t.valueAt, _ = trimSpan(record, start+i+1, stop)
				t.Name, t.Value = record[start:nameEnd], record[t.valueAt:stop]
			}
			if !yield(t) {
				return
			}
		}
	}
}

// emptyTag returns where the first semicolon stands that has no tag before it.
func emptyTag(record string) (t Tag, ok bool) {
	for at := 0; ; {
		end := strings.IndexByte(record[at:], ';')
		if end < 0 {
			return Tag{}, false
		}
		if start, stop := trimSpan(record, at, at+end); start == stop {
			return Tag{Start: at + end, End: at + end + 1}, true
		}
		at += end + 1
	}
}

// withoutBlanks takes out the blanks that may stand within a value (RFC 6376
// section 2.8), and no others that Unicode has: receivers do not pass over those.
func withoutBlanks(value string) string {
	if !strings.ContainsAny(value, blanks) {
		return value
	}
	return strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "").Replace(value)
}

// trimSpan moves both ends of a span inwards past blanks.
func trimSpan(s string, start, end int) (int, int) {
	for start < end && strings.IndexByte(blanks, s[start]) >= 0 {
		start++
	}
	for start < end && strings.IndexByte(blanks, s[end-1]) >= 0 {
		end--
	}
	return start, end
}

// hasVersion reports whether a tag list begins with the version tag v of that
// value: exact in letters, with blanks allowed around the equals sign.
func hasVersion(record, version string) bool {
	rest, ok := strings.CutPrefix(record, "v")
	if !ok {
		if rest, ok = strings.CutPrefix(record, "V"); !ok {
			return false
		}
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " \t"), "=")
	if !ok {
		return false
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " \t"), version)
	rest = strings.TrimLeft(rest, " \t")
	return ok && (rest == "" || rest[0] == ';')
}

// versioned picks out of an answer the records of that version.
func versioned(a Answer, version string) (records []string) {
	for _, txt := range a.TXT {
		if hasVersion(txt.Text, version) {
			records = append(records, txt.Text)
		}
	}
	return records
}

// exactly picks out of an answer the records that begin with a version as it
// stands, blanks and case counted, and the semicolon behind it: RFC 8460 and RFC
// 8461 have all others discarded.
func exactly(a Answer, version string) (records []string) {
	for _, txt := range a.TXT {
		if rest, ok := strings.CutPrefix(txt.Text, "v="+version); ok && strings.HasPrefix(strings.TrimLeft(rest, " \t"), ";") {
			records = append(records, txt.Text)
		}
	}
	return records
}

// nearly returns the first record that means to be of that version and is not:
// another case, blanks or a quote in front, a semicolon missing.
func nearly(a Answer, version string) string {
	for _, txt := range a.TXT {
		if means(txt.Text, version) && !hasVersion(txt.Text, version) {
			return txt.Text
		}
	}
	return ""
}

// means reports whether a text speaks of a version near its beginning.
func means(text, version string) bool {
	if len(text) > 64 {
		text = text[:64]
	}
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune(blanks+"\"'\u00a0\ufeff", r) {
			return -1
		}
		return r
	}, strings.ToLower(text))
	return strings.Contains(text, "v="+strings.ToLower(version))
}
