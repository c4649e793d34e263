package dnscheck

// Step is one term that was tried.
type Step struct {
	Depth   int       `json:"depth"`  // 0 for the record of the domain itself
	Domain  string    `json:"domain"` // whose record the term stands in
	Term    Term      `json:"term"`
	Asked   string    `json:"asked"`            // name asked in DNS; "" when nothing was
	Outcome Outcome   `json:"outcome,omitzero"` // of that question; of a domain that include or redirect leads to, of its text records
	Lookups int       `json:"lookups"`          // charged up to and with this term
	Matched bool      `json:"matched"`
	Result  SPFResult `json:"result"` // of the record behind include or redirect
}

// step records that a term is tried and returns its index, or -1.
func (c *spfCheck) step(depth int, domain string, t *Term, asked string) int {
	if !c.q.Trace {
		return -1
	}
	at := len(c.out.Steps)
	c.out.Steps = append(c.out.Steps, Step{})
	s := &c.out.Steps[at]
	s.Depth, s.Domain, s.Term, s.Asked, s.Lookups = depth, domain, *t, asked, c.out.Lookups
	return at
}

// expectSteps makes room for the path through a record, so that it seldom moves: the
// records behind an include or redirect take some ten steps more, as many as there are look-ups.
func (c *spfCheck) expectSteps(terms []Term) {
	n := min(len(terms), 2*MaxLookups)
	for i := range terms {
		if m := terms[i].Mechanism; m == MechanismInclude || m == ModifierRedirect {
			n += MaxLookups
			break
		}
	}
	c.out.Steps = make([]Step, 0, n)
}

func (c *spfCheck) stepped(at int, set func(*Step)) {
	if at >= 0 {
		set(&c.out.Steps[at])
	}
}
