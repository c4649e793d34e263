// Package mailfault explains why a mail was not delivered and who can fix it.
//
// It holds no code of its own. The work is done by five packages, each usable
// alone:
//
//   - [github.com/mailfault/mailfault/smtpcode] says what a refusal means, who
//     can clear it and what they do first.
//   - [github.com/mailfault/mailfault/dsn] reads any report about mail into
//     facts: who failed, who refused, what was said.
//   - [github.com/mailfault/mailfault/ndr] reads Microsoft's non-delivery
//     reports in all their layouts.
//   - [github.com/mailfault/mailfault/dnscheck] evaluates and audits SPF, and
//     reads DKIM and DMARC, with every look-up accounted for.
//   - [github.com/mailfault/mailfault/dmarcreport] reads DMARC aggregate
//     reports and keeps the history of every source.
//
// Imports point one way: ndr uses dsn, dsn uses smtpcode; dnscheck and
// dmarcreport stand by themselves. Values move the other way: bytes become
// facts, facts become a [github.com/mailfault/mailfault/smtpcode.Failure], and
// [github.com/mailfault/mailfault/smtpcode.Diagnose] turns a failure into a
// judgement that names its evidence.
package mailfault
