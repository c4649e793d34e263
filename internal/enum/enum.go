// Package enum gives small integer enumerations their text forms, so that
// every enumeration of the module prints, marshals and parses alike.
package enum

import "fmt"

// Names lists the text of each value of an enumeration in order; the first
// is the text of the zero value.
type Names []string

// String returns the text of v, or the type's name and the number for a value
// that is not listed. It never panics.
func (n Names) String(typ string, v uint8) string {
	if int(v) < len(n) {
		return n[v]
	}
	return fmt.Sprintf("%s(%d)", typ, v)
}

// MarshalText returns the text of v, or an error for a value not listed.
func (n Names) MarshalText(typ string, v uint8) ([]byte, error) {
	if int(v) < len(n) {
		return []byte(n[v]), nil
	}
	return nil, fmt.Errorf("%s: no text for value %d", typ, v)
}

// Parse returns the value whose text is s, or an error that names s.
func (n Names) Parse(typ string, s []byte) (uint8, error) {
	for i, name := range n {
		if name == string(s) {
			return uint8(i), nil
		}
	}
	return 0, fmt.Errorf("%s: unknown value %q", typ, s)
}
