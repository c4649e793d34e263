// Package page is what the examples' web pages share: the stylesheet, the
// headers that keep a stranger's text from doing anything, and the pieces that
// a report is shown in.
package page

import (
	_ "embed"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Style is the stylesheet.
//
//go:embed style.css
var Style string

// ServeStyle serves the stylesheet.
func ServeStyle(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	w.Write([]byte(Style))
}

// Secure sets what keeps hostile report text from doing anything, refuses
// forms of foreign pages, and names that such a page could have pointed at this
// machine.
func Secure(next http.Handler) http.Handler {
	next = http.NewCrossOriginProtection().Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cache-Control", "no-store")
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if _, err := netip.ParseAddr(strings.Trim(host, "[]")); err != nil && host != "localhost" {
			http.Error(w, "call this page by its address", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Clean replaces controls, which are no markup but turn text round or drive a
// terminal, by a visible mark.
func Clean(b []byte) []byte {
	return []byte(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) {
			return utf8.RuneError
		}
		return r
	}, strings.ReplaceAll(string(b), "\r\n", "\n")))
}
