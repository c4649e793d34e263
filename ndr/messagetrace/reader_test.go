package messagetrace

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/unicode"
)

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func rowsOf(t testing.TB, r io.Reader) []Row {
	t.Helper()
	var rows []Row
	for row, err := range Read(r) {
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

var (
	sent      = time.Date(2026, 11, 28, 9, 5, 3, 0, time.UTC)
	sentExact = time.Date(2026, 11, 28, 9, 5, 3, 123456700, time.UTC)
	client    = netip.MustParseAddr("192.0.2.10")
	networkID = "5f0a5b0e-0000-4000-8000-00000000a001"
	notFound  = "[{LED=550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient bob@contoso.example not found by SMTP address lookup};{MSG=};{FQDN=};{IP=};{LRT=}]"
)

func one(addr string, s Status, raw string) []RecipientStatus {
	return []RecipientStatus{{Address: addr, Status: s, Raw: raw}}
}

var files = []struct {
	name string
	want []Row
}{
	{"summary.csv", []Row{
		{Line: 2, Time: sent, TimeRaw: "11/28/2026 9:05:03 AM", Sender: "alice@fabrikam.example", Subject: "Offer, second draft",
			Recipients: one("bob@contoso.example", Failed, "Failed")},
		{Line: 3, Time: sent, TimeRaw: "11/28/2026 9:05:03 AM", Sender: "alice@fabrikam.example", Subject: "Offer, second draft",
			Recipients: one("carol@contoso.example", Delivered, "Delivered")},
		{Line: 4, Time: time.Date(2026, 12, 1, 7, 45, 0, 0, time.UTC), TimeRaw: "12/1/2026 7:45:00 AM", Sender: "alice@fabrikam.example",
			Subject: "Two\nlines and a \"quote\"", Recipients: one("team@contoso.example", GettingStatus, "Getting status")},
	}},
	{"enhanced.csv", enhancedRows},
	{"enhanced-observed.csv", enhancedRows},
	{"extended.csv", []Row{
		{Line: 2, Time: sentExact, TimeRaw: "2026-11-28T09:05:03.1234567Z", Sender: "alice@fabrikam.example", ReturnPath: "alice@fabrikam.example",
			Recipients: []RecipientStatus{{Address: "bob@contoso.example", Raw: "RECEIVE"}, {Address: "carol@contoso.example", Raw: "RECEIVE"}},
			Subject:    "Offer, second draft", MessageID: "offer-2@fabrikam.example", NetworkID: networkID, Bytes: 20481,
			Event: "RECEIVE", Source: "SMTP", Direction: Outbound, OriginalIP: client, ClientIP: netip.MustParseAddr("192.0.2.11"),
			ClientHostname: "AM0PR01.eurprd01.prod.outlook.com", ServerIP: netip.MustParseAddr("192.0.2.12"),
			ServerHostname: "AM0PR02.eurprd02.prod.outlook.com", Connector: "To Contoso",
			Extra: []Column{{"internal_message_id", "1001"}, {"recipient_count", "2"}, {"tenant_id", "10000000-0000-4000-8000-000000000001"}, {"original_server_ip", "192.0.2.12"}}},
		{Line: 3, Time: sent.Add(time.Second), TimeRaw: "2026-11-28T09:05:04Z", Sender: "alice@fabrikam.example", ReturnPath: "alice@fabrikam.example",
			Recipients: one("bob@contoso.example", Failed, "FAIL"), Subject: "Offer, second draft", MessageID: "offer-2@fabrikam.example",
			NetworkID: networkID, Bytes: 20481, Event: "FAIL", Source: "ROUTING", Direction: Outbound, OriginalIP: client,
			ServerHostname: "AM0PR02.eurprd02.prod.outlook.com",
			Texts:          []string{"S:AccountForest=example", notFound},
			Extra:          []Column{{"internal_message_id", "1001"}, {"recipient_count", "1"}, {"tenant_id", "10000000-0000-4000-8000-000000000001"}}},
	}},
	{"get-messagetrace.csv", []Row{
		{Line: 3, Time: sent, TimeRaw: "11/28/2026 9:05:03 AM", Sender: "alice@fabrikam.example", Subject: "Offer, second draft",
			Recipients: one("bob@contoso.example", Failed, "Failed"), MessageID: "offer-2@fabrikam.example", NetworkID: networkID,
			Bytes: 20481, OriginalIP: client,
			Extra: []Column{{"Organization", "contoso.example"}, {"StartDate", "11/26/2026 9:05:03 AM"}, {"EndDate", "12/1/2026 9:05:03 AM"}, {"Index", "0"}}},
	}},
	{"get-messagetracev2.json", []Row{
		{Line: 1, Time: sentExact, TimeRaw: "2026-11-28T09:05:03.1234567Z", Sender: "alice@fabrikam.example", Subject: "Offer, second draft",
			Recipients: one("bob@contoso.example", Failed, "Failed"), MessageID: "offer-2@fabrikam.example", NetworkID: networkID,
			Bytes: 20481, OriginalIP: client},
		{Line: 2, Time: sent, TimeRaw: "/Date(1795856703000)/", Sender: "alice@fabrikam.example", Subject: "Offer, second draft",
			Recipients: one("carol@contoso.example", FilteredAsSpam, "FilteredAsSpam"), MessageID: "offer-2@fabrikam.example", NetworkID: networkID,
			Bytes: 20481, OriginalIP: client},
	}},
	{"get-messagetracedetail.csv", []Row{
		{Line: 2, Time: sent.Add(time.Second), TimeRaw: "2026-11-28 09:05:04", MessageID: "offer-2@fabrikam.example", NetworkID: networkID,
			Event: "Fail", Recipients: one("", Failed, "Fail"), Texts: []string{"Reason: " + notFound + "."}},
	}},
}

var enhancedRows = []Row{
	{Line: 2, Time: sentExact, TimeRaw: "2026-11-28T09:05:03.1234567Z", Sender: "alice@fabrikam.example",
		Recipients: []RecipientStatus{
			{Address: "bob@contoso.example", Status: Failed, Raw: "Receive, Fail", Events: []string{"Receive", "Fail"}},
			{Address: "carol@contoso.example", Status: Delivered, Raw: "Receive, Send", Events: []string{"Receive", "Send"}},
		},
		Subject: "Offer, second draft", MessageID: "offer-2@fabrikam.example", NetworkID: networkID, Bytes: 20481,
		OriginalIP: client, Direction: Outbound, Connector: "To Contoso", Extra: []Column{{"delivery_priority", "Normal"}}},
	{Line: 3, Time: time.Date(2026, 12, 1, 7, 45, 0, 0, time.UTC), TimeRaw: "2026-12-01T07:45:00Z", Sender: "alice@fabrikam.example",
		Recipients: []RecipientStatus{{Address: "team@contoso.example", Status: Expanded, Raw: "Receive, Expand", Events: []string{"Receive", "Expand"}}},
		Subject:    "Two\nlines and a \"quote\"", MessageID: "two@fabrikam.example", NetworkID: "5f0a5b0e-0000-4000-8000-00000000a002", Bytes: 1024,
		OriginalIP: client, Direction: Outbound, Extra: []Column{{"delivery_priority", "Normal"}}},
}

// Every kind of export gives the same rows in every encoding.
func TestReadEveryKindInEveryEncoding(t *testing.T) {
	le := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewEncoder()
	be := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewEncoder()
	encode := map[string]func([]byte) []byte{
		"UTF-8":            func(b []byte) []byte { return b },
		"UTF-8 with BOM":   func(b []byte) []byte { return append([]byte("\ufeff"), b...) },
		"UTF-16LE":         func(b []byte) []byte { out, _ := le.Bytes(b); return out },
		"UTF-16BE":         func(b []byte) []byte { out, _ := be.Bytes(b); return out },
		"UTF-16LE + BOM":   func(b []byte) []byte { out, _ := le.Bytes(append([]byte("\ufeff"), b...)); return out },
		"UTF-16BE + BOM":   func(b []byte) []byte { out, _ := be.Bytes(append([]byte("\ufeff"), b...)); return out },
		"no final newline": func(b []byte) []byte { return bytes.TrimRight(b, "\n") },
	}
	for _, f := range files {
		for name, enc := range encode {
			t.Run(f.name+"/"+name, func(t *testing.T) {
				got := rowsOf(t, bytes.NewReader(enc(fixture(t, f.name))))
				compare(t, f.want, got)
			})
		}
		t.Run(f.name+"/one byte at a time", func(t *testing.T) {
			compare(t, f.want, rowsOf(t, iotest.OneByteReader(bytes.NewReader(fixture(t, f.name)))))
		})
		if !strings.HasSuffix(f.name, ".csv") {
			continue
		}
		t.Run(f.name+"/CRLF", func(t *testing.T) {
			in := bytes.ReplaceAll(fixture(t, f.name), []byte("\n"), []byte("\r\n"))
			got := rowsOf(t, bytes.NewReader(in))
			for i := range got {
				got[i].Subject = strings.ReplaceAll(got[i].Subject, "\r\n", "\n")
			}
			compare(t, f.want, got)
		})
	}
}

func compare(t *testing.T, want, got []Row) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b netip.Addr) bool { return a == b })); diff != "" {
		t.Error(diff)
	}
}

