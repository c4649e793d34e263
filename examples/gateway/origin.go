package main

import (
	"context"

	"github.com/mailfault/mailfault/dsn"
)

// origin says whether we sent what a report is about: by our signature in the
// address it came to, else by what the report returns of the message.
func (g *gateway) origin(ctx context.Context, m *mail, report *dsn.Report) dsn.Origin {
	switch {
	case m.Signed:
		return byAddress(dsn.Ours, "it came to a return path that was signed here")
	case m.Unsigned:
		return byAddress(dsn.NotOurs, "it came to none of the signed return paths that all our mail has")
	case report == nil:
		return dsn.Origin{}
	}
	proof := dsn.Proof{Domains: g.OwnDomains}
	if g.Resolver != nil {
		proof.LookupTXT = g.lookupTXT
	}
	if g.Sent != nil {
		proof.Sent = func(_ context.Context, sent dsn.SentMessage) (dsn.Verdict, error) {
			return g.Sent.lookup(sent.MessageID, sent.Date), nil
		}
	}
	o, err := report.Backscatter(ctx, proof)
	if err != nil {
		g.Log.Warn("origin", "err", err)
	}
	if o.Verdict == dsn.NotOurs && m.Trusted {
		o.Verdict, o.Reason = dsn.CannotTell, "our own server reports it; it may have been refused before its header came"
	}
	return o
}

func byAddress(v dsn.Verdict, reason string) dsn.Origin {
	return dsn.Origin{Verdict: v, Reason: reason, Grounds: []dsn.OriginGround{{Check: dsn.CheckReturnPath, Verdict: v, Reason: reason}}}
}
