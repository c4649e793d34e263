package dmarcreport_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dmarcreport"
)

// repeat reads a text over and over, up to n bytes.
type repeat struct {
	text string
	at   int
	left int64
}

func (r *repeat) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), r.left)]
	for i := range p {
		p[i] = r.text[r.at]
		r.at = (r.at + 1) % len(r.text)
	}
	r.left -= int64(len(p))
	return len(p), nil
}

// userCPU returns the CPU time that the process has taken outside of the kernel.
func userCPU(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano())
}

func endless(head, text string) io.Reader {
	return io.MultiReader(strings.NewReader(head), &repeat{text: text, left: 4 << 30})
}

func packed(r io.Reader, n int64) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	io.Copy(w, io.LimitReader(r, n))
	w.Close()
	return b.Bytes()
}

// overlapped builds an archive whose n members are the same bytes.
func overlapped(n int) []byte {
	one := zipped(bytes.Repeat([]byte(sample), 100))
	eocd := bytes.LastIndex(one, []byte("PK\x05\x06"))
	dir := bytes.Index(one, []byte("PK\x01\x02"))
	entry := one[dir:eocd]
	out := append([]byte(nil), one[:dir]...)
	for range n {
		out = append(out, entry...)
	}
	tail := append([]byte(nil), one[eocd:]...)
	binary.LittleEndian.PutUint16(tail[8:], uint16(n))
	binary.LittleEndian.PutUint16(tail[10:], uint16(n))
	binary.LittleEndian.PutUint32(tail[12:], uint32(n*len(entry)))
	return append(out, tail...)
}

