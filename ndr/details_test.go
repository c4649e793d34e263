package ndr

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// The party that is to act stands in red, in whichever way CSS and HTML write a
// colour; mail programs rewrite one into another.
func TestColours(t *testing.T) {
	for text, want := range map[string]string{
		"#c00000": "#c00000", "#C00000": "#c00000", "c00000": "#c00000", "#C00": "#cc0000", "red": "#ff0000", " Red !important": "#ff0000", "white": "#ffffff",
		"rgb(192, 0, 0)": "#c00000", "RGB(0,120,215)": "#0078d7", "#c00000 none": "#c00000",
		"rgb(192, 0)": "", "rgb(256, 0, 0)": "", "rgb(a, b, c)": "", "#c000": "", "#gggggg": "", "inherit": "", "": "",
	} {
		if got := colour(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]bool{"#c00000": true, "#ff0000": true, "#a80000": true, "#9f0000": false, "#c04100": false, "#c00041": false, "#0078d7": false, "#ffffff": false, "": false, "#zz0000": false} {
		if isRed(text) != want {
			t.Errorf("%s is red: %v", text, !want)
		}
	}
	for style, want := range map[string][2]string{
		"color: red; background-color:white":    {"#ff0000", "#ffffff"},
		"font-size:9pt;BACKGROUND:#c00000 none": {"", "#c00000"},
		"background-image:url(x); color":        {"", ""},
		strings.Repeat(" ", 5000) + "color:red": {"", ""},
	} {
		if fg, bg := styleColours(style); fg != want[0] || bg != want[1] {
			t.Errorf("%.40q: %q on %q, want %q", style, fg, bg, want)
		}
	}
}

// An administrator's own sentence links to his pages, the stock ones to Microsoft's
// help: a name that only begins or ends like theirs is not theirs.
func TestMicrosoftsPages(t *testing.T) {
	for url, want := range map[string]bool{
		"https://go.microsoft.com/fwlink/?LinkId=1": true, "http://MICROSOFT.com": true, "https://aka.ms/x": true, "https://support.office.com/a": true,
		"https://microsoft.com.evil.example/": false, "https://notmicrosoft.com/": false, "https://evil.example/microsoft.com": false, "https://microsoft.com@evil.example/": false, "microsoft.com": false, "": false,
	} {
		if isMicrosoftURL(url) != want {
			t.Errorf("%s: %v", url, !want)
		}
	}
	for _, tt := range []struct {
		remote, generating string
		want               bool
	}{
		{"", "mx.contoso.example", false}, {"mx.contoso.example", "mail1.contoso.example.", false}, {"mx.CONTOSO.example", "contoso.example", false},
		{"mx.fabrikam.example", "mail1.contoso.example", true}, {"AM0PR02.eurprd02.prod.outlook.com", "mail1.contoso.example", false},
	} {
		if isForeign(tt.remote, tt.generating) != tt.want {
			t.Errorf("%s beside %s is foreign: %v", tt.remote, tt.generating, !tt.want)
		}
	}
}

// Address lists of quoted headers, those that RFC 5322 does not allow among them.
func TestAddressListsOfHeaders(t *testing.T) {
	for text, want := range map[string][]string{
		"Bob <bob@contoso.example>, carol@contoso.example":  {"bob@contoso.example", "carol@contoso.example"},
		"Bob [Sales] <bob@contoso.example>, not an address": {"bob@contoso.example"},
		"undisclosed-recipients:;":                          nil,
		"":                                                  nil,
	} {
		if got := headerAddresses(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := headerAddresses(strings.Repeat("a@contoso.example,", 1<<13)); len(got) > maxAddressField/len("a@contoso.example,")+1 || len(got) == 0 {
		t.Errorf("%d addresses of a field beyond the bound", len(got))
	}
}

// A delay is in seconds in JSON, and says nothing of an operator or a time twice.
func TestPathStepInJSON(t *testing.T) {
	data, err := json.Marshal(PathStep{From: "a.example", By: "b.example", With: "ESMTP", Delay: 90 * time.Second})
	if want := `{"from":"a.example","by":"b.example","with":"ESMTP","delay_seconds":90,"operator":""}`; err != nil || string(data) != want {
		t.Errorf("%s, %v, want %s", data, err, want)
	}
}

// Exchange's layout shows by a date behind the address, its transfer agent's words or
// a status with a mark, any of them; its sentence alone is others' too.
func TestWhatShowsExchange2003(t *testing.T) {
	const head = "Your message did not reach some or all of the intended recipients.\n\nThe following recipient(s) could not be reached:\n\n"
	for name, tt := range map[string]struct {
		text string
		ok   bool
	}{
		"a date":               {"bob@contoso.example on 11/28/2003 9:05 AM\n  The address does not exist.\n", true},
		"the transfer agent":   {"bob@contoso.example\n  The address does not exist.\n  MSEXCH:IMS:Contoso:HQ:GW 0 (000C05A6) Unknown Recipient\n", true},
		"a marked status":      {"bob@contoso.example\n  The address does not exist.\n  <gw.contoso.example #5.1.1>\n", true},
		"a date of the second": {"bob@contoso.example\n  no\ncarol@contoso.example on 11/28/2003 9:05 AM\n  no\n", true},
		"nothing":              {"bob@contoso.example\n  550 5.1.1 no such user\n", false},
		"no recipient":         {"\n", false},
	} {
		n, err := ParseText(head + tt.text)
		if tt.ok != (err == nil && n.Layout == LayoutExchange2003) || !tt.ok && !errors.Is(err, ErrNotMicrosoft) {
			t.Errorf("%s: %+v, %v", name, n, err)
		}
	}
}
