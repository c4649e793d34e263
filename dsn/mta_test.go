package dsn

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/smtpcode"
)

// mtaCases is what each case in testdata/mta sent, and what may have become of
// it; .ci/mta/collect made the reports with real servers.
var mtaCases = map[string]struct {
	recipients []string // a server may report them one by one
	actions    []smtpcode.Action
}{
	"after-data":         {[]string{"spam@example.net"}, []smtpcode.Action{smtpcode.Failed}},
	"delayed":            {[]string{"later@example.net"}, []smtpcode.Action{smtpcode.Delayed, smtpcode.Failed}},
	"mailbox-full":       {[]string{"full@example.net"}, []smtpcode.Action{smtpcode.Failed}},
	"no-domain":          {[]string{"user@nowhere.invalid"}, []smtpcode.Action{smtpcode.Failed}},
	"no-status":          {[]string{"plain@example.net"}, []smtpcode.Action{smtpcode.Failed}},
	"non-ascii":          {[]string{"grå@example.net"}, []smtpcode.Action{smtpcode.Failed}},
	"null-mx":            {[]string{"user@null.example.net"}, []smtpcode.Action{smtpcode.Failed, smtpcode.Delayed}},
	"policy":             {[]string{"blocked@example.net"}, []smtpcode.Action{smtpcode.Failed}},
	"refused-connection": {[]string{"user@closed.example.net"}, []smtpcode.Action{smtpcode.Delayed, smtpcode.Failed}},
	"several":            {[]string{"full@example.net", "gone@example.net"}, []smtpcode.Action{smtpcode.Failed}},
	"success":            {[]string{"good@example.net"}, []smtpcode.Action{smtpcode.Relayed, smtpcode.Delivered}},
	"too-big":            {[]string{"user@small.example.net"}, []smtpcode.Action{smtpcode.Failed}},
	"unknown-user":       {[]string{"gone@example.net"}, []smtpcode.Action{smtpcode.Failed}},
}

func TestRealServersReports(t *testing.T) {
	files, err := filepath.Glob("testdata/mta/*.eml")
	if err != nil || len(files) < 40 {
		t.Fatal(err, len(files))
	}
	for _, file := range files {
		_, name, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".eml"), "-")
		want, ok := mtaCases[strings.TrimSuffix(name, "-2")]
		if !ok {
			continue
		}
		t.Run(filepath.Base(file), func(t *testing.T) {
			f, err := os.Open(file)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			r, err := Read(f)
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Recipients) == 0 || r.Kind != DeliveryStatus {
				t.Fatalf("%v, %d recipients", r.Kind, len(r.Recipients))
			}
			for _, rcpt := range r.Recipients {
				if !slices.Contains(want.recipients, rcpt.FinalRecipient.Address) || !slices.Contains(want.actions, rcpt.Action) {
					t.Errorf("%q %v, want %v %v", rcpt.FinalRecipient.Address, rcpt.Action, want.recipients, want.actions)
				}
			}
		})
	}
}
