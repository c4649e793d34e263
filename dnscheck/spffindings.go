package dnscheck

import (
	"cmp"
	"slices"
	"strings"
)

// spfRule is what an SPF finding says wherever it occurs.
type spfRule struct {
	severity Severity
	section  string // of RFC 7208
	message  string // %s is the detail
	fix      string
}

// spfRules are the findings of an SPF audit by their id, those about the record
// as a whole first.
var spfRules = map[string]spfRule{
	"spf-no-domain":        {Error, "4.3", "this is no domain that can have a record: it needs two labels or more, each of 1 to 63 bytes", "check the domain's spelling"},
	"spf-missing":          {Warning, "4.5", "the domain publishes no SPF record", "publish a text record at this name that begins with v=spf1"},
	"spf-almost-record":    {Error, "4.5", "a text record looks like SPF and is none: %s", "publish it so that it begins with exactly v=spf1 and a space"},
	"spf-many-records":     {Error, "4.5", "the domain publishes several SPF records: every check ends in permerror", "merge them into one record"},
	"spf-dns-failed":       {Error, "4.4", "DNS gave no answer for %s: every check that gets here ends in temperror", "see whether the name servers of that domain answer"},
	"spf-type99":           {Warning, "3.1", "a record of the dead type SPF (99) is published: nobody reads it", "remove it; the text record is enough"},
	"spf-alias":            {Info, "4.4", "the record stands behind an alias: %s", ""},
	"spf-lookup-limit":     {Error, "4.6.4", "the record costs %s look-ups of ten: this term asks the eleventh, and every check that gets here ends in permerror", "remove or flatten includes, a and mx terms until ten remain"},
	"spf-lookup-headroom":  {Info, "4.6.4", "the record costs %s look-ups of ten: a change at one included domain can break it", ""},
	"spf-lookup-sender":    {Warning, "4.6.4", "the name depends on the sender, and so does the number of look-ups behind it", "audit it with a sample sender"},
	"spf-void-limit":       {Error, "4.6.4", "%s: every check that gets past them ends in permerror", "remove the terms whose names have no such records"},
	"spf-void-receivers":   {Warning, "4.6.4", "receivers differ: %s", "remove the terms whose names have no such records"},
	"spf-void-sender":      {Warning, "4.6.4", "for senders that exists, ptr or macros do not find, the void look-ups pass the limit of two", "use fewer such terms"},
	"spf-void":             {Warning, "4.6.4", "%s", "remove the terms, or publish the names"},
	"spf-audit-limit":      {Warning, "4.6.4", "the audit stopped at a limit: every count is at least what is shown", "audit again with higher limits"},
	"spf-audit-ended":      {Warning, "4.6.4", "the audit ended before all was asked (%s): every count is at least what is shown", "audit again, and let it run to its end"},
	"spf-syntax":           {Error, "4.6", "%s: every check ends in permerror", "write it as the grammar of section 12 says"},
	"spf-joined":           {Warning, "3.3", "two terms seem to be joined: did you mean %s? The strings of a text record are joined with nothing between", "begin the second string with a space"},
	"spf-string-length":    {Error, "3.3", "a string of the text record is longer than 255 bytes: it cannot be published so", "split the record into strings of at most 255 bytes; they are joined with nothing between"},
	"spf-record-length":    {Warning, "3.4", "the record takes %s bytes: with it an answer may not fit 512 bytes and needs TCP", "shorten it, or move parts into an included record"},
	"spf-answer-length":    {Info, "3.4", "all text records at the name take %s bytes: the answer needs TCP or a large UDP buffer", "move other text records to names of their own"},
	"spf-whitespace":       {Info, "4.6.1", "%s", "remove it"},
	"spf-upper-case":       {Info, "4.6.1", "upper case is read like lower case, but not by every program", "write it in lower case"},
	"spf-macro-upper-case": {Warning, "7.3", "an upper-case macro letter asks for URL escaping, which is no use in a host name", "write the letter in lower case"},
	"spf-trailing-dot":     {Info, "7.1", "the name ends in a dot: allowed, but not understood by every program", "remove the dot"},

	"spf-all-pass":         {Error, "5.1", "+all lets everybody in the world send", "write ~all or -all"},
	"spf-all-neutral":      {Warning, "5.1", "?all says nothing about clients that are not listed: the record protects nothing", "write ~all or -all"},
	"spf-all-missing":      {Warning, "4.7", "the record ends without all or redirect: clients that are not listed get neutral", "add ~all or -all at the end"},
	"spf-shadowed":         {Warning, "4.6.2", "earlier terms decide about all its addresses, and otherwise: the term changes nothing", "move it before them, or remove it"},
	"spf-unreachable":      {Warning, "5.1", "the term is never reached: an earlier one matches everybody", "move it before that term, or remove it"},
	"spf-redirect-all":     {Warning, "6.1", "redirect is ignored beside all", "remove one of them"},
	"spf-redirect-missing": {Error, "6.1", "redirect leads to a domain without SPF record: every check that gets here ends in permerror", "correct or remove it"},
	"spf-include-missing":  {Error, "5.2", "the included domain publishes no SPF record: every check that gets here ends in permerror", "correct or remove the include"},
	"spf-include-nxdomain": {Error, "5.2", "the included domain does not exist: every check that gets here ends in permerror, and whoever registers it can send as you", "remove the include"},
	"spf-include-nobody":   {Warning, "5.2", "the included record lets nobody pass: the include never matches", "remove the include"},
	"spf-include-all":      {Error, "5.2", "the included record lets everybody pass: so does this one", "remove the include"},
	"spf-include-unused":   {Warning, "5.2", "nobody needs the include: other terms have all its addresses", "remove it: look-ups saved: %s"},
	"spf-include-twice":    {Warning, "4.6.4", "the same domain is included before: each time is charged", "remove one of them"},
	"spf-loop":             {Error, "4.6.4", "the record leads back to itself: every check that gets here ends in permerror", "remove the term"},
	"spf-ptr":              {Warning, "5.5", "ptr should not be published: it is slow, unreliable, and some receivers skip it", "list the addresses instead"},
	"spf-macro-p":          {Warning, "7.2", "the macro p should not be published: it costs a look-up more and is slow", "use another macro"},
	"spf-exists":           {Info, "5.7", "whom exists lets pass cannot be listed: DNS is asked for each client", ""},
	"spf-exists-all":       {Warning, "5.7", "the name does not depend on the client and exists: the term matches everybody", "write the macros of the client into it, or remove it"},
	"spf-mx-limit":         {Error, "4.6.4", "the term leads to %s mail exchangers, more than ten: every check that gets here ends in permerror", "list the addresses instead"},
	"spf-modifier-name":    {Warning, "6", "this is read as an unknown modifier and ignored: %s", ""},
	"spf-modifier-other":   {Info, "6", "an unknown modifier: receivers ignore it", ""},
	"spf-host-bits":        {Info, "5.6", "the address has bits set behind the mask: it means %s", ""},
	"spf-range-all":        {Error, "5.6", "the term names every address of its family", "list the addresses that send"},
	"spf-range-wide":       {Warning, "5.6", "the term names %s: far more than one organization's senders", "list the addresses that send"},
	"spf-union-all":        {Error, "5.6", "together the terms name every %s address", "list the addresses that send"},
	"spf-union-wide":       {Warning, "5.6", "together the terms name %s: far more than one organization's senders", "list the addresses that send"},
	"spf-range-private":    {Info, "5.6", "%s is not an address of the public Internet: no receiver sees it as a client", "remove the term"},
	"spf-range-overlap":    {Info, "5.6", "another term names these addresses too: %s", "remove one of the terms"},
	"spf-exp-missing":      {Info, "6.2", "the explanation is not published: receivers give none", "publish one text record at that name, or remove exp"},
	"spf-resolver-gaps":    {Info, "4.4", "the resolver cannot know all about its answers (%s): what needs that was not checked", "ask a DNS server directly"},
	"spf-sender-id":        {Info, "3.1", "a record of Sender ID, which is historic: nobody reads it", "remove it"},
}

