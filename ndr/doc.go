// Package ndr reads Microsoft's non-delivery reports: what their text and HTML
// tell people beyond the machine-read fields that package dsn reads.
//
//	report, err := dsn.Read(mail)
//	...
//	notice, err := ndr.Parse(report) // ErrNotMicrosoft: report.Failures says all there is
//	...
//	for _, failure := range notice.Failures() { // of both, joined by address
//		fmt.Println(smtpcode.Diagnose(failure).Summary)
//	}
//
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
// Four layouts are known ([Layout]). Headings are looked up in a table of ten
// languages; SMTP replies stay English in all of them, so where no heading is
// known the parts are found by structure: replies, hosts, addresses, coloured
// cells.
//
// The work around a report is here too: [Notice.SendAgain], [Notice.Retry],
// [Notice.Path], [Notice.Sentence], [Notice.Addressee], [Notice.SPFCheck].
// Package messagetrace below reads message trace exports.
package ndr
