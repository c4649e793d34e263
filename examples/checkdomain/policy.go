package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"time"
)

// fetchPolicy fetches an MTA-STS policy as RFC 8461 section 3.3 says: the
// certificate is verified, no redirect is followed, only plain text counts.
func fetchPolicy(ctx context.Context, url string) ([]byte, error) {
	client := &http.Client{
		Timeout:       15 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return errors.New("it redirects, which is not followed") },
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answered %s", response.Status)
	}
	if kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); kind != "text/plain" {
		return nil, fmt.Errorf("it is of type %q, not text/plain", kind)
	}
	return io.ReadAll(io.LimitReader(response.Body, 64<<10+1))
}
