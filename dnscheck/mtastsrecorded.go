package dnscheck

import "context"

// policyLine is the line of a recording that holds a fetched policy.
type policyLine struct {
	URL       string  `json:"url"`
	Policy    string  `json:"policy"`          // as Answer's texts: a byte that is not UTF-8 stands as \DDD
	Error     *string `json:"error,omitempty"` // nil: none
	ErrorKind string  `json:"error_kind,omitempty"`
}

// Policies returns a fetcher that writes down what another fetches, so that a
// check with DomainOptions.FetchPolicy runs again offline: there [Recording.FetchPolicy] is the fetcher.
// No fetcher stays none.
func (r *Recorder) Policies(fetch PolicyFetcher) PolicyFetcher {
	if r == nil || fetch == nil {
		return fetch
	}
	return func(ctx context.Context, url string) ([]byte, error) {
		text, err := fetch(ctx, url)
		line := policyLine{URL: url, Policy: escapeBytes(string(text))}
		if err != nil {
			text, kind := writeError(err)
			line.Error, line.ErrorKind = &text, kind
		}
		r.record(line)
		return text, err
	}
}

// FetchPolicy is the [PolicyFetcher] of a recorded check. A policy that was not
// recorded is ErrNotRecorded.
func (rec *Recording) FetchPolicy(_ context.Context, url string) ([]byte, error) {
	if rec == nil {
		return nil, ErrNotRecorded
	}
	line, ok := rec.fetched[url]
	switch {
	case !ok:
		return nil, ErrNotRecorded
	case line.Error != nil:
		return []byte(line.Policy), readError(*line.Error, line.ErrorKind)
	}
	return []byte(line.Policy), nil
}
