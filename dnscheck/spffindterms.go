package dnscheck

import (
	"net/netip"
	"slices"
	"strings"
)

// findRecord looks at one record; from is the term of the record above that
// leads to it, nil for the audited domain.
func (a *SPFAudit) findRecord(r, above *SPFRecord, from *SPFTerm, w *spfWalk) {
	switch {
	case r.Loop:
		a.add("spf-loop", above, from, "")
	case r.Err == ErrBadDomain && from == nil:
		a.add("spf-no-domain", r, nil, "")
	case r.Err == ErrBadDomain:
		a.add("spf-include-nxdomain", above, from, "")
	case r.Err == ErrDNS:
		a.add("spf-dns-failed", r, nil, r.Domain)
	case r.Err == ErrManyRecords:
		a.add("spf-many-records", r, nil, "")
	case r.Err == ErrNoRecord && from == nil:
		a.add("spf-missing", r, nil, "")
	case r.Err == ErrNoRecord && from.Mechanism == ModifierRedirect:
		a.add("spf-redirect-missing", above, from, "")
	case r.Err == ErrNoRecord && r.Outcome == NXDomain:
		a.add("spf-include-nxdomain", above, from, "")
	case r.Err == ErrNoRecord:
		a.add("spf-include-missing", above, from, "")
	}
	a.findAlmost(r)
	if r.Text == "" {
		return
	}
	if len(r.CNAME) > 0 {
		a.add("spf-alias", r, nil, strings.Join(append([]string{r.Domain}, r.CNAME...), " -> "))
	}
	a.findLength(r)
	a.findLayout(r)
	a.findVoids(r)
	if from == nil || from.Mechanism == ModifierRedirect {
		a.findEnd(r)
	} else if from.Mechanism == MechanismInclude && r.Err == nil {
		a.findInclude(r, above, from)
	}
	included := map[string]bool{}
	for i := range r.Terms {
		if t := &r.Terms[i]; t.Mechanism == MechanismInclude && t.Target != "" && t.Reached {
			if included[t.Target] {
				a.add("spf-include-twice", r, t, "")
			}
			included[t.Target] = true
		}
	}
}

// findAlmost looks for text records that were meant to be SPF.
func (a *SPFAudit) findAlmost(r *SPFRecord) {
	for _, txt := range r.answer.TXT {
		if isSPF(txt.Text) {
			continue
		}
		at := Position{Name: r.Domain, Type: TypeTXT, Record: txt.Text}
		bare := strings.ToLower(strings.TrimLeft(txt.Text, " \t\"'“”‘’\u00a0\ufeff"))
		switch {
		case strings.HasPrefix(bare, "spf2.0/"):
			a.addAt("spf-sender-id", at, "")
		case strings.HasPrefix(bare, spfVersion) && len(bare) < len(txt.Text):
			a.addAt("spf-almost-record", at, "something stands before v=spf1")
		case strings.HasPrefix(bare, spfVersion):
			a.addAt("spf-almost-record", at, "no space follows v=spf1")
		case strings.HasPrefix(bare, "v=spf"), strings.HasPrefix(bare, "v = spf"), strings.HasPrefix(bare, "spf1 "),
			strings.HasPrefix(bare, "v:spf1"), strings.HasPrefix(bare, "spf=") || strings.HasPrefix(bare, "spf "):
			a.addAt("spf-almost-record", at, "the version is not written v=spf1")
		}
	}
}

// Lengths from which an answer may not fit: section 3.4 speaks of 450 bytes for all
// text records so that 512 hold the answer; 1232 is what resolvers ask for with EDNS0.
const (
	maxUDPText  = 450
	maxEDNSText = 1232 - 62
)

func (a *SPFAudit) findLength(r *SPFRecord) {
	if len(r.Text) > 255*max(r.Strings, 1) && r.answer.Gaps&GapStrings == 0 {
		a.add("spf-string-length", r, nil, "")
	}
	if len(r.Text) > maxUDPText {
		a.add("spf-record-length", r, nil, itoa(len(r.Text)))
	}
	all := 0
	for _, txt := range r.answer.TXT {
		all += len(txt.Text) + txt.Strings
	}
	if all > maxEDNSText {
		a.add("spf-answer-length", r, nil, itoa(all))
	}
}

// findLayout looks at blanks and the version's case.
func (a *SPFAudit) findLayout(r *SPFRecord) {
	at := r.position(nil)
	if i := strings.Index(r.Text, "  "); i >= 0 && strings.TrimRight(r.Text[i:], " ") != "" {
		at.Start, at.End = i, i+2
		a.addAt("spf-whitespace", at, "several spaces stand between terms")
	}
	if trimmed := strings.TrimRight(r.Text, " "); trimmed != r.Text {
		at.Start, at.End = len(trimmed), len(r.Text)
		a.addAt("spf-whitespace", at, "the record ends in a space")
	}
	if version := r.Text[:len(spfVersion)]; version != spfVersion {
		at.Start, at.End = 0, len(spfVersion)
		a.addAt("spf-upper-case", at, "")
	}
}

