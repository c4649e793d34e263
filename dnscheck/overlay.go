package dnscheck

import (
	"context"
	"slices"
)

// Overlay is a Resolver that lays unpublished records over another resolver,
// so that a record can be checked before it is published:
//
//	before := dnscheck.AuditSPF(ctx, live, "example.org", options)
//	after := dnscheck.AuditSPF(ctx, &dnscheck.Overlay{Base: live, SPF: map[string]string{
//		"example.org": "v=spf1 include:_spf.example.net -all",
//	}}, "example.org", options)
//	diff := before.Diff(after)
//
// It must not be changed while it is in use. The zero value holds no records
// and knows no name.
type Overlay struct {
	Base Resolver // asked for everything that is not laid over; nil is an empty zone

	// Zone's records take the place of all records of the same name and type.
	// Use [Zone.SetOutcome] with NXDomain or NoData to take records away.
	Zone *Zone

	// SPF takes the place of the SPF records at a name, and leaves its other
	// text records as they are. The empty record takes them away.
	SPF map[string]string
}

// Lookup answers from what is laid over, else from Base. An alias is followed
// into names that are laid over, from either side.
func (o *Overlay) Lookup(ctx context.Context, name string, t Type) Answer {
	if o == nil {
		return Answer{Err: ErrNoResolver}
	}
	var chain []string
	for range maxAliases {
		a, alias := o.lookup(ctx, name, t)
		if alias == "" {
			a.CNAME = append(chain, a.CNAME...)
			return a
		}
		chain, name = append(chain, a.CNAME...), alias
	}
	return Answer{Outcome: ServFail, CNAME: chain, Err: ErrAliasLoop}
}

// lookup answers for one name, or says at which name to go on.
func (o *Overlay) lookup(ctx context.Context, name string, t Type) (a Answer, alias string) {
	if o.Zone != nil {
		if a, ok := o.Zone.answers[Question{name, t}]; ok {
			return o.withSPF(name, t, a), ""
		}
		if a, ok := o.Zone.answers[Question{name, TypeCNAME}]; ok && t != TypeCNAME && len(a.Names) > 0 {
			return Answer{CNAME: a.Names[:1:1]}, a.Names[0]
		}
	}
	a = Answer{Outcome: NXDomain}
	if o.Base != nil {
		ctx, base := usable(ctx, o.Base)
		a = base.Lookup(ctx, name, t)
	}
	for i, target := range a.CNAME {
		if o.has(target, t) {
			return Answer{CNAME: slices.Clone(a.CNAME[:i+1])}, target
		}
	}
	a.CNAME = slices.Clip(a.CNAME)
	a = o.withSPF(name, t, a)
	if a.Outcome == NXDomain && o.exists(name) {
		a.Outcome = NoData
	}
	return a, ""
}

// has reports whether a look-up of that name has an answer that is laid over.
func (o *Overlay) has(name string, t Type) bool {
	if _, ok := o.spf(name); ok && t == TypeTXT {
		return true
	}
	if o.Zone == nil {
		return false
	}
	_, ok := o.Zone.answers[Question{name, t}]
	_, aliased := o.Zone.answers[Question{name, TypeCNAME}]
	return ok || aliased
}

// exists reports whether what is laid over makes a name exist.
func (o *Overlay) exists(name string) bool {
	if text, ok := o.spf(name); ok && text != "" {
		return true
	}
	return o.Zone != nil && o.Zone.names[name]
}

func (o *Overlay) spf(name string) (text string, ok bool) {
	if text, ok = o.SPF[name]; ok {
		return text, true
	}
	for key, text := range o.SPF {
		if canonical(key) == name {
			return text, true
		}
	}
	return "", false
}

// withSPF puts the name's SPF record in the place of those in an answer.
func (o *Overlay) withSPF(name string, t Type, a Answer) Answer {
	text, ok := o.spf(name)
	if !ok || t != TypeTXT {
		return a
	}
	others := slices.DeleteFunc(slices.Clone(a.TXT), func(txt TXT) bool { return isSPF(txt.Text) })
	a.TXT = others
	if text != "" {
		a.TXT = append(a.TXT, TXT{text, (len(text) + 254) / 255})
	}
	switch {
	case len(a.TXT) > 0:
		a.Outcome, a.Err = Found, nil
	case a.Outcome == Found:
		a.Outcome = NoData
	}
	return a
}
