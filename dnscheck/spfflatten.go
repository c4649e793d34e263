package dnscheck

import (
	"cmp"
	"strings"
	"time"
)

// SPFFlattened is a record that names addresses where the published one leads
// to other records.
type SPFFlattened struct {
	Publish []SPFPublish  `json:"publish"` // the domain's record first; empty when Refused says why
	Lookups int           `json:"lookups"` // it costs, in the worst case
	Kept    []string      `json:"kept"`    // terms that could not be written as addresses, with the reason
	Expires time.Duration `json:"-"`       // the shortest time to live of what was read, expires_seconds in JSON; 0 when not known
	Risks   []string      `json:"risks"`
	Refused string        `json:"refused,omitempty"`
}

// SPFPublish is one text record to publish.
type SPFPublish struct {
	Name    string   `json:"name"`
	Text    string   `json:"text"`
	Strings []string `json:"strings"` // Text in strings of at most 255 bytes
}

// maxFlattened is how many bytes one record of a flattened set has at most, so
// that an answer fits 512 bytes (RFC 7208 section 3.4).
const maxFlattened = maxUDPText

// flatten writes the audited record without the includes, a and mx terms that
// can be listed. The order of terms and every address's result stay as they are.
func flatten(a *SPFAudit) *SPFFlattened {
	f := &SPFFlattened{}
	switch {
	case a.Truncated:
		f.Refused = "the audit stopped at a limit, so the addresses are not all known"
	case a.Record.Err != nil:
		f.Refused = "there is no record that could be evaluated"
	}
	runs, tail := f.collect(a)
	if f.Refused == "" {
		f.write(a.Domain, runs, tail)
	}
	a.walk(func(_ *SPFRecord, t *SPFTerm, _ []*SPFTerm) {
		if t.Record != nil {
			f.expires(t.Record.TTL)
		}
	})
	f.Risks = []string{
		"the addresses are those of now: operators of included records change theirs without notice, and mail from new ones then fails",
		"read the original records again before they expire and publish what changed",
	}
	if len(f.Kept) > 0 {
		f.Risks = append(f.Risks, "terms that were kept can still change what the record costs")
	}
	list(&f.Publish)
	list(&f.Kept)
	return f
}

// collect returns the runs of addresses and kept terms of the audited record,
// and what stands behind them. It notes what is kept, what that costs, and why
// nothing can be written.
func (f *SPFFlattened) collect(a *SPFAudit) (runs []flatRun, tail string) {
	won := a.wonByTerm()
	exp := ""
	for i := range a.Record.Terms {
		t := &a.Record.Terms[i]
		switch {
		case t.Problem != "":
			f.Refused = cmp.Or(f.Refused, "the record has a syntax error")
		case t.Reached && hopeless(t) != "":
			f.Kept = append(f.Kept, t.Text+": "+hopeless(t))
			f.Refused = cmp.Or(f.Refused, t.Text+": "+hopeless(t)+", so that the record would end in permerror as it does now")
		case t.Mechanism == ModifierRedirect && t.Reached:
			tail = " " + t.Text
			f.Kept = append(f.Kept, t.Text+": "+unflattenable(t))
			f.Lookups += t.Total
		case t.Mechanism == ModifierExp:
			exp = " " + t.Text
		case t.Mechanism == MechanismAll:
			if tail == "" { // what stands behind all is never reached
				tail = " " + t.Text
			}
		case t.Mechanism >= ModifierRedirect || !t.Reached:
		default:
			if why := unflattenable(t); why != "" {
				runs = append(runs, flatRun{kept: t.Text, qualifier: SPFNone})
				f.Kept = append(f.Kept, t.Text+": "+why)
				f.Lookups += t.Total
				continue
			}
			set := a.listed(t)
			if rest := won[i]; len(rest.prefixes()) <= len(set.prefixes()) {
				set = rest // what earlier terms have is left out, unless that takes more terms
			}
			if n := len(runs); n == 0 || runs[n-1].kept != "" || runs[n-1].qualifier != t.Qualifier {
				runs = append(runs, flatRun{qualifier: t.Qualifier})
			}
			last := &runs[len(runs)-1]
			last.ranges = append(last.ranges, set...)
		}
	}
	return runs, tail + exp
}

