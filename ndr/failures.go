package ndr

import (
	"strings"
	"time"

	"github.com/mailfault/mailfault/smtpcode"
)

// layoutFailures returns the evidence about each recipient as the layout alone
// gives it.
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
		} else if len(n.Recipients) == 1 {
			f.Status = n.StatusCode.Status
		}
		out = append(out, f)
	}
	return out
}

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

// Failures returns the evidence about each recipient for smtpcode.Diagnose.
func (n *Notice) Failures() []smtpcode.Failure { return n.layoutFailures() }

// returnedSize is the size of the returned message's attachments in bytes, 0
// when it did not come back whole.
func (n *Notice) returnedSize() int64 { return 0 }

// retryUntil is when the server stops trying, where the report gives it.
func (n *Notice) retryUntil() time.Time { return time.Time{} }
