package main

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestHostileBounceInABrowser opens the page of a hostile bounce in Chromium and
// looks at what became of it: had anything in it run, the page would say so.
func TestHostileBounceInABrowser(t *testing.T) {
	program, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("MAILFAULT_CORPORA_REQUIRED") != "" {
			t.Fatal("chromium is not installed (Debian: chromium)")
		}
		t.Skip("chromium is not installed (Debian: chromium)")
	}
	k, server := testSite(t)
	hostile, err := os.ReadFile("testdata/hostile.eml")
	if err != nil {
		t.Fatal(err)
	}
	o, err := k.take(t.Context(), hostile)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+t.TempDir(),
		"--dump-dom", server.URL+"/mail/"+o.Mail)
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("chromium: %v", err)
	}
	dom := string(out)
	contains(t, dom, "recipient-not-found", "xn--prtner-3nf.example", "Everything is fine", "&lt;script&gt;alert(4)&lt;/script&gt;")
	inert(t, dom)
	if strings.Count(dom, "<main") != 1 || strings.Contains(dom, "owned") {
		t.Errorf("the page is not as it was sent:\n%s", dom)
	}
}
