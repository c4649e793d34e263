package dnscheck

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestAnswersSurviveJSON(t *testing.T) {
	for name, a := range map[string]Answer{
		"zero":      {},
		"addresses": {Outcome: Found, Addrs: []netip.Addr{netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("2001:db8::1")}, TTL: time.Hour, Authentic: true, Server: "192.0.2.53:53", TCP: true, Size: 70},
		"exchanger": {Outcome: Found, MX: []MX{{10, "mail.example.org"}, {0, ""}}, TTL: 1<<31*time.Second - time.Second},
		"texts":     {Outcome: Found, TXT: []TXT{{"v=spf1 -all", 1}, {"\xff\x00\\052 \u00e9\ufffd\n\"<", 3}, {"", 1}}, TTL: 1234567891 * time.Nanosecond},
		"names":     {Outcome: Found, Names: []string{"a\xe9.example"}, CNAME: []string{`b\.example`}},
		"gaps":      {Outcome: NoData, Gaps: GapExistence | GapStrings},
		"failure":   {Outcome: Refused, Err: errors.New("odd: \xff")},
	} {
		t.Run(name, func(t *testing.T) {
			data, err := json.Marshal(a)
			if err != nil {
				t.Fatal(err)
			}
			var back Answer
			if err := json.Unmarshal(data, &back); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(a, back, cmpopts.EquateComparable(netip.Addr{}), cmpopts.IgnoreFields(Answer{}, "Err")); d != "" {
				t.Error(d, string(data))
			}
			if (a.Err == nil) != (back.Err == nil) || a.Err != nil && strings.ToValidUTF8(a.Err.Error(), "\ufffd") != back.Err.Error() {
				t.Errorf("%v becomes %v", a.Err, back.Err)
			}
			again, err := json.Marshal(back)
			if err != nil || !bytes.Equal(data, again) {
				t.Errorf("%s\n%s", data, again)
			}
		})
	}
}

func TestAnAnswersErrorWithoutWordsSurvivesJSON(t *testing.T) {
	data, _ := json.Marshal(Answer{Outcome: ServFail, Err: errors.New("")})
	var back Answer
	if err := json.Unmarshal(data, &back); err != nil || back.Err == nil {
		t.Errorf("%v, %v: %s", back.Err, err, data)
	}
}

func TestAnswerErrorsSurviveJSON(t *testing.T) {
	for _, kind := range errorKinds {
		for _, err := range []error{kind.err, fmt.Errorf("while asking: %w", kind.err)} {
			data, _ := json.Marshal(Answer{Outcome: Timeout, Err: err})
			var back Answer
			if e := json.Unmarshal(data, &back); e != nil || !errors.Is(back.Err, kind.err) || back.Err.Error() != err.Error() {
				t.Errorf("%v becomes %v by way of %s", err, back.Err, data)
			}
		}
	}
}

