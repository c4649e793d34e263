package page

import (
	"slices"
	"strings"

	"github.com/mailfault/mailfault/smtpcode"
)

// Piece is a piece of a text: plain, or words that decided.
type Piece struct {
	Text string
	Mark bool
}

// span is a part of a text, in bytes.
type span struct{ from, to int }

// MarkText cuts a report's own text at the words that the judgements of its
// failures rest on. The words are looked for where the reply or the sentence that
// they decided in stands in the text, however its lines are broken; where it
// does not stand whole, the words are looked for alone.
func MarkText(text string, failures []smtpcode.Failure, diagnoses []smtpcode.Diagnosis) []Piece {
	flat, at := flatten(text)
	var spans []span
	for i := range failures {
		if i >= len(diagnoses) || i >= maxMarked {
			break
		}
		for _, e := range diagnoses[i].Evidence {
			if !e.Overruled {
				spans = append(spans, find(flat, at, field(&failures[i], &e), &e)...)
			}
		}
	}
	return cut(text, spans)
}

// maxMarked bounds the failures whose words are looked for.
const maxMarked = 20

// MarkReply cuts a reply at the words of the evidence in it.
func MarkReply(reply string, index int, evidence []smtpcode.Evidence) []Piece {
	var spans []span
	for _, e := range evidence {
		if e.Field == smtpcode.FieldReply && e.Index == index && !e.Overruled && 0 <= e.Start && e.Start < e.End && e.End <= len(reply) {
			spans = append(spans, span{e.Start, e.End})
		}
	}
	return cut(reply, spans)
}

// field is the text that evidence stands in.
func field(f *smtpcode.Failure, e *smtpcode.Evidence) string {
	switch {
	case e.Field == smtpcode.FieldReply && 0 <= e.Index && e.Index < len(f.Replies):
		return f.Replies[e.Index].Raw
	case e.Field == smtpcode.FieldReason:
		return f.Reason
	}
	return ""
}

// find returns where the evidence stands in the text.
func find(flat string, at []int, whole string, e *smtpcode.Evidence) []span {
	words, _ := flatten(e.Text)
	if len(words) < 3 {
		return nil
	}
	if 0 <= e.Start && e.Start < e.End && e.End <= len(whole) {
		around, _ := flatten(whole)
		before, _ := flatten(whole[:e.Start])
		if from := strings.Index(flat, around); from >= 0 && around != "" {
			if i := strings.Index(flat[from+min(len(before), len(around)):], words); i >= 0 {
				from += min(len(before), len(around)) + i
				return []span{{at[from], at[from+len(words)-1] + 1}}
			}
		}
	}
	if from := strings.Index(flat, words); from >= 0 {
		return []span{{at[from], at[from+len(words)-1] + 1}}
	}
	return nil
}

// flatten returns the text in lower case with every run of blanks as one, and
// where each of its bytes stands in the text.
func flatten(text string) (string, []int) {
	flat, at := make([]byte, 0, len(text)), make([]int, 0, len(text))
	for i := range len(text) {
		c := text[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			if len(flat) == 0 || flat[len(flat)-1] == ' ' {
				continue
			}
			c = ' '
		case 'A' <= c && c <= 'Z':
			c |= 0x20
		}
		flat, at = append(flat, c), append(at, i)
	}
	if n := len(flat); n > 0 && flat[n-1] == ' ' {
		flat, at = flat[:n-1], at[:n-1]
	}
	return string(flat), at
}

// cut cuts a text at the spans.
func cut(text string, spans []span) []Piece {
	slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	var out []Piece
	end := 0
	for _, s := range spans {
		if s.to <= end {
			continue
		}
		s.from = max(s.from, end)
		if s.from > end {
			out = append(out, Piece{text[end:s.from], false})
		}
		out = append(out, Piece{text[s.from:s.to], true})
		end = s.to
	}
	if end < len(text) {
		out = append(out, Piece{text[end:], false})
	}
	return out
}
