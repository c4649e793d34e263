package dsn

import "strings"

// isBounce weighs what speaks for a bounce. A person's mail about a bounce has
// its words too, but neither comes from a mail system nor begins like a report.
func (t *textReader) isBounce() bool {
	if t.header.Has("X-Failed-Recipients") && (t.daemon || len(t.failed) > 0) {
		return true
	}
	if t.header.Has("X-MS-Exchange-Message-Is-Ndr") || t.header.Has("X-MS-Embedded-Report") || t.header.Has("X-DSNContext") {
		return true
	}
	const enough = 4
	weight := 0
	if t.daemon {
		weight += 2
	}
	if strings.TrimSpace(t.header.Get("Return-Path")) == "<>" {
		weight++
	}
	if t.format.name != "" && (t.daemon || !t.personal() && t.beginsAsReport()) {
		weight += 2
	}
	if weight == 0 {
		return false
	}
	if containsAny(t.subject, subjectWords) {
		weight++
	}
	if from := len(t.head) - len(t.top); t.seen.failure > from || t.seen.delay > from {
		weight++
	}
	if len(t.found) > 0 && !t.derived {
		if weight++; weight >= enough {
			return true
		}
		if t.reasoned || hasReply(t.found[0].about) {
			weight++
		}
	}
	return weight >= enough
}

// beginsAsReport reports whether the format shows at once, as it does in a
// report but not in a mail that quotes one, or the sender is a program.
func (t *textReader) beginsAsReport() bool {
	const opening = 160
	if t.automatic() {
		return true
	}
	seen := textMarks().look(t.head[:min(len(t.head), len(t.head)-len(t.top)+opening)], 0)
	return textMarks().format(&seen).name != ""
}

// automatic reports whether the sender's name is one that programs use.
func (t *textReader) automatic() bool {
	local, _, _ := strings.Cut(strings.ToLower(bareAddress(t.header.Get("From"))), "@")
	return containsAny(local, []string{"admin", "noreply", "no-reply", "daemon", "system", "notification", "bounce"})
}

// personal reports whether a person seems to have written the mail.
func (t *textReader) personal() bool {
	if t.automatic() {
		return false
	}
	if t.header.Has("In-Reply-To") || t.header.Has("References") || t.header.Has("User-Agent") {
		return true
	}
	subject := strings.TrimSpace(t.subject)
	for _, prefix := range [...]string{"re:", "fwd:", "fw:", "aw:", "wg:", "tr:", "rv:"} {
		if strings.HasPrefix(subject, prefix) {
			return true
		}
	}
	return false
}
