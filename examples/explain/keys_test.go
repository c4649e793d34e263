package main

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every document has every key: what is absent is "" or [], never left out.
// What is no report says so, and why, in place of what it would have been.
func TestEveryDocumentHasTheContractsKeys(t *testing.T) {
	const (
		report  = "file findings format index kind layout product recipients schema_version"
		nothing = "error file findings index kind recipients schema_version"
		of      = "action diagnosis final_recipient generating_server original_recipient refuser remote_server reply stated_owner status"
		judged  = "address caveats checks condition evidence others owners permanence refuser resend steps summary"
		because = "end field index means overruled rule source start text"
	)
	tests := []struct {
		name, in, want string
		args           []string
	}{
		{"Microsoft's report", "", report, []string{"-json", "testdata/blames-permissions.eml"}},
		{"another system's report", "From: mailer-daemon@example.org\nSubject: failure notice\nX-Failed-Recipients: bob@example.com\n\n550 5.1.1 user unknown\n", report, []string{"-json", "-"}},
		{"a reply", "", report, []string{"-json", "-reply", "550 5.1.1 user unknown"}},
		{"a line of a log", "Jan  1 00:00:00 m postfix/smtp[1]: A: to=<bob@example.com>, relay=mx.example.com[192.0.2.1]:25, delay=1, dsn=5.1.1, status=bounced (host mx.example.com[192.0.2.1] said: 550 5.1.1 user unknown (in reply to RCPT TO command))\n", report, []string{"-json", "-"}},
		{"no report", "From: a@example.org\nSubject: lunch\n\nat noon?\n", nothing, []string{"-json", "-"}},
	}
	for _, test := range tests {
		stdout, _, _ := runExplain(t, test.in, test.args...)
		var d map[string]any
		if err := json.Unmarshal([]byte(stdout), &d); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, keys(d)); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
		for _, r := range d["recipients"].([]any) {
			r := r.(map[string]any)
			diagnosis := r["diagnosis"].(map[string]any)
			if diff := cmp.Diff([]string{of, judged}, []string{keys(r), keys(diagnosis)}); diff != "" {
				t.Errorf("%s: %s", test.name, diff)
			}
			for _, e := range diagnosis["evidence"].([]any) {
				if diff := cmp.Diff(because, keys(e.(map[string]any))); diff != "" {
					t.Errorf("%s: %s", test.name, diff)
				}
			}
		}
	}
}

// keys returns the keys of an object in order.
func keys(object map[string]any) string {
	var all []string
	for key := range object {
		all = append(all, key)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}
