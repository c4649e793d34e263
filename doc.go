// Package mailfault explains why a mail was not delivered and who can fix it.
//
// It holds no code of its own. The work is done by five packages, each usable
// alone:
//
//   - [github.com/mailfault/mailfault/smtpcode] says what a refusal means, who
//     can clear it and what they do first.
//   - [github.com/mailfault/mailfault/dsn] reads any report about mail into
//     facts: who failed, who refused, what was said. It writes reports too.
//   - [github.com/mailfault/mailfault/ndr] reads Microsoft's non-delivery
//     reports in all their layouts, and below it messagetrace the exports of
//     Microsoft's message trace.
//   - [github.com/mailfault/mailfault/dnscheck] evaluates and audits SPF, reads
//     DKIM, DMARC, MX, MTA-STS, TLS-RPT and BIMI, and says whether a refusal
//     still holds, with every look-up accounted for.
//   - [github.com/mailfault/mailfault/dmarcreport] reads DMARC aggregate,
//     failure and TLS reports, and below it history keeps every source in mind.
//
// The usual way is three calls:
//
//	report, err := dsn.Read(mail)
//	for _, failure := range ndr.Failures(report) { // report.Failures does without Microsoft's words to people
//		d := smtpcode.Diagnose(failure)
//		fmt.Println(failure.Recipient, d.Condition, d.Owners, d.Steps[0].Text)
//	}
//
// Imports point one way: ndr uses dsn, dsn uses smtpcode; dnscheck and
// dmarcreport stand by themselves. Values move the other way: bytes become
// facts, facts become a [github.com/mailfault/mailfault/smtpcode.Failure], and
// [github.com/mailfault/mailfault/smtpcode.Diagnose] turns a failure into a
// judgement that names its evidence.
package mailfault
