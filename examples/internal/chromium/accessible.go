package chromium

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// controls are the roles that a visitor operates, and those of the regions that
// a screen reader lists: none of them goes without a name.
var controls = []string{"button", "link", "textbox", "DisclosureTriangle", "combobox", "checkbox", "radio", "navigation", "region", "columnheader"}

// Accessible checks what a screen reader is told of the page, and what the
// keyboard reaches on it (WCAG 2.1: 1.3.1, 2.4.1 to 2.4.3, 2.4.7, 3.1.1, 4.1.2).
func (b *Browser) Accessible(screen string) {
	b.Helper()
	var tree accessibility.GetFullAXTreeResult
	b.Do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) (err error) {
		tree, err = cdp.Call(ctx, t, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
		return err
	}))
	roles := make(map[string]int)
	for _, n := range tree.Nodes {
		if n.Ignored {
			continue
		}
		role := word(n.Role)
		roles[role]++
		if slices.Contains(controls, role) && word(n.Name) == "" {
			b.Errorf("%s: a %s without a name", screen, role)
		}
	}
	if roles["main"] != 1 || roles["navigation"] == 0 {
		b.Errorf("%s: roles %v, want one main and a navigation", screen, roles)
	}
	// querySelectorAll gives the headings in the order in which they are read.
	levels := Read[[]int](b, `[...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].map(e => +e.tagName[1])`)
	if len(levels) == 0 || levels[0] != 1 || slices.Contains(levels[1:], 1) {
		b.Errorf("%s: headings of the levels %v, want one h1, first", screen, levels)
	}
	for i := 1; i < len(levels); i++ {
		if levels[i] > levels[i-1]+1 {
			b.Errorf("%s: headings of the levels %v leave one out", screen, levels)
		}
	}
	if !Read[bool](b, `document.documentElement.lang != "" && document.title.trim() != ""`) {
		b.Errorf("%s: the page has no language or no title", screen)
	}
	if !Read[bool](b, `[...document.querySelectorAll("table")].every(t => [...t.rows].every(r => r.cells.length == t.querySelectorAll("th[scope=col]").length))`) {
		b.Errorf("%s: a table has columns without a header", screen)
	}
	b.keyboard(screen)
}

// word is a value of the accessibility tree that is a text.
func word(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	var s string
	if json.Unmarshal(v.Value, &s) != nil {
		return ""
	}
	return strings.TrimSpace(s)
}

// reached is where the keyboard is.
type reached struct {
	At      int    // of all that takes the focus, in the page's order
	What    string // for a person
	Visible bool   // an outline is drawn, and not off the page
}

// keyboard presses Tab through the whole page: everything is reached, in the
// order in which it is read, and shows that it is.
func (b *Browser) keyboard(screen string) {
	b.Helper()
	const all = `[...document.querySelectorAll("a[href], button, input:not([type=hidden]), textarea, select, summary, [tabindex]")]`
	if Read[bool](b, all+`.some(e => e.tabIndex > 0)`) {
		b.Errorf("%s: a tabindex changes the order", screen)
	}
	n := Read[int](b, all+`.length`)
	for i := range min(n, 30) {
		b.Do(chromedp.KeyEvent(kb.Tab))
		at := Read[reached](b, `(() => { const e = document.activeElement, s = getComputedStyle(e), r = e.getBoundingClientRect()
			return {At: `+all+`.indexOf(e), What: e.outerHTML.slice(0, 80),
				Visible: s.outlineStyle != "none" && parseFloat(s.outlineWidth) >= 2 && r.width > 0 && r.right > 0} })()`)
		if at.At != i || !at.Visible {
			b.Errorf("%s: Tab number %d leads to number %d, visible %v: %s", screen, i, at.At, at.Visible, at.What)
			return
		}
	}
}
