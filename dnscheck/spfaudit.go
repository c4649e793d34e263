package dnscheck

import (
	"context"
	"math"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// SPFAuditOptions are how AuditSPF works. The zero value is a full audit
// within safe limits; a negative limit is none.
type SPFAuditOptions struct {
	// Sender is one sender to show the path of beside the worst case, and to
	// expand macros for. Used when its IP is valid; without MailFrom it is
	// postmaster at the audited domain.
	Sender SPFQuery

	Flatten bool // also write a record without includes: SPFAudit.Flattened

	MaxRecords int           // records read, repeated ones included; 0 is 500
	MaxTerms   int           // terms read in all of them; 0 is 5000
	MaxQueries int           // different questions asked of the resolver; 0 is 1000
	MaxDepth   int           // includes and redirects within each other; 0 is 30
	Timeout    time.Duration // 0 is 30 s
}

func (o SPFAuditOptions) withDefaults() SPFAuditOptions {
	limit := func(n *int, normal int) {
		switch {
		case *n == 0:
			*n = normal
		case *n < 0:
			*n = math.MaxInt
		}
	}
	limit(&o.MaxRecords, 500)
	limit(&o.MaxTerms, 5000)
	limit(&o.MaxQueries, 1000)
	limit(&o.MaxDepth, 30)
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	return o
}

// SPFAudit is everything an SPF record allows and costs, whoever sends.
type SPFAudit struct {
	Domain string     `json:"domain"`
	Record *SPFRecord `json:"record"` // of the domain, with all it leads to

	// Lookups is the worst case: what a client costs that no term names, or one
	// that gets further because a record refuses it by name before it lets everybody
	// pass. It counts on past the limit of ten, and past errors as if they were mended.
	Lookups  int       `json:"lookups"`
	Endless  bool      `json:"endless,omitempty"`  // a loop is in it: Lookups counts each round once
	BySender bool      `json:"by_sender"`          // includes whose names depend on the sender cost more than that
	Eleventh *Position `json:"eleventh,omitempty"` // the term that passes the limit: permerror
	IPv4     SPFWorst  `json:"ipv4"`               // the worst case of IPv4 clients
	IPv6     SPFWorst  `json:"ipv6"`

	Default   SPFResult     `json:"default"`          // of clients that no term names, were the record without error
	Senders   []SPFSender   `json:"senders"`          // addresses with another result than Default, as few prefixes as possible
	Unlisted  []SPFSpot     `json:"unlisted"`         // terms whose addresses cannot be listed: exists, ptr and macros of the sender
	Actual    *SPFActual    `json:"actual,omitempty"` // what clients get in fact, where an error makes that another result; else nil
	Addresses AddressCount  `json:"addresses"`        // that pass
	Ranges    []SPFRange    `json:"ranges"`           // each term's addresses, in order of address
	Savings   []SPFSaving   `json:"savings"`          // one an include, redirect, a and mx that costs look-ups
	Findings  []Finding     `json:"findings"`         // errors first
	Flattened *SPFFlattened `json:"flattened,omitempty"`
	Sender    *SPFCheck     `json:"sender,omitempty"` // the path of SPFAuditOptions.Sender

	Queries   int  `json:"queries"`             // different questions that were asked
	Truncated bool `json:"truncated,omitempty"` // not all was asked: all counts are at least so much

	// Err is why the audit ended before all was asked: ErrNoResolver, ErrNoContext,
	// ErrBudget of a Limit, or the context's error, which is DeadlineExceeded too when
	// Timeout is over. nil with Truncated: a limit of the options was reached.
	Err error `json:"-"`

	done  map[*SPFRecord]*spfSets // worked out so far
	alike map[alike]int           // how many findings there are of a kind
}

// SPFRecord is a record in the tree.
type SPFRecord struct {
	Domain  string        `json:"domain"`
	Depth   int           `json:"depth"`            // 0 for the audited domain
	Outcome Outcome       `json:"outcome"`          // of asking for its text records
	CNAME   []string      `json:"cname,omitempty"`  // aliases that led to it
	Text    string        `json:"text"`             // "" when there is none
	Others  []string      `json:"others,omitempty"` // further SPF records there: permerror
	Strings int           `json:"strings"`
	TTL     time.Duration `json:"-"`              // ttl_seconds in JSON; 0 when not known
	Lookups int           `json:"lookups"`        // charged by its terms and below them
	Loop    bool          `json:"loop,omitempty"` // it is being evaluated already: not read again
	Terms   []SPFTerm     `json:"terms"`
	Problem string        `json:"problem,omitempty"` // Err in words
	Err     error         `json:"-"`                 // ErrNoRecord, ErrManyRecords, ErrDNS, ErrBadDomain or ErrLoop

	answer Answer
}

// SPFTerm is a term in the tree with what it costs.
type SPFTerm struct {
	Term
	Text     string       `json:"text"`                // as written
	Problem  string       `json:"problem,omitempty"`   // of its syntax; such a term is passed over in all counts
	Target   string       `json:"target,omitempty"`    // the name asked; "" when none, or when the sender decides
	BySender bool         `json:"by_sender,omitempty"` // Target depends on the sender
	Outcome  Outcome      `json:"outcome,omitzero"`    // of that question; of a: found if one family was, else failed if one failed
	Reached  bool         `json:"reached"`             // by a client no term matches
	Cost     int          `json:"cost"`                // charged by the term itself
	Total    int          `json:"total"`               // with what lies below it
	Running  int          `json:"running"`             // charged up to and with this term, without what lies below
	Voids    SPFTermVoids `json:"voids,omitzero"`
	Hosts    []string     `json:"hosts,omitempty"` // of an mx
	Record   *SPFRecord   `json:"record,omitempty"`

	unasked  bool    // a question of it or below was not asked
	a, aaaa  Outcome // of the address questions
	failed   string  // the first host whose address DNS does not give
	addrs    []netip.Addr
	prefixes []netip.Prefix // addresses that match
}

// SPFTermVoids are the look-ups of a term without an answer, for clients of
// each family. The term reading charges a term at most once, the query reading
// also every mail exchanger without an address.
type SPFTermVoids struct {
	IPv4Term  int `json:"ipv4_term"`
	IPv4Query int `json:"ipv4_query"`
	IPv6Term  int `json:"ipv6_term"`
	IPv6Query int `json:"ipv6_query"`
	Sender    int `json:"sender"` // more, for senders that exists, ptr or a macro do not know
}

// SPFWorst is what the client of one address family meets that no term matches.
type SPFWorst struct {
	Result      SPFResult `json:"result"`
	Problem     string    `json:"problem,omitempty"` // Err in words
	Err         error     `json:"-"`                 // why Result is none, temperror or permerror: the first error on the way
	Lookups     int       `json:"lookups"`
	Voids       int       `json:"voids"`        // of two; RFC 7208 section 4.6.4 read as terms
	QueryVoids  int       `json:"query_voids"`  // read as questions: some receivers do
	SenderVoids int       `json:"sender_voids"` // more in both readings, for some senders
}

// ReceiversDiffer reports whether only one reading of the void limit passes.
func (w SPFWorst) ReceiversDiffer() bool {
	return (w.Voids > MaxVoidLookups) != (w.QueryVoids > MaxVoidLookups)
}

// SPFSender is a block of addresses with one result.
type SPFSender struct {
	Prefix netip.Prefix `json:"prefix"`
	Result SPFResult    `json:"result"`
}

// AddressCount counts addresses of both families.
type AddressCount struct {
	IPv4 uint64 `json:"ipv4"`
	IPv6 string `json:"ipv6"` // decimal: up to 2^128
}

// SPFSpot is a term in the record of a domain.
type SPFSpot struct {
	Domain string `json:"domain"`
	Term   string `json:"term"`  // as written
	Start  int    `json:"start"` // byte offsets in the record
	End    int    `json:"end"`
}

// SPFRange is the addresses that one term names.
type SPFRange struct {
	Prefix   netip.Prefix `json:"prefix"`
	Result   SPFResult    `json:"result"` // of the check, unless an earlier term has them
	Spot     SPFSpot      `json:"spot"`
	Within   netip.Prefix `json:"within,omitzero"`    // the next wider range, which holds all of this one
	WithinOf string       `json:"within_of,omitzero"` // the domain whose record names that

	record *SPFRecord
	term   *SPFTerm
}

// SPFSaving is what a term of the tree would save.
type SPFSaving struct {
	Spot    SPFSpot `json:"spot"`
	Target  string  `json:"target"`
	Remove  int     `json:"remove"`         // look-ups saved by removing the term
	Flatten int     `json:"flatten"`        // look-ups saved by writing its addresses instead
	Ranges  int     `json:"ranges"`         // ip4 and ip6 terms that takes
	Kept    string  `json:"kept,omitempty"` // why it cannot be flattened; then Flatten is 0
	Unused  bool    `json:"unused"`         // nobody needs it: removing all such terms changes no address's result

	record *SPFRecord
	term   *SPFTerm
}

// AuditSPF reads a domain's SPF record and every record it leads to, without
// asking for one client: an early match hides what the rest costs. It counts
// past the limit and past errors. It never fails: what DNS did not answer is a
// finding. When ctx ends or a limit is reached, the audit says Truncated, and Err
// why.
func AuditSPF(ctx context.Context, r Resolver, domain string, o SPFAuditOptions) *SPFAudit {
	ctx, r = usable(ctx, r)
	o = o.withDefaults()
	if o.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.Timeout)
		defer cancel()
	}
	domain = canonical(strings.TrimSpace(domain))
	if o.Sender.IP.IsValid() && o.Sender.MailFrom == "" {
		o.Sender.MailFrom = "postmaster@" + domain
	}
	w := newSPFWalk(ctx, r, domain, o)
	a := w.audit
	a.Record = w.record(domain, 0)
	a.count()
	a.listSenders()
	a.listRanges()
	a.listSavings()
	a.findActual()
	a.Truncated = a.Truncated || w.dns.full || a.Err != nil
	a.findings(w)
	if o.Flatten {
		a.Flattened = flatten(a)
	}
	if o.Sender.IP.IsValid() {
		o.Sender.Trace = true
		a.Sender = CheckSPF(ctx, w.dns, o.Sender)
	}
	a.Queries = len(w.dns.answers)
	list(&a.Senders)
	list(&a.Unlisted)
	list(&a.Ranges)
	list(&a.Savings)
	list(&a.Findings)
	return a
}

// list makes a nil slice an empty one, so that JSON has [] for it.
func list[T any](s *[]T) {
	if *s == nil {
		*s = []T{}
	}
}

// walk calls visit for every term of the tree in the order of evaluation, with the
// terms that lead to its record.
func (a *SPFAudit) walk(visit func(r *SPFRecord, t *SPFTerm, path []*SPFTerm)) {
	var down func(r *SPFRecord, path []*SPFTerm)
	down = func(r *SPFRecord, path []*SPFTerm) {
		for i := range r.Terms {
			t := &r.Terms[i]
			visit(r, t, path)
			if t.Record != nil {
				down(t.Record, append(slices.Clip(path), t))
			}
		}
	}
	down(a.Record, nil)
}

func (r *SPFRecord) spot(t *SPFTerm) SPFSpot { return SPFSpot{r.Domain, t.Text, t.Start, t.End} }

func (r *SPFRecord) position(t *SPFTerm) Position {
	p := Position{Name: r.Domain, Type: TypeTXT, Record: r.Text}
	if t != nil {
		p.Start, p.End = t.Start, t.End
	}
	return p
}
