package dsn

import "strings"

// unnamed keeps what is said of a recipient whose address the text does not
// give, or gives in no form of an address: people black addresses out before
// they paste. His address stays empty.
func (t *textReader) unnamed() {
	for i := range t.lines {
		if _, _, ok := replyIn(t.lines[i].text); ok {
			f := textRecipient{line: i, about: t.paragraph(i)}
			f.host = remoteHost(strings.Join(strings.Fields(t.paragraph(max(0, i-2))), " "))
			t.found = append(t.found, f)
			return
		}
	}
	about := t.reasonBelow()
	t.reasoned = about != ""
	if about == "" && (t.format.name != "" || t.seen.failure > 0) {
		about = t.blackedOut()
	}
	if about != "" {
		t.found = append(t.found, textRecipient{about: about, host: remoteHost(strings.Join(strings.Fields(about), " "))})
	}
}

// reasonBelow returns the text that a label in a line of its own announces. With
// its reason in the same line a label shows no report, as reasonBehind needs one:
// "Reason: we are closed on Mondays."
func (t *textReader) reasonBelow() string {
	for i := range t.lines {
		label, _ := undecorated(strings.ReplaceAll(t.lines[i].lower, " :", ":"))
		if !contains(reasonLabels, label) {
			continue
		}
		for next := i + 1; next < min(i+4, len(t.lines)); next++ {
			if t.lines[next].lower != "" {
				return t.paragraph(next)
			}
		}
	}
	return ""
}

// blackedOut returns what follows an address that is none any more, else the
// first paragraph that speaks of the failure.
func (t *textReader) blackedOut() string {
	sentence := ""
	for i := range t.lines {
		l := &t.lines[i]
		if strings.Contains(l.text, ": ") && containsAny(l.lower, blackMarks) {
			return t.paragraph(i)
		}
		if sentence == "" && l.lower != "" && (i == 0 || t.lines[i-1].lower == "") {
			if p := t.paragraph(i); containsAny(strings.ToLower(strings.Join(strings.Fields(p), " ")), failureWords) {
				sentence = p
			}
		}
	}
	return sentence
}

// blackMarks stand where an address was.
var blackMarks = []string{"@", "***", "xxx", "[redacted", "<redacted", "[email", "[e-mail", "<email", "█", "[name"}

// paragraph returns the lines from one on, up to a blank one or one that closes.
func (t *textReader) paragraph(line int) string {
	var b strings.Builder
	for i := line; i < min(len(t.lines), line+20); i++ {
		l := &t.lines[i]
		if i > line && (l.lower == "" || closes(l.lower) && !t.continues(i, line)) {
			break
		}
		b.WriteString(l.text)
		b.WriteByte('\n')
	}
	return b.String()
}