// findEnd looks at what happens to clients that are not listed.
func (a *SPFAudit) findEnd(r *SPFRecord) {
	var redirect, all *SPFTerm
	for i := range r.Terms {
		t := &r.Terms[i]
		switch {
		case t.Problem != "":
		case t.Mechanism == MechanismAll && all == nil:
			all = t
		case t.Mechanism == ModifierRedirect:
			redirect = t
		}
	}
	switch {
	case all == nil && redirect == nil:
		a.add("spf-all-missing", r, nil, "")
	case all != nil && all.Qualifier == SPFPass:
		a.add("spf-all-pass", r, all, "")
	case all != nil && all.Qualifier == SPFNeutral:
		a.add("spf-all-neutral", r, all, "")
	}
}

// findInclude looks at whom an included record lets pass.
func (a *SPFAudit) findInclude(r, above *SPFRecord, from *SPFTerm) {
	s := setsOf(r, nil, a.done)
	switch {
	case s.of[SPFPass].equal(everyone()):
		a.add("spf-include-all", above, from, "")
	case len(s.of[SPFPass]) == 0 && !unlisted(r):
		a.add("spf-include-nobody", above, from, "")
	}
}

// unlisted reports whether a record has terms whose addresses cannot be listed, or errors.
func unlisted(r *SPFRecord) bool {
	if r.Err != nil {
		return true
	}
	return slices.ContainsFunc(r.Terms, func(t SPFTerm) bool {
		return t.BySender || t.Problem != "" || t.Outcome.Failed() && t.Target != "" || t.Record != nil && unlisted(t.Record)
	})
}

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
	if failed := t.Target != "" && (t.Outcome.Failed() || t.Mechanism == MechanismA && t.a.Failed()); failed {
		a.add("spf-dns-failed", r, t, t.Target)
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

// findAddress looks at the address as written.
func (a *SPFAudit) findAddress(r *SPFRecord, t *SPFTerm) {
	_, written, _ := strings.Cut(t.Text, ":")
	written, _, _ = strings.Cut(written, "/")
	if addr, err := netip.ParseAddr(written); err == nil && addr != t.Prefix.Addr() {
		a.add("spf-host-bits", r, t, t.Prefix.String())
	}
	if kind := reserved(t.Prefix); kind != "" {
		a.add("spf-range-private", r, t, t.Prefix.String()+" ("+kind+")")
	}
}

// reserved says what kind of addresses a block is made of that the public
// Internet does not route, or "". A block with others in it is none: its ends
// differ.
func reserved(p netip.Prefix) string {
	kind := reservedAddr(p.Addr())
	if kind != "" && kind != reservedAddr(lastAddr(p)) {
		return ""
	}
	return kind
}

// lastAddr returns the last address of a block.
func lastAddr(p netip.Prefix) netip.Addr {
	b := p.Masked().Addr().AsSlice()
	for i := p.Bits(); i < len(b)*8; i++ {
		b[i/8] |= 0x80 >> (i % 8)
	}
	last, _ := netip.AddrFromSlice(b)
	return last
}

func reservedAddr(addr netip.Addr) string {
	switch {
	case addr.Is4In6():
		return "IPv4 written as IPv6, which never matches"
	case addr.IsPrivate():
		return "private"
	case addr.IsLoopback():
		return "loopback"
	case addr.IsLinkLocalUnicast():
		return "link-local"
	case addr.IsMulticast():
		return "multicast"
	case addr.Is4() && addr.As4()[0] == 0:
		return "this network"
	case addr.Is4() && addr.As4()[0] == 100 && addr.As4()[1]&0xc0 == 64:
		return "shared address space"
	}
	return ""
}

// Blocks from which on a range is wider than one organization's senders.
const (
	wide4 = 8
	wide6 = 19
)

// findRanges looks at the addresses that terms name.
func (a *SPFAudit) findRanges() {
	for _, r := range a.Ranges {
		bits, wide := r.Prefix.Bits(), wide4
		if r.Prefix.Addr().Is6() {
			wide = wide6
		}
		switch {
		case bits == 0 && r.Result == SPFPass:
			a.add("spf-range-all", r.record, r.term, "")
		case bits <= wide && r.Result == SPFPass:
			a.add("spf-range-wide", r.record, r.term, "a /"+itoa(bits))
		}
		if r.Within.IsValid() && r.record == a.Record {
			a.add("spf-range-overlap", r.record, r.term, r.Prefix.String()+" lies in "+r.Within.String()+" of "+r.WithinOf)
		}
	}
	a.findUnion()
	for _, s := range a.Savings {
		if s.Unused && s.term.Mechanism == MechanismInclude {
			a.add("spf-include-unused", s.record, s.term, itoa(s.Remove))
		}
	}
}

// findUnion looks at the blocks that terms let pass together and none of them alone.
func (a *SPFAudit) findUnion() {
	var ranges []addrRange
	alone := map[netip.Prefix]bool{} // blocks that a term alone names
	for _, r := range a.Ranges {
		if r.Result == SPFPass {
			ranges = append(ranges, rangeOf(r.Prefix))
			alone[r.Prefix] = true
		}
	}
	for _, p := range setOf(ranges).prefixes() {
		family, wide := "IPv4", wide4
		if p.Addr().Is6() {
			family, wide = "IPv6", wide6
		}
		switch {
		case p.Bits() > wide || alone[p]:
		case p.Bits() == 0:
			a.add("spf-union-all", a.Record, nil, family)
		default:
			a.add("spf-union-wide", a.Record, nil, p.String())
		}
	}
}