func (f *SPFFlattened) expires(ttl time.Duration) {
	if ttl > 0 && (f.Expires == 0 || ttl < f.Expires) {
		f.Expires = ttl
	}
}

// wonByTerm returns the addresses that each term of the audited record decides
// about among those that can be written as addresses.
func (a *SPFAudit) wonByTerm() []addrSet {
	var claims []claim
	for i := range a.Record.Terms {
		t := &a.Record.Terms[i]
		if t.Problem != "" || t.Mechanism >= ModifierRedirect || !t.Reached || unflattenable(t) != "" {
			continue
		}
		for _, r := range a.listed(t) {
			claims = append(claims, claim{r, i, t.Qualifier})
		}
	}
	won := make([]addrSet, len(a.Record.Terms))
	settle(claims, func(c claim) { won[c.order] = won[c.order].append(c.addrRange) })
	return won
}

// flatRun is addresses in a row with one qualifier, or a term that is kept.
type flatRun struct {
	qualifier SPFResult
	ranges    []addrRange // in any order
	kept      string
}

// write makes one record of the runs, or several when one is too long.
func (f *SPFFlattened) write(domain string, runs []flatRun, tail string) {
	var whole strings.Builder
	whole.WriteString(spfVersion)
	for _, run := range runs {
		if run.kept != "" {
			whole.WriteString(" " + run.kept)
			continue
		}
		for _, term := range run.terms() {
			whole.WriteString(" " + qualifierSign(run.qualifier) + term)
		}
	}
	if f.Lookups > MaxLookups {
		f.Refused = "the terms that cannot be written as addresses cost " + itoa(f.Lookups) + " look-ups, more than the ten that are allowed"
		return
	}
	if len(whole.String())+len(tail) <= maxFlattened {
		f.Publish = []SPFPublish{publish(domain, whole.String()+tail)}
		return
	}
	main, parts := split(domain, runs)
	f.Lookups += len(parts)
	if f.Lookups > MaxLookups {
		f.Refused = "the addresses take " + itoa(len(parts)) + " records, more than the look-ups allow"
		return
	}
	f.Publish = append([]SPFPublish{publish(domain, main+tail)}, parts...)
}

// split puts the addresses of each run into records of their own, which the
// main one includes in their place.
func split(domain string, runs []flatRun) (main string, parts []SPFPublish) {
	var b strings.Builder
	b.WriteString(spfVersion)
	for _, run := range runs {
		if run.kept != "" {
			b.WriteString(" " + run.kept)
			continue
		}
		part := ""
		finish := func() {
			if part != "" {
				name := "_spf" + itoa(len(parts)+1) + "." + domain
				parts = append(parts, publish(name, spfVersion+part+" -all"))
				b.WriteString(" " + qualifierSign(run.qualifier) + "include:" + name)
				part = ""
			}
		}
		for _, term := range run.terms() {
			if len(spfVersion)+len(part)+1+len(term)+len(" -all") > maxFlattened {
				finish()
			}
			part += " " + term
		}
		finish()
	}
	return b.String(), parts
}

// terms returns the run's addresses as ip4 and ip6 terms without qualifier.
func (r flatRun) terms() []string {
	var terms []string
	for _, p := range setOf(r.ranges).prefixes() {
		name, text := "ip4:", p.String()
		if p.Addr().Is6() {
			name = "ip6:"
		}
		if p.Bits() == p.Addr().BitLen() {
			text = p.Addr().String()
		}
		terms = append(terms, name+text)
	}
	return terms
}

func qualifierSign(q SPFResult) string {
	switch q {
	case SPFFail:
		return "-"
	case SPFSoftFail:
		return "~"
	case SPFNeutral:
		return "?"
	}
	return ""
}

func publish(name, text string) SPFPublish {
	return SPFPublish{Name: name, Text: text, Strings: textStrings(text)}
}

// textStrings splits a text record into the strings that hold it (RFC 1035
// section 3.3.14), where it can between two terms.
func textStrings(text string) (parts []string) {
	const most = 255
	for len(text) > most {
		end := most
		if blank := strings.LastIndexByte(text[:most], ' '); blank > 0 {
			end = blank
		}
		parts, text = append(parts, text[:end]), text[end:]
	}
	return append(parts, text)
}
