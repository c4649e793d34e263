// Package dmarcreport reads the reports that receivers send about mail bearing
// a domain: DMARC aggregate reports (RFC 7489, RFC 9990), and beside them
// failure reports (RFC 6591, RFC 9991) and SMTP TLS reports (RFC 8460).
//
//	report, err := dmarcreport.Read(file)
//	if err != nil {
//		return err
//	}
//	var sources dmarcreport.Sources // of any number of reports
//	sources.AddReport(report)
//	for _, s := range sources.List() {
//		fmt.Println(s.Domain, s.Key, s.Class, s.Neither, "of", s.Messages, "fail")
//	}
//
// # Reading
//
// [Read] takes whatever arrived: XML, gzip, zip, one in the other, or the
// whole mail. It finds out by content, not by names. [Reader.Open] streams the
// records of large reports; [Reader.Documents] yields every report of an input
// that holds several.
//
// Reporters break the standards in many ways. What can be read is read, and
// each repair is a [Finding] with its place, the rule that was broken, the text
// before and after. [Reader].Strict makes the first repair an error. Three
// things are never mixed up: what is absent, what is there and not understood,
// and what is zero. Doubt never becomes a pass.
//
// What is no report at all is an error that says which: [ErrNotReport],
// [ErrPlaceholder], [ErrUnsupported], [ErrCorrupt], or a [*LimitError]. The
// limits have safe defaults: reports come from strangers.
//
// # Judging
//
// A record holds what the reporter says ([Record].Evaluated) and what it rests
// on (the DKIM and SPF results, the identifiers). [Evaluate] derives alignment
// anew from the latter and names contradictions. Neither replaces the other.
//
// [Sources] gathers the records of any number of reports by sender, counts
// what passes, and says what each sender most likely is: the domain's own, a
// forwarder, a mailing list, or nobody the domain knows. The package history
// below remembers sources over time.
//
// # Writing
//
// [Report.WriteXML] and [Report.WriteGzip] write reports, for gateways that send them;
// [Report.FileName] and [Report.Subject] give the standard's names.
//
// The package does no I/O but reading what it is given, and knows no clock.
package dmarcreport
