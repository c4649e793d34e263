package dmarcreport

import (
	"strconv"
	"strings"
)

// Marks of a dialect that are words and not elements, numbered after those.
const (
	markForwarded = elementCount + iota
	markSampledOut
	markTestMode
	markPass
)

// value gives the text of a leaf its place and its meaning.
func (d *decoder) value(id elementID, b []byte, at int64, lang string) {
	if id >= elSourceIP {
		d.recordValue(id, b, at, lang)
		return
	}
	m, p := &d.meta, &d.policy
	switch id {
	case elVersion:
		m.Version = string(b)
	case elOrgName:
		m.OrgName = d.needed(id, b, at)
	case elEmail:
		m.Email = d.needed(id, b, at)
	case elContact:
		m.ExtraContactInfo = string(b)
	case elReportID:
		m.ReportID = d.needed(id, b, at)
	case elBegin:
		m.DateRange.Begin, m.DateRange.BeginRaw = d.date(id, b, at), string(b)
	case elEnd:
		m.DateRange.End, m.DateRange.EndRaw = d.date(id, b, at), string(b)
	case elError:
		const most = 100
		if len(b) > 0 && len(m.Errors) < most {
			m.Errors = append(m.Errors, string(b))
		}
	case elGenerator:
		m.Generator = string(b)
	case elPolicyDomain:
		p.Domain = d.domain(id, b, at)
	case elADKIM:
		settle(d, &p.ADKIM, &p.Raw.ADKIM, word(d, alignmentWords, id, b, at), b)
	case elASPF:
		settle(d, &p.ASPF, &p.Raw.ASPF, word(d, alignmentWords, id, b, at), b)
	case elP:
		p.P, p.Raw.P = word(d, policyWords, id, b, at), string(b)
	case elSP:
		p.SP, p.Raw.SP = word(d, policyWords, id, b, at), string(b)
	case elNP:
		p.NP, p.Raw.NP = word(d, policyWords, id, b, at), string(b)
	case elPct:
		p.Pct = string(b)
		if n, err := strconv.Atoi(p.Pct); len(b) > 0 && (err != nil || n < 0 || n > 100) {
			d.add(note{id: findNumber, el: id, at: at, before: cut(b)})
		}
	case elFO:
		p.FO = string(b)
	case elTesting:
		p.Testing = string(b)
	case elDiscovery:
		p.Discovery = string(b)
	}
}

// recordValue gives a leaf of a record its place.
func (d *decoder) recordValue(id elementID, b []byte, at int64, lang string) {
	r := d.rec
	if r == nil {
		return
	}
	switch id {
	case elSourceIP:
		d.sourceIP(b, at)
	case elCount:
		d.hasCount = true
		d.count(b, at)
	case elDisposition:
		settle(d, &r.Evaluated.Disposition, &r.Evaluated.DispositionRaw, word(d, dispositionWords, id, b, at), b)
		if r.Evaluated.Disposition == DispositionPass {
			d.evidence(markPass, "RFC 9990", "disposition pass")
		}
	case elEvaluatedDKIM:
		settle(d, &r.Evaluated.DKIM, &r.Evaluated.DKIMRaw, word(d, evaluatedWords, id, b, at), b)
	case elEvaluatedSPF:
		settle(d, &r.Evaluated.SPF, &r.Evaluated.SPFRaw, word(d, evaluatedWords, id, b, at), b)
	case elReasonType, elReasonComment:
		if d.openReason() {
			q := &r.Evaluated.Reasons[len(r.Evaluated.Reasons)-1]
			if id == elReasonType {
				q.Type, q.TypeRaw = word(d, overrideWords, id, b, at), d.strings.get(b)
				d.reasonEvidence(q.Type)
			} else {
				q.Comment, q.Lang = d.strings.get(b), lang
			}
		}
	case elHeaderFrom:
		d.identity(&r.HeaderFrom, id, b, at)
	case elEnvelopeFrom:
		r.EnvelopeFrom, r.NullEnvelopeFrom = d.domain(id, b, at), len(b) == 0
	case elEnvelopeTo:
		r.EnvelopeTo = d.domain(id, b, at)
	case elDKIMDomain, elDKIMSelector, elDKIMResult, elDKIMHuman:
		d.dkimValue(id, b, at)
	case elSPFDomain, elSPFScope, elSPFResult, elSPFHuman:
		d.spfValue(id, b, at)
	}
}

// settle sets a verdict. One that is there twice with two meanings is unknown;
// the raw text holds both then.
func settle[T ~uint8](d *decoder, to *T, raw *string, v T, b []byte) {
	switch {
	case !d.twice || *raw == "":
		*to, *raw = v, d.strings.get(b)
	case len(b) == 0 || v == *to:
	case len(*raw) < maxCut: // else it says enough: a million words must not cost their square
		*to, *raw = unknown, *raw+" "+cut(b)
	default:
		*to = unknown
	}
}