// add adds the finding of that id about a term, or about the whole record when t is nil.
func (a *SPFAudit) add(id string, r *SPFRecord, t *SPFTerm, detail string) {
	a.addAt(id, r.position(t), detail)
}

// How many findings an audit lists, and how many of one id in one record.
const (
	maxFindings = 1000
	maxAlike    = 20
)

// alike are findings of one id about the records of one name.
type alike struct{ id, name string }

func (a *SPFAudit) addAt(id string, at Position, detail string) {
	kind := alike{id, at.Name}
	if a.alike[kind] == maxAlike || len(a.Findings) == maxFindings {
		return
	}
	a.alike[kind]++
	rule := spfRules[id]
	f := Finding{ID: id, Severity: rule.severity, Where: at, Spec: "RFC 7208 section " + rule.section,
		Message: strings.Replace(rule.message, "%s", detail, 1), Fix: strings.Replace(rule.fix, "%s", detail, 1), Owner: OwnerInclude}
	if below(at.Name, a.Domain) {
		f.Owner = OwnerDomain
	}
	if id == "spf-lookup-limit" {
		f.Owner = OwnerDomain // whatever record the eleventh stands in: this one leads there
	}
	if id == "spf-dns-failed" || id == "spf-audit-limit" || id == "spf-audit-ended" || id == "spf-resolver-gaps" {
		f.Owner = OwnerResolver
	}
	a.Findings = append(a.Findings, f)
}

