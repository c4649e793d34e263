package ndr

import (
	"slices"
	"strings"

	"github.com/mailfault/mailfault/internal/enum"
)

// Relation is how the address that was refused stands to those the message was
// sent to.
// As text: unknown, addressed, redirected, not-addressed.
type Relation uint8

const (
	RelationUnknown Relation = iota // no To field is quoted
	Addressed                       // it is in To: check its spelling
	Redirected                      // the report itself names another original address: forwarding at the recipient
	NotAddressed                    // it is not in To: a forwarding rule or a group put it in, or it was in Cc or Bcc
)

var relationNames = enum.Names{"unknown", "addressed", "redirected", "not-addressed"}

// String returns the relation in kebab-case.
func (r Relation) String() string { return relationNames.String("Relation", uint8(r)) }

// MarshalText returns the relation in kebab-case.
func (r Relation) MarshalText() ([]byte, error) {
	return relationNames.MarshalText("Relation", uint8(r))
}

// UnmarshalText reads what MarshalText writes; another name is an error.
func (r *Relation) UnmarshalText(text []byte) error {
	v, err := relationNames.Parse("Relation", text)
	*r = Relation(v)
	return err
}

// Addressee compares a refused recipient with the message's To field.
type Addressee struct {
	Relation Relation `json:"relation"`
	SentTo   []string `json:"sent_to"` // the To addresses, or the original recipient the report names
	DidYou   string   `json:"did_you"` // a well-known domain that the address's is one slip away from; "" otherwise
}

// Addressee compares recipient i with the To field of the quoted header.
func (n *Notice) Addressee(i int) Addressee {
	a := Addressee{SentTo: []string{}}
	if i < 0 || i >= len(n.Recipients) {
		return a
	}
	rc := &n.Recipients[i]
	a.DidYou = nearDomain(rc.Address)
	if rc.OriginalAddress != "" && !strings.EqualFold(rc.OriginalAddress, rc.Address) {
		a.Relation, a.SentTo = Redirected, []string{rc.OriginalAddress}
		return a
	}
	a.SentTo = append(a.SentTo, n.Original.To...)
	if len(a.SentTo) == 0 || rc.Address == "" {
		return a
	}
	a.Relation = NotAddressed
	for _, to := range a.SentTo {
		if strings.EqualFold(to, rc.Address) {
			a.Relation = Addressed
		}
	}
	return a
}

// wellKnown are consumer mail domains people mistype; notSlips are domains of
// their own beside them.
var (
	wellKnown = []string{"gmail.com", "outlook.com", "hotmail.com", "yahoo.com", "icloud.com"}
	notSlips  = []string{"mail.com", "ymail.com", "email.com"}
)

// nearDomain returns the well-known domain that an address's domain is one
// slip away from: a letter too many, too few, wrong, or two swapped.
func nearDomain(addr string) string {
	_, domain, ok := strings.Cut(strings.ToLower(addr), "@")
	if !ok {
		return ""
	}
	if slices.Contains(wellKnown, domain) || slices.Contains(notSlips, domain) {
		return ""
	}
	for _, w := range wellKnown {
		if oneSlip(domain, w) {
			return w
		}
	}
	return ""
}

func oneSlip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	if i == len(a) {
		return false
	}
	if a[i+1:] == b[i+1:] {
		return true
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// SPFCheck is what Received-SPF in the quoted header says to do.
type SPFCheck struct {
	Check     bool   `json:"check"`  // it reads something other than pass: check the SPF record of Domain
	Result    string `json:"result"` // as the receiver found it
	Domain    string `json:"domain"` // your own domain; "" where the field does not name it
	SendingIP string `json:"sending_ip"`
}

// SPFCheck reads the Received-SPF field the last receiver added. Anything but
// pass tells the sender to check the SPF record of their own domain.
func (n *Notice) SPFCheck() SPFCheck {
	if len(n.Original.ReceivedSPF) == 0 {
		return SPFCheck{}
	}
	s := n.Original.ReceivedSPF[0]
	c := SPFCheck{Result: s.Result, Domain: s.Domain(), Check: s.Result != "" && s.Result != "pass"}
	if s.ClientIP.IsValid() {
		c.SendingIP = s.ClientIP.String()
	}
	for _, ar := range n.Original.AuthResults {
		if spf, ok := ar.Method("spf"); ok && c.SendingIP == "" && spf.SenderIP().IsValid() {
			c.SendingIP = spf.SenderIP().String()
		}
	}
	return c
}
