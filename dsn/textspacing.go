package dsn

import "strings"

// minSpacedLines is how many lines a text has at least whose spacing is told
// from that of short paragraphs.
const minSpacedLines = 6

// singleSpaced takes out the blank lines that a mail or web program put after
// each line of a text, as it does where it takes lines for paragraphs: no two
// lines stand together, and where there was a blank line there are more now.
// Any other text it returns as it is.
func singleSpaced(text string) string {
	lines, blanks, least, most := 0, 0, len(text), 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			blanks++
			continue
		}
		if lines++; lines > 1 {
			if blanks == 0 {
				return text
			}
			least, most = min(least, blanks), max(most, blanks)
		}
		blanks = 0
	}
	if lines < minSpacedLines || least == most {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	blanks = 0
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" {
			blanks++
			continue
		}
		if blanks > least {
			b.WriteByte('\n')
		}
		b.WriteString(line)
		blanks = 0
	}
	return b.String()
}
