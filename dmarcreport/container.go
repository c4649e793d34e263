package dmarcreport

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mailfault/mailfault/internal/mime"
)

// walker goes through whatever reports are wrapped in.
type walker struct {
	limits  Limits
	strict  bool
	yield   func(*Document, error) bool
	stopped bool // the caller wants no more
	found   int  // documents and errors given
	members int64
	in, out int64 // bytes read, bytes unpacked
}

// place is where in its wrappings a document stands.
type place struct {
	part    string
	depth   int64
	carrier *Carrier
	notes   []note
	inMail  bool   // a part of a mail that may be anything: only clear forms count
	words   *error // takes the error of several words in place of a report: beside one they are a note
}

// within is a place in an archive or mail that stands there.
func (p place) within(part string) place {
	p.depth++
	return p.at(part)
}

// at is a member of what p is in.
func (p place) at(part string) place {
	if p.part != "" {
		part = p.part + " > " + part
	}
	p.part = part
	return p
}

// source is a document on its way to a reader.
type source struct {
	notes   []note
	broken  bool               // it is cut or damaged
	damaged func(id findingID) // is told so, once the reader can be
}

func (s *source) damage(id findingID) {
	s.broken = true
	if s.damaged != nil {
		s.damaged(id)
	} else {
		s.notes = append(s.notes, note{id: id})
	}
}

// walk finds out what r is and unpacks or reads it. The error says why it is
// no report; one that was given to the caller is not returned.
func (w *walker) walk(r io.Reader, at place) error {
	return w.walkSource(r, at, &source{notes: at.notes})
}

func (w *walker) walkSource(r io.Reader, at place, src *source) error {
	if w.stopped {
		return nil
	}
	if at.depth > w.limits.Nesting {
		return w.give(at, &LimitError{"Nesting", w.limits.Nesting, w.in})
	}
	if w.members++; w.members > w.limits.Members {
		w.stopped = true
		w.yield(nil, &LimitError{"Members", w.limits.Members, w.in})
		return nil
	}
	br := bufio.NewReaderSize(r, 4096)
	head, err := br.Peek(1024)
	if err != nil && err != io.EOF {
		return w.give(at, err)
	}
	switch f := sniff(head, err == io.EOF); f {
	case formXML:
		return w.document(br, at, src)
	case formGzip:
		return w.gzip(br, at)
	case formZlib:
		zr, err := zlib.NewReader(br)
		if err != nil {
			return w.give(at, fmt.Errorf("%w: %w", ErrCorrupt, err))
		}
		return w.unpack(zr, at.within("zlib"))
	case formZip:
		return w.zip(br, at)
	case formJSON:
		return w.tls(br, at)
	case formMail:
		if at.inMail {
			return ErrNotReport
		}
		return w.mails(br, at)
	case formBase64:
		return w.base64(br, at)
	case formUnsupported:
		return w.give(at, ErrUnsupported)
	case formWord:
		if at.inMail {
			return ErrNotReport
		}
		word := bytes.TrimSpace(head)
		err := fmt.Errorf("%w: %q", ErrPlaceholder, word)
		if at.words != nil && bytes.ContainsAny(word, " \t\r\n") {
			*at.words = fmt.Errorf("%s: %w", at.part, err)
			return ErrNotReport
		}
		return w.give(at, err)
	case formEmpty:
		return fmt.Errorf("%w: empty", ErrNotReport)
	}
	return ErrNotReport
}

// give hands an error of one document to the caller, unless it only says that
// the document is no report.
func (w *walker) give(at place, err error) error {
	if at.part != "" {
		err = fmt.Errorf("%s: %w", at.part, err)
	}
	if errors.Is(err, ErrNotReport) || w.stopped {
		return err
	}
	w.found++
	if !w.yield(nil, err) {
		w.stopped = true
	}
	return nil
}

func (w *walker) hand(d *Document) {
	w.found++
	if !w.yield(d, nil) {
		w.stopped = true
	}
}

// document reads XML.
func (w *walker) document(r io.Reader, at place, src *source) error {
	s, err := openStream(r, w.limits, w.strict, at.part, src)
	if err != nil {
		return w.give(at, err)
	}
	w.hand(&Document{Kind: KindAggregate, Part: at.part, Carrier: at.carrier, Aggregate: s})
	return nil
}

// base64 decodes what should have been decoded before.
func (w *walker) base64(r io.Reader, at place) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return w.give(at, err)
	}
	decoded, _ := mime.Base64(string(data))
	at.notes = append(slices.Clip(at.notes), note{id: findBase64})
	return w.walk(strings.NewReader(decoded), at.within("base64"))
}

// unpack goes on with what a decompressor gives, within the limits.
func (w *walker) unpack(r io.Reader, at place) error {
	src := &source{notes: at.notes}
	return w.walkSource(&outputMeter{r: r, w: w, src: src}, at, src)
}

