package smtpcode

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Limits of a rule file.
const (
	maxRuleFile = 4 << 20
	maxRuleText = 500
	maxRules    = 20_000 // the search for their words takes memory for every letter
)

// ErrRuleFile is wrapped by every error [ReadRules] returns for what a file
// holds, as against a failure to read it.
var ErrRuleFile = errors.New("smtpcode: bad rule file")

// RuleFileError says what is wrong with a rule file and where.
type RuleFileError struct {
	Line, Column int    // from 1; the column counts bytes
	Rule         string // ID of the rule, where it is known
	Msg          string
}

// Error returns the message as "line:column: message".
func (e *RuleFileError) Error() string {
	if e.Rule != "" {
		return fmt.Sprintf("%d:%d: rule %q: %s", e.Line, e.Column, e.Rule, e.Msg)
	}
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Msg)
}

// Unwrap returns [ErrRuleFile].
func (e *RuleFileError) Unwrap() error { return ErrRuleFile }

// ReadRules reads rules from JSON: an array of objects with the keys of [Rule].
// Give the result to [Rulebook.With].
//
//	[
//	  {"id": "acme-full", "condition": "mailbox-full", "text": "the pigeonhole overflows", "source": "https://acme.example/help"},
//	  {"id": "acme-5.7.99", "condition": "policy-refusal", "from": "5.7.99", "source": "https://acme.example/codes"}
//	]
//
// It is strict: an unknown key, a key that is missing, a rule that fits
// everything, two rules of one ID, a text that is not in lower case or longer
// than 500 bytes, a gap without words on both sides, and a file over 4 MiB or of
// more than 20,000 rules are errors. Errors about the contents
// are *[RuleFileError] and say line and column.
func ReadRules(r io.Reader) ([]Rule, error) {
	data, err := io.ReadAll(io.LimitReader(bufio.NewReader(r), maxRuleFile+1))
	if err != nil {
		return nil, fmt.Errorf("smtpcode: reading rules: %w", err)
	}
	if len(data) > maxRuleFile {
		return nil, position(data, maxRuleFile, "", "the file is longer than 4 MiB")
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if token, err := decoder.Token(); err != nil {
		return nil, decodeError(data, 0, err)
	} else if token != json.Delim('[') {
		return nil, position(data, 0, "", "the file is not an array of rules")
	}
	var rules []Rule
	seen := make(map[string]bool)
	for decoder.More() {
		at := nextValue(data, int(decoder.InputOffset()))
		var rule Rule
		if err := decoder.Decode(&rule); err != nil {
			return nil, decodeError(data, at, err)
		}
		if msg := rule.fault(); msg != "" {
			return nil, position(data, at, rule.ID, msg)
		}
		if seen[rule.ID] {
			return nil, position(data, at, rule.ID, "the id is taken by an earlier rule")
		}
		if len(rules) == maxRules {
			return nil, position(data, at, rule.ID, "the file has more than 20,000 rules")
		}
		seen[rule.ID] = true
		rules = append(rules, rule)
	}
	if _, err := decoder.Token(); err != nil {
		return nil, decodeError(data, int(decoder.InputOffset()), err)
	}
	if at := nextValue(data, int(decoder.InputOffset())); at < len(data) {
		return nil, position(data, at, "", "something follows the array")
	}
	return rules, nil
}

// fault says what is wrong with a rule, "" if nothing is.
func (r *Rule) fault() string {
	switch {
	case r.ID == "":
		return `"id" is missing`
	case r.Source == "":
		return `"source" is missing: name the page or report that shows the reply`
	case r.Condition == UnknownCondition && r.Text != "":
		return `"condition" is missing`
	case !isKebab(string(r.Condition)):
		return `"condition" is not in kebab-case: lower-case letters, digits and inner hyphens`
	case r.Text == "" && r.From.IsZero() && r.Code == 0:
		return `the rule fits everything: give "text", "from" or "code"`
	case len(r.Text) > maxRuleText:
		return `"text" is longer than 500 bytes`
	case r.Text != strings.ToLower(r.Text):
		return `"text" is not in lower case`
	case r.Text != strings.TrimSpace(r.Text) && strings.TrimSpace(r.Text) == "":
		return `"text" is blank`
	case strings.Contains(r.Text, "  "):
		return `"text" has two blanks in a row, which no reply has once it is read`
	case !utf8.ValidString(r.Text) || strings.ContainsRune(r.Text, utf8.RuneError):
		return `"text" is not UTF-8`
	case !r.gapIsSound():
		return `"text" has a gap without words on both sides, or more than one`
	case r.Token && r.Text == "", r.Reason && r.Text == "":
		return `"token" and "reason" need "text"`
	case r.Code != 0 && (r.Code < -5 || r.Code > 599 || r.Code > 0 && r.Code < 200):
		return `"code" is no reply code: 200 to 599, or -4 and -5 for a class`
	case !r.To.IsZero() && (r.From.IsZero() || r.To.Compare(r.From) < 0):
		return `"to" is not above "from"`
	case !r.To.IsZero() && (r.To[0] != r.From[0] || r.To[1] != r.From[1]):
		return `"from" and "to" are of two subjects`
	}
	return ""
}

// gapIsSound reports whether Text has no gap, or one between words.
func (r *Rule) gapIsSound() bool {
	before, behind, gap := strings.Cut(" "+r.Text+" ", gapMark)
	return !gap || strings.TrimSpace(before) != "" && strings.TrimSpace(behind) != "" && !strings.Contains(" "+behind, gapMark)
}

// isKebab reports whether a name has the form of a condition's.
func isKebab(name string) bool {
	for i := range len(name) {
		if c := name[i]; !('a' <= c && c <= 'z' || isDigit(c) || c == '-' && i > 0 && i < len(name)-1) {
			return false
		}
	}
	return true
}

// nextValue returns where the next value begins.
func nextValue(data []byte, at int) int {
	for at < len(data) && strings.IndexByte(" \t\r\n,", data[at]) >= 0 {
		at++
	}
	return at
}

// decodeError gives an error of the JSON decoder a position.
func decodeError(data []byte, at int, err error) error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		at = int(syntax.Offset) - 1
	} else if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		at = nextValue(data, at)
		return position(data, at, "", fmt.Sprintf("%q has the wrong type: %s", kind.Field, kind.Value))
	} else if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return position(data, len(data), "", "the file ends too early")
	}
	return position(data, at, "", strings.TrimPrefix(err.Error(), "json: "))
}

// position makes an error about the byte at offset at.
func position(data []byte, at int, rule, msg string) error {
	at = max(0, min(at, len(data)))
	before := data[:at]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := at - bytes.LastIndexByte(before, '\n')
	return &RuleFileError{Line: line, Column: column, Rule: rule, Msg: msg}
}
