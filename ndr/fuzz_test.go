package ndr

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func seeds(f *testing.F, add func(text, html string)) {
	names, _ := filepath.Glob("testdata/*.[et][mx][lt]")
	for _, path := range names {
		if strings.HasSuffix(path, ".txt") {
			b, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			add(string(b), "")
			continue
		}
		add(fixtureParts(f, filepath.Base(path)))
	}
}

// checkNotice asserts what holds for every notice, whatever it was read from.
func checkNotice(t *testing.T, n *Notice, err error) {
	if err != nil {
		if !errors.Is(err, ErrNotMicrosoft) || n != nil {
			t.Fatalf("%v, notice %v", err, n)
		}
		return
	}
	if n.Layout == LayoutUnknown {
		t.Fatal("no layout")
	}
	if _, err := json.Marshal(n); err != nil {
		t.Fatal(err)
	}
	if len(n.Findings) > maxFindings {
		t.Fatalf("%d findings", len(n.Findings))
	}
	for i := range n.Recipients {
		n.Sentence(i)
		n.Addressee(i)
	}
	n.Failures()
	n.Path()
	n.Retry()
	n.SendAgain(0)
	n.SPFCheck()
}

func FuzzParseHTML(f *testing.F) {
	seeds(f, func(_, html string) { f.Add(html) })
	f.Add("<table><tr><td><table><tr><td>x<tr></table></td><td bgcolor=red><td bgcolor=red><td><td><td>")
	f.Fuzz(func(t *testing.T, s string) {
		n, err := ParseHTML(s)
		checkNotice(t, n, err)
	})
}

func FuzzParseText(f *testing.F) {
	seeds(f, func(text, _ string) { f.Add(text) })
	f.Fuzz(func(t *testing.T, s string) {
		n, err := ParseText(s)
		checkNotice(t, n, err)
	})
}

// Twice the input takes about twice the time, whatever it is made of.
func TestLinearTime(t *testing.T) {
	heading := "Diagnostic information for administrators:\nGenerating server: a.example\n"
	current := "More Info for Email Admins\nStatus code: 550 5.1.10\nCreated Date: x\n"
	tests := map[string]struct {
		prefix, unit string
	}{
		"recipients":       {heading, "a@b.example\n#550 5.1.1 x ##\n"},
		"one reply":        {heading + "a@b.example\nRemote Server returned '550 5.1.1", " x\n"},
		"quotes":           {heading + "a@b.example\nRemote Server returned '", "' 5' 5/5/2026 1:00:00 AM - "},
		"hashes":           {heading + "a@b.example\n#550 ", "# # "},
		"labels":           {current, "Error: 550 x\n"},
		"one value":        {current + "Error: ", "x\n"},
		"hops":             {current + "Message Hops\nHOP TIME (UTC) FROM TO WITH RELAY TIME\n", "1 1/1/2026\n1:00:00 AM a b c *\n"},
		"one hop":          {current + "Message Hops\nHOP TIME (UTC) FROM TO WITH RELAY TIME\n1 1/1/2026\n1:00:00 AM", "\ta"},
		"header":           {heading + "a@b.example\n#550 x ##\nOriginal message headers:\n", "A: b\n"},
		"one field":        {heading + "a@b.example\n#550 x ##\nOriginal message headers:\nA: b\n", " c\n"},
		"links":            {heading, "x<http://a>"},
		"open brackets":    {heading, "<http:"},
		"quoted":           {"", "> "},
		"2003":             {"did not reach the following recipient(s):\n", "a@b.example on x\nMSEXCH:a:b:c:d\n"},
		"2003, one reason": {"did not reach the following recipient(s):\na@b.example on x\nMSEXCH:a\n", "x\n"},
		"smtpsvc":          {"This is an automatically generated Delivery Status Notification.\n\nto the following recipients\n\n", "a@b.example\n"},
		"words":            {"", "a "},
		"colons":           {"", "a:b\n"},
	}
	run := func(s string, html bool) time.Duration {
		best := time.Hour
		for range 2 {
			start := time.Now()
			if html {
				ParseHTML(s)
			} else {
				ParseText(s)
			}
			best = min(best, time.Since(start))
		}
		return best
	}
	check := func(name, prefix, unit string, html bool) {
		size := 64 << 10
		// On a loaded machine one measurement says little: only what is slow
		// each time is slow.
		var small, large time.Duration
		for range 5 {
			small = run(prefix+strings.Repeat(unit, size/len(unit)), html)
			large = run(prefix+strings.Repeat(unit, 8*size/len(unit)), html)
			if large < 200*time.Millisecond || large < 24*small {
				return
			}
		}
		t.Errorf("%s (html %v): %v for 64 KiB, %v for 512 KiB", name, html, small, large)
	}
	for name, tt := range tests {
		check(name, tt.prefix, tt.unit, false)
		check(name, "<pre>"+tt.prefix, tt.unit, true)
		check(name, strings.ReplaceAll(tt.prefix, "\n", "<br>"), strings.ReplaceAll(tt.unit, "\n", "<br>"), true)
	}
	for _, unit := range []string{"<table><tr><td>", "<table>", "<tr>", "<td>", "<a href=x>", "<li>", "<pre>", "<span style='color:red'>", "</td>", "</tr>", "<b>x</b>", "&nbsp;", "<td bgcolor=red>", "<!--", "<p a=b c=d>"} {
		check(unit, "", unit, true)
	}
}
