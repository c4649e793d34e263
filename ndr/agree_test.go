package ndr

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/internal/authres"
)

// The HTML and the text of a report say the same, so both have to be read
// alike, but for what only HTML shows: colours, and link texts.
func TestHTMLAndTextAgree(t *testing.T) {
	names, err := filepath.Glob("testdata/*.eml")
	if err != nil || len(names) == 0 {
		t.Fatal("no fixtures", err)
	}
	both := 0
	for _, path := range names {
		name := filepath.Base(path)
		text, html := fixtureParts(t, name)
		if text == "" || !strings.Contains(html, "<p") {
			continue
		}
		both++
		t.Run(name, func(t *testing.T) {
			h, err := ParseHTML(html)
			if err != nil {
				t.Fatal("HTML:", err)
			}
			x, err := ParseText(text)
			if err != nil {
				t.Fatal("text:", err)
			}
			if h.Diagram != nil {
				for i := range h.Diagram.Parties {
					h.Diagram.Parties[i].Colour = ""
				}
			}
			diff := cmp.Diff(h, x, cmpopts.IgnoreUnexported(Notice{}), cmpopts.IgnoreFields(Link{}, "Text"),
				cmpopts.IgnoreFields(Notice{}, "Links"),
				cmpopts.IgnoreFields(dsn.Field{}, "Value"), cmpopts.IgnoreFields(authres.Results{}, "Raw"), cmpopts.IgnoreFields(authres.SPF{}, "Raw"),
				cmpopts.IgnoreSliceElements(func(f dsn.Finding) bool { return f.ID == findingHopColumns.id }),
				cmpopts.EquateComparable(h.Servers.ReceivingIP))
			if diff != "" {
				t.Error(diff)
			}
		})
	}
	if both < 15 {
		t.Errorf("only %d fixtures have both", both)
	}
}
