package dsn

import (
	"strings"
	"testing"
	"time"
)

// What a page, a ticket or a mail program puts into a text is taken out, and
// what only looks like it stays.
func TestMarkupOfPastedTexts(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"[ann@b.example](mailto:ann@b.example)", "ann@b.example"},
		{"<[ann@b.example](mailto:ann@b.example)>: host mx.b.example", "<ann@b.example>: host mx.b.example"},
		{"see [the page](https://b.example/x) for more", "see the page for more"},
		{"550 [203.0.113.4](code 7)", "550 [203.0.113.4](code 7)"},
		{"&lt;<a href=\"mailto:ann@b.example\">ann@b.example</a>&gt;: unknown", "<ann@b.example>: unknown"},
		{"one<br>two<br/>three</p>", "one\ntwo\nthree\n"},
		{"<a@b.example>: no </b>", "<a@b.example>: no "},
		{"```\nbounce to `ann@b.example`\n```", "\nbounce to ann@b.example\n"},
		{`ann\_lee@b.example`, "ann_lee@b.example"},
		{`CORP\ann`, `CORP\ann`},
		{"ann@b.example [mailto:ann@b.example]: gone", "ann@b.example: gone"},
		{"ann@b.example<mailto:ann@b.example>", "ann@b.example"},
		{"<mailto:ann@b.example>", "<mailto:ann@b.example>"},
		{"to:\n[mailto:ann@b.example]", "to:\n[mailto:ann@b.example]"},
		{"AT&amp;T said &#39;no&#39;", "AT&T said 'no'"},
		{"<**ann@b.example**>: gone", "<ann@b.example>: gone"},
		{"**ann@b.example**\n**bob@b.example**: gone", "ann@b.example\nbob@b.example: gone"},
		{"**********\n\nann@b.example\n", "**********\n\nann@b.example\n"},
		{"2 ** 3 and 4 ** 5", "2 ** 3 and 4 ** 5"},
		{"** ann@b.example\n** bob@b.example\n", "** ann@b.example\n** bob@b.example\n"},
		{"a < b and c > d", "a < b and c > d"},
	} {
		if got := unmarked(tt.text); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

// Texts full of what begins marks are read in linear time.
func TestMarkupIsLinear(t *testing.T) {
	start := time.Now()
	for _, mark := range []string{"<a ", "](mailto:", "[x](", " <mailto:", "&lt;", "</", "[mailto:"} {
		unmarked(strings.Repeat(mark, maxText/len(mark)))
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("took %s", took)
	}
}