// TestBombs gives inputs that are made to cost. Each must end in the error
// that names what was too much, soon and in little memory.
func TestBombs(t *testing.T) {
	const head = "<feedback><report_metadata><org_name>"
	nested := packed(&repeat{text: "\x00", left: 1 << 30}, 64<<20)
	for range 10 {
		nested = gz(nested)
	}
	limit := func(name string) func(error) bool {
		return func(err error) bool {
			var l *dmarcreport.LimitError
			return errors.As(err, &l) && l.Limit == name
		}
	}
	is := func(want error) func(error) bool { return func(err error) bool { return errors.Is(err, want) } }
	raised := dmarcreport.Limits{Input: -1}
	for _, tt := range []struct {
		name   string
		input  func() io.Reader
		limits dmarcreport.Limits
		want   func(error) bool
	}{
		{"megabytes of zeros in gzip", func() io.Reader {
			return bytes.NewReader(packed(io.MultiReader(strings.NewReader(head), &repeat{text: "\x00", left: 1 << 40}), 300<<20))
		}, dmarcreport.Limits{}, limit("Text")},
		{"megabytes of blanks in gzip", func() io.Reader {
			return bytes.NewReader(packed(io.MultiReader(strings.NewReader("<feedback>"), &repeat{text: " ", left: 1 << 40}), 300<<20))
		}, dmarcreport.Limits{}, limit("Ratio")},
		{"gigabytes of blanks", func() io.Reader { return endless("<feedback>", " ") }, dmarcreport.Limits{}, limit("Input")},
		{"gigabytes of blanks, ratio not limited", func() io.Reader {
			return bytes.NewReader(packed(io.MultiReader(strings.NewReader("<feedback>"), &repeat{text: " ", left: 1 << 40}), 300<<20))
		}, dmarcreport.Limits{Ratio: -1}, limit("Output")},
		{"a text without end", func() io.Reader { return endless(head, "a") }, raised, limit("Text")},
		{"a section without end", func() io.Reader { return endless(head+"<![CDATA[", "a") }, raised, limit("Text")},
		{"a section of brackets", func() io.Reader { return endless(head+"<![CDATA[", "]") }, raised, limit("Text")},
		{"a text in pieces without end", func() io.Reader { return endless(head, "a<!---->") }, raised, limit("Text")},
		{"a tag without end", func() io.Reader { return endless("<feedback ", "a") }, raised, limit("Text")},
		{"a name without end", func() io.Reader { return endless("<feedback><", "a") }, raised, limit("Text")},
		{"attributes without end", func() io.Reader { return endless("<feedback ", "a='>' ") }, raised, limit("Text")},
		{"elements in elements", func() io.Reader { return endless("<feedback>", "<a>") }, raised, limit("Depth")},
		{"records in records", func() io.Reader { return endless("<feedback>", "<record>") }, raised, limit("Gathered")},
		{"records without end", func() io.Reader { return endless("<feedback>", "<record></record>") }, raised, limit("Gathered")},
		{"elements nobody knows without end", func() io.Reader { return endless("<feedback>", "<a>b</a>") }, dmarcreport.Limits{}, limit("Input")},
		{"less-than without end", func() io.Reader { return endless(head, "<") }, raised, limit("Text")},
		{"less-than between elements", func() io.Reader { return endless("<feedback>", "<<a ") }, dmarcreport.Limits{}, limit("Input")},
		{"a billion laughs", func() io.Reader {
			return strings.NewReader(`<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><feedback>&b;</feedback>`)
		}, dmarcreport.Limits{}, is(dmarcreport.ErrUnsupported)},
		{"gzip in gzip in gzip", func() io.Reader { return bytes.NewReader(nested) }, dmarcreport.Limits{}, limit("Nesting")},
		{"members that overlap", func() io.Reader { return bytes.NewReader(overlapped(1000)) }, dmarcreport.Limits{}, is(dmarcreport.ErrCorrupt)},
		{"members without end", func() io.Reader {
			var members [][]byte
			for range 1000 {
				members = append(members, []byte("unused"))
			}
			return bytes.NewReader(zipped(members...))
		}, dmarcreport.Limits{}, is(dmarcreport.ErrPlaceholder)},
		{"a mail of mails", func() io.Reader {
			return endless("", "Content-Type: message/rfc822\n\n")
		}, dmarcreport.Limits{}, limit("Input")},
		{"mails of an mbox without end", func() io.Reader {
			return endless("", "From a Wed Apr  1 02:00:00 2026\n\n")
		}, dmarcreport.Limits{Input: 15 << 20}, limit("Input")},
		{"mails of an mbox", func() io.Reader {
			return &repeat{text: "From a Wed Apr  1 02:00:00 2026\nA: b\n\nc\n\n", left: 15 << 20}
		}, dmarcreport.Limits{}, is(dmarcreport.ErrNotReport)},
		{"parts of a mail", func() io.Reader {
			return io.MultiReader(strings.NewReader("Content-Type: multipart/mixed; boundary=a\n\n"), &repeat{text: "--a\n\n", left: 15 << 20})
		}, dmarcreport.Limits{}, is(dmarcreport.ErrNotReport)},
		{"parts in parts of a mail", func() io.Reader {
			return &repeat{text: "Content-Type: multipart/mixed; boundary=a\n\n--a\n", left: 15 << 20}
		}, dmarcreport.Limits{}, is(dmarcreport.ErrNotReport)},
		{"fields of a mail", func() io.Reader {
			return &repeat{text: "Abc: d\n", left: 15 << 20}
		}, dmarcreport.Limits{}, is(dmarcreport.ErrNotReport)},
		{"a name in continuations", func() io.Reader {
			var b strings.Builder
			b.WriteString("Subject: a\nContent-Type: text/xml")
			for i := range 300_000 {
				fmt.Fprintf(&b, "; name*%d*=utf-8''%%41", i)
			}
			return strings.NewReader(b.String() + "\n\nx")
		}, dmarcreport.Limits{}, is(dmarcreport.ErrNotReport)},
		{"encoded words", func() io.Reader {
			return io.MultiReader(strings.NewReader("Subject: "), &repeat{text: "=?utf-8?q?=41?= ", left: 8 << 20}, strings.NewReader("\n\nx"))
		}, dmarcreport.Limits{}, is(dmarcreport.ErrNotReport)},
		{"comments of an encoding", func() io.Reader {
			return io.MultiReader(strings.NewReader("Content-Type: text/xml\nContent-Transfer-Encoding: "), &repeat{text: "()", left: 4 << 20}, strings.NewReader("\n\nx"))
		}, dmarcreport.Limits{}, is(dmarcreport.ErrNotReport)},
		{"brackets of JSON", func() io.Reader {
			return io.MultiReader(strings.NewReader(`{"organization-name":`), &repeat{text: "[", left: 15 << 20})
		}, dmarcreport.Limits{}, limit("Gathered")},
		{"objects of JSON", func() io.Reader {
			return io.MultiReader(strings.NewReader(`{"policies":[{}`), &repeat{text: ",{}", left: 15 << 20}, strings.NewReader(`]}`))
		}, dmarcreport.Limits{}, limit("Gathered")},
		{"members of JSON", func() io.Reader {
			return io.MultiReader(strings.NewReader(`{"policies":[]`), &repeat{text: `,"a":1`, left: 15 << 20}, strings.NewReader(`}`))
		}, dmarcreport.Limits{}, limit("Gathered")},
		{"namespaces", func() io.Reader { return endless("<feedback>", "<a xmlns:b='c' xmlns:d='e'><b:f/></a>") }, dmarcreport.Limits{}, limit("Input")},
		{"prefixes", func() io.Reader { return endless("<feedback>", "<b:f/>") }, dmarcreport.Limits{}, limit("Input")},
		{"mails in mails", func() io.Reader {
			return strings.NewReader(strings.Repeat("Content-Type: message/rfc822\n\n", 10_000))
		}, dmarcreport.Limits{}, limit("Nesting")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := tt.input()
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			start := userCPU(t)
			_, err := (&dmarcreport.Reader{Limits: tt.limits}).Read(in)
			took := userCPU(t) - start
			runtime.ReadMemStats(&after)
			if !tt.want(err) {
				t.Errorf("error %v", err)
			}
			if took > time.Minute { // far above the second it takes: for loaded machines and -race
				t.Errorf("took %v of CPU", took)
			}
			if sys := int64(after.HeapSys) - int64(before.HeapSys); sys > 100<<20 {
				t.Errorf("heap grew by %d MiB", sys>>20)
			}
			t.Logf("%v of CPU, %d MiB allocated", took, (after.TotalAlloc-before.TotalAlloc)>>20)
		})
	}
}

