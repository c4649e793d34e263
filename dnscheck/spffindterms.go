package dnscheck

import (
	"cmp"
	"strings"
)

// findTerm looks at one term.
func (a *SPFAudit) findTerm(r *SPFRecord, t *SPFTerm) {
	if t.Problem != "" {
		n := len(a.Findings)
		a.add("spf-syntax", r, t, t.Problem)
		if len(a.Findings) == n {
			return
		}
		if s := suggest(t.Text); s != "" {
			a.Findings[n].Fix = "did you mean " + s + "?"
		}
		return
	}
	if !t.Reached && t.Mechanism <= ModifierRedirect {
		if t.Mechanism == ModifierRedirect {
			a.add("spf-redirect-all", r, t, "")
		} else {
			a.add("spf-unreachable", r, t, "")
		}
		return
	}
	a.findSpelling(r, t)
	if parted := unglued(t.Domain); t.Mechanism.Charged() && parted != t.Domain && wellFormed(strings.Replace(t.Text, t.Domain, parted, 1)) {
		a.add("spf-joined", r, t, strings.Replace(t.Text, t.Domain, parted, 1))
	}
	if t.Mechanism.Charged() && strings.Contains(macroLetters(t.Domain), "p") {
		a.add("spf-macro-p", r, t, "")
	}
	switch t.Mechanism {
	case MechanismPTR:
		a.add("spf-ptr", r, t, "")
	case MechanismExists:
		if t.Outcome == Found && !t.BySender {
			a.add("spf-exists-all", r, t, "")
		} else if t.BySender {
			a.add("spf-exists", r, t, "")
		}
	case MechanismInclude, ModifierRedirect:
		if t.BySender {
			a.add("spf-lookup-sender", r, t, "")
		}
	case MechanismMX:
		if len(t.Hosts) > maxNames {
			a.add("spf-mx-limit", r, t, itoa(len(t.Hosts)))
		}
	case ModifierExp:
		if t.Target != "" && t.Outcome.Void() && r == a.Record {
			a.add("spf-exp-missing", r, t, "")
		}
		return
	case ModifierOther:
		a.findModifier(r, t)
	case MechanismIP4, MechanismIP6:
		a.findAddress(r, t)
	}
	if t.BySender || t.Mechanism == MechanismInclude || t.Mechanism == ModifierRedirect {
		return
	}
	if t.Target != "" && !t.unasked && (t.Outcome.Failed() || t.failed != "") {
		a.add("spf-dns-failed", r, t, cmp.Or(t.failed, t.Target))
	}
}

// maxVoidsNamed is how many names without an answer a finding lists.
const maxVoidsNamed = 5

// findVoids looks for terms that ask for what does not exist.
func (a *SPFAudit) findVoids(r *SPFRecord) {
	var first *SPFTerm
	var names []string
	for i := range r.Terms {
		t := &r.Terms[i]
		switch t.Mechanism {
		case MechanismA, MechanismMX, MechanismExists:
		default:
			continue
		}
		if t.Problem != "" || !t.Reached || t.BySender || !t.Outcome.Void() {
			continue
		}
		if first == nil {
			first = t
		}
		names = append(names, t.Target+" "+map[Outcome]string{NoData: "has no such records", NXDomain: "does not exist"}[t.Outcome])
	}
	switch n := len(names); {
	case n == 0:
		return
	case n == 1:
		a.add("spf-void", r, first, "a look-up has no answer: "+names[0])
	case n > maxVoidsNamed:
		a.add("spf-void", r, first, itoa(n)+" look-ups have no answer: "+strings.Join(names[:maxVoidsNamed], ", ")+", and "+itoa(n-maxVoidsNamed)+" more")
	default:
		a.add("spf-void", r, first, itoa(n)+" look-ups have no answer: "+strings.Join(names, ", "))
	}
}

// findSpelling looks at the case of names and at trailing dots.
func (a *SPFAudit) findSpelling(r *SPFRecord, t *SPFTerm) {
	if t.Name != strings.ToLower(t.Name) && t.Mechanism != ModifierOther {
		a.add("spf-upper-case", r, t, "")
	}
	if strings.HasSuffix(t.Domain, ".") && t.Mechanism != ModifierOther {
		a.add("spf-trailing-dot", r, t, "")
	}
	for i := 0; i+2 < len(t.Domain); i++ {
		if t.Domain[i] != '%' {
			continue
		}
		if c := t.Domain[i+2]; t.Domain[i+1] == '{' && 'A' <= c && c <= 'Z' {
			a.add("spf-macro-upper-case", r, t, "")
			return
		}
		i++
	}
}

// findModifier looks for mechanisms that an equals sign made a modifier.
func (a *SPFAudit) findModifier(r *SPFRecord, t *SPFTerm) {
	name := strings.ToLower(t.Name)
	switch name {
	case "include", "a", "mx", "ptr", "ip4", "ip6", "exists":
		a.add("spf-modifier-name", r, t, "did you mean "+name+":"+t.Domain+"?")
	case "ipv4", "ipv6":
		a.add("spf-modifier-name", r, t, "did you mean ip"+name[3:]+":"+t.Domain+"?")
	case "all":
		a.add("spf-modifier-name", r, t, "did you mean ~all?")
	case "v":
		a.add("spf-modifier-name", r, t, "a record begins with its version once; were two records joined?")
	default:
		a.add("spf-modifier-other", r, t, "")
	}
}
