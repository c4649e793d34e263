package dmarcreport

import "strings"

// words is the vocabulary of one enumeration: the standard's words, and words
// in use for them.
type words[T ~uint8] struct {
	exact []named[T]
	alias []named[T] // in lower case
}

type named[T ~uint8] struct {
	word  string
	value T
}

func find[T ~uint8](list []named[T], word string) (T, bool) {
	for i := range list {
		if list[i].word == word {
			return list[i].value, true
		}
	}
	return 0, false
}

// The words of each element. Aliases were seen in real reports; none of them
// turns into a pass. What is not here is unknown.
var (
	alignmentWords = &words[AlignmentMode]{
		exact: []named[AlignmentMode]{{"r", AlignmentRelaxed}, {"s", AlignmentStrict}},
		alias: []named[AlignmentMode]{{"relaxed", AlignmentRelaxed}, {"strict", AlignmentStrict}},
	}
	policyWords = &words[Disposition]{
		exact: []named[Disposition]{{"none", DispositionNone}, {"quarantine", DispositionQuarantine}, {"reject", DispositionReject}},
	}
	dispositionWords = &words[Disposition]{
		exact: []named[Disposition]{{"none", DispositionNone}, {"quarantine", DispositionQuarantine}, {"reject", DispositionReject}, {"pass", DispositionPass}},
	}
	evaluatedWords = &words[Result]{
		exact: []named[Result]{{"pass", ResultPass}, {"fail", ResultFail}},
		alias: []named[Result]{{"hardfail", ResultFail}, {"softfail", ResultFail}},
	}
	dkimWords = &words[Result]{
		exact: []named[Result]{{"none", ResultNone}, {"pass", ResultPass}, {"fail", ResultFail}, {"policy", ResultPolicy},
			{"neutral", ResultNeutral}, {"temperror", ResultTempError}, {"permerror", ResultPermError}},
		alias: []named[Result]{{"hardfail", ResultFail}, {"invalid", ResultPermError}},
	}
	spfWords = &words[Result]{
		exact: []named[Result]{{"none", ResultNone}, {"neutral", ResultNeutral}, {"pass", ResultPass}, {"fail", ResultFail},
			{"softfail", ResultSoftFail}, {"policy", ResultPolicy}, {"temperror", ResultTempError}, {"permerror", ResultPermError}},
		// "unknown" and "error" are named in comments of RFC 7489 appendix C.
		alias: []named[Result]{{"hardfail", ResultFail}, {"unknown", ResultTempError}, {"error", ResultPermError}},
	}
	scopeWords = &words[SPFScope]{
		exact: []named[SPFScope]{{"mfrom", ScopeMailFrom}, {"helo", ScopeHELO}},
		alias: []named[SPFScope]{{"mailfrom", ScopeMailFrom}, {"smtp.mailfrom", ScopeMailFrom}, {"ehlo", ScopeHELO}},
	}
	overrideWords = &words[Override]{
		exact: []named[Override]{{"forwarded", OverrideForwarded}, {"sampled_out", OverrideSampledOut}, {"trusted_forwarder", OverrideTrustedForwarder},
			{"mailing_list", OverrideMailingList}, {"local_policy", OverrideLocalPolicy}, {"other", OverrideOther}, {"policy_test_mode", OverridePolicyTestMode}},
	}
)

// unknown is the value of a word that is there and not understood, in every
// enumeration.
const unknown = 1

// word reads an enumeration and says what is wrong with its word.
func word[T ~uint8](d *decoder, w *words[T], id elementID, b []byte, at int64) T {
	if v, ok := find(w.exact, string(b)); ok {
		return v
	}
	if len(b) == 0 {
		d.add(note{id: findEmpty, el: id, at: at})
		return 0
	}
	lower := strings.ToLower(string(b))
	if v, ok := find(w.exact, lower); ok {
		d.add(note{id: findWordCase, el: id, at: at, before: cut(b), after: lower})
		return v
	}
	if v, ok := find(w.alias, lower); ok {
		d.add(note{id: findWordAlias, el: id, at: at, before: cut(b), after: w.name(v)})
		return v
	}
	if v, ok := w.joined(strings.ReplaceAll(lower, " ", "_")); ok {
		d.add(note{id: findWordAlias, el: id, at: at, before: cut(b), after: w.name(v)})
		return v
	}
	d.add(note{id: findWord, el: id, at: at, before: cut(b), after: "unknown"})
	return unknown
}

// joined finds one of the standard's words whose parts are joined another way:
// "mailing list", "temp-error". None is found to be a pass so.
func (w *words[T]) joined(word string) (T, bool) {
	for _, have := range w.exact {
		if have.word != "pass" && sameJoined(have.word, word) {
			return have.value, true
		}
	}
	return 0, false
}

// name returns the standard's word for v.
func (w *words[T]) name(v T) string {
	for _, have := range w.exact {
		if have.value == v {
			return have.word
		}
	}
	return ""
}