// TestManyMembersAreCounted reads on to the limit of members and says so.
func TestManyMembersAreCounted(t *testing.T) {
	var members [][]byte
	for range 100 {
		members = append(members, []byte(sample))
	}
	reports, last := 0, error(nil)
	for _, err := range new(dmarcreport.Reader).Documents(bytes.NewReader(zipped(members...))) {
		if err != nil {
			last = err
			continue
		}
		reports++
	}
	var l *dmarcreport.LimitError
	if !errors.As(last, &l) || l.Limit != "Members" || reports < 60 {
		t.Errorf("%d reports, %v", reports, last)
	}
}

// TestManyFaults keeps few findings of each kind and counts the others.
func TestManyFaults(t *testing.T) {
	from, to := strings.Index(sample, "<record>"), strings.Index(sample, "</feedback>")
	record := strings.Replace(sample[from:to], "<spf>fail</spf>", "<spf>FAIL</spf>", 1)
	r := read(t, sample[:from]+strings.Repeat(record, 5000)+sample[to:])
	n := 0
	for _, f := range r.Findings {
		if f.ID == "word-case" {
			n += 1 + f.More
		}
	}
	if n != 5000 || len(r.Findings) > 20 {
		t.Errorf("%d counted, %d kept", n, len(r.Findings))
	}
}

func TestStoredZip64Sizes(t *testing.T) {
	// A member that says it is larger than it is, and one of zero bytes.
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, _ := w.CreateHeader(&zip.FileHeader{Name: "empty", Method: zip.Store})
	f.Write(nil)
	f, _ = w.CreateHeader(&zip.FileHeader{Name: "a.xml", Method: zip.Store})
	f.Write([]byte(sample))
	w.Close()
	if r, err := dmarcreport.Read(bytes.NewReader(b.Bytes())); err != nil || len(r.Records) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestNestingCountsWrappings: an archive counts once, however its member is
// named in the part.
func TestNestingCountsWrappings(t *testing.T) {
	mailed := func(data []byte) []byte {
		return []byte("From: a@r.example\nContent-Type: application/zip\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString(data) + "\n")
	}
	wrapped := func(wrap func([]byte) []byte, n int) []byte {
		data := []byte(sample)
		for range n {
			data = wrap(data)
		}
		return data
	}
	zip := func(data []byte) []byte { return zipped(data) }
	for _, tt := range []struct {
		name string
		data []byte
		most int64 // 0: the default, five
		ok   bool
	}{
		{"five gzip", wrapped(gz, 5), 0, true},
		{"six gzip", wrapped(gz, 6), 0, false},
		{"five zip", wrapped(zip, 5), 0, true},
		{"six zip", wrapped(zip, 6), 0, false},
		{"a mail with gzip in zip", mailed(zipped(gz([]byte(sample)))), 3, true},
		{"the same, one less", mailed(zipped(gz([]byte(sample)))), 2, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := (&dmarcreport.Reader{Limits: dmarcreport.Limits{Nesting: tt.most}}).Read(bytes.NewReader(tt.data))
			var l *dmarcreport.LimitError
			if refused := errors.As(err, &l) && l.Limit == "Nesting"; refused == tt.ok || tt.ok && err != nil {
				t.Error(err)
			}
		})
	}
}
