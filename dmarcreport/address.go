package dmarcreport

import (
	"net/netip"
	"strings"
)

// sourceIP reads the address of a record.
func (d *decoder) sourceIP(b []byte, at int64) {
	r := d.rec
	if ip, ok := parseIPv4(b); ok {
		r.SourceIP = ip
		return
	}
	if len(b) == 0 {
		d.add(note{id: findNoAddress, el: elSourceIP, at: at})
		return
	}
	text := d.strings.get(b)
	r.SourceIPRaw = text
	kind := findNone
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
		text, kind = text[1:len(text)-1], findAddressForm
		text = strings.TrimPrefix(text, "IPv6:")
	}
	ip, err := netip.ParseAddr(text)
	if p, e := netip.ParsePrefix(text); e == nil && p.IsSingleIP() { // a database's way to write an address
		ip, err, kind = p.Addr(), nil, findAddressForm
	}
	if err != nil {
		d.add(note{id: findAddress, el: elSourceIP, at: at, before: cut(b)})
		return
	}
	if ip.Zone() != "" {
		ip, kind = ip.WithZone(""), findZone
	}
	if ip.Is4In6() {
		ip, kind = ip.Unmap(), findMapped
	}
	r.SourceIP = ip
	var canonical [64]byte
	if string(ip.AppendTo(canonical[:0])) == r.SourceIPRaw {
		r.SourceIPRaw = ""
	}
	if kind != findNone {
		d.add(note{id: kind, el: elSourceIP, at: at, before: cut(b), after: ip.String()})
	}
}

// parseIPv4 reads the usual form without allocating.
func parseIPv4(b []byte) (netip.Addr, bool) {
	var out [4]byte
	n, v, digits := 0, 0, 0
	for _, c := range b {
		switch {
		case c >= '0' && c <= '9':
			if digits > 0 && v == 0 {
				return netip.Addr{}, false // a leading zero: octal to some
			}
			v = v*10 + int(c-'0')
			digits++
			if v > 255 {
				return netip.Addr{}, false
			}
		case c == '.' && digits > 0 && n < 3:
			out[n] = byte(v)
			n++
			v, digits = 0, 0
		default:
			return netip.Addr{}, false
		}
	}
	if n != 3 || digits == 0 {
		return netip.Addr{}, false
	}
	out[3] = byte(v)
	return netip.AddrFrom4(out), true
}
