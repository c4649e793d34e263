package dmarcreport

import (
	"errors"
	"fmt"
)

// What can come of an input that is no aggregate report. An error says more
// and wraps one of these.
var (
	// ErrNotReport means that the input is something else: another mail, a
	// picture, a page.
	ErrNotReport = errors.New("dmarcreport: not a report")
	// ErrPlaceholder means that a reporter sent a word where the report
	// should be, as one did with "unused".
	ErrPlaceholder = errors.New("dmarcreport: placeholder instead of a report")
	// ErrUnsupported means that a report may be in it, in a form that is not
	// read: encrypted, of another archiver, with a document type declaration.
	ErrUnsupported = errors.New("dmarcreport: unsupported form")
	// ErrCorrupt means that it was meant to be a report and nothing of it
	// can be read.
	ErrCorrupt = errors.New("dmarcreport: corrupt")
)

// LimitError means that the input is larger than one of the Limits. What was
// read before it is good.
type LimitError struct {
	Limit  string // the field of Limits: "Output"
	Max    int64  // what it allows
	Offset int64  // how far reading got, in bytes of what the limit is about
}

// Error names the limit, what it allows, and how far reading got.
func (e *LimitError) Error() string {
	return fmt.Sprintf("dmarcreport: over the limit of %d for %s at byte %d", e.Max, e.Limit, e.Offset)
}

// Limits bound what one input may cost. Zero means the default, negative no
// limit. Honest reports compress up to 166:1, so the ratio counts only past
// the first MiB of output.
type Limits struct {
	Input    int64 // bytes read: 16 MiB
	Output   int64 // bytes after unpacking, all documents of the input together: 256 MiB
	Ratio    int64 // output to input, past the first MiB of output: 400
	Records  int64 // records of one report that is streamed: 1,000,000
	Gathered int64 // records of one report that is read whole, objects of one in JSON: 50,000
	Depth    int64 // elements within elements: 32
	Text     int64 // bytes of one text or tag: 64 KiB
	Members  int64 // documents in archives and mails: 64
	Nesting  int64 // archives and mails within each other: 5
	Findings int64 // kept for one report, the others counted: 1,000
}

func (l Limits) withDefaults() Limits {
	set := func(v *int64, def int64) {
		switch {
		case *v == 0:
			*v = def
		case *v < 0:
			*v = 1<<63 - 1
		}
	}
	set(&l.Input, 16<<20)
	set(&l.Output, 256<<20)
	set(&l.Ratio, 400)
	set(&l.Records, 1_000_000)
	set(&l.Gathered, 50_000)
	set(&l.Depth, 32)
	set(&l.Text, 64<<10)
	set(&l.Members, 64)
	set(&l.Nesting, 5)
	set(&l.Findings, 1000)
	return l
}