// zip goes through the members of an archive.
func (w *walker) zip(r io.Reader, at place) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return w.give(at, err)
	}
	at = at.within("zip")
	zr, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return w.brokenZip(data, at, err)
	}
	if !bytes.HasPrefix(data, []byte("PK")) {
		at.notes = append(slices.Clip(at.notes), note{id: findZipHead})
	}
	if overlapping(zr) {
		return w.give(at, fmt.Errorf("%w: members of the archive overlap", ErrCorrupt))
	}
	last := fmt.Errorf("%s: %w: an archive without members", at.part, ErrNotReport)
	found, whole := w.found, at
	var words error
	at.words = &words
	for i, f := range zr.File {
		if w.stopped {
			return nil
		}
		if f.FileInfo().IsDir() {
			continue
		}
		member := at.at(fmt.Sprintf("member %d", i+1))
		if f.Flags&1 != 0 {
			last = w.give(member, fmt.Errorf("%w: encrypted", ErrUnsupported))
			continue
		}
		mr, err := f.Open()
		if err != nil {
			last = w.give(member, fmt.Errorf("%w: %w", ErrUnsupported, err))
			continue
		}
		last = w.unpack(mr, member)
		if !w.stopped { // else the caller goes on reading it
			_ = mr.Close() // it has nothing to say that reading did not
		}
	}
	if words != nil && w.found == found {
		whole.part = ""
		return w.give(whole, words)
	}
	return last
}

// overlapping reports whether two members share bytes, as bombs do whose
// members all are the same data.
func overlapping(zr *zip.Reader) bool {
	type span struct{ from, to int64 }
	spans := make([]span, 0, len(zr.File))
	for _, f := range zr.File {
		from, err := f.DataOffset()
		if err != nil || f.CompressedSize64 > 1<<60 {
			return true
		}
		if f.CompressedSize64 > 0 {
			spans = append(spans, span{from, from + int64(f.CompressedSize64)})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	for i := 1; i < len(spans); i++ {
		if spans[i].from < spans[i-1].to {
			return true
		}
	}
	return false
}

// brokenZip reads the first member of an archive whose directory is missing or
// damaged, by its local header (APPNOTE 4.3.7).
func (w *walker) brokenZip(data []byte, at place, cause error) error {
	const header = 30
	corrupt := fmt.Errorf("%w: %w", ErrCorrupt, cause)
	if i := bytes.Index(data, []byte("PK\x03\x04")); i > 0 {
		data = data[i:]
	}
	if len(data) < header || !bytes.HasPrefix(data, []byte("PK\x03\x04")) || data[6]&1 != 0 {
		return w.give(at, corrupt)
	}
	u16 := func(i int) int { return int(data[i]) | int(data[i+1])<<8 }
	from := header + u16(26) + u16(28)
	if from > len(data) {
		return w.give(at, corrupt)
	}
	at.notes = append(slices.Clip(at.notes), note{id: findZipBroken})
	at = at.at("member 1")
	switch body := bytes.NewReader(data[from:]); u16(8) {
	case int(zip.Store):
		return w.unpack(body, at)
	case int(zip.Deflate):
		return w.unpack(flate.NewReader(body), at)
	}
	return w.give(at, corrupt)
}

// inputMeter counts what is read of the input.
type inputMeter struct {
	r io.Reader
	w *walker
}

func (m *inputMeter) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	if m.w.in += int64(n); m.w.in > m.w.limits.Input {
		return 0, &LimitError{"Input", m.w.limits.Input, m.w.limits.Input}
	}
	return n, err
}

// outputMeter counts what comes out of a decompressor, and ends the document
// where the compressed data is cut or damaged.
type outputMeter struct {
	r   io.Reader
	w   *walker
	src *source
	err error
}

// freeOutput is how much may come out before the ratio counts.
const freeOutput = 1 << 20

func (m *outputMeter) Read(p []byte) (int, error) {
	if m.err != nil {
		return 0, m.err
	}
	n, err := m.r.Read(p)
	w := m.w
	w.out += int64(n)
	switch {
	case w.out > w.limits.Output:
		m.err = &LimitError{"Output", w.limits.Output, w.out}
	case w.out > freeOutput && w.out/w.limits.Ratio > w.in:
		m.err = &LimitError{"Ratio", w.limits.Ratio, w.out}
	case err == nil:
		return n, nil
	default:
		m.err = m.verdict(err)
	}
	return n, m.err
}

// verdict turns what a decompressor says of damage into the end of the
// document, and a finding.
func (m *outputMeter) verdict(err error) error {
	var limit *LimitError
	var damage flate.CorruptInputError
	switch {
	case err == io.EOF:
		return io.EOF
	case errors.As(err, &limit):
		return err
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, zlib.ErrHeader):
		m.src.damage(findGzipTail) // behind a whole member
		return io.EOF
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, gzip.ErrChecksum), errors.Is(err, zip.ErrChecksum),
		errors.Is(err, zlib.ErrChecksum), errors.As(err, &damage):
		m.src.damage(findGzipBroken)
		return io.EOF
	}
	return err
}