// findings looks at the whole tree.
func (a *SPFAudit) findings(w *spfWalk) {
	if gaps := a.Record.answer.Gaps; gaps != 0 {
		a.add("spf-resolver-gaps", a.Record, nil, gaps.String())
	}
	switch {
	case a.Err != nil:
		a.add("spf-audit-ended", a.Record, nil, problem(a.Err))
	case a.Truncated:
		a.add("spf-audit-limit", a.Record, nil, "")
	}
	a.findRecord(a.Record, nil, nil)
	a.findLimits()
	a.walk(func(r *SPFRecord, t *SPFTerm, path []*SPFTerm) {
		a.findTerm(r, t)
		if t.Record != nil {
			a.findRecord(t.Record, r, t)
		}
	})
	a.findRanges()
	if w.type99.Outcome == Found {
		text := ""
		if len(w.type99.TXT) > 0 {
			text = w.type99.TXT[0].Text
		}
		a.addAt("spf-type99", Position{Name: a.Domain, Type: TypeSPF, Record: text}, "")
	}
	slices.SortStableFunc(a.Findings, func(x, y Finding) int { return cmp.Compare(y.Severity, x.Severity) })
}

// findLimits looks at the counts of the whole record.
func (a *SPFAudit) findLimits() {
	if a.Eleventh != nil {
		a.addAt("spf-lookup-limit", *a.Eleventh, itoa(a.Lookups))
	} else if a.Lookups >= MaxLookups-1 {
		a.add("spf-lookup-headroom", a.Record, nil, itoa(a.Lookups))
	}
	four, six := a.IPv4, a.IPv6
	switch {
	case four.Voids > MaxVoidLookups:
		a.add("spf-void-limit", a.Record, nil, itoa(four.Voids)+" look-ups have no answer, two may")
	case six.Voids > MaxVoidLookups:
		a.add("spf-void-receivers", a.Record, nil, "for IPv6 clients "+itoa(six.Voids)+
			" names have no address; receivers that ask for both families at once let it pass, others end in permerror")
	case four.ReceiversDiffer() || six.ReceiversDiffer():
		a.add("spf-void-receivers", a.Record, nil, "counted by terms "+itoa(max(four.Voids, six.Voids))+" look-ups have no answer of two allowed, counted by questions "+
			itoa(max(four.QueryVoids, six.QueryVoids)))
	}
	for _, worst := range []SPFWorst{four, six} {
		if worst.Voids <= MaxVoidLookups && worst.Voids+worst.SenderVoids > MaxVoidLookups {
			a.add("spf-void-sender", a.Record, nil, "")
			break
		}
	}
}
