package dnscheck

import (
	"errors"
	"slices"
	"strings"
)

// findRecord looks at one record; from is the term of the record above that
// leads to it, nil for the audited domain.
func (a *SPFAudit) findRecord(r, above *SPFRecord, from *SPFTerm) {
	switch {
	case r.Loop:
		a.add("spf-loop", above, from, "")
	case r.Err == ErrBadDomain && from == nil:
		a.add("spf-no-domain", r, nil, "")
	case r.Err == ErrBadDomain:
		a.add("spf-include-nxdomain", above, from, "")
	case errors.Is(r.Err, ErrDNS) && a.Err == nil:
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
		at := Position{Name: r.Domain, Type: TypeTXT, Record: txt.Text}
		if why := almostSPF(txt.Text); why != "" {
			a.addAt("spf-almost-record", at, why)
		} else if strings.HasPrefix(bareSPF(txt.Text), "spf2.0/") {
			a.addAt("spf-sender-id", at, "")
		}
	}
}

// bareSPF is a text without what editors put before it, in lower case.
func bareSPF(text string) string {
	return strings.ToLower(strings.TrimLeft(text, " \t\"'“”‘’\u00a0\ufeff"))
}

// almostSPF says why a text record that is meant to be SPF is none; "" where it
// is, or is meant to be something else.
func almostSPF(text string) string {
	bare := bareSPF(text)
	switch {
	case isSPF(text):
	case strings.HasPrefix(bare, spfVersion) && len(bare) < len(text):
		return "something stands before v=spf1"
	case strings.HasPrefix(bare, spfVersion):
		return "no space follows v=spf1"
	case strings.HasPrefix(bare, "v=spf"), strings.HasPrefix(bare, "v = spf"), strings.HasPrefix(bare, "spf1 "),
		strings.HasPrefix(bare, "v:spf1"), strings.HasPrefix(bare, "spf=") || strings.HasPrefix(bare, "spf "):
		return "the version is not written v=spf1"
	}
	return ""
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
