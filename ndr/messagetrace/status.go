package messagetrace

import (
	"strings"

	"github.com/mailfault/mailfault/internal/enum"
)

// Status is what the service says became of a message for one recipient.
// As text: unknown, delivered, failed, pending, expanded, quarantined,
// filtered-as-spam, getting-status, none.
type Status uint8

const (
	StatusUnknown  Status = iota // not given, or "Unknown" in the classic admin center
	Delivered                    // handed to the mailbox or to the next server: look there
	Failed                       // not delivered and given up: read the reply
	Pending                      // still being tried or redirected: wait, there is no bounce yet
	Expanded                     // sent on to the members of a group: trace those
	Quarantined                  // held: an administrator can release it
	FilteredAsSpam               // delivered to the junk folder: not a bounce
	GettingStatus                // too new to say: ask again in minutes
	None                         // no status: rejected or redirected by another service
)

var statusNames = enum.Names{"unknown", "delivered", "failed", "pending", "expanded", "quarantined", "filtered-as-spam", "getting-status", "none"}

// String returns the status in kebab-case.
func (s Status) String() string { return statusNames.String("Status", uint8(s)) }

// MarshalText returns the status in kebab-case.
func (s Status) MarshalText() ([]byte, error) { return statusNames.MarshalText("Status", uint8(s)) }

// UnmarshalText reads what MarshalText writes; another name is an error.
func (s *Status) UnmarshalText(text []byte) error {
	v, err := statusNames.Parse("Status", text)
	*s = Status(v)
	return err
}

// statusWords are the words of status columns and of events, in lower case.
var statusWords = []struct {
	word   string
	status Status
	source string
}{
	{"delivered", Delivered, "docs: message-trace-modern-eac, Status"},
	{"expanded", Expanded, "docs: message-trace-modern-eac, Status"},
	{"failed", Failed, "docs: message-trace-modern-eac, Status"},
	{"pending", Pending, "docs: message-trace-modern-eac, Status"},
	{"quarantined", Quarantined, "docs: message-trace-modern-eac, Status"},
	{"filtered as spam", FilteredAsSpam, "docs: message-trace-modern-eac, Status"},
	{"filteredasspam", FilteredAsSpam, "docs: Get-MessageTrace, parameter Status"},
	{"getting status", GettingStatus, "docs: message-trace-modern-eac, Status"},
	{"gettingstatus", GettingStatus, "docs: Get-MessageTrace, parameter Status"},
	{"none", None, "docs: Get-MessageTrace, parameter Status; V2 omits it"},
	{"unknown", StatusUnknown, "docs: message trace in the classic admin center"},

	{"deliver", Delivered, "docs: message tracking, event_id"},
	{"send", Delivered, "docs: message tracking, event_id; addr##Receive, Send"},
	{"fail", Failed, "docs: message tracking, event_id"},
	{"defer", Pending, "docs: message tracking, event_id"},
	{"expand", Expanded, "docs: message tracking, event_id"},
	{"quarantine", Quarantined, "docs: Get-MessageTraceDetail, event"},
	{"spam", FilteredAsSpam, "docs: Get-MessageTraceDetail, event"},
}

// ParseStatus reads a status or an event in any case; StatusUnknown for
// another word.
func ParseStatus(s string) Status {
	s = strings.TrimSpace(s)
	for _, w := range statusWords {
		if strings.EqualFold(s, w.word) {
			return w.status
		}
	}
	return StatusUnknown
}
