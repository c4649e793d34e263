package mailbox

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestMessages(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"a mail is one message", "Subject: a\n\nbody\n", []string{"Subject: a\n\nbody\n"}},
		{"an empty file is one empty message", "", []string{""}},
		{"an mbox is split at separator lines",
			"From a@example.org Thu Jan  1 00:00:00 2026\nSubject: a\n\none\n\nFrom b@example.org Thu Jan  1 00:00:01 2026\nSubject: b\n\ntwo\n",
			[]string{"Subject: a\n\none\n", "Subject: b\n\ntwo\n"}},
		{"a line in the text that begins with From splits nothing",
			"From a@example.org Thu Jan  1 00:00:00 2026\nSubject: a\n\nFrom here on it is text\n>From there too\n>>From quoted twice\n",
			[]string{"Subject: a\n\nFrom here on it is text\nFrom there too\n>From quoted twice\n"}},
		{"no blank line before a separator",
			"From a@example.org Thu Jan  1 00:00:00 2026\nSubject: a\n\none\nFrom b@example.org Thu Jan  1 00:00:01 2026\nSubject: b\n\ntwo\n",
			[]string{"Subject: a\n\none\n", "Subject: b\n\ntwo\n"}},
		{"a sentence that begins like a separator",
			"From a@example.org Thu Jan  1 00:00:00 2026\nSubject: a\n\none\nFrom Anna Mon evening at 8:00 on: nothing\nwas heard\n",
			[]string{"Subject: a\n\none\nFrom Anna Mon evening at 8:00 on: nothing\nwas heard\n"}},
		{"line ends of CR alone",
			"From a@example.org Thu Jan  1 00:00:00 2026\rSubject: a\r\rone\r\rFrom b@example.org Thu Jan  1 00:00:01 2026\rSubject: b\r\rtwo\r",
			[]string{"Subject: a\n\none\n", "Subject: b\n\ntwo\n"}},
		{"UTF-16 as Windows saves it", "\xff\xfeT\x00o\x00:\x00 \x00\xe9\x00\n\x00", []string{"To: é\n"}},
		{"UTF-16 the other way round", "\xfe\xff\x00T\x00o\x00:\x00\n", []string{"To:\n"}},
		{"line ends of other systems", "From a@example.org Thu Jan  1 00:00:00 2026\r\nSubject: a\r\n\r\none\r\n\r\nFrom b Thu Jan  1 00:00:01 2026\r\nSubject: b\r\n",
			[]string{"Subject: a\r\n\r\none\r\n", "Subject: b\r\n"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for message, err := range Messages("x", strings.NewReader(test.in)) {
				if err != nil {
					t.Fatal(err)
				}
				if message.Index != len(got) {
					t.Errorf("message %d has index %d", len(got), message.Index)
				}
				got = append(got, string(message.Data))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestMessageAboveTheLimitIsNamedAndTheNextFollows(t *testing.T) {
	in := "From a Thu Jan  1 00:00:00 2026\nSubject: a\n\n" + strings.Repeat(strings.Repeat("x", 1023)+"\n", MaxMessage>>10) +
		"\nFrom b Thu Jan  1 00:00:01 2026\nSubject: b\n\n"
	var errs []error
	var last string
	for message, err := range Messages("x", strings.NewReader(in)) {
		errs = append(errs, err)
		last = string(message.Data)
	}
	if len(errs) != 2 || !errors.Is(errs[0], ErrTooLarge) || errs[1] != nil {
		t.Errorf("errors %v", errs)
	}
	if !strings.HasPrefix(last, "Subject: b") {
		t.Errorf("last message %q", last)
	}
}

func TestFilesOfAMaildirLeaveOutUnfinishedMail(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"cur/1", "new/2", "tmp/3"} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("Subject: x\n\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	var failed int
	for name, err := range Files([]string{dir, "-", filepath.Join(dir, "absent")}) {
		if err != nil {
			failed++
			continue
		}
		if name != "-" {
			name, _ = filepath.Rel(dir, name)
		}
		got = append(got, filepath.ToSlash(name))
	}
	if want := []string{"cur/1", "new/2", "-"}; !slices.Equal(got, want) || failed != 1 {
		t.Errorf("got %q and %d errors, want %q and 1", got, failed, want)
	}
}
