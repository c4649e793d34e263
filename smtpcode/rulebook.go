package smtpcode

import (
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/mailfault/mailfault/internal/phrases"
)

// Rulebook is a set of rules with the conditions they point at. It does not
// change once made and is safe for concurrent use. The zero value has no rules
// and finds every condition unknown. Use [Default], or add rules
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
	ahead      []uint8     // by word: a number if it is the first of a pair, which words may share
	behind     [][4]uint64 // by word: a bit for each number of those it is the second of a pair with
	settings   []setting   // by rule: where its words do not decide
	kinds      map[string]wordKind
	lengths    [256]uint32        // of the words in kinds that begin with a byte, a bit each
	cues       []cue              // words of the automaton behind operatorMarks
	oneWord    []bool             // by rule: its text is one word, which may stand in an address
	ownWords   []bool             // by word: it is of one operator alone, and long
	byStatus   map[Status][]int32 // rules without words, of one status
	ranges     []int32            // rules without words, of a range of statuses
	byCode     map[int][]int32    // rules without words and status
	byClass    [6]int32           // the rule of a class alone and one more; 0: none
	meanings   map[Condition]*meaning
}

// conditionTables are all the conditions there are.
var conditionTables = [][]meaning{conditions, authenticationConditions, reputationConditions, messageConditions}

var defaultRulebook = sync.OnceValue(func() *Rulebook {
	return newRulebook(slices.Concat(
		microsoftRules, microsoftAlso, microsoftReasons, outlookRules,
		googleRules, yahooRules, appleRules,
		proofpointRules, mimecastRules, gatewayRules, blocklistRules,
		accessRules, frenchRules, asiaRules, mailboxRules, hostRules, sophosRules, sendingRules, serviceRules, serverRules, programRules, languageRules, delayRules,
		genericRules, wordingRules, observedRules, topicRules, familyRules(), registryRules, codeRules,
	))
})

// Default returns the built-in rulebook.
func Default() *Rulebook { return defaultRulebook() }

// With returns a rulebook that has the given rules as well. A rule with the ID
// of one that is there replaces it.
func (b *Rulebook) With(rules ...Rule) *Rulebook {
	all := slices.Clone(b.rules)
	at := make(map[string]int, len(all)+len(rules))
	for i := range all {
		at[all[i].ID] = i
	}
	for _, rule := range rules {
		if i, known := at[rule.ID]; known {
			all[i] = rule
			continue
		}
		at[rule.ID] = len(all)
		all = append(all, rule)
	}
	return newRulebook(all)
}

// Rules returns the rules in the order they were given.
func (b *Rulebook) Rules() []Rule { return slices.Clone(b.rules) }

// Conditions yields every built-in condition and those that rules of the
// caller's own point at, in order of their names, each with what it means in a
// sentence: the [Diagnosis.Summary] where nothing about the failure says it
// better, "" for a condition of the caller's own. It names what
// [Diagnosis.Others] leaves open.
func (b *Rulebook) Conditions() iter.Seq2[Condition, string] {
	return func(yield func(Condition, string) bool) {
		all := slices.AppendSeq(make([]Condition, 0, len(b.meanings)), maps.Keys(b.meanings))
		for i := range b.rules {
			if c := b.rules[i].Condition; c != UnknownCondition && b.meanings[c] == nil {
				all = append(all, c)
			}
		}
		slices.Sort(all)
		for _, c := range slices.Compact(all) {
			if !yield(c, b.meaningOf(c).summary) {
				return
			}
		}
	}
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
