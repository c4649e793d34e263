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

func TestWhatIsDrawn(t *testing.T) {
	tests := []struct {
		name string
		args []string
		code int
	}{
		{"published", []string{"example.org", "-zone", zoneFile}, 1},
		{"planned", []string{"-zone", zoneFile, "example.org", "-record", "v=spf1 include:_spf.mail.example include:_spf.desk.example ip4:192.0.2.25 -all", "-ip", "198.51.100.17", "-flatten"}, 0},
		{"broken", []string{"-zone", zoneFile, "-record", "v=spf1 ipv4:192.0.2.1 include:example.org ~all", "example.org"}, 1},
		{"missing", []string{"-zone", zoneFile, "nothing.example"}, 0},
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
				t.Errorf("drawn:\n%s\nwant:\n%s", &out, want)
			}
		})
	}
}

// What the drawing must say, whatever it looks like.
func TestTheDrawingNamesTheEleventhLookup(t *testing.T) {
	var out, errs bytes.Buffer
	run([]string{"example.org", "-zone", zoneFile}, &out, &errs)
	for _, want := range []string{"12 of 10 look-ups: permerror", "spf-lookup-limit", "spf-include-unused", "spf-include-nxdomain", "spf-ptr"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing", want)
		}
	}
	for line := range strings.Lines(out.String()) {
		if strings.Contains(line, "the eleventh look-up") != strings.HasPrefix(line, "  11 ") {
			t.Errorf("the eleventh is marked wrongly: %s", line)
		}
	}
}

func TestJSON(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run([]string{"example.org", "-json", "-zone", zoneFile, "-record", "v=spf1 ip4:192.0.2.80 -all"}, &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, &errs)
	}
	var r report
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if strings.Count(out.String(), "\n") != 1 || r.SchemaVersion != 1 || r.Audit.Lookups != 0 || r.Diff.Lookups.Before != 12 || len(r.Diff.Lost) == 0 {
		t.Errorf("%s", &out)
	}
}

// A server that is not there is a finding about DNS, never "no record".
func TestAServerThatDoesNotAnswerIsSaid(t *testing.T) {
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := socket.LocalAddr().String()
	socket.Close() // nobody listens there any more
	var out, errs bytes.Buffer
	if code := run([]string{"example.org", "-server", address}, &out, &errs); code != 2 || !strings.Contains(errs.String(), "no answer") {
		t.Errorf("exit code %d: %s", code, &errs)
	}
	if !strings.Contains(out.String(), "spf-dns-failed") || strings.Contains(out.String(), "no SPF record") {
		t.Errorf("%s", &out)
	}
}

func TestHostileTextDrivesNoTerminal(t *testing.T) {
	zone := filepath.Join(t.TempDir(), "zone")
	if err := os.WriteFile(zone, []byte("example.org TXT \"v=spf1 a:\x1b[31m\u202eevil \u009b2J include:x\x07.example -all\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	run([]string{"example.org", "-zone", zone}, &out, &errs)
	if strings.ContainsAny(out.String(), "\x1b\x07\u202e\u009b") {
		t.Errorf("%q", &out)
	}
}

func TestWrongUseIsExitCode2(t *testing.T) {
	for _, args := range [][]string{{}, {"a.example", "b.example"}, {"a.example", "-zone", "testdata/none"}, {"a.example", "-zone", zoneFile, "-ip", "x"}, {"-wrong"}} {
		var out, errs bytes.Buffer
		if code := run(args, &out, &errs); code != 2 || errs.Len() == 0 || out.Len() > 0 {
			t.Errorf("%v: exit code %d, %q", args, code, &out)
		}
	}
	var out, errs bytes.Buffer
	if code := run([]string{"-h"}, &out, &errs); code != 0 || !strings.HasPrefix(errs.String(), "usage:") {
		t.Errorf("help: exit code %d", code)
	}
}
