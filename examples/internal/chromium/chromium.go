// Package chromium looks at the programs' pages in a headless Chromium.
package chromium

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// picturesVariable names a folder for pictures of the pages, to be looked at by
// eye.
const picturesVariable = "MAILFAULT_SCREENSHOTS"

// Browser is a headless Chromium that fails the test when a page does anything
// that no page of ours does: run a script, open a dialog, load from elsewhere.
type Browser struct {
	*testing.T
	ctx      context.Context
	origin   string
	pictures string // before the name of each picture
	requests atomic.Int64
}

// Open starts the browser for the pages of an origin. Where Chromium is not
// installed the test is skipped, or fails if MAILFAULT_CORPORA_REQUIRED is set.
func Open(t *testing.T, origin, pictures string) *Browser {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("MAILFAULT_CORPORA_REQUIRED") != "" {
			t.Fatal("chromium is not installed (Debian: chromium)")
		}
		t.Skip("chromium is not installed (Debian: chromium)")
	}
	// The sandbox cannot be had by root, and the pages are the test's own.
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox,
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(2*time.Minute))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &Browser{T: t, ctx: ctx, origin: origin, pictures: pictures}
	b.Do() // starts it
	// From here on, so that the limit is not the browser's life.
	b.ctx, cancel = context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(cancel)
	err = chromedp.Listen(ctx, func(event any) {
		switch e := event.(type) {
		case *page.EventJavascriptDialogOpening:
			t.Errorf("the page opened a dialog: %s", e.Message)
		case *runtime.EventConsoleAPICalled, *runtime.EventExceptionThrown:
			t.Errorf("the page ran a script: %+v", e)
		case *log.EventEntryAdded:
			if !strings.Contains(e.Entry.URL, "favicon") {
				t.Errorf("the browser complains: %s %s", e.Entry.Text, e.Entry.URL)
			}
		case *network.EventRequestWillBeSent:
			b.requests.Add(1)
			if u := e.Request.URL; !strings.HasPrefix(u, origin+"/") && !strings.HasPrefix(u, "data:") {
				t.Errorf("the page asks for %s", u)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	b.Do(Command(log.Enable, cdp.Empty{}), Command(network.Enable, network.EnableParams{}), Command(runtime.Enable, cdp.Empty{}), Command(page.Enable, page.EnableParams{}))
	t.Cleanup(func() {
		if b.requests.Load() == 0 {
			t.Error("nothing was seen of what the browser did")
		}
	})
	return b
}

// Command is a command of the protocol whose answer is of no interest.
func Command[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

// Do does what a visitor does.
func (b *Browser) Do(actions ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// Open goes to a page of the origin.
func (b *Browser) Open(path string) {
	b.Helper()
	b.Do(chromedp.Navigate(b.origin + path))
}

// Screen sets the scheme, light or dark, and the width of the window.
func (b *Browser) Screen(scheme string, width int64) {
	b.Helper()
	b.Do(Command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}),
		chromedp.EmulateViewport(width, 800))
}

// Look makes a picture of the whole page where somebody wants to see it.
func (b *Browser) Look(name string) {
	dir := os.Getenv(picturesVariable)
	if dir == "" {
		return
	}
	picture, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, b.pictures+"-"+name+".png"), picture, 0o600); err != nil {
		b.Fatal(err)
	}
}

// Read evaluates an expression about the page.
func Read[T any](b *Browser, expression string) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.Fatal(err)
	}
	return v
}

// Texts returns the text of each element that a selector finds.
func (b *Browser) Texts(selector string) []string {
	b.Helper()
	return Read[[]string](b, fmt.Sprintf(`[...document.querySelectorAll(%q)].map(e => e.textContent.trim())`, selector))
}
