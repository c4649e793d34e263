package ndr

import (
	"slices"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/smtpcode"
)

// Failures returns the evidence about each recipient for smtpcode.Diagnose.
// Recipients of the report's delivery-status part come first, in its order:
// it wins for action, status and the outermost reply. The layout adds the
// reason sentence, hosts, inner replies and dated attempts. Where the two
// disagree, Findings says so.
func (n *Notice) Failures() []smtpcode.Failure {
	if n.failures == nil {
		return n.layoutFailures()
	}
	return slices.Clone(n.failures)
}

// layoutFailures returns the evidence as the layout alone gives it.
func (n *Notice) layoutFailures() []smtpcode.Failure {
	out := make([]smtpcode.Failure, 0, len(n.Recipients))
	for i := range n.Recipients {
		rc := &n.Recipients[i]
		f := smtpcode.Failure{
			Recipient:         rc.Address,
			OriginalRecipient: rc.OriginalAddress,
			Action:            smtpcode.Failed,
			Replies:           rc.Replies,
			Reason:            rc.Reason,
			GeneratingServer:  n.Servers.Generating,
			RemoteServer:      rc.RemoteServer,
			EnvelopeFrom:      n.Original.ReturnPath,
			AuthorDomain:      domainOf(n.Original.From),
			Date:              rc.lastAttempt(),
		}
		if n.Delayed {
			f.Action = smtpcode.Delayed
		}
		if f.RemoteServer == "" && len(n.Recipients) == 1 {
			f.RemoteServer = n.Servers.Remote
		}
		if strings.EqualFold(f.OriginalRecipient, f.Recipient) {
			f.OriginalRecipient = ""
		}
		if len(rc.Replies) > 0 {
			f.Status = rc.Replies[0].Status
			if f.Status.IsZero() {
				f.Status = rc.Status
			}
		} else if len(n.Recipients) == 1 {
			f.Status = n.StatusCode.Status
		}
		out = append(out, f)
	}
	return out
}

// lastAttempt is the latest time of an attempt; zero where none is known.
func (rc *Recipient) lastAttempt() time.Time {
	var last time.Time
	for _, a := range rc.Attempts {
		if a.At.After(last) {
			last = a.At
		}
	}
	return last
}

func domainOf(addr string) string {
	if at := strings.LastIndexByte(addr, '@'); at >= 0 {
		return strings.ToLower(addr[at+1:])
	}
	return ""
}

// merge joins the declared recipients with the layout's. Of one that told says
// has the text's replies the layout's count, which knows how they are written.
func (n *Notice) merge(declared []smtpcode.Failure, told []bool) []smtpcode.Failure {
	layout := n.layoutFailures()
	if len(declared) == 0 {
		return layout
	}
	used := make([]bool, len(layout))
	index := map[string]int{}
	for i, f := range layout {
		index[strings.ToLower(f.Recipient)] = i
	}
	out := make([]smtpcode.Failure, 0, len(declared))
	for i, f := range declared {
		k, ok := index[strings.ToLower(f.Recipient)]
		if !ok && f.OriginalRecipient != "" {
			k, ok = index[strings.ToLower(f.OriginalRecipient)]
		}
		if !ok && len(declared) == 1 && len(layout) == 1 {
			k, ok = 0, true // a redirected address, or none in the text
		}
		if !ok || used[k] {
			if n.Layout != LayoutUnknown {
				n.addFinding(findingOnlyInStatus, "the text does not name %q", f.Recipient)
			}
			out = append(out, n.withMessage(f))
			continue
		}
		used[k] = true
		if i < len(told) && told[i] && len(layout[k].Replies) > 0 {
			f.Replies, f.Reason = nil, ""
		}
		out = append(out, n.mergeOne(f, layout[k]))
	}
	for i, f := range layout {
		if !used[i] {
			n.addFinding(findingOnlyInLayout, "the delivery-status part does not have %q", f.Recipient)
			out = append(out, f)
		}
	}
	return out
}

