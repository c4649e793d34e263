package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Asked to, explain asks DNS about a refusal for SPF, and says what to change.
func TestDNSIsAskedAboutARefusal(t *testing.T) {
	const mail, zone = "../ticketing/testdata/demo/new/09-refused-by-spf", "../ticketing/testdata/demo.zone"
	html := filepath.Join(t.TempDir(), "page.html")
	stdout, stderr, code := runExplain(t, "", "-dns", zone, "-html", html, mail)
	if code != 0 || stderr != "" {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	page, err := os.ReadFile(html)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"text": strings.Join(strings.Fields(stdout), " "), "page": string(page)} {
		for _, want := range []string{"DNS agrees", "ip4:192.0.2.20", "Publish", "v=spf1 ip4:192.0.2.10"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%s", name, want, text)
			}
		}
	}
	stdout, _, _ = runExplain(t, "", "-json", "-dns", zone, mail)
	var d struct {
		Recipients []struct {
			DNS []struct {
				Agreement, Change string
				Refusal           struct{ Claim string }
			}
		}
	}
	if err := json.Unmarshal([]byte(stdout), &d); err != nil {
		t.Fatal(err)
	}
	if dns := d.Recipients[0].DNS; len(dns) == 0 || dns[0].Agreement != "agrees" || dns[0].Refusal.Claim != "spf" || dns[0].Change == "" {
		t.Errorf("%s", stdout)
	}
}

// Nothing is asked unless the command line says so, nor of what DNS cannot tell.
func TestDNSIsNotAskedUnbidden(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"-json", "-reply", "550 5.7.23 SPF fail"}, ""},
		{[]string{"-json", "-dns", "../ticketing/testdata/demo.zone", "-reply", "552 5.2.2 mailbox full"}, `"dns":[]`},
	} {
		stdout, _, code := runExplain(t, "", test.args...)
		if code != 0 || !strings.Contains(stdout, test.want) || test.want == "" && strings.Contains(stdout, `"dns"`) {
			t.Errorf("%v: exit code %d, %s", test.args, code, stdout)
		}
	}
	if _, stderr, code := runExplain(t, "", "-summary", "-dns", "system", "testdata"); code != 2 || !strings.Contains(stderr, "-dns") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
}
