package smtpcode

import (
	"strings"

	"github.com/mailfault/mailfault/internal/phrases"
)

// A match is a rule that fits some of the evidence.
type match struct {
	rule       int32
	strength   int
	field      Field
	index      int // of the reply
	start, end int // in the text that was searched
}

// matches are the strongest matches of one failure, strongest first, in a
// space of fixed size: a hostile text cannot make them grow.
type matches struct {
	list [12]match
	n    int
	all  *[]match // where to keep every match, for [Rulebook.Explain]; nil: nowhere
}

// add keeps m in order of strength. Of matches of one strength the first one
// added stays ahead. A rule that matched already is passed over.
func (ms *matches) add(m match) {
	if ms.all != nil {
		*ms.all = append(*ms.all, m)
	}
	for i := range ms.n {
		if ms.list[i].rule == m.rule {
			return
		}
	}
	at := ms.n
	for at > 0 && ms.list[at-1].strength < m.strength {
		at--
	}
	if at == len(ms.list) {
		return
	}
	if ms.n < len(ms.list) {
		ms.n++
	}
	copy(ms.list[at+1:ms.n], ms.list[at:ms.n-1])
	ms.list[at] = m
}

// evidence is one text or code that rules look at.
type evidence struct {
	field    Field
	index    int
	code     int
	status   Status
	text     string
	operator Operator
	rank     int // added to the strength of words found here
	codeRank int // added to the strength of codes found here

	cues       wordKind // kinds of words in the text that make a setting
	setting    setting  // of the words that begin at settingEnd-1
	settingEnd int      // 0: of none

	saysWhy, whyAsked bool // whether the status says more than words that do not say why
}

// A hit is a phrase of the rulebook and where it ends in a text.
type hit struct{ word, end int32 }

// maxHits is how many hits of one text are kept while it is not known who wrote
// the text; one with more of them is read a second time.
const maxHits = 64

// collect adds the rules that fit e. Where a mark in the text tells who wrote
// it, it sets e.operator.
func (b *Rulebook) collect(ms *matches, e *evidence) {
	if len(b.rules) == 0 {
		return
	}
	var hits [maxHits]hit
	n, mark, state := 0, len(operatorMarks), phrases.State(0)
	known := e.operator != UnknownOperator && e.operator != otherOperator
	for i := 0; i < len(e.text); i++ {
		state = b.words.Next(state, e.text[i])
		for _, word := range b.words.Found(state) {
			if int(word) >= len(b.byWord) {
				if at := int(word) - len(b.byWord); at < len(operatorMarks) {
					mark = min(mark, markIn(e.text, i+1, at, known))
				} else if cue := &b.cues[at-len(operatorMarks)]; cue.kind&^e.cues != 0 && cue.standsIn(e.text, i+1) {
					e.cues |= cue.kind
				}
				continue
			}
			if !b.stands(word, e.text, i+1) {
				continue
			}
			if n < maxHits {
				hits[n] = hit{word, int32(i + 1)}
			}
			n++
		}
	}
	if mark < len(operatorMarks) && e.field == FieldReply {
		e.operator = operatorMarks[mark].operator
	}
	if n <= maxHits {
		for i := range n {
			b.addWord(ms, e, hits[:i+1])
		}
	} else {
		b.collectAgain(ms, e)
	}
	if e.field != FieldReason {
		b.collectCodes(ms, e)
	}
}

// collectCodes adds the rules of e's reply code and status.
func (b *Rulebook) collectCodes(ms *matches, e *evidence) {
	for _, r := range b.byStatus[e.status] {
		b.addCode(ms, e, r)
	}
	if !e.status.IsZero() {
		for _, r := range b.ranges {
			if b.rules[r].From[1] == e.status[1] { // no range spans two subjects
				b.addCode(ms, e, r)
			}
		}
		b.addCode(ms, e, classRule(b, e.status.Class()))
	}
	if e.code != 0 {
		for _, r := range b.byCode[e.code] {
			b.addCode(ms, e, r)
		}
		b.addCode(ms, e, classRule(b, e.code/100))
	}
}

