// Package smtpcode says what a mail refusal means, who can clear it and what
// they do first.
//
// A [Failure] is the evidence about one recipient, out of a report, a log or an
// SMTP dialogue; every field is optional. [Diagnose] turns it into a
// [Diagnosis]: the condition, the owners in the order they should act, a first
// step, whether to send again and whether to keep the address. The diagnosis
// names its evidence, what was overruled, and which meanings stay open. Where the
// evidence is silent the condition is unknown.
//
//	d := smtpcode.Diagnose(smtpcode.Failure{
//		Replies:      smtpcode.ParseReplies("550 5.2.2 Submission quota exceeded"),
//		RemoteServer: "AM0PR02MB0001.eurprd02.prod.outlook.com",
//	})
//
//	switch d.Resend.Advice {
//	case smtpcode.Later: // again, unchanged, after d.Resend.Wait
//	case smtpcode.AfterFix, smtpcode.NeverUnchanged: // bounce; d.Steps say what to do first
//	default: // smtpcode.ResendUnknown: a reply without a class, or none: as a lost connection
//	}
//	switch d.Address {
//	case smtpcode.Suspend, smtpcode.Remove: // stop mailing the address
//	}
//
// Three questions are kept apart. [Permanence] is about this message: a delivery
// that failed on a temporary status has expired, it did not bounce softly.
// [Resend] is about another attempt: after class 5 something has to change first,
// save for quotas and limits, which time alone clears; and of a [Delayed] message
// the server that has it makes the attempts. [AddressAdvice] is about the address:
// a throttle or a broken SPF record is no fault of the recipient's.
//
// Failure.OwnDomains tells your side from theirs: the same refusal is your
// administrators' to lift where your own server made it, and the recipient's where
// theirs did.
//
// # Codes and words
//
// The same code means different things: 5.2.2 is the recipient's full mailbox and
// the sender's used-up quota, and operators reuse registered codes for meanings
// of their own. So words decide before codes, and an operator's meaning of a code
// counts only where the operator's server spoke. [Status] holds a code, with what
// the registry says of it; [ParseReplies] takes replies out of everything that
// reports wrap around them.
//
// Rules and conditions are tables; a [Rulebook] adds your own, and lists the
// conditions there are. [Correlate] says what many failures show together.
//
// # Standards
//
// RFC 3463 and 5248 (enhanced status codes and their registry), RFC 2034 and 5321
// (where they stand in replies), RFC 3464 (actions), RFC 7372 and 7505 (codes of
// authentication and null MX). The meanings Microsoft gives its codes are from its
// public documentation; each rule names its page.
package smtpcode
