package ndr

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

type htmlAttrs struct {
	href, colour, background string
}

// attrs reads the attributes a report's look depends on.
func attrs(z *html.Tokenizer, more bool) (a htmlAttrs) {
	var k, v []byte
	for more {
		k, v, more = z.TagAttr()
		switch string(k) {
		case "href":
			a.href = strings.TrimSpace(string(v))
		case "color":
			a.colour = colour(string(v))
		case "bgcolor":
			a.background = colour(string(v))
		case "style":
			fg, bg := styleColours(string(v))
			if fg != "" {
				a.colour = fg
			}
			if bg != "" && a.background == "" {
				a.background = bg
			}
		}
	}
	return a
}

// styleColours finds color and background-color in an inline style.
func styleColours(style string) (fg, bg string) {
	if len(style) > 4096 {
		style = style[:4096]
	}
	for decl := range strings.SplitSeq(style, ";") {
		name, value, ok := strings.Cut(decl, ":")
		if !ok {
			continue
		}
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "color":
			fg = colour(value)
		case "background-color", "background":
			bg = colour(value)
		}
	}
	return fg, bg
}

// colour brings "#c00000", "#C00", "rgb(192, 0, 0)" and a few names to
// "#rrggbb"; anything else is "".
func colour(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	s = strings.TrimSpace(strings.TrimSuffix(s, "!important"))
	switch s {
	case "red":
		return "#ff0000"
	case "white":
		return "#ffffff"
	}
	if inner, ok := strings.CutPrefix(s, "rgb("); ok {
		parts := strings.Split(strings.TrimSuffix(inner, ")"), ",")
		if len(parts) != 3 {
			return ""
		}
		var hex strings.Builder
		hex.WriteString("#")
		for _, p := range parts {
			n, err := strconv.ParseUint(strings.TrimSpace(p), 10, 8)
			if err != nil {
				return ""
			}
			hex.WriteString(string("0123456789abcdef"[n>>4]) + string("0123456789abcdef"[n&15]))
		}
		return hex.String()
	}
	s, _, _ = strings.Cut(s, " ")
	hex := strings.TrimPrefix(s, "#")
	if strings.Trim(hex, "0123456789abcdef") != "" {
		return ""
	}
	switch len(hex) {
	case 6:
		return "#" + hex
	case 3:
		return "#" + hex[:1] + hex[:1] + hex[1:2] + hex[1:2] + hex[2:] + hex[2:]
	}
	return ""
}

// isRed reports whether a colour is red to the eye: Microsoft's #c00000 and
// what mail programs make of it.
func isRed(c string) bool {
	if len(c) != 7 {
		return false
	}
	rgb, err := strconv.ParseUint(c[1:], 16, 32)
	return err == nil && rgb>>16 >= 0xa0 && rgb>>8&0xff <= 0x40 && rgb&0xff <= 0x40
}
