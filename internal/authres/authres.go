// Package authres reads Authentication-Results (RFC 8601) and Received-SPF
// (RFC 7208 section 9.1) as they are found, not only as they should be.
//
// Microsoft writes Authentication-Results without an authserv-id, puts the
// recipient's domain between the results and, in Hotmail's time, semicolons in
// comments. Nothing here fails: what cannot be understood stays in Raw, as does
// what follows the first 64 KiB of a value.
package authres

import (
	"net/netip"
	"strings"
)

// maxResults bounds what is kept of one field: results of [Results] and
// properties of each [Result]. Real fields hold fewer than ten.
const maxResults = 64

// Results is one Authentication-Results field.
type Results struct {
	ServID  string   `json:"serv_id"`           // authserv-id; "" in Microsoft's form
	Results []Result `json:"results"`           // in the field's order
	Domains []string `json:"domains,omitempty"` // bare names between results: Microsoft's recipient domain
	Raw     string   `json:"-"`                 // the value as given
}

// Result is one method's outcome.
type Result struct {
	Method  string     `json:"method"` // spf, dkim, dmarc, ... in lower case
	Value   string     `json:"value"`  // pass, fail, softfail, none, ... in lower case
	Comment string     `json:"comment,omitempty"`
	Props   []Property `json:"props,omitempty"`
}

// Property is what a result was computed from: smtp.mailfrom=example.com.
type Property struct {
	Name  string `json:"name"` // ptype.property or reason, action, ... in lower case
	Value string `json:"value"`
}

// Prop returns the value of the first property of that lower-case name, or "".
func (r Result) Prop(name string) string {
	for _, p := range r.Props {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}

// SenderIP returns the address of Microsoft's comment "sender IP is ADDRESS".
// It is not valid where there is none.
func (r Result) SenderIP() netip.Addr {
	_, rest, ok := strings.Cut(r.Comment, "sender IP is ")
	if !ok {
		return netip.Addr{}
	}
	if end := strings.IndexAny(rest, " ;,)"); end >= 0 {
		rest = rest[:end]
	}
	return addr(rest)
}

// Method returns the first result of that lower-case method name.
func (r Results) Method(name string) (Result, bool) {
	for _, res := range r.Results {
		if res.Method == name {
			return res, true
		}
	}
	return Result{}, false
}

// Parse reads the value of an Authentication-Results field, folded or not.
func Parse(value string) Results {
	res := Results{Raw: value}
	for i, seg := range segments(value) {
		words := seg.words()
		switch {
		case len(words) == 0:
		case !strings.Contains(words[0], "="):
			if i == 0 {
				res.ServID = words[0]
			} else if len(res.Domains) < maxResults {
				res.Domains = append(res.Domains, words[0])
			}
		case len(res.Results) < maxResults:
			res.Results = append(res.Results, result(words, seg.comment()))
		}
	}
	return res
}

func result(words []string, comment string) Result {
	method, value, _ := strings.Cut(words[0], "=")
	method, _, _ = strings.Cut(method, "/") // "dkim/1": method version
	r := Result{Method: strings.ToLower(method), Value: strings.ToLower(value), Comment: comment}
	for _, w := range words[1:] {
		name, value, ok := strings.Cut(w, "=")
		if ok && len(r.Props) < maxResults {
			r.Props = append(r.Props, Property{Name: strings.ToLower(name), Value: unquote(value)})
		}
	}
	return r
}

// addr reads an address with or without brackets; invalid where it is none.
func addr(s string) netip.Addr {
	a, err := netip.ParseAddr(strings.Trim(s, "[]"))
	if err != nil {
		return netip.Addr{}
	}
	return a.WithZone("")
}

func unquote(s string) string {
	s = strings.ReplaceAll(s, blank, " ")
	if len(s) >= 2 && s[0] == '"' && s[len(s)-1] == '"' {
		return unescape(s[1 : len(s)-1])
	}
	return s
}

// unescape takes the backslashes of quoted pairs away.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
