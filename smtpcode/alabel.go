package smtpcode

import (
	"strings"
	"unicode/utf8"
)

// asciiDomain returns an international domain in lower case with its A-labels
// (RFC 5890 section 2.3.2.1); ok is false for what has none. It does not check
// that a registry would take the name: it is there to find two spellings of one
// name, without a library for the rest of IDNA.
func asciiDomain(domain string) (ascii string, ok bool) {
	if !utf8.ValidString(domain) {
		return "", false
	}
	var b strings.Builder
	for i, label := range strings.Split(strings.ToLower(domain), ".") {
		if i > 0 {
			b.WriteByte('.')
		}
		if strings.IndexFunc(label, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
			b.WriteString(label)
			continue
		}
		encoded, ok := punycode(label)
		if !ok {
			return "", false
		}
		b.WriteString("xn--" + encoded)
	}
	return b.String(), true
}

// The parameters of Punycode (RFC 3492 section 5).
const (
	punyBase, punyMin, punyMax  = 36, 1, 26
	punySkew, punyDamp          = 38, 700
	punyFirstBias, punyFirstNew = 72, 128
	// punyLimit is how many characters a label may have here: an A-label has 63
	// bytes at most, and the encoding takes the square of their number.
	punyLimit = 63
)

// punycode encodes a label (RFC 3492 section 6.3).
func punycode(label string) (encoded string, ok bool) {
	total := utf8.RuneCountInString(label)
	if total > punyLimit {
		return "", false
	}
	var out []byte
	for _, r := range label {
		if r < punyFirstNew {
			out = append(out, byte(r))
		}
	}
	basic := len(out)
	if basic > 0 {
		out = append(out, '-')
	}
	next, delta, bias := rune(punyFirstNew), 0, punyFirstBias
	for done := basic; done < total; {
		least := rune(utf8.MaxRune)
		for _, r := range label {
			if r >= next && r < least {
				least = r
			}
		}
		delta += int(least-next) * (done + 1)
		next = least
		for _, r := range label {
			if r < next {
				delta++
			}
			if r != next {
				continue
			}
			out = punyNumber(out, delta, bias)
			bias = punyBias(delta, done+1, done == basic)
			delta = 0
			done++
		}
		delta++
		next++
	}
	return string(out), true
}

// punyNumber appends a number of variable length (RFC 3492 section 3.3).
func punyNumber(out []byte, n, bias int) []byte {
	const digits = "abcdefghijklmnopqrstuvwxyz0123456789"
	for k := punyBase; ; k += punyBase {
		t := min(max(k-bias, punyMin), punyMax)
		if n < t {
			return append(out, digits[n])
		}
		out = append(out, digits[t+(n-t)%(punyBase-t)])
		n = (n - t) / (punyBase - t)
	}
}

// punyBias adapts the bias (RFC 3492 section 6.1).
func punyBias(delta, points int, first bool) int {
	if first {
		delta /= punyDamp
	} else {
		delta /= 2
	}
	delta += delta / points
	k := 0
	for ; delta > (punyBase-punyMin)*punyMax/2; k += punyBase {
		delta /= punyBase - punyMin
	}
	return k + (punyBase-punyMin+1)*delta/(delta+punySkew)
}
