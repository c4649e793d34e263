package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/internal/dmarcyear"
)

func site2025(t *testing.T) (*httptest.Server, *history.History) {
	t.Helper()
	h := &history.History{Store: new(history.Memory)}
	if _, err := h.Add(t.Context(), dmarcyear.Submissions()...); err != nil {
		t.Fatal(err)
	}
	a := &app{stdout: io.Discard, stderr: t.Output()}
	server := httptest.NewServer(a.handler(h))
	t.Cleanup(server.Close)
	return server, h
}

func get(t *testing.T, target string) (string, *http.Response) {
	t.Helper()
	resp, err := http.Get(target)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data), resp
}

func TestPagesShowTheYear(t *testing.T) {
	server, _ := site2025(t)
	for _, tt := range []struct {
		path string
		want []string
	}{
		{"/", []string{dmarcyear.Shop, dmarcyear.Bank, dmarcyear.Club}},
		{"/domain?domain=shop.example&days=366", []string{"198.51.100.10 passed until", "<svg", "<polyline", "google.example"}},
		{"/source?domain=bank.example&source=203.0.113.66", []string{"never seen before", "yahoo.example", "failing"}},
	} {
		body, resp := get(t, server.URL+tt.path)
		for _, want := range tt.want {
			if !strings.Contains(body, want) {
				t.Errorf("%s: no %q", tt.path, want)
			}
		}
		if policy := resp.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: policy %q", tt.path, policy)
		}
		if strings.Contains(body, "<script") || strings.Contains(body, " style=") {
			t.Errorf("%s: the page has scripts or inline styles", tt.path)
		}
	}
	for _, path := range []string{"/domain?domain=nobody.example", "/source?domain=shop.example&source=x", "/etc/passwd"} {
		if _, resp := get(t, server.URL+path); resp.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", path, resp.Status)
		}
	}
}

func TestUploadOfAHostileReport(t *testing.T) {
	server, h := site2025(t)
	name := reportFile(t, t.TempDir(), hostileName, "192.0.2.66")
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	send := func(origin string) *http.Response {
		var b bytes.Buffer
		w := multipart.NewWriter(&b)
		part, _ := w.CreateFormFile("report", "<b>.xml")
		part.Write(data)
		w.Close()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/upload", &b)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", w.FormDataContentType())
		req.Header.Set("Origin", origin)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		return resp
	}
	if resp := send("http://evil.example"); resp.StatusCode != http.StatusForbidden {
		t.Errorf("an upload from a foreign page: %s", resp.Status)
	}
	resp := send(server.URL)
	said, _ := get(t, resp.Request.URL.String())
	if resp.StatusCode != http.StatusOK || !strings.Contains(said, "&lt;b&gt;.xml: 1 accepted") {
		t.Errorf("an upload: %s, %s", resp.Status, said)
	}
	if body, _ := get(t, server.URL+"/?message=Call+this+number"); strings.Contains(body, "Call this") {
		t.Error("a link has the page say something")
	}
	if events, err := h.Events(t.Context(), "a.example"); err != nil || len(events) != 1 {
		t.Errorf("events: %v, %v", events, err)
	}
	for _, path := range []string{"/domain?domain=a.example", "/source?domain=a.example&source=192.0.2.66"} {
		if body, _ := get(t, server.URL+path); strings.Contains(body, "<script") || strings.Contains(body, "<img") || !strings.Contains(body, "&lt;script&gt;") {
			t.Errorf("%s: the name is not only text", path)
		}
	}
}

func TestAForeignNameIsRefused(t *testing.T) {
	server, _ := site2025(t)
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = "rebind.example"
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusForbidden {
		t.Error(fmt.Sprint("called by a foreign name: ", resp.Status))
	}
}