// withMessage adds what the quoted header says of the message to a declared
// recipient.
func (n *Notice) withMessage(f smtpcode.Failure) smtpcode.Failure {
	fill(&f.GeneratingServer, n.Servers.Generating)
	fill(&f.EnvelopeFrom, n.Original.ReturnPath)
	fill(&f.AuthorDomain, domainOf(n.Original.From))
	return f
}

func (n *Notice) mergeOne(f, layout smtpcode.Failure) smtpcode.Failure {
	n.compare(f, layout)
	f = n.withMessage(f)
	fill(&f.Reason, layout.Reason)
	fill(&f.RemoteServer, layout.RemoteServer)
	fill(&f.OriginalRecipient, layout.OriginalRecipient)
	if strings.EqualFold(f.OriginalRecipient, f.Recipient) {
		f.OriginalRecipient = ""
	}
	if f.Action == smtpcode.ActionUnknown {
		f.Action = layout.Action
	}
	if f.Status.IsZero() {
		f.Status = layout.Status
	}
	if f.Date.IsZero() {
		f.Date = layout.Date
	}
	f.Replies = mergeReplies(f.Replies, layout.Replies)
	return f
}

// mergeReplies puts the layout's replies behind the declared ones, without
// those that are there already.
func mergeReplies(declared, layout []smtpcode.Reply) []smtpcode.Reply {
	out := slices.Clone(declared)
	for _, r := range layout {
		if !slices.ContainsFunc(declared, func(d smtpcode.Reply) bool { return sameReply(d, r) }) {
			out = append(out, r)
		}
	}
	return out
}

// sameReply reports whether two spellings are one reply: same codes, and the
// words of one begin those of the other. Layouts add "(InfoNoRecords)" and the
// like, and re-rendering changes blanks.
func sameReply(a, b smtpcode.Reply) bool {
	if a.Code != b.Code || a.Status != b.Status {
		return false
	}
	x, y := plain(a.Text), plain(b.Text)
	return strings.HasPrefix(x, y) || strings.HasPrefix(y, x)
}

// plain brings a reply's words to lower case without any blanks.
func plain(s string) string {
	return strings.ToLower(strings.Join(strings.Fields(s), ""))
}

// compare notes where the declared fields and the layout disagree.
func (n *Notice) compare(f, layout smtpcode.Failure) {
	if !f.Status.IsZero() && !layout.Status.IsZero() && f.Status != layout.Status {
		n.addFinding(findingStatusConflict, "%s: declared %s, the text says %s", f.Recipient, f.Status, layout.Status)
	}
	if len(f.Replies) > 0 && len(layout.Replies) > 0 && !slices.ContainsFunc(layout.Replies, func(r smtpcode.Reply) bool { return sameReply(f.Replies[0], r) }) {
		n.addFinding(findingReplyConflict, "%s: the declared reply is not in the text", f.Recipient)
	}
	if differ(f.GeneratingServer, layout.GeneratingServer) && n.Layout != LayoutExchange2003 {
		n.addFinding(findingHostConflict, "%s: declared generating server %s, the text says %s", f.Recipient, f.GeneratingServer, layout.GeneratingServer)
	}
	if differ(f.RemoteServer, layout.RemoteServer) {
		n.addFinding(findingHostConflict, "%s: declared remote server %s, the text says %s", f.Recipient, f.RemoteServer, layout.RemoteServer)
	}
}

func differ(a, b string) bool { return a != "" && b != "" && !strings.EqualFold(a, b) }

// Failures returns the evidence about each recipient of any report: of one of
// Microsoft's what [Notice.Failures] joins, of another what it declares. It is for
// callers who want nothing else from a [Notice].
func Failures(report *dsn.Report) []smtpcode.Failure {
	if notice, err := Parse(report); err == nil {
		if failures := notice.Failures(); len(failures) > 0 {
			return failures
		}
	}
	if report == nil {
		return nil
	}
	return report.Failures()
}
