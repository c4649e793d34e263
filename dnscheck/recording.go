package dnscheck

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"
	"time"
)

// ErrNotRecorded is the Answer.Err of a question that a recording does not
// hold; the outcome is OutcomeUnknown.
var ErrNotRecorded = errors.New("dnscheck: the recording has no such question")

// Recording holds the questions and answers of a check, as [Recorder] wrote
// them.
type Recording struct {
	Time    time.Time // of the check: give it as SPFQuery.Time for an equal result
	lines   []recordingLine
	fetched map[string]policyLine // by URL
}

const (
	maxRecordingLine = 1 << 20  // an answer of 64 KiB with every byte escaped takes under half
	maxRecording     = 64 << 20 // bytes
)

// ReadRecording reads a recording of at most 64 MiB. The error is a
// *[RecordingError].
func ReadRecording(r io.Reader) (*Recording, error) {
	if r == nil {
		return nil, &RecordingError{1, errNoReader}
	}
	limited := &io.LimitedReader{R: r, N: maxRecording + 1}
	lines := bufio.NewScanner(limited)
	lines.Buffer(nil, maxRecordingLine)
	var header recordingHeader
	if !lines.Scan() {
		return nil, &RecordingError{1, errors.Join(errors.New("there is no first line"), lines.Err())}
	}
	if err := json.Unmarshal(lines.Bytes(), &header); err != nil {
		return nil, &RecordingError{1, err}
	}
	if header.Format != recordingFormat || header.Version != recordingVersion {
		return nil, &RecordingError{1, fmt.Errorf("this is %q, version %d; wanted %q, version %d", header.Format, header.Version, recordingFormat, recordingVersion)}
	}
	rec := &Recording{Time: header.Time, fetched: make(map[string]policyLine)}
	last := 1
	for n := 2; lines.Scan(); n++ {
		if err := rec.read(lines.Bytes()); err != nil {
			return nil, &RecordingError{n, err}
		}
		last = n
	}
	if err := lines.Err(); err != nil {
		return nil, &RecordingError{last + 1, err}
	}
	if limited.N <= 0 {
		return nil, &RecordingError{last + 1, errors.New("a recording has at most 64 MiB")}
	}
	return rec, nil
}

// read reads a line: an answer, or a policy.
func (rec *Recording) read(text []byte) error {
	var line struct {
		recordingLine
		policyLine
	}
	err := json.Unmarshal(text, &line)
	if err != nil {
		return err
	}
	if line.URL != "" {
		line.Policy, err = unescapeBytes(line.Policy)
		rec.fetched[line.URL] = line.policyLine
		return err
	}
	line.Name, err = unescapeBytes(line.Name)
	rec.lines = append(rec.lines, line.recordingLine)
	return err
}

// RecordingError says in which line a recording is wrong.
type RecordingError struct {
	Line int // 1-based
	Err  error
}

// Error returns the message with the line.
func (e *RecordingError) Error() string {
	return fmt.Sprintf("dnscheck: recording line %d: %v", e.Line, e.Err)
}

// Unwrap returns the cause.
func (e *RecordingError) Unwrap() error { return e.Err }

// All returns the questions with their answers, in the order of the answers.
func (rec *Recording) All() iter.Seq2[Question, Answer] {
	return func(yield func(Question, Answer) bool) {
		for _, line := range rec.lines {
			if !yield(Question{line.Name, line.Type}, line.Answer) {
				return
			}
		}
	}
}

// Replay returns a Resolver that answers from the recording: a question that
// was asked several times gets its answers in order and then the last again. Each
// Replay begins anew.
func (rec *Recording) Replay() Resolver {
	r := &replay{answers: make(map[Question][]Answer, len(rec.lines))}
	for q, answer := range rec.All() {
		r.answers[q] = append(r.answers[q], answer)
	}
	return r
}

type replay struct {
	mu      sync.Mutex
	answers map[Question][]Answer // still to give
}

// Lookup gives the next recorded answer to the question.
func (r *replay) Lookup(_ context.Context, name string, t Type) Answer {
	q := Question{canonical(name), t}
	r.mu.Lock()
	defer r.mu.Unlock()
	answers := r.answers[q]
	if len(answers) == 0 {
		return Answer{Err: ErrNotRecorded}
	}
	if len(answers) > 1 {
		r.answers[q] = answers[1:]
	}
	return answers[0]
}