func TestAnswerRejectsJSONItDoesNotWrite(t *testing.T) {
	for _, text := range []string{`[]`, `{"outcome":"maybe"}`, `{"ttl_seconds":-1}`, `{"ttl_seconds":1e300}`, `{"names":["\\2"]}`, `{"names":["\\256"]}`, `{"names":["\\-12"]}`, `{"gaps":"much"}`, `{"addrs":["x"]}`} {
		if err := json.Unmarshal([]byte(text), new(Answer)); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}

// recordedCheck is a whole check over a zone with every kind of trouble.
func recordedCheck(ctx context.Context, r Resolver, now time.Time) []byte {
	var out bytes.Buffer
	for _, q := range []SPFQuery{
		{IP: netip.MustParseAddr("192.0.2.1"), MailFrom: "anna@example.org", HELO: "mail.example.org"},
		{IP: netip.MustParseAddr("198.51.100.9"), MailFrom: "anna@example.org", HELO: "mail.example.org"},
		{IP: netip.MustParseAddr("2001:db8::1"), MailFrom: "b@broken.example.org"},
		{IP: netip.MustParseAddr("192.0.2.1"), MailFrom: "c@slow.example.org"},
		{IP: netip.MustParseAddr("203.0.113.5"), MailFrom: "anna@example.org"},
		{IP: netip.MustParseAddr("203.0.113.5"), MailFrom: "late@example.org"},
	} {
		q.Trace, q.Time = true, now
		result := CheckSPF(ctx, r, q)
		data, _ := json.Marshal(result)
		fmt.Fprintf(&out, "%s %v\n", data, result.Err)
	}
	audit, _ := json.Marshal(AuditSPF(ctx, r, "example.org", SPFAuditOptions{Flatten: true}))
	out.Write(audit)
	return out.Bytes()
}

const recordedZone = `
example.org         TXT   "v=spf1 include:alias.example.org exists:%{ir}.list.example.org mx exp=why.example.org -all"
alias.example.org   CNAME spf.example.net
spf.example.net     TXT   "v=spf1 ip4:198.51.100.0/29 a:gone.example.net -all"
example.org         MX    10 mail.example.org
mail.example.org    A     192.0.2.1
why.example.org     TXT   "%{i} may not send at %{t}"
broken.example.org  TXT   SERVFAIL
slow.example.org    TXT   "v=spf1 a:x.slow.example.org -all"
x.slow.example.org  A     TIMEOUT
`

func TestRecordingReplaysACheckByteForByte(t *testing.T) {
	zone, err := ReadZone(strings.NewReader(recordedZone))
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	rec := &Recorder{Resolver: &Limit{Resolver: &Cache{Resolver: zone}, Queries: 26}, Writer: &file, Time: time.Unix(1_780_000_000, 5)}
	live := recordedCheck(t.Context(), rec, rec.Time)
	if err := rec.Err(); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(file.Bytes(), []byte(`"error_kind":"budget"`)) {
		t.Error("the budget was to end within the check; then its end replays too")
	}
	recording, err := ReadRecording(&file)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if again := recordedCheck(t.Context(), recording.Replay(), recording.Time); !bytes.Equal(live, again) {
			t.Errorf("live:\n%s\nreplayed:\n%s", live, again)
		}
	}
}

func TestRecorderWritesTheDocumentedForm(t *testing.T) {
	var file bytes.Buffer
	rec := &Recorder{Writer: &file, Time: time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC), Resolver: resolverFunc(func(_ context.Context, name string, t Type) Answer {
		if t == TypeA {
			return Answer{Outcome: Timeout, Err: errors.New("i/o timeout")}
		}
		return Answer{Outcome: Found, TXT: []TXT{{"v=spf1 -all", 1}}, TTL: 300 * time.Second}
	})}
	rec.Lookup(t.Context(), "example.org", TypeTXT)
	rec.Lookup(t.Context(), "gone.example.org", TypeA)
	policies := rec.Policies(func(context.Context, string) ([]byte, error) { return []byte("version: STSv1\n..."), nil })
	_, _ = policies(t.Context(), "https://mta-sts.example.org/.well-known/mta-sts.txt")
	source, err := os.ReadFile("recorder.go")
	if err != nil {
		t.Fatal(err)
	}
	var documented strings.Builder
	for line := range strings.Lines(string(source)) {
		if text, ok := strings.CutPrefix(line, "//\t"); ok {
			documented.WriteString(text)
		}
	}
	if file.String() != documented.String() {
		t.Errorf("written:\n%s\ndocumented:\n%s", &file, &documented)
	}
}

