package ndr_test

import (
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/ndr"
)

// Failures is what every caller would write: a notice's where there is one.
func TestFailuresOfAnyReport(t *testing.T) {
	files, err := filepath.Glob("testdata/*.eml")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	others, err := filepath.Glob("../dsn/testdata/mta/*.eml")
	if err != nil || len(others) == 0 {
		t.Fatal(others, err)
	}
	notices, plain := 0, 0
	for _, file := range append(files, others...) {
		mail, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		report, err := dsn.Read(mail)
		mail.Close()
		if err != nil && !errors.Is(err, dsn.ErrNotReport) {
			t.Fatal(file, err)
		}
		want := report.Failures()
		if notice, err := ndr.Parse(report); err == nil {
			want = notice.Failures()
			notices++
		} else {
			plain++
		}
		if diff := cmp.Diff(want, ndr.Failures(report), cmpopts.EquateComparable(netip.Addr{})); diff != "" {
			t.Errorf("%s: %s", file, diff)
		}
	}
	if notices < 10 || plain < 10 {
		t.Errorf("%d of Microsoft's and %d others", notices, plain)
	}
}

// A layout that names nobody takes nothing away from what the report declares,
// and no report has no failures.
func TestFailuresAreNeverFewerThanDeclared(t *testing.T) {
	report, err := dsn.Read(strings.NewReader(strings.ReplaceAll(`From: postmaster@contoso.example
To: anna@example.org
Subject: Undeliverable: hello
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: text/plain

Diagnostic information for administrators:

Generating server: mail1.contoso.example

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mail1.contoso.example

Final-Recipient: rfc822; bob@contoso.example
Action: failed
Status: 5.1.1

--b--
`, "\n", "\r\n")))
	if err != nil {
		t.Fatal(err)
	}
	got := ndr.Failures(report)
	if len(got) != 1 || got[0].Recipient != "bob@contoso.example" {
		t.Errorf("%+v", got)
	}
	if got := ndr.Failures(nil); len(got) != 0 {
		t.Errorf("of nothing: %+v", got)
	}
}
