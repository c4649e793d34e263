// Package dsn reads reports about mail: what a mail system says about a
// message it could not deliver, delivered late, or handed on.
//
//	report, err := dsn.Read(r)
//	if err != nil {
//		return err // ErrNotReport: an ordinary mail
//	}
//	for _, failure := range report.Failures() {
//		fmt.Println(smtpcode.Diagnose(failure).Summary)
//	}
//
// Every kind of report comes through the one door, as [Report.Kind]: delivery
// status, a recipient's notification of what he did ([Report.Disposition]), his
// complaint ([Report.Feedback]), an automatic answer, a filter's challenge. What
// must be decided before the body is there, [Classify] takes from the header.
//
// Around a report: [Report.OriginalAddresses] says whom the mail was written to,
// [Report.Thread] which mail it was, [Report.Backscatter] whether it was ours, and
// [Report.WriteTo] writes a report.
//
// A report's fields stand as it declares them, verbatim, with what was
// understood beside them: [Recipient.ActionRaw] and [Recipient.Action]. A report
// that breaks the rules is read all the same and each repair is a [Finding]; a
// caller who wants strictness rejects on findings. Errors are for input that is no
// report, for exceeded limits and for I/O.
//
// Standards: RFC 3464 (delivery status notifications), RFC 3461 (their fields in
// SMTP), RFC 6522 (multipart/report), RFC 6533 (internationalized reports), RFC
// 8098 (disposition notifications), RFC 5965, 6591 and 6692 (feedback reports).
package dsn
