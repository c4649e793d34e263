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
	ip, kind, err := addressText(text)
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

// addressText reads an address in the forms that address literals, sockets and
// databases have for it.
func addressText(text string) (netip.Addr, findingID, error) {
	ip, err := netip.ParseAddr(text)
	if err == nil {
		return ip, findNone, nil
	}
	if p, e := netip.ParseAddrPort(text); e == nil {
		return p.Addr(), findAddressForm, nil
	}
	if p, e := netip.ParsePrefix(text); e == nil && p.IsSingleIP() {
		return p.Addr(), findAddressForm, nil
	}
	if n := len(text); n > 2 && text[0] == '[' && text[n-1] == ']' {
		text = text[1 : n-1]
	}
	const tag = "IPv6:" // RFC 5321 section 4.1.3
	if len(text) > len(tag) && strings.EqualFold(text[:len(tag)], tag) {
		text = text[len(tag):]
	}
	if ip, e := netip.ParseAddr(unpadded(text)); e == nil {
		return ip, findAddressForm, nil
	}
	return netip.Addr{}, findNone, err
}

// unpadded takes the zeros off an IPv4 address whose numbers all have three
// digits; where one has fewer, some programs read octal numbers.
func unpadded(s string) string {
	octets := strings.Split(s, ".")
	for i, o := range octets {
		if len(o) != 3 || len(octets) != 4 {
			return s
		}
		octets[i] = strings.TrimLeft(o[:2], "0") + o[2:]
	}
	return strings.Join(octets, ".")
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
