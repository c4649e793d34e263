package dsn

import "strings"

// ReturnPath is a return path taken apart: who sent the mail, behind what
// forwarders and signers wrapped around him.
type ReturnPath struct {
	Address string     `json:"address"` // of the sender, all wrapping gone; "" for the empty return path
	Layers  []Wrapping `json:"layers"`  // outermost first
	Raw     string     `json:"raw"`     // as given
}

// Wrapping is one layer around a return path.
type Wrapping struct {
	Scheme string `json:"scheme"` // srs0, srs1, prvs (BATV), btv1 (Barracuda), msprvs1 (Momentum)
	Domain string `json:"domain"` // that wrapped: a forwarder's, or the sender's own
	Tag    string `json:"tag"`    // hash and date stamp, which only he who made them can check
}

// maxWrappings bounds the layers that are taken off.
const maxWrappings = 10

// ParseReturnPath takes apart a return path: SRS of forwarders (the Sender
// Rewriting Scheme, SRS0 and SRS1), BATV's prvs (draft-levine-smtp-batv) and the
// like. It checks no signature.
func ParseReturnPath(raw string) ReturnPath {
	p := ReturnPath{Address: bareAddress(raw), Raw: raw}
	for len(p.Layers) < maxWrappings {
		inner, layer, ok := unwrap(p.Address)
		if !ok {
			return p
		}
		p.Address = inner
		p.Layers = append(p.Layers, layer)
	}
	return p
}

// unwrap takes one layer off.
func unwrap(address string) (inner string, layer Wrapping, ok bool) {
	local, domain := splitAddress(address)
	lower := strings.ToLower(local)
	layer.Domain = domain
	switch {
	case domain == "":
	case strings.HasPrefix(lower, "srs0") && len(local) > 5 && strings.IndexByte("=+-", local[4]) >= 0:
		// SRS0=hash=stamp=domain=local; the first separator may be another.
		if part := strings.SplitN(local[5:], "=", 4); len(part) == 4 && isDomain(part[2]) && part[3] != "" {
			layer.Scheme, layer.Tag = "srs0", part[0]+"="+part[1]
			return part[3] + "@" + part[2], layer, true
		}
	case strings.HasPrefix(lower, "srs1") && len(local) > 5 && strings.IndexByte("=+-", local[4]) >= 0:
		// SRS1=hash=first-forwarder==hash=stamp=domain=local, the rest being his.
		if part := strings.SplitN(local[5:], "=", 3); len(part) == 3 && isDomain(part[1]) && len(part[2]) > 1 {
			layer.Scheme, layer.Tag = "srs1", part[0]
			return "SRS0" + part[2] + "@" + part[1], layer, true
		}
	case strings.HasPrefix(lower, "prvs="):
		// prvs=tag=local, and prvs=local/tag of early drafts.
		rest := local[len("prvs="):]
		if tag, inner, ok := strings.Cut(rest, "="); ok && tag != "" && inner != "" {
			layer.Scheme, layer.Tag = "prvs", tag
			return inner + "@" + domain, layer, true
		}
		if inner, tag, ok := strings.Cut(rest, "/"); ok && tag != "" && inner != "" {
			layer.Scheme, layer.Tag = "prvs", tag
			return inner + "@" + domain, layer, true
		}
	case strings.HasPrefix(lower, "btv1=="):
		if tag, inner, ok := strings.Cut(local[len("btv1=="):], "=="); ok && tag != "" && inner != "" {
			layer.Scheme, layer.Tag = "btv1", tag
			return inner + "@" + domain, layer, true
		}
	case strings.HasPrefix(lower, "msprvs1="):
		if tag, inner, ok := strings.Cut(local[len("msprvs1="):], "="); ok && tag != "" && inner != "" {
			layer.Scheme, layer.Tag = "msprvs1", tag
			return inner + "@" + domain, layer, true
		}
	}
	return "", Wrapping{}, false
}

// isDomain reports whether s could be a domain with at least two labels.
func isDomain(s string) bool {
	return strings.IndexByte(s, '.') > 0 && isHostName(s)
}

// isHostName reports whether s could be a domain, ASCII or not, but no literal.
func isHostName(s string) bool {
	if s == "" || len(s) > 253 || s[0] == '.' || s[len(s)-1] == '.' || strings.Contains(s, "..") {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if !(c == '.' || c == '-' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z') {
			return false
		}
	}
	return true
}
