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

// An action that is not given has no text (RFC 3464 section 2.3.3 knows no word for
// it), though it prints one.
func TestActionReadsWhatItWrites(t *testing.T) {
	for a, want := range map[Action]string{ActionUnknown: "", Failed: "failed", Delayed: "delayed", Delivered: "delivered", Relayed: "relayed", Expanded: "expanded"} {
		text, err := a.MarshalText()
		back := Action(255)
		if err != nil || string(text) != want || back.UnmarshalText(text) != nil || back != a {
			t.Errorf("%v: %q, read as %v, want %q (%v)", a, text, back, want, err)
		}
	}
	if new(Action).UnmarshalText([]byte("Failed")) == nil {
		t.Error("a word that is not written so is taken")
	}
}

// The words of RFC 3464 section 2.3.3 are literal strings of ABNF, which have no case
// (RFC 5234 section 2.3).
func TestParseActionTakesTheStandardsWordsInAnyCase(t *testing.T) {
	for word, want := range map[string]Action{
		"failed": Failed, "FAILED": Failed, " delayed\t": Delayed, "Delivered": Delivered, "relayed": Relayed, "eXpanded": Expanded,
		"": ActionUnknown, "unknown": ActionUnknown, "expired": ActionUnknown, "failed (permanent)": ActionUnknown,
	} {
		if got := ParseAction(word); got != want {
			t.Errorf("%q: %v, want %v", word, got, want)
		}
	}
}