func TestSemicolonsAndTabsSeparate(t *testing.T) {
	for _, sep := range []string{";", "\t"} {
		in := strings.ReplaceAll("Date,Sender,Recipient,Subject,Status\n28.11.2026 09:05:03,a@b.example,c@d.example,\"x,y\",Pending\n", ",", sep)
		got := rowsOf(t, strings.NewReader(in))
		if len(got) != 1 || got[0].Time != sent || got[0].Recipients[0].Status != Pending || len(got[0].Findings) != 0 {
			t.Errorf("%q: %+v", sep, got)
		}
	}
}

func TestOrderOfDayAndMonth(t *testing.T) {
	head := "Date,Sender,Recipient,Subject,Status\n"
	open := "3/9/2026 8:00:00 AM,a@b.example,c@d.example,x,Failed\n"
	march, september := time.Date(2026, 3, 9, 8, 0, 0, 0, time.UTC), time.Date(2026, 9, 3, 8, 0, 0, 0, time.UTC)

	got := rowsOf(t, strings.NewReader(head+open+"25/9/2026 8:00:00 AM,a@b.example,c@d.example,x,Failed\n"+open))
	if !got[0].Time.IsZero() || !cmp.Equal(got[0].TimeOr, []time.Time{march, september}) || got[0].Findings[0].ID != "trace-time-order-open" {
		t.Errorf("before any date shows the order: %+v", got[0])
	}
	if got[2].Time != september || len(got[2].Findings) != 0 {
		t.Errorf("after one did: %+v", got[2])
	}
	for row := range (&Reader{MonthFirst: true}).Read(strings.NewReader(head + open)) {
		if row.Time != march {
			t.Errorf("by the caller's word: %+v", row)
		}
	}
}

