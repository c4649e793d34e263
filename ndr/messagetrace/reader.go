package messagetrace

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strings"
)

// ErrNotTrace says that a file is no export of a message trace: no line of it
// heads two columns of one.
var ErrNotTrace = errors.New("messagetrace: not a message trace export")

// Error is a failure to read on, with where it happened.
type Error struct {
	Line int // from 1; the record's number in JSON
	Err  error
}

// Error returns the message with the line.
func (e *Error) Error() string { return fmt.Sprintf("messagetrace: line %d: %v", e.Line, e.Err) }

// Unwrap returns what went wrong.
func (e *Error) Unwrap() error { return e.Err }

// Reader reads exports with limits and hints of the caller's choice. The zero
// value is ready for use.
type Reader struct {
	// MaxRecord is how many bytes of a record are read; the rest of it is
	// left out with a finding. Zero means 1 MiB, negative no limit.
	MaxRecord int

	// DayFirst and MonthFirst say how dates such as 3/9/2026 are written,
	// where the caller knows: the Summary table follows the administrator's
	// region. With neither, the file's own dates decide as they come.
	DayFirst, MonthFirst bool
}

// Read reads an export with the defaults. The sequence is single-use. It ends
// after the first error: [ErrNotTrace], an *[Error], or what r returned.
func Read(r io.Reader) iter.Seq2[Row, error] { return (&Reader{}).Read(r) }

// Read is the function of that name with the reader's settings.
func (rd *Reader) Read(r io.Reader) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		in := decode(r)
		if isJSON(in) {
			rd.readJSON(in, yield)
			return
		}
		rd.readCSV(in, yield)
	}
}

func (rd *Reader) maxRecord() int {
	switch {
	case rd.MaxRecord < 0:
		return math.MaxInt
	case rd.MaxRecord == 0:
		return 1 << 20
	}
	return rd.MaxRecord
}

// preamble is how many lines may stand before the header: titles, blank lines
// and the "#TYPE" line of Export-Csv.
const preamble = 20

func (rd *Reader) readCSV(in *bufio.Reader, yield func(Row, error) bool) {
	s := &scanner{r: in, comma: separator(in), max: rd.maxRecord(), line: 1}
	t := rd.table()
	for range preamble {
		_, ok := s.next()
		if !ok {
			break
		}
		if names := s.fields(); t.head(names) {
			t.rows(s, yield)
			return
		}
	}
	if s.err != nil {
		yield(Row{}, &Error{Line: s.line, Err: s.err})
		return
	}
	yield(Row{}, ErrNotTrace)
}

// separator tells comma, semicolon and tab apart by the first lines.
func separator(in *bufio.Reader) byte {
	head, _ := in.Peek(bufferSize / 2)
	best, most := byte(','), 0
	for _, c := range []byte{',', ';', '\t'} {
		for line := range bytes.SplitSeq(head, []byte("\n")) {
			if n := bytes.Count(line, []byte{c}); n > most && lineHasHeader(line, c) {
				best, most = c, n
			}
		}
	}
	return best
}

func lineHasHeader(line []byte, c byte) bool {
	_, ok := header(strings.Split(string(line[:min(len(line), 8192)]), string(c)))
	return ok
}
