package dsn

import (
	"iter"

	"github.com/mailfault/mailfault/internal/enum"
	"github.com/mailfault/mailfault/internal/mime"
)

// Header is a mail's header: its fields in order.
type Header struct{ fields mime.Header }

// ReadHeader reads the header at the start of a mail, whole or cut off behind
// it. It reads at most 10,000 fields.
func ReadHeader(data []byte) Header {
	fields, _ := mime.Message(string(data))
	return Header{fields}
}

// NewHeader makes a header of fields, in order, for callers who have them from a
// milter or a mail API.
func NewHeader(fields iter.Seq2[string, string]) Header {
	var h Header
	for name, value := range fields {
		h.fields = append(h.fields, mime.Field{Name: name, Raw: value})
	}
	return h
}

// Get returns the text of the first field of that name in any case, unfolded
// and with encoded words decoded, or "".
func (h Header) Get(name string) string { return mime.DecodeWords(h.fields.Get(name)) }

// All returns the texts of all fields of that name.
func (h Header) All(name string) []string {
	all := h.fields.All(name)
	for i := range all {
		all[i] = mime.DecodeWords(all[i])
	}
	return all
}

// Has reports whether a field of that name is there, even an empty one.
func (h Header) Has(name string) bool { return h.fields.Has(name) }

// Fields returns names and unfolded, undecoded values in order.
func (h Header) Fields() []Field {
	out := make([]Field, len(h.fields))
	for i, f := range h.fields {
		out[i] = Field{f.Name, f.Value()}
	}
	return out
}

// Extent says how much of the returned message came back.
// As text: unknown, headers-only, whole, cut.
type Extent uint8

const (
	ExtentUnknown Extent = iota
	HeadersOnly          // text/rfc822-headers, or a message without a body
	Whole                // to its end
	Cut                  // it breaks off
)

var extentNames = enum.Names{"unknown", "headers-only", "whole", "cut"}

// String returns the extent in kebab-case.
func (e Extent) String() string { return extentNames.String("Extent", uint8(e)) }

// MarshalText returns the extent in kebab-case.
func (e Extent) MarshalText() ([]byte, error) { return extentNames.MarshalText("Extent", uint8(e)) }

// UnmarshalText reads what MarshalText writes; another name is an error.
func (e *Extent) UnmarshalText(text []byte) error {
	v, err := extentNames.Parse("Extent", text)
	*e = Extent(v)
	return err
}
