package main

import (
	"bytes"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// FuzzForged looks at what is left of a header with the eyes of a careless
// reader: to him any CR or LF ends a line, and no control counts in a name.
func FuzzForged(f *testing.F) {
	for _, seed := range []string{
		"X-Mailfault-Owner: me\r\n", " x-mailfault-owner: me\r\n", "Subject: a\rX-Mailfault-Owner : me\r\n", "\x00X-Mail\x7ffault-Owner: me\n",
		"X-Mailfault-Owner\r\n : me\r\n", "Authentication-Results:\r\n (\\)) \"gw\\.test\" 1; spf=pass\r\n", "Authentication-Results: gw.test", "Received-SPF: pass (gw.test: x)\r\n",
	} {
		f.Add([]byte(seed))
	}
	g := &gateway{Hostname: "gw.test"}
	control := regexp.MustCompile(`[^!-~]`)
	plain := regexp.MustCompile(`(?i)^\s*gw\.test\s*(;|$)`)
	f.Fuzz(func(t *testing.T, mail []byte) {
		header, err := io.ReadAll(newLineEnds(bytes.NewReader(mail))) // as the door reads it
		if err != nil {
			t.Fatal(err)
		}
		left := rewrite(header, nil, g.removed)
		lines := strings.FieldsFunc(string(left), func(r rune) bool { return r == '\r' || r == '\n' })
		for i, line := range lines {
			name, value, ok := strings.Cut(line, ":")
			if !ok || i > 0 && (line[0] == ' ' || line[0] == '\t') {
				continue
			}
			name = strings.ToLower(control.ReplaceAllString(name, ""))
			if strings.HasPrefix(name, "x-mailfault-") || name == "authentication-results" && plain.MatchString(value) {
				t.Errorf("%q is left of %q", line, header)
			}
		}
		if again := rewrite(left, nil, g.removed); !slices.Equal(again, left) {
			t.Errorf("%q becomes %q, and %q again", header, left, again)
		}
	})
}
