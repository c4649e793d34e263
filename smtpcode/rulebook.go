package smtpcode

import (
	"slices"
	"strings"
	"sync"

	"github.com/mailfault/mailfault/internal/phrases"
)

// Rulebook is a set of rules with the conditions they point at. It does not
// change once made and is safe for concurrent use. Use [Default], or add rules
// of your own to it:
//
//	book := smtpcode.Default().With(smtpcode.Rule{
//		ID: "acme-full", Condition: "mailbox-full", Text: "the pigeonhole overflows", Source: "acme.example/help",
//	})
type Rulebook struct {
	rules      []Rule
	strength   []int
	words      *phrases.Set
	byWord     [][]int32            // word of the automaton to rules; operatorMarks follow them, then cues
	byPair     map[[2]int32][]int32 // two words with a gap between to rules
	wordLength []int
	ahead      []uint64  // by word: a bit if it is the first of a pair, which words may share
	behind     []uint64  // by word: the bits of those it is the second of a pair with
	settings   []setting // by rule: where its words do not decide
	kinds      map[string]wordKind
	cues       []cue              // words of the automaton behind operatorMarks
	oneWord    []bool             // by rule: its text is one word, which may stand in an address
	ownWords   []bool             // by word: it is of one operator alone, and long
	byStatus   map[Status][]int32 // rules without words, of one status
	ranges     []int32            // rules without words, of a range of statuses
	byCode     map[int][]int32    // rules without words and status
	meanings   map[Condition]*meaning
}

// conditionTables are all the conditions there are.
var conditionTables = [][]meaning{conditions, authenticationConditions, reputationConditions, messageConditions}

var defaultRulebook = sync.OnceValue(func() *Rulebook {
	return newRulebook(slices.Concat(
		microsoftRules, microsoftAlso, microsoftReasons, outlookRules,
		googleRules, yahooRules, appleRules,
		proofpointRules, mimecastRules, gatewayRules, blocklistRules,
		accessRules, asiaRules, mailboxRules, hostRules, sophosRules, sendingRules, serverRules, programRules, languageRules,
		genericRules, wordingRules, observedRules, familyRules(), registryRules, codeRules,
	))
})

// Default returns the built-in rulebook.
func Default() *Rulebook { return defaultRulebook() }

// With returns a rulebook that has the given rules as well. A rule with the ID
// of one that is there replaces it.
func (b *Rulebook) With(rules ...Rule) *Rulebook {
	all := slices.Clone(b.rules)
	for _, rule := range rules {
		if i := slices.IndexFunc(all, func(r Rule) bool { return r.ID == rule.ID }); i >= 0 {
			all[i] = rule
			continue
		}
		all = append(all, rule)
	}
	return newRulebook(all)
}

// Rules returns the rules in the order they were given.
func (b *Rulebook) Rules() []Rule { return slices.Clone(b.rules) }

// minOwnWords is how many bytes an operator's words have at least that nobody
// else uses: so many in a row tell what was meant where no host and no mark
// tells who wrote them, as in a reply that somebody pasted or passed on.
const minOwnWords = 16

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
	index := make(map[string]int32)
	var words []string
	number := func(word string) int32 {
		at, ok := index[word]
		if !ok {
			at = int32(len(words))
			index[word] = at
			words = append(words, word)
			b.byWord = append(b.byWord, nil)
		}
		return at
	}
	for i := range rules {
		rule := &rules[i]
		b.strength[i] = rule.strength()
		b.settings[i], b.oneWord[i] = rule.settings(), !rule.Token && !strings.ContainsAny(rule.Text, " @./")
		switch {
		case rule.Text != "":
			before, behind := rule.gap()
			for _, word := range spellings(strings.ToLower(behind)) {
				at := number(word)
				if before == "" {
					b.byWord[at] = append(b.byWord[at], int32(i))
					continue
				}
				for _, word := range spellings(strings.ToLower(before)) {
					pair := [2]int32{number(word), at}
					b.byPair[pair] = append(b.byPair[pair], int32(i))
				}
			}
		case !rule.To.IsZero():
			b.ranges = append(b.ranges, int32(i))
		case !rule.From.IsZero():
			b.byStatus[rule.From] = append(b.byStatus[rule.From], int32(i))
		default:
			b.byCode[rule.Code] = append(b.byCode[rule.Code], int32(i))
		}
	}
	for i := range operatorMarks {
		words = append(words, strings.ToLower(operatorMarks[i].mark))
	}
	for _, group := range settingWords {
		for _, word := range group.words {
			b.kinds[word] = group.kind
			if group.kind&cueKinds != 0 {
				words = append(words, word)
				b.cues = append(b.cues, cue{len(word), group.kind & cueKinds, strings.HasPrefix(word, "n'") || strings.HasPrefix(word, "n\u2019")})
			}
		}
	}
	b.words = phrases.New(words)
	b.ownWords = make([]bool, len(b.byWord))
	b.wordLength = make([]int, len(b.byWord))
	b.ahead, b.behind = make([]uint64, len(b.byWord)), make([]uint64, len(b.byWord))
	for pair := range b.byPair {
		b.ahead[pair[0]] = 1 << (pair[0] % 64)
		b.behind[pair[1]] |= b.ahead[pair[0]]
	}
	for word, rules := range b.byWord {
		b.wordLength[word] = len(words[word])
		b.ownWords[word] = len(words[word]) >= minOwnWords && !slices.ContainsFunc(rules, func(r int32) bool {
			return b.rules[r].Operator != b.rules[rules[0]].Operator
		})
	}
	return b
}

// meaningOf returns what a condition says; a condition of a user's own has no
// entry in the table and says no more than its name.
func (b *Rulebook) meaningOf(c Condition) *meaning {
	if c == UnknownCondition {
		return &silent
	}
	if m := b.meanings[c]; m != nil {
		return m
	}
	return &meaning{id: c}
}
