package smtpcode

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestReadRules(t *testing.T) {
	rules, err := ReadRules(strings.NewReader(`[
  {"id": "acme-full", "condition": "mailbox-full", "text": "the pigeonhole overflows", "source": "https://acme.example/help"},
  {"id": "acme-5.7.99", "condition": "policy-refusal", "from": "5.7.99", "to": "5.7.120", "source": "https://acme.example/codes"}
]
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []Rule{
		{ID: "acme-full", Condition: "mailbox-full", Text: "the pigeonhole overflows", Source: "https://acme.example/help"},
		{ID: "acme-5.7.99", Condition: "policy-refusal", From: Status{5, 7, 99}, To: Status{5, 7, 120}, Source: "https://acme.example/codes"},
	}
	if !reflect.DeepEqual(rules, want) {
		t.Errorf("%+v", rules)
	}
	d := Default().With(rules...).Diagnose(Failure{Replies: ParseReplies("550 The Pigeonhole overflows")})
	if d.Condition != "mailbox-full" {
		t.Errorf("condition %v", d.Condition)
	}
}

func TestReadRulesSaysWhereAFaultIs(t *testing.T) {
	const good = `{"id": "a", "condition": "malware", "text": "x y", "source": "s"}`
	tests := []struct {
		name, file   string
		line, column int
		msg          string
	}{
		{"empty", "", 1, 1, "ends too early"},
		{"object", "{}", 1, 1, "not an array"},
		{"unknown key", "[\n  {\"id\": \"a\", \"colour\": 1}\n]", 2, 3, "colour"},
		{"no source", "[\n" + good + ",\n {\"id\": \"b\", \"condition\": \"malware\", \"text\": \"z\"}]", 3, 2, `"source" is missing`},
		{"no id", `[ {"condition": "malware", "text": "z", "source": "s"}]`, 1, 3, `"id" is missing`},
		{"fits everything", `[{"id": "b", "condition": "malware", "source": "s"}]`, 1, 2, "fits everything"},
		{"upper case", `[{"id": "b", "condition": "malware", "text": "Virus", "source": "s"}]`, 1, 2, "lower case"},
		{"doubled id", "[" + good + ",\n" + good + "]", 2, 1, "taken"},
		{"two subjects", `[{"id": "b", "condition": "malware", "from": "5.1.1", "to": "5.2.1", "source": "s"}]`, 1, 2, "two subjects"},
		{"backwards", `[{"id": "b", "condition": "malware", "from": "5.1.9", "to": "5.1.1", "source": "s"}]`, 1, 2, "not above"},
		{"no code", `[{"id": "b", "condition": "malware", "code": 77, "source": "s"}]`, 1, 2, "no reply code"},
		{"token without text", `[{"id": "b", "condition": "malware", "code": 550, "token": true, "source": "s"}]`, 1, 2, "need"},
		{"cut off", "[" + good + ",", 1, len(good) + 3, "ends too early"},
		{"no comma", "[\n" + good + "\n" + good + "]", 2, len(good) + 1, ""},
		{"more", "[" + good + "]\n[]", 2, 1, "follows"},
		{"gap at the end", `[{"id": "b", "condition": "malware", "text": "a * ", "source": "s"}]`, 1, 2, "gap"},
		{"gap first", `[{"id": "b", "condition": "malware", "text": " * a", "source": "s"}]`, 1, 2, "gap"},
		{"gap alone", `[{"id": "b", "condition": "malware", "text": " * ", "source": "s"}]`, 1, 2, "gap"},
		{"two gaps", `[{"id": "b", "condition": "malware", "text": "a * b * c", "source": "s"}]`, 1, 2, "gap"},
		{"two blanks", `[{"id": "b", "condition": "malware", "text": "a  b", "source": "s"}]`, 1, 2, "two blanks"},
		{"no UTF-8", "[{\"id\": \"b\", \"condition\": \"malware\", \"text\": \"\xff\", \"source\": \"s\"}]", 1, 2, "UTF-8"},
		{"no condition's name", `[{"id": "b", "condition": "Mal Ware", "text": "a", "source": "s"}]`, 1, 2, "kebab-case"},
		{"wrong type", `[{"id": 7}]`, 1, 2, "wrong type"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := ReadRules(strings.NewReader(test.file))
			where, ok := errors.AsType[*RuleFileError](err)
			if !ok || !errors.Is(err, ErrRuleFile) {
				t.Fatalf("error %v", err)
			}
			if where.Line != test.line || where.Column != test.column || !strings.Contains(where.Msg, test.msg) {
				t.Errorf("got %v, want %d:%d: %s", err, test.line, test.column, test.msg)
			}
		})
	}
}

// The built-in rules survive the way through a file.
func TestBuiltInRulesAreAFile(t *testing.T) {
	data, err := json.Marshal(Default().Rules())
	if err != nil {
		t.Fatal(err)
	}
	rules, err := ReadRules(strings.NewReader(string(data)))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(rules, Default().Rules()) {
		t.Error("rules differ")
	}
}

func FuzzReadRules(f *testing.F) {
	f.Add(`[{"id": "a", "condition": "malware", "text": "x y", "source": "s"}]`)
	f.Add(`[{"id": "a", "from": "5.1.1"`)
	f.Fuzz(func(t *testing.T, file string) {
		rules, err := ReadRules(strings.NewReader(file))
		if err == nil {
			Default().With(rules...).Diagnose(Failure{Replies: ParseReplies("550 5.1.1 x y")})
			return
		}
		if where, ok := errors.AsType[*RuleFileError](err); !ok || where.Line < 1 || where.Column < 1 {
			t.Errorf("no position: %v", err)
		}
	})
}

func ExampleReadRules() {
	rules, err := ReadRules(strings.NewReader(`[
		{"id": "acme-full", "condition": "mailbox-full", "text": "the pigeonhole overflows", "source": "https://acme.example/help"}
	]`))
	if err != nil {
		fmt.Println(err)
		return
	}
	book := Default().With(rules...)
	d := book.Diagnose(Failure{Replies: ParseReplies("550 the pigeonhole overflows")})
	fmt.Println(d.Condition)
	// Output: mailbox-full
}

// A file that is within the limit of its size can still hold more rules than
// the search for their words should take memory for.
func TestReadRulesTakesNoMoreThanItsLimit(t *testing.T) {
	var file strings.Builder
	for i := range maxRules + 1 {
		fmt.Fprintf(&file, "%c\n{\"id\":\"r%d\",\"condition\":\"x\",\"code\":550,\"source\":\"s\"}", "[,"[min(i, 1)], i)
	}
	file.WriteString("]")
	_, err := ReadRules(strings.NewReader(file.String()))
	if fault, ok := errors.AsType[*RuleFileError](err); !ok || fault.Line != maxRules+2 || fault.Rule != fmt.Sprintf("r%d", maxRules) {
		t.Errorf("error %v", err)
	}
}

// The zero rulebook has no rules; one with a user's rules alone has no others.
func TestZeroRulebook(t *testing.T) {
	var none Rulebook
	f := Failure{Action: Failed, Status: Status{5, 1, 1}, Reason: "user unknown", Replies: ParseReplies("550 5.1.1 user unknown")}
	if d := none.Diagnose(f); d.Condition != UnknownCondition || len(d.Evidence) != 0 {
		t.Errorf("%s by %v", d.Condition, d.Evidence)
	}
	if x := none.Explain(f); len(x.Matches) != 0 {
		t.Errorf("matches %v", x.Matches)
	}
	f.Action = Delayed
	none.Diagnose(f)
	own := none.With(Rule{ID: "own", Condition: "mailbox-full", Text: "user unknown", Source: "s"})
	if d := own.Diagnose(f); d.Condition != "mailbox-full" {
		t.Errorf("own rule: %s", d.Condition)
	}
}
