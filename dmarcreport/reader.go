package dmarcreport

import (
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/mailfault/mailfault/internal/enum"
)

// Reader reads reports with limits and strictness of the caller's choice. The
// zero value is ready to use, and safe for concurrent use as long as its
// fields are not changed.
type Reader struct {
	Limits Limits
	// Strict makes the first repair an error (*RepairError). Rules that are
	// broken without a need for repair stay findings.
	Strict bool
}

// Kind is what a document is.
// As text: unknown, aggregate, failure, tls.
type Kind uint8

// The kinds of documents that arrive in a mailbox for DMARC reports.
const (
	KindUnknown   Kind = iota
	KindAggregate      // RFC 7489, RFC 9990
	KindFailure        // RFC 6591, RFC 9991: about one message
	KindTLS            // RFC 8460: SMTP TLS report
)

var kindNames = enum.Names{"unknown", "aggregate", "failure", "tls"}

// String returns the kind in lower case.
func (k Kind) String() string { return kindNames.String("Kind", uint8(k)) }

// MarshalText returns the kind in lower case.
func (k Kind) MarshalText() ([]byte, error) { return kindNames.MarshalText("Kind", uint8(k)) }

// UnmarshalText reads what MarshalText writes; another name is an error.
func (k *Kind) UnmarshalText(text []byte) error {
	v, err := kindNames.Parse("Kind", text)
	*k = Kind(v)
	return err
}

// Document is one report of an input that may hold several. The field that
// fits Kind is set.
type Document struct {
	Kind    Kind
	Part    string   // how it was wrapped, from outside in: "mail 1.2 > gzip"; "" for bare
	Carrier *Carrier // the mail it came in, nil without one

	Aggregate *Stream        // good until the next document is asked for
	Failure   *FailureReport //
	TLS       *TLSReport
}

// Carrier is what the mail around a report says. Whether it is authentic is
// the caller's to find out before the report is believed.
type Carrier struct {
	From      string `json:"from"` // the field, decoded
	Subject   string `json:"subject"`
	MessageID string `json:"message_id,omitempty"`
	FileName  string `json:"file_name,omitempty"` // of the attachment
	// Domain, Submitter and ReportID are what the subject says in the form of
	// RFC 7489 section 7.2.1.1, "" where it has another form.
	Domain    string `json:"domain,omitempty"`
	Submitter string `json:"submitter,omitempty"`
	ReportID  string `json:"report_id,omitempty"`
}

// Read reads the first aggregate report of r whole: XML, compressed, in an
// archive or in a mail, found out by content. It uses the default limits.
//
// The error is ErrNotReport, ErrPlaceholder, ErrUnsupported, ErrCorrupt or a
// *LimitError (errors.Is, errors.As), or comes from r. With a *LimitError
// there is a report too, of what was read before the limit.
func Read(r io.Reader) (*Report, error) { return new(Reader).Read(r) }

// Read reads the first aggregate report of r whole; see the function Read.
func (rd *Reader) Read(r io.Reader) (*Report, error) {
	s, err := rd.Open(r)
	if err != nil {
		return nil, err
	}
	return s.Report()
}

// Open finds the first aggregate report of r and reads it up to its first
// record. For one that is not in a mail or zip archive, r is read no further
// than the stream is.
func (rd *Reader) Open(r io.Reader) (*Stream, error) {
	var first error
	for doc, err := range rd.Documents(r) {
		switch {
		case err == nil && doc.Kind == KindAggregate:
			return doc.Aggregate, nil
		case err == nil:
			err = fmt.Errorf("%w of this kind: it is a %s report", ErrNotReport, doc.Kind)
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// Documents yields every report that r holds, in any wrapping. What cannot be
// read is an error of its own that says where it stands, and reading goes on
// with the next. An input without any report yields one error.
func (rd *Reader) Documents(r io.Reader) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		w := &walker{limits: rd.Limits.withDefaults(), strict: rd.Strict, yield: yield}
		err := w.walk(&inputMeter{r: r, w: w}, place{})
		if w.stopped {
			return
		}
		if w.found == 0 && err == nil {
			err = ErrNotReport
		}
		if err != nil && (w.found == 0 || !errors.Is(err, ErrNotReport)) {
			yield(nil, err)
		}
	}
}
