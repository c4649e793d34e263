package smtpcode

import (
	"encoding/json"
	"testing"
)

func TestParseStatus(t *testing.T) {
	tests := []struct {
		in   string
		want Status
		ok   bool
	}{
		{"5.1.10", Status{5, 1, 10}, true},
		{" 4.4.7 ", Status{4, 4, 7}, true},
		{"5.7.133", Status{5, 7, 133}, true},
		{"2.0.0", Status{2, 0, 0}, true},
		{"", Status{}, false},
		{"3.1.1", Status{}, false},    // no such class
		{"5.1", Status{}, false},      // two numbers
		{"5.1.1234", Status{}, false}, // four digits
		{"5.1.1.1", Status{}, false},  // an address
		{"5.1.1x", Status{}, false},
	}
	for _, test := range tests {
		got, err := ParseStatus(test.in)
		if got != test.want || (err == nil) != test.ok {
			t.Errorf("%q: %v, %v", test.in, got, err)
		}
	}
}

func TestStatusesCompareAsNumbers(t *testing.T) {
	if (Status{5, 1, 2}).Compare(Status{5, 1, 10}) != -1 || (Status{5, 7, 13}).Compare(Status{5, 7, 133}) != -1 {
		t.Error("5.1.2 comes before 5.1.10, 5.7.13 before 5.7.133")
	}
}

func TestStatusTextForms(t *testing.T) {
	for _, text := range []string{`""`, `"5.1.10"`} {
		var s Status
		if err := json.Unmarshal([]byte(text), &s); err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(s); err != nil || string(got) != text {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
	if err := new(Status).UnmarshalText([]byte("5.x")); err == nil {
		t.Error("a malformed status is taken")
	}
}

func TestEveryEnumReadsWhatItWrites(t *testing.T) {
	for p := Unknown; p <= Nobody; p++ {
		text, err := p.MarshalText()
		var back Party
		if err != nil || back.UnmarshalText(text) != nil || back != p {
			t.Errorf("%v: %s, %v", p, text, err)
		}
	}
	if got := Party(99).String(); got != "Party(99)" {
		t.Errorf("an unlisted value prints %q", got)
	}
	if new(Party).UnmarshalText([]byte("nobody at all")) == nil {
		t.Error("an unknown name is taken")
	}
	for a := ActionUnknown; a <= Expanded; a++ {
		text, _ := a.MarshalText()
		var back Action
		if back.UnmarshalText(text) != nil || back != a {
			t.Errorf("%v: %s", a, text)
		}
	}
}
