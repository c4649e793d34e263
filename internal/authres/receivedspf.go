package authres

import (
	"net/netip"
	"strings"
)

// SPF is one Received-SPF field.
type SPF struct {
	Result       string     `json:"result"` // pass, fail, softfail, neutral, none, temperror, permerror in lower case
	Comment      string     `json:"comment,omitempty"`
	ClientIP     netip.Addr `json:"client_ip,omitzero"`
	EnvelopeFrom string     `json:"envelope_from,omitempty"`
	HELO         string     `json:"helo,omitempty"`
	Receiver     string     `json:"receiver,omitempty"`
	Identity     string     `json:"identity,omitempty"`
	Mechanism    string     `json:"mechanism,omitempty"`
	Problem      string     `json:"problem,omitempty"`
	Raw          string     `json:"-"` // the value as given
}

// Domain returns the domain the check was about: the envelope sender's, the
// one the comment names ("domain of example.com designates ..."), or the HELO
// name. It is "" where none is given.
func (s SPF) Domain() string {
	if at := strings.LastIndexByte(s.EnvelopeFrom, '@'); at >= 0 {
		return strings.Trim(s.EnvelopeFrom[at+1:], ">")
	}
	if d := commentDomain(s.Comment); d != "" {
		return d
	}
	return s.HELO
}

// commentDomain finds the domain in the comments Microsoft and Google write:
// "host: domain of D designates ...", "host: domain of transitioning D
// discourages ...", "host: D does not designate ...".
func commentDomain(comment string) string {
	words := strings.Fields(comment)
	for i, w := range words {
		var d string
		switch {
		case w == "of" && i > 0 && words[i-1] == "domain" && i+1 < len(words):
			d = words[i+1]
			if d == "transitioning" && i+2 < len(words) {
				d = words[i+2]
			}
		case w == "does" && i > 1 && i+1 < len(words) && words[i+1] == "not":
			d = words[i-1]
		default:
			continue
		}
		if _, after, ok := strings.Cut(d, "@"); ok {
			d = after
		}
		if strings.Contains(d, ".") && !strings.HasSuffix(d, ":") {
			return d
		}
	}
	return ""
}

// ParseReceivedSPF reads the value of a Received-SPF field, folded or not.
func ParseReceivedSPF(value string) SPF {
	s := SPF{Raw: value}
	for i, seg := range segments(value) {
		words := seg.words()
		if i == 0 {
			s.Comment = seg.comment()
			if len(words) > 0 && !strings.Contains(words[0], "=") {
				s.Result = strings.ToLower(words[0])
				words = words[1:]
			}
		}
		for _, w := range words {
			name, v, ok := strings.Cut(w, "=")
			if ok {
				s.set(strings.ToLower(name), unquote(v))
			}
		}
	}
	return s
}

func (s *SPF) set(name, value string) {
	switch name {
	case "client-ip":
		s.ClientIP = addr(value)
	case "envelope-from":
		s.EnvelopeFrom = strings.Trim(value, "<>")
	case "helo":
		s.HELO = value
	case "receiver":
		s.Receiver = value
	case "identity":
		s.Identity = value
	case "mechanism":
		s.Mechanism = value
	case "problem":
		s.Problem = value
	}
}
