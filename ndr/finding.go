package ndr

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
	findingCut            = findingKind{"ndr-text-cut", dsn.Warning}              // a limit ended the reading early
	findingTooMany        = findingKind{"ndr-too-many", dsn.Warning}              // more of something than the limit keeps
	findingNoReply        = findingKind{"ndr-no-reply", dsn.Info}                 // the layout gives no reply for a recipient
	findingStructure      = findingKind{"ndr-heading-unknown", dsn.Info}          // read by structure: no heading was known
	findingHopColumns     = findingKind{"ndr-hop-columns", dsn.Info}              // text does not show which host column is empty
	findingDateOpen       = findingKind{"ndr-date-order-open", dsn.Warning}       // day and month may be either way round
	findingDateLanguage   = findingKind{"ndr-date-order-by-language", dsn.Info}   // decided by the report's language alone
	findingStatusConflict = findingKind{"ndr-status-conflict", dsn.Warning}       // layout and delivery-status give different statuses
	findingReplyConflict  = findingKind{"ndr-reply-conflict", dsn.Warning}        // ... different replies
	findingHostConflict   = findingKind{"ndr-host-conflict", dsn.Info}            // ... different hosts
	findingOnlyInLayout   = findingKind{"ndr-recipient-only-in-text", dsn.Info}   // delivery-status does not have the recipient
	findingOnlyInStatus   = findingKind{"ndr-recipient-only-in-status", dsn.Info} // the text does not have the recipient
	findingUnread         = findingKind{"ndr-layout-unread", dsn.Warning}         // Microsoft's by its header, but in no known layout
	findingMarked         = findingKind{"ndr-marked-party-unclear", dsn.Info}     // the diagram marks no party, or several
)

// finding adds one to the notice. Positions are those of the part as a whole:
// re-rendering moves lines, so their numbers would mislead.
func (r *reading) finding(k findingKind, format string, args ...any) {
	r.n.addFinding(k, format, args...)
}

// maxFindings bounds what a hostile report can make a notice hold.
const maxFindings = 200

func (n *Notice) addFinding(k findingKind, format string, args ...any) {
	if len(n.Findings) >= maxFindings {
		return
	}
	n.Findings = append(n.Findings, dsn.Finding{ID: k.id, Severity: k.severity, Message: fmt.Sprintf(format, args...)})
}
