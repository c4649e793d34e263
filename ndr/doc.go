// Package ndr reads Microsoft's non-delivery reports: what their text and HTML
// tell people beyond the machine-read fields that package dsn reads.
//
//	report, err := dsn.Read(mail)
//	...
//	for _, failure := range ndr.Failures(report) { // of both, joined by address
//		fmt.Println(smtpcode.Diagnose(failure).Summary)
//	}
//
// [Failures] takes every report, Microsoft's or not; [Parse] gives all that one of
// Microsoft's says, and [ErrNotMicrosoft] of others.
// [ParseHTML] and [ParseText] read the readable side of a report, also one
// that was pasted into a ticket. The result is a [Notice]: the layout and the
// product, the reason sentence and the replies of each recipient, the servers
// that wrote and refused, the party the report marks to act, the message hops
// and what the quoted header of the original message says.
//
// A notice keeps what the report states apart from what the evidence says:
// [Notice.StatedOwner] is the party the report marks, [Notice.Failures] hands
// the evidence to smtpcode.Diagnose, which judges by itself.
//
// Four layouts are known ([Layout]). Headings are looked up in a table of nine
// languages, subjects in one of seventeen; SMTP replies stay English in all of
// them, so where no heading is known the parts are found by structure: replies,
// hosts, addresses, coloured cells.
//
// The work around a report is here too: [Notice.SendAgain], [Notice.Retry],
// [Notice.Path], [Notice.Sentence], [Notice.Addressee], [Notice.SPFCheck].
// Package messagetrace below reads message trace exports.
package ndr