func TestReplayGivesAnswersInOrder(t *testing.T) {
	const head = `{"format":"dnscheck-recording","version":1,"time":"2026-01-02T15:04:05Z"}` + "\n"
	recording, err := ReadRecording(strings.NewReader(head +
		`{"name":"a\\255.example","type":"A","answer":{"outcome":"servfail"}}` + "\n" + `{"name":"a\\255.example","type":"A","answer":{"outcome":"no-data"},"later":"fields"}` + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	r := recording.Replay()
	for _, want := range []Outcome{ServFail, NoData, NoData} {
		if got := r.Lookup(t.Context(), "a\xff.example", TypeA); got.Outcome != want {
			t.Errorf("%v, want %v", got.Outcome, want)
		}
	}
	if got := r.Lookup(t.Context(), "a\xff.example", TypeAAAA); got.Outcome != OutcomeUnknown || !errors.Is(got.Err, ErrNotRecorded) {
		t.Errorf("%+v", got)
	}
	var asked []Question
	for q := range recording.All() {
		asked = append(asked, q)
	}
	if want := []Question{{"a\xff.example", TypeA}, {"a\xff.example", TypeA}}; !reflect.DeepEqual(asked, want) {
		t.Errorf("%q", asked)
	}
}

func TestReadRecordingSaysWhichLineIsWrong(t *testing.T) {
	const head = `{"format":"dnscheck-recording","version":1}` + "\n"
	for text, line := range map[string]int{
		"":                               1,
		"nonsense":                       1,
		`{"format":"other","version":1}`: 1,
		`{"format":"dnscheck-recording","version":2}`: 1,
		head + "{": 2,
		head + `{"name":"a","type":"A","answer":{}}` + "\n" + `{"name":`: 3,
		head + `{"name":"a","type":"FLAG","answer":{}}`:                  2,
		head + `{"name":"\\9","type":"A","answer":{}}`:                   2,
		head + strings.Repeat(" ", maxRecordingLine+1):                   2,
	} {
		_, err := ReadRecording(strings.NewReader(text))
		var wrong *RecordingError
		if !errors.As(err, &wrong) || wrong.Line != line {
			t.Errorf("%.60q: %v, want line %d", text, err, line)
		}
	}
	if _, err := ReadRecording(endless{}); err == nil {
		t.Error("an endless recording is accepted")
	}
}

// endless is a recording of empty answers without end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	const line = `{"format":"dnscheck-recording","version":1}` + "\n"
	n := 0
	for n < len(p) {
		n += copy(p[n:], line)
	}
	return n, nil
}

type fullDisk struct{ left int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.left--; d.left < 0 {
		return 0, os.ErrClosed
	}
	return len(p), nil
}

func TestRecorderKeepsAnsweringWhenItCannotWrite(t *testing.T) {
	rec := &Recorder{Writer: &fullDisk{left: 2}, Resolver: &Zone{}}
	for n := range 3 {
		if got := rec.Lookup(t.Context(), "example.org", TypeA); got.Outcome != NXDomain {
			t.Errorf("%+v", got)
		}
		if failed := n > 0; failed != errors.Is(rec.Err(), os.ErrClosed) {
			t.Errorf("after question %d: %v", n+1, rec.Err())
		}
	}
}

func FuzzReadRecording(f *testing.F) {
	f.Add(`{"format":"dnscheck-recording","version":1,"time":"2026-01-02T15:04:05Z"}` + "\n" +
		`{"name":"a","type":"TXT","answer":{"outcome":"found","txt":[{"text":"\\255","strings":1}],"ttl_seconds":300}}`)
	f.Add(`{"format":"dnscheck-recording","version":1}` + "\n" + `{"name":"a","type":"TYPE9","answer":{"outcome":"timeout","error":"x","error_kind":"budget"}}`)
	f.Fuzz(func(t *testing.T, text string) {
		recording, err := ReadRecording(strings.NewReader(text))
		if err != nil {
			return
		}
		// What was read is written and read again the same.
		var first, second bytes.Buffer
		rec := &Recorder{Resolver: recording.Replay(), Writer: &first, Time: time.Unix(0, 0).UTC()}
		for q := range recording.All() {
			rec.Lookup(t.Context(), q.Name, q.Type)
		}
		if first.Len() == 0 {
			return
		}
		file := first.String()
		again, err := ReadRecording(&first)
		if err != nil {
			t.Fatalf("%v in %s", err, file)
		}
		rec = &Recorder{Resolver: again.Replay(), Writer: &second, Time: time.Unix(0, 0).UTC()}
		for q := range again.All() {
			rec.Lookup(t.Context(), q.Name, q.Type)
		}
		if file != second.String() {
			t.Errorf("%s\n%s", file, &second)
		}
	})
}
