package ndr

import (
	"strings"

	"github.com/mailfault/mailfault/dsn"
)

// Parse reads what a report tells people in one of Microsoft's layouts, and
// joins it with the declared fields. It takes a report of any kind, also the
// one that dsn.Read returns beside dsn.ErrNotReport: Exchange 2003 wrote text
// alone. The error is [ErrNotMicrosoft] when it is in no layout of Microsoft's,
// or nil.
func Parse(report *dsn.Report) (*Notice, error) { return (&Reader{}).Parse(report) }

// Parse is the function of that name with the reader's limits.
func (rd *Reader) Parse(report *dsn.Report) (*Notice, error) {
	if report == nil {
		return nil, ErrNotMicrosoft
	}
	h := report.Header
	src := &source{
		text:     report.Explanation.Text,
		html:     report.Explanation.HTML,
		language: h.Get("Content-Language"),
		from:     bareAddress(h.Get("From")),
		subject:  h.Get("Subject"),
		isNDR:    h.Has("X-MS-Exchange-Message-Is-Ndr"),
		context:  h.Has("X-DSNContext"),
		received: h.All("Received"),
		date:     headerDate(h.Get("Date")),
		arrival:  report.ArrivalDate.Time,
	}
	if report.Format != dsn.Prose { // what was found in prose is no declaration
		src.declared = report.Failures()
	}
	for _, rcpt := range report.Recipients {
		src.told = append(src.told, rcpt.Diagnostic.Raw == "" && rcpt.Said.Raw != "")
		src.names = append(src.names, declaredName(rcpt.Extensions))
		if until := rcpt.WillRetryUntil.Time; until.After(src.retryUntil) {
			src.retryUntil = until
		}
	}
	if ret := report.Returned; ret != nil {
		for _, f := range ret.Header.Fields() {
			src.returned = append(src.returned, dsn.Field{Name: f.Name, Value: f.Value})
		}
		if ret.Extent == dsn.Whole {
			src.returnedSize = int64(len(ret.Raw))
		}
	}
	return rd.parse(src)
}

// declaredName is the field Microsoft adds to a group: the recipient as people
// see it.
func declaredName(extensions []dsn.Field) string {
	for _, e := range extensions {
		if strings.EqualFold(e.Name, "X-Display-Name") {
			return e.Value
		}
	}
	return ""
}