func TestHostileInput(t *testing.T) {
	head := "Date,Sender,Recipient,Subject,Status\n"
	good := "2026-11-28T09:05:03Z,a@b.example,c@d.example,x,Failed\n"
	tests := []struct {
		name, in string
		rows     int
		finding  string // of the first row with any
	}{
		{"a quote never closed costs one line", head + "2026-11-28T09:05:03Z,\"a@b.example,c,d,Failed\n" + good + good, 3, "trace-quote-not-closed"},
		{"a 10 MB field is cut", head + "2026-11-28T09:05:03Z,a@b.example,c@d.example," + strings.Repeat("x", 10<<20) + ",Failed\n" + good, 2, "trace-field-count"},
		{"a quoted 10 MB field is cut", head + "2026-11-28T09:05:03Z,a@b.example,c@d.example,\"" + strings.Repeat("x", 10<<20) + "\",Failed\n" + good, 2, "trace-quote-not-closed"},
		{"NUL bytes are dropped", head + "2026-11-28T09:05:03Z,a@b.\x00example,c@d.example,x,Failed\n", 1, "trace-nul-bytes"},
		{"text after a closing quote is kept", head + "2026-11-28T09:05:03Z,\"a@b\".example,c@d.example,x,Failed\n", 1, ""},
		{"too few fields", head + "2026-11-28T09:05:03Z,a@b.example\n", 1, "trace-field-count"},
		{"too many fields", head + "2026-11-28T09:05:03Z,a@b.example,c@d.example,x,Failed,more\n", 1, "trace-field-count"},
		{"a status nobody documents", head + "2026-11-28T09:05:03Z,a@b.example,c@d.example,x,Vanished\n", 1, "trace-status"},
		{"no time", head + "yesterday,a@b.example,c@d.example,x,Failed\n", 1, "trace-time"},
		{"Windows-1252", head + "2026-11-28T09:05:03Z,a@b.example,c@d.example,caf\xe9,Failed\n", 1, "trace-charset"},
		{"blank lines and a title before the header", "Message trace\n\n" + head + good, 1, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rows := rowsOf(t, strings.NewReader(tt.in))
			if len(rows) != tt.rows {
				t.Fatalf("%d rows, want %d", len(rows), tt.rows)
			}
			id := ""
			for _, r := range rows {
				if len(r.Findings) > 0 {
					id = r.Findings[0].ID
					break
				}
			}
			if id != tt.finding {
				t.Errorf("finding %q, want %q", id, tt.finding)
			}
			if last := rows[len(rows)-1]; len(rows) > 1 && last.Sender != "a@b.example" {
				t.Errorf("not read on after it: %+v", last)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	broken := errors.New("broken pipe")
	tests := []struct {
		name string
		in   io.Reader
		want error
	}{
		{"empty", strings.NewReader(""), ErrNotTrace},
		{"another CSV", strings.NewReader("a,b,c\n1,2,3\n"), ErrNotTrace},
		{"another JSON", strings.NewReader(`[{"a":1}]`), ErrNotTrace},
		{"the input fails", iotest.ErrReader(broken), broken},
		{"the input fails midway", io.MultiReader(strings.NewReader("Date,Sender,Recipient,Status\n2026-11-28T09:05:03Z,a,b,Failed\n"), iotest.ErrReader(broken)), broken},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var last error
			for _, err := range Read(tt.in) {
				last = err
			}
			if !errors.Is(last, tt.want) {
				t.Errorf("got %v, want %v", last, tt.want)
			}
		})
	}
	var typed *Error
	for _, err := range Read(strings.NewReader(`[{"Sender":"a","Status":"Failed"},{]`)) {
		if err != nil && (!errors.As(err, &typed) || typed.Line != 2) {
			t.Errorf("cut JSON: %v", err)
		}
	}
	if typed == nil {
		t.Error("cut JSON: no error")
	}
}

func TestJSONShapes(t *testing.T) {
	obj := `{"Received":"2026-11-28T09:05:03Z","SenderAddress":"a@b.example","RecipientAddress":"c@d.example","Status":"Failed"}`
	for name, in := range map[string]string{
		"one object":          obj,
		"objects one a line":  obj + "\n" + obj,
		"array":               "[" + obj + "]",
		"service's value":     `{"@odata.context":"x","value":[` + obj + `,` + obj + `]}`,
		"service's d.results": `{"d":{"results":[` + obj + `]}}`,
		"PowerShell 5 date":   strings.Replace(obj, `"2026-11-28T09:05:03Z"`, `{"value":"\/Date(1795856703000)\/","DisplayHint":2,"DateTime":"Saturday"}`, 1),
	} {
		rows := rowsOf(t, strings.NewReader(in))
		if want := strings.Count(in, "c@d.example"); len(rows) != want {
			t.Errorf("%s: %d rows, want %d", name, len(rows), want)
			continue
		}
		if rows[0].Time != sent || !rows[0].Failed() {
			t.Errorf("%s: %+v", name, rows[0])
		}
	}
}

func TestStoppingEarlyStops(t *testing.T) {
	for _, name := range []string{"summary.csv", "get-messagetracev2.json"} {
		n := 0
		for range Read(bytes.NewReader(fixture(t, name))) {
			n++
			break
		}
		if n != 1 {
			t.Errorf("%s: %d rows after break", name, n)
		}
	}
}

// extendedCSV writes an Extended export of at least size bytes.
type extendedCSV struct {
	row  []byte
	left int64
	buf  []byte
}

func newExtended(t testing.TB, size int64) *extendedCSV {
	lines := bytes.SplitAfter(fixture(t, "extended.csv"), []byte("\n"))
	return &extendedCSV{buf: bytes.Clone(lines[0]), row: append(bytes.Clone(lines[1]), lines[2]...), left: size}
}

func (e *extendedCSV) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	if len(e.buf) == 0 {
		e.buf = e.row
	}
	n := copy(p, e.buf)
	e.buf = e.buf[n:]
	e.left -= int64(n)
	return n, nil
}

func TestLargeFileTakesLittleMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 64 MiB")
	}
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	peak, n := uint64(0), 0
	for _, err := range Read(newExtended(t, 64<<20)) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; n%10000 == 0 {
			runtime.GC() // what is kept counts, not what a busy machine has yet to collect
			runtime.ReadMemStats(&now)
			peak = max(peak, now.HeapAlloc-min(now.HeapAlloc, before.HeapAlloc))
		}
	}
	if n < 50_000 || peak > 8<<20 {
		t.Errorf("%d rows, peak heap %d MiB", n, peak>>20)
	}
}

func BenchmarkExtended(b *testing.B) {
	const size = 16 << 20
	b.Run("messagetrace", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			for _, err := range Read(newExtended(b, size)) {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("encoding-csv", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			r := csv.NewReader(newExtended(b, size))
			r.ReuseRecord = true
			for {
				if _, err := r.Read(); err == io.EOF {
					break
				} else if err != nil && !errors.Is(err, csv.ErrFieldCount) && !errors.Is(err, csv.ErrQuote) {
					b.Fatal(err)
				}
			}
		}
	})
}

func FuzzRead(f *testing.F) {
	for _, file := range files {
		f.Add(fixture(f, file.name))
	}
	f.Add([]byte("Date,Sender\n\"\"\"\n\",\x00"))
	f.Fuzz(func(t *testing.T, in []byte) {
		n := 0
		for row, err := range (&Reader{MaxRecord: 4096}).Read(bytes.NewReader(in)) {
			if err != nil {
				break
			}
			row.Failures()
			if n++; n > len(in)+1 {
				t.Fatal("more rows than bytes")
			}
		}
	})
}
