package main

import (
	"strings"
	"testing"

	"github.com/mailfault/mailfault/examples/internal/explained"
	"github.com/mailfault/mailfault/smtpcode"
)

// The customer is told what he can do, or whom to ask, and nothing that is ours
// to do; the agent is told no retries where none come.
func TestTextsFitWhoReadsThem(t *testing.T) {
	for _, test := range []struct {
		name, reply string
		customer    string // in the customer's text
		no          string // not in it
		agent       string // in the agent's text
	}{
		{"full: he clears it himself", "552 5.2.2 <anna@customer.example>: mailbox full", "What helps on your side: Delete", "pass on", "First (sender): Call the recipient"},
		{"down: his administrator clears it", "421 4.3.2 Service not available", "pass on to whoever runs your mail: Check", "What helps on your side", "given up"},
		{"a filter clears it", "554 5.7.1 Message rejected as spam by content filter", "whoever runs your mail filter", "look like spam", "look like spam"},
		{"unknown: he knows his address", "550 5.1.1 <anna@customer.example>: User unknown", "tell us whether the address is right", "nothing you need to do", "Check the spelling"},
		{"SPF is ours", "550 5.7.23 SPF validation failed", "nothing you need to do", "SPF", "SPF record"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := smtpcode.Failure{Action: smtpcode.Failed, Recipient: "anna@customer.example", Replies: smtpcode.ParseReplies(test.reply)}
			r := explained.Recipient{FinalRecipient: f.Recipient, Failure: f, Diagnosis: smtpcode.Diagnose(f)}
			r.Reply = f.Replies[0]
			customer, agent := customerText(&r), agentText(&r, nil)
			if !strings.Contains(customer, test.customer) || strings.Contains(customer, test.no) {
				t.Errorf("the customer is told %q, want %q and no %q", customer, test.customer, test.no)
			}
			if !strings.Contains(agent, test.agent) || !strings.Contains(agent, test.reply) {
				t.Errorf("the agent is told %q, want %q and the reply", agent, test.agent)
			}
		})
	}
}
