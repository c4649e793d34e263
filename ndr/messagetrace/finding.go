package messagetrace

import (
	"fmt"

	"github.com/mailfault/mailfault/dsn"
)

// A findingKind is one entry of the table of findings.
type findingKind struct {
	id       string
	severity dsn.Severity
}

// The findings of this package. Their IDs are stable.
var (
	findingUnclosed = findingKind{"trace-quote-not-closed", dsn.Warning} // the record was taken to end with its line
	findingLong     = findingKind{"trace-record-cut", dsn.Warning}       // over MaxRecord
	findingNUL      = findingKind{"trace-nul-bytes", dsn.Warning}        // dropped
	findingCharset  = findingKind{"trace-charset", dsn.Info}             // not UTF-8: read as Windows-1252
	findingFields   = findingKind{"trace-field-count", dsn.Warning}      // more or fewer fields than the header
	findingTime     = findingKind{"trace-time", dsn.Warning}             // not a time
	findingTimeOpen = findingKind{"trace-time-order-open", dsn.Warning}  // day and month may be either way round
	findingStatus   = findingKind{"trace-status", dsn.Info}              // a status nobody documents
)

func (r *Row) found(k findingKind, format string, args ...any) {
	r.Findings = append(r.Findings, dsn.Finding{
		ID: k.id, Severity: k.severity, Where: dsn.Position{Line: r.Line}, Message: fmt.Sprintf(format, args...),
	})
}