// collectAgain adds the rules whose words stand in a text of very many hits.
func (b *Rulebook) collectAgain(ms *matches, e *evidence) {
	var hits [maxHits]hit // the last ones
	n, state := 0, phrases.State(0)
	for i := 0; i < len(e.text); i++ {
		state = b.words.Next(state, e.text[i])
		for _, word := range b.words.Found(state) {
			if int(word) >= len(b.byWord) || !b.stands(word, e.text, i+1) {
				continue
			}
			if n == maxHits {
				n = copy(hits[:], hits[maxHits/2:])
			}
			hits[n] = hit{word, int32(i + 1)}
			n++
			b.addWord(ms, e, hits[:n])
		}
	}
}

// stands reports whether words that end at end can find a rule: those of pairs
// alone have to be whole, as the "use" in "user" is not.
func (b *Rulebook) stands(word int32, text string, end int) bool {
	return len(b.byWord[word]) > 0 || wordBorder(text, end) && wordBorder(text, end-b.wordLength[word])
}

// addWord adds the rules of the last of some hits that fit, alone or behind one
// of the others.
func (b *Rulebook) addWord(ms *matches, e *evidence, hits []hit) {
	h := hits[len(hits)-1]
	end := int(h.end)
	start := end - b.wordLength[h.word]
	for _, r := range b.byWord[h.word] {
		b.addRule(ms, e, r, h.word, start, end)
	}
	behind := &b.behind[h.word]
	if *behind == [4]uint64{} || !wordBorder(e.text, start) || !wordBorder(e.text, end) || isGiven(e.text, end) {
		return // in "spf=fail dkim=pass" no "fail dkim" is said
	}
	nearer, given := -1, false // where the words begin that are nearest of those that go with these; whether these are their value
	for k := len(hits) - 2; k >= 0; k-- {
		g := hits[k]
		if int(g.end) < start-maxGap {
			return
		}
		if n := b.ahead[g.word]; behind[n/64]>>(n%64)&1 == 0 {
			continue
		}
		rules := b.byPair[[2]int32{g.word, h.word}]
		if len(rules) == 0 || !sameSentence(e.text, int(g.end)-b.wordLength[g.word], int(g.end), start) {
			continue
		}
		if nearer >= int(g.end) && (given || strings.IndexByte(e.text[g.end:nearer], ',') >= 0) {
			return // "PTR record found, HELO invalid", "dkim=pass spf=fail": said of the nearer one
		}
		if nearer < 0 {
			nearer, given = int(g.end)-b.wordLength[g.word], isGiven(e.text, int(g.end))
		}
		var gap setting
		if e.cues != 0 {
			gap = b.settingOf(e.text, int(g.end), start)
		}
		if gap&denied != 0 {
			continue // "mailbox is not full"
		}
		for _, r := range rules {
			if gap&b.settings[r] == 0 {
				b.addRule(ms, e, r, h.word, int(g.end)-b.wordLength[g.word], end)
			}
		}
	}
}

// addRule adds a rule whose words stand in e.text, if it fits; word is the last
// of them. What has no code is no reply of a server but, like a reason, a
// sentence of the system that reports.
func (b *Rulebook) addRule(ms *matches, e *evidence, r, word int32, start, end int) {
	rule := &b.rules[r]
	sentence := e.field == FieldReason || e.code == 0 && e.status.IsZero()
	if rule.Reason && !sentence || !rule.Reason && e.field == FieldReason || !rule.covers(e.code, e.status) || !whole(rule, e.text, start, end) {
		return
	}
	strength := b.strength[r]
	vague := rule.Vague || rule.Topic
	if counts, hint := b.counts(e, r, start, end); !counts {
		return
	} else if hint {
		vague, strength = true, min(strength, strengthVague+len(rule.Text))
	}
	if vague && !e.whyAsked {
		e.saysWhy, e.whyAsked = b.codeSaysWhy(e), true
	}
	if vague && e.saysWhy {
		strength = strengthSubject + 1
	}
	switch {
	case rule.Operator == "" || rule.Operator == e.operator:
	case b.ownWords[word] && (e.operator == UnknownOperator || e.operator == otherOperator):
		strength -= bonusOperator
	default:
		return
	}
	ms.add(match{r, strength + e.rank, e.field, e.index, start, end})
}

