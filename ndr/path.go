package ndr

import (
	"encoding/json"
	"net/netip"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dsn"
)

// Path is the way a message took, from the Received fields of its quoted
// header and from the hops table. It helps when the generating server's name
// means nothing to you.
type Path struct {
	Steps    []PathStep `json:"steps"`    // in the order the message took them
	Slowest  int        `json:"slowest"`  // index of the step with the longest delay; -1 without times
	Accepted string     `json:"accepted"` // last server that took the message in: what follows is where it failed
	Operator string     `json:"operator"` // who runs that server, where its name says so; "" otherwise
}

// PathStep is one hand-over of the message.
type PathStep struct {
	From     string
	FromIP   netip.Addr
	By       string
	With     string
	At       time.Time
	Delay    time.Duration // since the step before; negative where clocks disagree, 0 where a time is missing
	Operator string        // of By
}

// MarshalJSON writes the step with its delay in seconds.
func (s PathStep) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		From     string     `json:"from"`
		FromIP   netip.Addr `json:"from_ip,omitzero"`
		By       string     `json:"by"`
		With     string     `json:"with"`
		At       time.Time  `json:"at,omitzero"`
		Delay    float64    `json:"delay_seconds"`
		Operator string     `json:"operator"`
	}{s.From, s.FromIP, s.By, s.With, s.At, s.Delay.Seconds(), s.Operator})
}

// Path puts the way together. Received fields have addresses and the service's
// own relays; the hops table fills in times that a field lacks.
func (n *Notice) Path() Path {
	p := Path{Steps: []PathStep{}, Slowest: -1}
	received := n.Original.Received
	if len(received) == 0 {
		for _, h := range n.Hops {
			p.Steps = append(p.Steps, PathStep{From: h.From, By: h.To, With: h.With, At: h.At})
		}
	}
	for i := len(received) - 1; i >= 0; i-- {
		r := received[i]
		if r.From == "" && r.By == "" {
			continue // qmail's own notes, within one server
		}
		step := PathStep{From: r.From, FromIP: r.FromIP, By: r.By, With: r.With, At: r.Date}
		if step.At.IsZero() {
			step.At = n.hopTime(r.By)
		}
		p.Steps = append(p.Steps, step)
	}
	p.times()
	for i := range p.Steps {
		p.Steps[i].Operator = HostOperator(p.Steps[i].By)
	}
	if k := len(p.Steps) - 1; k >= 0 {
		p.Accepted, p.Operator = p.Steps[k].By, p.Steps[k].Operator
	}
	return p
}

// PathOf is the way a message took by the Received fields of its header alone,
// for reports in no layout of Microsoft's: that of dsn.Report.Returned.
func PathOf(header dsn.Header) Path {
	var n Notice
	for _, value := range header.All("Received") {
		n.Original.Received = append(n.Original.Received, parseReceived(value))
	}
	return n.Path()
}

func (n *Notice) hopTime(host string) time.Time {
	for _, h := range n.Hops {
		if host != "" && strings.EqualFold(h.To, host) {
			return h.At
		}
	}
	return time.Time{}
}

func (p *Path) times() {
	longest := time.Duration(0)
	for i := 1; i < len(p.Steps); i++ {
		s, before := &p.Steps[i], &p.Steps[i-1]
		if s.At.IsZero() || before.At.IsZero() {
			continue
		}
		s.Delay = s.At.Sub(before.At)
		if s.Delay > longest {
			longest, p.Slowest = s.Delay, i
		}
	}
}

// hostOperators tell who runs a host by the domain its name is in.
var hostOperators = []struct {
	domain, operator string
}{
	{"outlook.com", "Microsoft"},
	{"office365.com", "Microsoft"},
	{"exchangelabs.com", "Microsoft"},
	{"hotmail.com", "Microsoft"},
	{"phx.gbl", "Microsoft"},
	{"google.com", "Google"},
	{"googlemail.com", "Google"},
	{"yahoo.com", "Yahoo"},
	{"yahoodns.net", "Yahoo"},
	{"icloud.com", "Apple"},
	{"apple.com", "Apple"},
	{"pphosted.com", "Proofpoint"},
	{"ppe-hosted.com", "Proofpoint"},
	{"mimecast.com", "Mimecast"},
	{"mimecast.co.za", "Mimecast"},
	{"messagelabs.com", "Broadcom (Symantec Email Security.cloud)"},
	{"trendmicro.com", "Trend Micro"},
	{"trendmicro.eu", "Trend Micro"},
	{"barracudanetworks.com", "Barracuda"},
	{"iphmx.com", "Cisco (Secure Email)"},
	{"sophos.com", "Sophos"},
	{"hornetsecurity.com", "Hornetsecurity"},
	{"antispameurope.com", "Hornetsecurity"},
	{"amazonses.com", "Amazon SES"},
	{"amazonaws.com", "Amazon"},
	{"mailgun.net", "Mailgun"},
	{"mailgun.org", "Mailgun"},
	{"sendgrid.net", "SendGrid"},
	{"mandrillapp.com", "Mandrill"},
	{"mcsv.net", "Mailchimp"},
	{"sparkpostmail.com", "SparkPost"},
	{"mtasv.net", "Postmark"},
	{"secureserver.net", "GoDaddy"},
	{"zoho.com", "Zoho"},
	{"fastmail.com", "Fastmail"},
	{"messagingengine.com", "Fastmail"},
	{"ovh.net", "OVH"},
	{"gandi.net", "Gandi"},
	{"kundenserver.de", "IONOS"},
	{"t-online.de", "Deutsche Telekom"},
}

// HostOperator says who runs a host where its name shows it, and "" where it
// does not. The names are the operators' own domains.
func HostOperator(host string) string {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	for _, o := range hostOperators {
		if host == o.domain || strings.HasSuffix(host, "."+o.domain) {
			return o.operator
		}
	}
	return ""
}
