// Package enumtest checks that an enumeration reads the texts it writes.
package enumtest

import (
	"encoding"
	"fmt"
	"reflect"
	"testing"
)

// Enumeration is an enumeration that has a text for each of its values.
type Enumeration interface {
	~uint8
	fmt.Stringer
	encoding.TextMarshaler
}

// RoundTrip checks every value of T: its text is what it prints, and is read back
// as the value. A value beyond the last one has no text and says its number; a text
// of no value is refused.
func RoundTrip[T Enumeration, P interface {
	*T
	encoding.TextUnmarshaler
}](t *testing.T) {
	t.Helper()
	typ := reflect.TypeFor[T]()
	values := 0
	for v := range 256 {
		text, err := T(v).MarshalText()
		if err != nil {
			break
		}
		values++
		if T(v).String() != string(text) {
			t.Errorf("%v %d prints %q and is written %q", typ, v, T(v), text)
		}
		back := T(255)
		if err := P(&back).UnmarshalText(text); err != nil || back != T(v) {
			t.Errorf("%v: %q is read as %d (%v), want %d", typ, text, uint8(back), err, v)
		}
	}
	if values < 2 || values > 200 {
		t.Errorf("%v has texts for %d values", typ, values)
	}
	if got, want := T(250).String(), typ.Name()+"(250)"; got != want {
		t.Errorf("%v: a value without a text prints %q, want %q", typ, got, want)
	}
	for _, text := range []string{"no such text", fmt.Sprint(T(250))} {
		if P(new(T)).UnmarshalText([]byte(text)) == nil {
			t.Errorf("%v reads %q", typ, text)
		}
	}
}
