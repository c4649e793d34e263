package dnscheck

import (
	"encoding/hex"
	"net/netip"
	"slices"
	"strings"
)

// genericWords stand in names that access networks give to their customers'
// addresses. The naming of such hosts is described in
// draft-msullivan-dnsop-generic-naming-schemes.
var genericWords = []string{
	"adsl", "broadband", "cable", "client", "cpe", "customer", "dhcp", "dial", "dialin", "dialup", "dsl", "dyn", "dynamic", "dynip",
	"ftth", "pool", "pools", "ppp", "pppoe", "vdsl", "xdsl",
}

// looksGeneric reports whether a reverse name looks made from the address: it
// holds its bytes, in either order, or a label or hyphenated part says what kind of
// access it is. Only labels below the organizational domain are looked at.
func looksGeneric(name string, ip netip.Addr) bool {
	name = canonical(name)
	host := strings.TrimSuffix(strings.TrimSuffix(name, organizationalByList(name)), ".")
	if host == "" {
		return false
	}
	parts := strings.FieldsFunc(host, func(c rune) bool { return c == '.' || c == '-' || c == '_' })
	for _, part := range parts {
		word := strings.TrimRight(part, "0123456789")
		if slices.Contains(genericWords, word) {
			return true
		}
	}
	if ip.Is4() {
		return holdsIPv4(parts, ip.As4())
	}
	nibbles := hex.EncodeToString(ip.AsSlice())
	return strings.Contains(strings.Join(parts, ""), nibbles[16:])
}

// holdsIPv4 looks for an address's bytes: the last three in decimal, in
// either order, or all four as one part in hexadecimal or of twelve digits.
func holdsIPv4(parts []string, b [4]byte) bool {
	packed := hex.EncodeToString(b[:])
	for at, part := range parts {
		if strings.HasSuffix(part, packed) || strings.Contains(part, padded(b)) {
			return true
		}
		if at+3 <= len(parts) && (runs(parts[at:at+3], b[1], b[2], b[3]) || runs(parts[at:at+3], b[3], b[2], b[1])) {
			return true
		}
	}
	return false
}

// runs reports whether parts are these numbers in order, apart from letters and
// zeros in front.
func runs(parts []string, numbers ...byte) bool {
	for i, n := range numbers {
		digits := strings.TrimLeft(parts[i], "abcdefghijklmnopqrstuvwxyz")
		if digits != "" && strings.Trim(digits, "0") == "" {
			digits = "0"
		} else {
			digits = strings.TrimLeft(digits, "0")
		}
		if digits != itoa(int(n)) {
			return false
		}
	}
	return true
}

// padded writes the bytes as twelve digits.
func padded(b [4]byte) string {
	var s strings.Builder
	for _, n := range b {
		digits := itoa(int(n))
		s.WriteString("000"[len(digits):] + digits)
	}
	return s.String()
}