// identity sets a domain that a pass rests on. One that is there twice and
// differs is kept as a list of both, which is aligned with nothing.
func (d *decoder) identity(to *string, id elementID, b []byte, at int64) {
	v := d.domain(id, b, at)
	switch {
	case !d.twice || *to == "":
		*to = v
	case v != "" && !sameDomain(v, *to) && len(*to) < maxCut:
		*to += " " + cut(b)
	}
}

// grow extends a list whose memory is used again.
func grow[T any](list []T) []T {
	var zero T
	return append(list, zero)
}

const mostResults = 1000 // of one record and kind; RFC 9990 asks for at most 100

func (d *decoder) begins(id elementID, at int64) {
	r := d.rec
	if r == nil {
		return
	}
	switch id {
	case elReason:
		d.reason = ""
		r.Evaluated.Reasons = more(d, r.Evaluated.Reasons, id, at)
	case elDKIM:
		r.DKIM = more(d, r.DKIM, id, at)
	case elSPF:
		r.SPF = more(d, r.SPF, id, at)
	}
}

// more extends a list up to the bound. Past it, what the element holds is
// passed over: it must not get into the last one kept.
func more[T any](d *decoder, list []T, id elementID, at int64) []T {
	if d.full = len(list) >= mostResults; d.full {
		d.add(note{id: findTooMany, el: id, at: at})
		return list
	}
	return grow(list)
}

func (d *decoder) openReason() bool { return len(d.rec.Evaluated.Reasons) > 0 && !d.full }

func (d *decoder) dkimValue(id elementID, b []byte, at int64) {
	if len(d.rec.DKIM) == 0 || d.full {
		return
	}
	q := &d.rec.DKIM[len(d.rec.DKIM)-1]
	switch id {
	case elDKIMDomain:
		d.identity(&q.Domain, id, b, at)
	case elDKIMSelector:
		q.Selector = d.strings.get(b)
	case elDKIMResult:
		settle(d, &q.Result, &q.ResultRaw, word(d, dkimWords, id, b, at), b)
	case elDKIMHuman:
		q.HumanResult = d.strings.get(b)
	}
}

func (d *decoder) spfValue(id elementID, b []byte, at int64) {
	if len(d.rec.SPF) == 0 || d.full {
		return
	}
	q := &d.rec.SPF[len(d.rec.SPF)-1]
	switch id {
	case elSPFDomain:
		d.identity(&q.Domain, id, b, at)
	case elSPFScope:
		settle(d, &q.Scope, &q.ScopeRaw, word(d, scopeWords, id, b, at), b)
	case elSPFResult:
		settle(d, &q.Result, &q.ResultRaw, word(d, spfWords, id, b, at), b)
	case elSPFHuman:
		q.HumanResult = d.strings.get(b)
	}
}

func (d *decoder) reasonEvidence(o Override) {
	switch o {
	case OverrideForwarded:
		d.evidence(markForwarded, "RFC 7489", "reason forwarded")
	case OverrideSampledOut:
		d.evidence(markSampledOut, "RFC 7489", "reason sampled_out")
	case OverridePolicyTestMode:
		d.evidence(markTestMode, "RFC 9990", "reason policy_test_mode")
	}
}

// reasonEnds reads a reason that is bare text.
func (d *decoder) reasonEnds() {
	if d.rec == nil || d.reason == "" || !d.openReason() {
		return
	}
	q := &d.rec.Evaluated.Reasons[len(d.rec.Evaluated.Reasons)-1]
	if q.Type != OverrideAbsent || q.Comment != "" {
		return
	}
	text := strings.TrimSpace(d.reason)
	if v, ok := find(overrideWords.exact, text); ok {
		q.Type, q.TypeRaw = v, text
	} else {
		q.Comment = text
	}
}

// needed returns a text that should not be empty.
func (d *decoder) needed(id elementID, b []byte, at int64) string {
	if len(b) == 0 {
		d.add(note{id: findEmpty, el: id, at: at})
	}
	return string(b)
}

// domain returns a domain as written, and says where it cannot be one.
func (d *decoder) domain(id elementID, b []byte, at int64) string {
	for _, c := range b {
		if !domainByte(c) {
			kind := findBadDomain
			if c == ',' || c == ';' || isBlank(c) {
				kind = findDomainList
			}
			d.add(note{id: kind, el: id, at: at, before: cut(b)})
			break
		}
	}
	if len(b) == 0 && (id == elPolicyDomain || id == elHeaderFrom) {
		d.add(note{id: findEmpty, el: id, at: at})
	}
	return d.strings.get(b)
}

// domainByte tells what stands in the domains of mail; an address in place of
// a domain ("@") is let pass here, since some reporters give whole addresses.
func domainByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '-' || c == '_' || c >= 0x80
}

// recordEnds looks at the record as a whole.
func (d *decoder) recordEnds(at int64) {
	r := d.rec
	if r != nil && r.NoTraffic() {
		d.add(note{id: findNullReport, el: elRecord, at: at})
	}
}
