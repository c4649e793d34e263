package dnscheck

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
)

// A whole check with its policy, or with what kept it from coming, runs again
// offline byte for byte.
func TestPolicyIsRecordedWithTheCheck(t *testing.T) {
	zone := readZone(t, goodDomain)
	for name, fetch := range map[string]PolicyFetcher{
		"a policy": goodOptions.FetchPolicy,
		"no text":  func(context.Context, string) ([]byte, error) { return []byte("mode: \xff\\\x00\n"), nil },
		"empty":    func(context.Context, string) ([]byte, error) { return nil, nil },
		"an error": func(context.Context, string) ([]byte, error) { return nil, errors.New("the server answered 404") },
		"a known error": func(context.Context, string) ([]byte, error) {
			return nil, fmt.Errorf("waited: %w", context.DeadlineExceeded)
		},
		"an unknown text": func(context.Context, string) ([]byte, error) { return nil, errors.New("") },
	} {
		t.Run(name, func(t *testing.T) {
			check := func(r Resolver, fetch PolicyFetcher) ([]byte, error) {
				o := goodOptions
				o.FetchPolicy = fetch
				got := CheckDomain(t.Context(), r, "example.org", o)
				document, err := json.Marshal(got)
				if err != nil {
					t.Fatal(err)
				}
				return document, got.MTASTS.Err
			}
			var file bytes.Buffer
			recorder := &Recorder{Resolver: zone, Writer: &file}
			live, liveErr := check(recorder, recorder.Policies(fetch))
			if recorder.Err() != nil {
				t.Fatal(recorder.Err())
			}
			recording, err := ReadRecording(&file)
			if err != nil {
				t.Fatal(err)
			}
			again, againErr := check(recording.Replay(), recording.FetchPolicy)
			if !bytes.Equal(live, again) || (liveErr == nil) != (againErr == nil) || errors.Is(liveErr, context.DeadlineExceeded) != errors.Is(againErr, context.DeadlineExceeded) {
				t.Errorf("live, %v:\n%s\nreplayed, %v:\n%s", liveErr, live, againErr, again)
			}
			if _, err := recording.FetchPolicy(t.Context(), "https://mta-sts.example.net/.well-known/mta-sts.txt"); err != ErrNotRecorded {
				t.Errorf("%v", err)
			}
		})
	}
}
