package spfpeers

import (
	"net/netip"

	"github.com/mailfault/mailfault/dnscheck"
)

// spfCase is one check with all DNS it can see.
type spfCase struct {
	IP      string   `json:"ip"`
	From    string   `json:"from"` // "" for a bounce
	HELO    string   `json:"helo"`
	Records []record `json:"records"`
}

// record is one record, or a question that a server fails at.
type record struct {
	Name   string   `json:"name"` // in lower case, without trailing dot
	Type   string   `json:"type"`
	Values []string `json:"values"` // TXT: strings; MX: preference and host
	Broken string   `json:"broken,omitempty"`
}

var recordTypes = map[string]dnscheck.Type{"A": dnscheck.TypeA, "AAAA": dnscheck.TypeAAAA, "CNAME": dnscheck.TypeCNAME,
	"MX": dnscheck.TypeMX, "PTR": dnscheck.TypePTR, "TXT": dnscheck.TypeTXT}

// zone builds the case's DNS.
func (c *spfCase) zone() *dnscheck.Zone {
	var z dnscheck.Zone
	for _, r := range c.Records {
		switch {
		case r.Broken == "servfail":
			z.SetOutcome(r.Name, recordTypes[r.Type], dnscheck.ServFail)
		case r.Broken != "":
			z.SetOutcome(r.Name, recordTypes[r.Type], dnscheck.Timeout)
		case r.Type == "TXT":
			z.AddTXT(r.Name, r.Values...)
		case r.Type == "MX":
			preference := uint16(0)
			for _, digit := range r.Values[0] {
				preference = preference*10 + uint16(digit-'0')
			}
			z.AddMX(r.Name, preference, r.Values[1])
		case r.Type == "PTR":
			z.AddPTR(r.Name, r.Values[0])
		case r.Type == "CNAME":
			z.SetCNAME(r.Name, r.Values[0])
		default:
			z.AddAddr(r.Name, netip.MustParseAddr(r.Values[0]))
		}
	}
	return &z
}
