// Package messagetrace reads exports of Microsoft's message trace: what the
// Exchange admin center offers for download and what the cmdlets print. When
// the sender deleted the bounce, the trace answers the same question.
//
// [Read] takes any of them: the Summary table, Enhanced summary and Extended
// CSV, historical-search detail files, Get-MessageTrace, Get-MessageTraceV2
// and Get-MessageTraceDetail as CSV or JSON; UTF-8 or UTF-16, with or without
// a byte order mark; comma, semicolon or tab. It streams: a file of any size
// takes the memory of one record.
//
//	for row, err := range messagetrace.Read(export) {
//		if err != nil {
//			return err
//		}
//		for _, failure := range row.Failures() {
//			fmt.Println(failure.Recipient, smtpcode.Diagnose(failure).Summary)
//		}
//	}
//
// A failed [Row] becomes evidence with [Row.Failures], and joins to a report
// with [Key.Match] where there still is one. [Advise] says which trace to
// ask for.
//
// Columns are known by the names that Microsoft documents and by those that its
// files really have, which differ. One that is not known is kept in Row.Extra.
package messagetrace
