// Package maillog reads delivery failures out of mail server logs: Postfix,
// Exim, sendmail, OpenSMTPD and qmail, and any line that holds an address and
// an SMTP reply.
package maillog

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/mailfault/mailfault/smtpcode"
)

// Entry is one failed or delayed delivery attempt.
type Entry struct {
	Line    int    // 1-based
	Format  string // postfix, exim, sendmail, opensmtpd, qmail, ndjson, generic
	Text    string // the line itself
	Failure smtpcode.Failure
}

// maxLine is the length above which a line is cut; logs have none so long.
const maxLine = 64 << 10

// A format reads the lines of one mail server. It reports ok for a line it
// knows, and a failure for one that tells of a failed or delayed attempt.
type format struct {
	name string
	read func(r *Reader, line string) (f smtpcode.Failure, failed, ok bool)
}

var formats = []format{
	{"postfix", readPostfix},
	{"sendmail", readSendmail},
	{"opensmtpd", readOpenSMTPD},
	{"exim", readExim},
	{"qmail", readQmail},
}

// Reader reads a log. The zero value is ready; it must not be used by two
// goroutines at once.
type Reader struct {
	deliveries map[string]string // qmail: delivery number to recipient
}

// Line reads one line. It returns the failed or delayed attempts that the line
// tells of: none or one, and of JSON one for each recipient. known reports
// whether a mail server's format matched.
func (r *Reader) Line(line string) (entries []Entry, known bool) {
	line = strings.TrimRight(line, "\r\n")
	if failures, ok := readJSON(line); ok {
		for _, f := range failures {
			entries = append(entries, Entry{Format: "ndjson", Text: line, Failure: f})
		}
		return entries, true
	}
	for _, f := range formats {
		if failure, failed, ok := f.read(r, line); ok {
			if failed {
				entries = []Entry{{Format: f.name, Text: line, Failure: failure}}
			}
			return entries, true
		}
	}
	if failure, ok := readGeneric(line); ok {
		entries = []Entry{{Format: "generic", Text: line, Failure: failure}}
	}
	return entries, false
}

// Entries yields the failures of a log in order. Lines that tell of none are
// passed over.
func Entries(in io.Reader) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		var r Reader
		lines := bufio.NewReaderSize(in, maxLine)
		for n := 1; ; n++ {
			line, err := readLine(lines)
			entries, _ := r.Line(line)
			for _, entry := range entries {
				entry.Line = n
				if !yield(entry, nil) {
					return
				}
			}
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(Entry{Line: n}, fmt.Errorf("line %d: %w", n, err))
				return
			}
		}
	}
}

// readLine returns the next line, cut at maxLine.
func readLine(r *bufio.Reader) (string, error) {
	line, err := r.ReadSlice('\n')
	text := string(line)
	for err == bufio.ErrBufferFull {
		_, err = r.ReadSlice('\n')
	}
	return text, err
}

// between returns what stands after the first start and before the next end.
func between(s, start, end string) (string, bool) {
	_, rest, ok := strings.Cut(s, start)
	if !ok {
		return "", false
	}
	value, _, ok := strings.Cut(rest, end)
	return value, ok
}

// host takes the name out of "mx.example.net[192.0.2.1]:25" and its like; a
// relay of "none" or "local" is no host.
func host(relay string) string {
	relay = strings.TrimSpace(relay)
	if i := strings.IndexAny(relay, "[ ("); i > 0 {
		relay = relay[:i]
	}
	relay = strings.TrimSuffix(strings.Trim(relay, "[]<>"), ".")
	if !strings.ContainsAny(relay, ".:") {
		return ""
	}
	return relay
}
