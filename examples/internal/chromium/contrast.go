package chromium

import (
	"fmt"
	"math"
	"testing"
)

// Contrast checks that colours can be told from the background (WCAG 2.1, 1.4.3
// and 1.4.11).
func (b *Browser) Contrast(screen, back, expression string, least float64) {
	b.Helper()
	colours := make(map[string]bool)
	for _, c := range Read[[]string](b, expression) {
		colours[c] = true
	}
	for c := range colours {
		if got := contrast(luminance(b.T, c), luminance(b.T, back)); got < least {
			b.Errorf("%s: %s on %s has a contrast of %.1f, want %.1f", screen, c, back, got, least)
		}
	}
}

func contrast(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }

// luminance is that of WCAG 2.1 for a colour as browsers compute it.
func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	var r, g, b float64
	if _, err := fmt.Sscanf(colour, "rgb(%f, %f, %f)", &r, &g, &b); err != nil {
		t.Fatalf("%q: %v", colour, err)
	}
	linear := func(v float64) float64 {
		if v /= 255; v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}
