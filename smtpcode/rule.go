package smtpcode

import "strings"

// A Rule says which evidence points at which condition. Every field that is set
// must fit; a rule with Text is as strong as its words, one without as its
// code. Which rule wins is decided by how specific the evidence is, never by
// the order of rules: see [Rulebook.Diagnose].
type Rule struct {
	ID        string    `json:"id"`
	Condition Condition `json:"condition"`
	Operator  Operator  `json:"operator,omitempty"` // whose server must have spoken, or seems to by 16 bytes of Text that no other rule has; "" for any
	From      Status    `json:"from,omitzero"`      // status, or the first of a range
	To        Status    `json:"to,omitzero"`        // last of the range; zero: From alone
	Code      int       `json:"code,omitempty"`     // reply code; negative: any of that class
	Text      string    `json:"text,omitempty"`     // whole words that occur, in any case, blanks single; "a * b": b behind a in one sentence
	Token     bool      `json:"token,omitempty"`    // Text is a program's own mark, stronger than words
	Vague     bool      `json:"vague,omitempty"`    // Text says that or whom a server refused, not why: any words and codes that do stand above it
	Topic     bool      `json:"topic,omitempty"`    // Text names what a refusal is about, no more: any words that say why stand above it, words that only refuse below
	Bare      bool      `json:"bare,omitempty"`     // Text says why, not what or whom: words with a gap that say both stand above it
	Reason    bool      `json:"reason,omitempty"`   // Text is looked for in Failure.Reason instead of Replies
	Also      bool      `json:"also,omitempty"`     // never wins: Condition stays open beside the one that does
	Source    string    `json:"source"`             // a public page, standard or report
}

// Strength of evidence: a reply token beats a phrase, beats words with a gap,
// beats a phrase that does not say what or whom, beats a word for what it is
// about, beats words that do not say why, with a gap or without, beats the
// reason sentence, beats a code of a known operator, beats the registry's
// meaning of a code, beats an operator's range of codes, beats the subject,
// beats the reply code, beats the class.
const (
	strengthOpen     = 50
	strengthClass    = 100
	strengthCode     = 500
	strengthSubject  = 800
	strengthRange    = 950 // an operator's; a wide one is weaker
	strengthRegistry = 1000
	strengthOperator = 2000
	strengthReason   = 3000
	strengthVague    = 3250
	strengthTopic    = 3350
	strengthBare     = 3400
	strengthFamily   = 3500
	strengthPhrase   = 4000
	strengthToken    = 5000

	bonusOperator = 60
	bonusStatus   = 200
)

// strength returns how specific the rule is. Longer words are more specific.
func (r *Rule) strength() int {
	n := 0
	switch {
	case r.Text != "" && r.Reason:
		n = strengthReason
	case r.Text != "" && r.Token:
		n = strengthToken
	case strings.Contains(r.Text, gapMark) && !r.Vague:
		n = strengthFamily
	case r.Text != "" && r.Vague:
		n = strengthVague
	case r.Text != "" && r.Topic:
		n = strengthTopic
	case r.Text != "" && r.Bare:
		n = strengthBare
	case r.Text != "":
		n = strengthPhrase
	case r.Operator != "" && r.To.IsZero():
		return strengthOperator
	case r.Operator != "":
		return strengthRange - (r.To[1]-r.From[1])*100 - min((r.To[2]-r.From[2])/10, 99)
	case !r.To.IsZero():
		return strengthSubject
	case !r.From.IsZero():
		return strengthRegistry
	case r.Code < 0:
		return strengthClass
	default:
		return strengthCode
	}
	n += min(len(r.Text), 200)
	if r.Operator != "" {
		n += bonusOperator
	}
	if (!r.From.IsZero() || r.Code != 0) && !r.Topic {
		n += bonusStatus
	}
	return n
}

// covers reports whether the rule's codes fit.
func (r *Rule) covers(code int, status Status) bool {
	switch {
	case r.Code > 0 && r.Code != code:
		return false
	case r.Code < 0 && code/100 != -r.Code && !(code == 0 && status.Class() == -r.Code):
		return false
	}
	switch {
	case r.From.IsZero():
		return true
	case r.To.IsZero():
		return status == r.From
	}
	return status.Compare(r.From) >= 0 && status.Compare(r.To) <= 0
}
