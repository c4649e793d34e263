package smtpcode

import (
	"slices"
	"strings"

	"github.com/mailfault/mailfault/internal/phrases"
)

// minOwnWords is how many bytes an operator's words have at least that nobody
// else uses: so many in a row tell what was meant where no host and no mark
// tells who wrote them, as in a reply that somebody pasted or passed on.
const minOwnWords = 16

// newRulebook makes the index by which rules are found.
func newRulebook(rules []Rule) *Rulebook {
	b := &Rulebook{
		rules:    rules,
		strength: make([]int, len(rules)),
		settings: make([]setting, len(rules)),
		kinds:    make(map[string]wordKind),
		oneWord:  make([]bool, len(rules)),
		byStatus: make(map[Status][]int32),
		byCode:   make(map[int][]int32),
		byPair:   make(map[[2]int32][]int32),
		meanings: make(map[Condition]*meaning),
	}
	for _, table := range conditionTables {
		for i := range table {
			b.meanings[table[i].id] = &table[i]
		}
	}
	words := wordList{at: make(map[string]int32)}
	for i := range rules {
		b.indexRule(int32(i), &words)
	}
	b.byWord = words.rules
	b.indexPairs()
	b.measure(words.list)
	all := words.list
	for i := range operatorMarks {
		all = append(all, strings.ToLower(operatorMarks[i].mark))
	}
	b.words = phrases.New(b.addCues(all))
	return b
}

// wordList numbers the words of rules.
type wordList struct {
	list  []string
	rules [][]int32 // that a word alone finds
	at    map[string]int32
}

// number returns the number of a word.
func (l *wordList) number(word string) int32 {
	at, ok := l.at[word]
	if !ok {
		at = int32(len(l.list))
		l.at[word] = at
		l.list, l.rules = append(l.list, word), append(l.rules, nil)
	}
	return at
}

// indexRule notes where a rule is found: by its words, else by its status or code.
func (b *Rulebook) indexRule(i int32, words *wordList) {
	rule := &b.rules[i]
	b.strength[i] = rule.strength()
	b.settings[i], b.oneWord[i] = rule.settings(), !rule.Token && !strings.ContainsAny(rule.Text, " @./")
	switch {
	case rule.Text != "":
		before, behind := rule.gap()
		for _, word := range spellings(strings.ToLower(behind)) {
			at := words.number(word)
			if before == "" {
				words.rules[at] = append(words.rules[at], i)
				continue
			}
			for _, word := range spellings(strings.ToLower(before)) {
				pair := [2]int32{words.number(word), at}
				b.byPair[pair] = append(b.byPair[pair], i)
			}
		}
	case !rule.To.IsZero():
		b.ranges = append(b.ranges, i)
	case !rule.From.IsZero():
		b.byStatus[rule.From] = append(b.byStatus[rule.From], i)
	case rule.Code >= 0:
		b.byCode[rule.Code] = append(b.byCode[rule.Code], i)
	case -rule.Code < len(b.byClass) && b.byClass[-rule.Code] == 0:
		b.byClass[-rule.Code] = i + 1
	}
}

// indexPairs gives the words of pairs their numbers, by which a word tells
// whether any word it goes with came before.
func (b *Rulebook) indexPairs() {
	b.ahead, b.behind = make([]uint8, len(b.byWord)), make([][4]uint64, len(b.byWord))
	for pair := range b.byPair {
		n := uint8(1 + pair[0]%255)
		b.ahead[pair[0]] = n
		b.behind[pair[1]][n/64] |= 1 << (n % 64)
	}
}

// measure notes how long words are, and which tell their operator.
func (b *Rulebook) measure(words []string) {
	b.wordLength, b.ownWords = make([]int, len(words)), make([]bool, len(words))
	for word, rules := range b.byWord {
		b.wordLength[word] = len(words[word])
		b.ownWords[word] = len(words[word]) >= minOwnWords && !slices.ContainsFunc(rules, func(r int32) bool {
			return b.rules[r].Operator != b.rules[rules[0]].Operator
		})
	}
}

// addCues appends the words that change what others mean.
func (b *Rulebook) addCues(words []string) []string {
	for _, group := range settingWords {
		for _, word := range group.words {
			b.kinds[word] = group.kind
			b.lengths[word[0]] |= 1 << len(word)
			if group.kind&cueKinds != 0 {
				words = append(words, word)
				b.cues = append(b.cues, cue{len(word), group.kind & cueKinds, strings.HasPrefix(word, "n'") || strings.HasPrefix(word, "n\u2019")})
			}
		}
	}
	return words
}
