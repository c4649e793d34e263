package main

import (
	"bufio"
	"bytes"
	"io"
	"net/textproto"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
)

func TestLineEnds(t *testing.T) {
	for name, tt := range map[string]struct{ in, want string }{
		"as they should be":  {"a\r\nb\r\n\r\n", "a\r\nb\r\n\r\n"},
		"bare LF":            {"a\nb\n", "a\r\nb\r\n"},
		"bare CR":            {"a\rb\r", "a\rb\r"},
		"CRs before a CRLF":  {"a\r\r\nb\r\r\r\n", "a\r\nb\r\n"},
		"a dot between CRs":  {"a\r.\rb", "a\r\n.\rb"},
		"a dot between LFs":  {"a\n.\nb", "a\r\n.\r\nb"},
		"a CR, then nothing": {"\r", "\r"},
		"LF, CR":             {"a\n\rb", "a\r\n\rb"},
		"nothing":            {"", ""},
	} {
		for how, r := range map[string]io.Reader{"whole": strings.NewReader(tt.in), "by bytes": iotest.OneByteReader(strings.NewReader(tt.in)), "with its end": iotest.DataErrReader(strings.NewReader(tt.in))} {
			if got, err := io.ReadAll(newLineEnds(r)); err != nil || string(got) != tt.want {
				t.Errorf("%s, %s: %q, %v, want %q", name, how, got, err, tt.want)
			}
		}
	}
}

// lonelyDot is what some server takes for the end of a mail.
var lonelyDot = regexp.MustCompile(`[\r\n]\.[\r\n]`)

// No mail, as the gateway hands it on, has an end before its end for a server
// that takes a CR or an LF alone for a line end.
func FuzzSmuggling(f *testing.F) {
	for _, end := range []string{"\n.\n", "\r.\r", "\n.\r\n", "\r\n.\n", "\r.\r\n", "\r\n.\r", "\r\r\n.\r\r\n", "\r\x00\n.\r\n"} {
		f.Add([]byte("Subject: x\r\n\r\nbody" + end + "MAIL FROM:<a@example.org>\r\n"))
	}
	f.Fuzz(func(t *testing.T, mail []byte) {
		var wire bytes.Buffer
		w := textproto.NewWriter(bufio.NewWriter(&wire)).DotWriter()
		if _, err := io.Copy(w, newLineEnds(bytes.NewReader(mail))); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		before, ok := bytes.CutSuffix(wire.Bytes(), []byte(".\r\n"))
		if !ok || lonelyDot.Match(append([]byte("\n"), before...)) {
			t.Errorf("%q becomes %q", mail, wire.Bytes())
		}
	})
}