// codeSaysWhy reports whether e's status says more than words that do not say
// why. Most codes of subject 7 are given for any refusal, those of RFC 7372
// (from 20 on) and an operator's own at its own server excepted.
func (b *Rulebook) codeSaysWhy(e *evidence) bool {
	if e.status[1] != 7 {
		return specific(e.status) || e.status[1] == 6
	}
	if !specific(e.status) {
		return false
	}
	for _, r := range b.byStatus[e.status] {
		rule := &b.rules[r]
		if !rule.Also && (rule.Operator == "" && e.status[2] >= 20 || rule.Operator != "" && rule.Operator == e.operator) {
			return true
		}
	}
	for _, r := range b.ranges {
		rule := &b.rules[r]
		if rule.Operator != "" && rule.Operator == e.operator && rule.From[2] != 0 && rule.covers(e.code, e.status) {
			return true
		}
	}
	return false
}

// isGiven reports whether a value follows words that end at end: "dkim=fail".
func isGiven(text string, end int) bool { return end < len(text) && text[end] == '=' }

// whole reports whether the words from start to end are whole ones: "host is
// down" is in "ghost is down", "user unknown" in "user unknowner", a code "AS1"
// in "AS12". A plural passes; a program's mark may end a longer one.
func whole(rule *Rule, text string, start, end int) bool {
	if start > 0 && !rule.Token && isLetter(text[start]) && (isLetter(text[start-1]) || endsInAnti(text[:start])) {
		return false
	}
	if end == len(text) {
		return true
	}
	switch last, next := text[end-1], text[end]; {
	case isDigit(last):
		return !isDigit(next)
	case isLetter(last) && isLetter(next):
		return !rule.Token && next|0x20 == 's' && (end+1 == len(text) || !isLetter(text[end+1]))
	}
	return true
}

// endsInAnti reports whether what follows is the other part of such a word as
// "anti-spam".
func endsInAnti(ahead string) bool {
	const anti = "anti-"
	n := len(ahead) - len(anti)
	return n >= 0 && ahead[len(ahead)-1] == '-' && strings.EqualFold(ahead[n:], anti)
}

// counts reports whether a rule's words from start to end are said of what the
// rule is about, and whether they are no more than a hint.
func (b *Rulebook) counts(e *evidence, r int32, start, end int) (counts, hint bool) {
	without := b.settings[r]
	if without == 0 {
		return true, false
	}
	if b.oneWord[r] {
		address, host := partOfName(e.text, start, end)
		if address {
			return false, false
		}
		hint = host && b.rules[r].Condition != "ip-blocked" // a list's address names the list
	}
	if e.cues == 0 {
		return true, hint
	}
	if without&ofSender != 0 && e.cues&sends != 0 && b.ofSenderBehind(e.text, end) {
		return false, false
	}
	in := b.settingAt(e, start) & without
	return in&^aside == 0, hint || in&aside != 0
}

// settingAt is [Rulebook.settingOf], once for all the rules that have words there.
func (b *Rulebook) settingAt(e *evidence, start int) setting {
	if e.settingEnd != start+1 {
		e.setting, e.settingEnd = b.settingOf(e.text, 0, start), start+1
	}
	return e.setting
}

func (b *Rulebook) addCode(ms *matches, e *evidence, r int32) {
	if r < 0 {
		return
	}
	rule := &b.rules[r]
	strength := b.strength[r]
	switch {
	case !rule.covers(e.code, e.status):
		return
	case rule.Operator == "" || rule.Operator == e.operator:
	case e.operator == UnknownOperator && rule.Condition == UnknownCondition:
		// Nobody knows who spoke and the operator gives the code several
		// meanings: nothing is decided.
	case e.operator == UnknownOperator || e.operator == otherOperator:
		// The operator's meaning stays open beside the registry's.
		strength = strengthOpen
	default:
		return
	}
	if strength > strengthSubject && specific(e.status) {
		strength += e.codeRank
	}
	ms.add(match{r, strength, e.field, e.index, 0, 0})
}

// specific reports whether a status says more than that some rule or some
// trouble was at work.
func specific(s Status) bool { return s[2] != 0 && !(s[1] == 7 && s[2] == 1) }

// classRule returns the rule for a class alone, or -1.
func classRule(b *Rulebook, class int) int32 {
	if class < 0 || class >= len(b.byClass) {
		return -1
	}
	return b.byClass[class] - 1
}
