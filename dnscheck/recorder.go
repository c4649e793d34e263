package dnscheck

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"
)

// Recorder is a [Resolver] that writes down each question and the answer of
// another, so that a whole check runs again offline with [ReadRecording]. Use it by
// pointer, outermost: then the replay needs neither a Cache nor a Limit.
//
// A recording is JSON, one object a line. The first says what it is and when it
// began; each other is one question with its answer, in the order of the answers. What
// has no value is left out, but for the TTL:
//
//	{"format":"dnscheck-recording","version":1,"time":"2026-01-02T15:04:05Z"}
//	{"name":"example.org","type":"TXT","answer":{"outcome":"found","txt":[{"text":"v=spf1 -all","strings":1}],"ttl_seconds":300}}
//	{"name":"gone.example.org","type":"A","answer":{"outcome":"timeout","ttl_seconds":0,"error":"i/o timeout"}}
//
// A fetched MTA-STS policy (see Policies) is a line too:
//
//	{"url":"https://mta-sts.example.org/.well-known/mta-sts.txt","policy":"version: STSv1\n..."}
//
// The fields of an answer are those of [Answer]: outcome, addrs, mx (preference, host),
// txt (text, strings), names, cname, ttl_seconds, authentic, error and error_kind, server,
// tcp, size, gaps. In names and texts a byte that is not UTF-8, and the backslash, stands as a
// backslash and three decimal digits.
type Recorder struct {
	Resolver Resolver  // that is asked
	Writer   io.Writer // gets one Write a line; not used by two goroutines at a time
	Time     time.Time // of the check; zero is the time of the first question

	mu    sync.Mutex
	begun bool
	err   error
}

const (
	recordingFormat  = "dnscheck-recording"
	recordingVersion = 1
)

type recordingHeader struct {
	Format  string    `json:"format"`
	Version int       `json:"version"`
	Time    time.Time `json:"time"`
}

type recordingLine struct {
	Name   string `json:"name"`
	Type   Type   `json:"type"`
	Answer Answer `json:"answer"`
}

// Lookup asks and writes down what came. An error of the writer does not
// change the answer: see Err.
func (r *Recorder) Lookup(ctx context.Context, name string, t Type) Answer {
	if r == nil {
		return Answer{Err: ErrNoResolver}
	}
	ctx, resolver := usable(ctx, r.Resolver)
	answer := resolver.Lookup(ctx, name, t)
	r.record(recordingLine{escapeBytes(canonical(name)), t, answer})
	return answer
}

// record writes a line, and before the first what the recording is.
func (r *Recorder) record(line any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.begun {
		r.begun = true
		if r.Time.IsZero() {
			r.Time = time.Now().UTC()
		}
		r.write(recordingHeader{recordingFormat, recordingVersion, r.Time})
	}
	r.write(line)
}

// write writes a line; the caller holds the lock.
func (r *Recorder) write(v any) {
	if r.err != nil {
		return
	}
	line, err := json.Marshal(v)
	switch {
	case err != nil:
	case r.Writer == nil:
		err = errors.New("dnscheck: the recorder has no writer")
	default:
		_, err = r.Writer.Write(append(line, '\n'))
	}
	r.err = err
}

// Err returns the first error of writing; the recording ends before it.
func (r *Recorder) Err() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}
