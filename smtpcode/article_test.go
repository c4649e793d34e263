package smtpcode

import (
	"slices"
	"strings"
	"testing"
)

func caveats(d Diagnosis) string {
	var ids []string
	for _, c := range d.Caveats {
		ids = append(ids, c.ID)
	}
	return strings.Join(ids, " ")
}

// The sentences of the article that state a rule about codes and owners.
func TestArticleSentences(t *testing.T) {
	const dmarc = "550 5.7.509 Access denied, sending domain example.org does not pass DMARC verification and has a DMARC policy of reject."
	tests := []struct {
		sentence string
		holds    func() bool
	}{
		{"a copy sent to the same address with the same setup draws the same rejection", func() bool {
			d := Diagnose(online("550 5.1.10 RESOLVER.ADR.RecipientNotFound; gone"))
			return d.Permanence == Permanent && d.Resend.Advice == AfterFix
		}},
		{"the company that runs the generating server cannot fix a rejection of the remote server", func() bool {
			r := remote("mx.example.com", "550 5.7.1 refused").Refuser()
			return r.By == RemoteServer && r.Host == "mx.example.com" && r.Side == SideRecipient
		}},
		{"no remote server: one server did both, which is normal inside one company", func() bool {
			f := online("550 5.1.1 gone")
			f.GeneratingServer = "mail.example.org"
			r := f.Refuser()
			return r.By == SameServer && r.Side == SideSender
		}},
		{"the far server took the message and rejected it later, and wrote the report", func() bool {
			f := online("550 5.7.1 content refused")
			f.GeneratingServer = "mail.example.com"
			r := f.Refuser()
			return r.By == AfterAccepting && r.Side == SideRecipient
		}},
		{"the sender acts first on 5.1.10, and the same goes for 5.1.1", func() bool {
			a, b := Diagnose(online("550 5.1.10 RESOLVER.ADR.RecipientNotFound; x")), Diagnose(online("550 5.1.1 RESOLVER.ADR.RecipNotFound; x"))
			return a.Owners[0] == Sender && b.Owners[0] == Sender && a.Steps[0].Party == Sender
		}},
		{"when a retyped address bounces the same way, their admin has to fix the rest", func() bool {
			d := Diagnose(online("550 5.1.10 RESOLVER.ADR.RecipientNotFound; x"))
			return d.Owners[1] == RecipientAdmin && slices.Contains(d.Others, "hybrid-object-missing")
		}},
		{"their admin creates a remote mailbox with New-RemoteMailbox, sets its ExchangeGuid, then runs a directory sync", func() bool {
			said := func(f Failure) bool {
				return slices.ContainsFunc(Diagnose(f).Caveats, func(c Caveat) bool {
					return c.ID == "hybrid-object-missing" && strings.Contains(c.Text, "New-RemoteMailbox") && strings.Contains(c.Text, "ExchangeGuid") && strings.Contains(c.Text, "sync")
				})
			}
			return said(online("550 5.1.10 RESOLVER.ADR.RecipientNotFound; x")) &&
				!said(remote("mail.example.com", "550 5.1.10 <a@example.com>: refused")) && !said(online("550 5.1.1 RESOLVER.ADR.RecipNotFound; x"))
		}},
		{"5.7.0 through 5.7.999: whichever side set the rule has to fix it", func() bool {
			theirs, ours := remote("mx.example.com", "550 5.7.999 no"), remote("gw.example.org", "550 5.7.999 no")
			return slices.Equal(Diagnose(theirs).Owners, []Party{RecipientAdmin}) && slices.Equal(Diagnose(ours).Owners, []Party{SenderAdmin})
		}},
		{"5.7.134: only an email administrator there can change that", func() bool {
			return slices.Equal(Diagnose(online("550 5.7.134 RESOLVER.RST.SenderNotAuthenticatedForMailbox; x")).Owners, []Party{RecipientAdmin})
		}},
		{"5.7.133: the group owner can change that setting as well", func() bool {
			return slices.Equal(Diagnose(online("550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; x")).Owners, []Party{GroupOwner, RecipientAdmin})
		}},
		{"the accept-list sentence: delete the account rather than disable it; removing the license keeps delivery about 30 days unless a mail flow rule stops it", func() bool {
			d := Diagnose(online("550 5.7.129 RESOLVER.RST.RestrictedToRecipientsPermission; x"))
			text := d.Caveats[0].Text
			return strings.Contains(text, "deletes the on-premises account") && strings.Contains(text, "30 days") && strings.Contains(text, "mail flow rule")
		}},
		{"the copy you resend to a different address fails too", func() bool { return strings.Contains(caveats(Diagnose(online(dmarc))), "fix-in-dns") }},
		{"causes of a DMARC failure: the record, no DKIM signature, forwarding", func() bool { return strings.Contains(caveats(Diagnose(online(dmarc))), "dmarc-causes") }},
		{"the fix sits in DNS or in the sending platform, never in the message", func() bool {
			for _, reply := range []string{dmarc, "550 5.7.23 The message was rejected because of Sender Policy Framework violation"} {
				if d := Diagnose(online(reply)); d.Owners[0] != SenderDNS || !strings.Contains(caveats(d), "fix-in-dns") {
					return false
				}
			}
			return true
		}},
		{"check the domain in the From address of the rejected message, since DMARC checks that domain", func() bool {
			f := online(dmarc)
			f.EnvelopeFrom, f.AuthorDomain = "b@bounce.example", "example.org"
			return Diagnose(f).Checks[0] == Check{Kind: CheckDMARC, Domain: "example.org"}
		}},
		{"for which of your senders passed you need the aggregate reports", func() bool {
			return slices.ContainsFunc(Diagnose(online(dmarc)).Checks, func(c Check) bool { return c.Kind == CheckAggregateReports })
		}},
		{"550 5.7.515 is a bulk sender that misses Microsoft's requirements", func() bool {
			return Diagnose(online("550 5.7.515 Access denied, sending domain example.org does not meet the required authentication level.")).Owners[0] == SenderDNS
		}},
		{"read the words beside 5.2.2", func() bool {
			return Diagnose(online("554 5.2.2 mailbox full")).Owners[0] == Recipient && Diagnose(online("550 5.2.2 Submission quota exceeded")).Owners[0] == Sender
		}},
		{"a submission quota: wait one day; if nobody sent that much, reset the password first", func() bool {
			d := Diagnose(online("550 5.2.2 Submission quota exceeded"))
			return d.Resend == Resend{Later, day} && caveats(d) == "check-compromise" && strings.Contains(d.Steps[0].Text, "password first")
		}},
		{"a 4 marks a temporary problem, but this report ends the delivery anyway", func() bool {
			f := online("550 4.4.7 QUEUE.Expired; message expired")
			f.Status = Status{4, 4, 7}
			return Diagnose(f).Permanence == Expired
		}},
		{"the first question is whether every failure went to one domain", func() bool {
			d := Diagnose(online("#550 4.4.7 QUEUE.Expired; message expired ##"))
			return strings.HasPrefix(d.Steps[0].Text, "Check whether every failure went to one domain") && caveats(d) == "one-domain-or-several"
		}},
		{"theirs: offline server, anti-spam settings, MX record", func() bool {
			text := patternTexts[PatternOneDomain].Steps[2].Text
			return strings.Contains(text, "offline") && strings.Contains(text, "anti-spam") && strings.Contains(text, "MX")
		}},
		{"yours: SPF record, lapsed domain, hybrid connector, in that order", func() bool {
			steps := Correlate(expired("a@example.com", "b@example.net"))[0].Steps
			return strings.Contains(steps[0].Text, "SPF") && strings.Contains(steps[1].Text, "registrar") && strings.Contains(steps[2].Text, "Hybrid")
		}},
	}
	for _, test := range tests {
		t.Run(test.sentence, func(t *testing.T) {
			if !test.holds() {
				t.Error("does not hold")
			}
		})
	}
}
