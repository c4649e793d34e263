package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

const zoneFile = "testdata/example.zone"

func TestWhatIsPrinted(t *testing.T) {
	tests := []struct {
		name string
		args []string
		code int
	}{
		{"shop", []string{"shop.example", "-zone", zoneFile, "-ip", "203.0.113.25", "-helo", "mail.shop.example", "-selectors", "2024,2025"}, 1},
		{"good", []string{"-zone", zoneFile, "good.example", "-ip", "203.0.113.26", "-helo", "mail.good.example", "-selectors", "2024"}, 0},
		{"refused", []string{"-zone", zoneFile, "good.example", "-ip", "203.0.113.99", "-refused", "spf"}, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var out, errs bytes.Buffer
			if code := run(test.args, &out, &errs); code != test.code || errs.Len() > 0 {
				t.Errorf("exit code %d, want %d; %s", code, test.code, &errs)
			}
			golden := filepath.Join("testdata", test.name+".golden")
			if *update {
				if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if out.String() != string(want) {
				t.Errorf("printed:\n%s\nwant:\n%s", &out, want)
			}
		})
	}
}

// A record that could not be asked for may well be there: nothing says that
// there is none, and nothing was checked.
func TestWithoutAnAnswerNothingIsSaidToBeMissing(t *testing.T) {
	closed, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	var out, errs bytes.Buffer
	if code := run([]string{"good.example", "-server", closed.LocalAddr().String()}, &out, &errs); code != 2 || !strings.Contains(errs.String(), "-server") {
		t.Errorf("exit code %d; %s", code, &errs)
	}
	facts, _, _ := strings.Cut(out.String(), "Breaks mail")
	if strings.Count(facts, "could not be asked") != 3 || strings.Contains(facts, "none") || strings.Contains(facts, "no record") {
		t.Errorf("said of a domain that could not be asked for:\n%s", facts)
	}
}

// What the page must say, whatever it looks like.
func TestThePageNamesWhatBreaksMailFirst(t *testing.T) {
	var out, errs bytes.Buffer
	run([]string{"shop.example", "-zone", zoneFile, "-ip", "203.0.113.25", "-selectors", "2024"}, &out, &errs)
	at := 0
	for _, want := range []string{"Breaks mail", "mx-not-public", "spf-syntax", "dkim-key-revoked", "mta-sts-id-invalid", "May break mail", "dmarc-report-unauthorized", "ip-generic", "Worth knowing"} {
		i := strings.Index(out.String()[at:], want)
		if i < 0 {
			t.Fatalf("%q does not stand behind what is graver:\n%s", want, &out)
		}
		at += i
	}
}

func TestJSON(t *testing.T) {
	var out, errs bytes.Buffer
	run([]string{"good.example", "-zone", zoneFile, "-ip", "203.0.113.99", "-refused", "spf", "-json"}, &out, &errs)
	var document struct {
		SchemaVersion int `json:"schema_version"`
		Check         struct {
			Domain string
			MX     struct{ Hosts []struct{ Host string } }
		}
		Explanation struct{ Cause, Add string }
	}
	if err := json.Unmarshal(out.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	if document.SchemaVersion != 1 || document.Check.MX.Hosts[0].Host != "mail.good.example" || document.Explanation.Add != "ip4:203.0.113.99" {
		t.Errorf("%+v", document)
	}
}

func TestCommandLineErrors(t *testing.T) {
	for _, args := range [][]string{{}, {"a.example", "b.example"}, {"a.example", "-zone", "testdata/missing"}, {"a.example", "-zone", zoneFile, "-ip", "x"},
		{"a b", "-zone", zoneFile}, {"a.example", "-zone", zoneFile, "-refused", "x"}, {"a.example", "-zone", zoneFile, "-message", "testdata/missing"}} {
		var out, errs bytes.Buffer
		if code := run(args, &out, &errs); code != 2 || errs.Len() == 0 {
			t.Errorf("%q: exit code %d, %s", args, code, &errs)
		}
	}
}
