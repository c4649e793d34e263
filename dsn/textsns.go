package dsn

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/mailfault/mailfault/smtpcode"
)

// snsEvent is what Amazon SES publishes about a message (Amazon SES developer
// guide, "Amazon SNS notification contents" and "Contents of event data").
type snsEvent struct {
	NotificationType string
	EventType        string
	Bounce           struct {
		BounceType        string
		BouncedRecipients []struct{ EmailAddress, Action, Status, DiagnosticCode string }
		Timestamp         string
		ReportingMTA      string
		RemoteMtaIP       string
	}
	Complaint struct {
		ComplainedRecipients             []struct{ EmailAddress string }
		ComplaintFeedbackType, UserAgent string
	}
	DeliveryDelay struct {
		DelayedRecipients                       []struct{ EmailAddress, Status, DiagnosticCode string }
		Timestamp, ExpirationTime, ReportingMTA string
	}
	Reject  struct{ Reason string }
	Failure struct{ ErrorMessage string } // of rendering a template
	Mail    struct{ Destination []string }

	Delivery struct {
		Recipients   []string
		SmtpResponse string
		ReportingMTA string
		Timestamp    string
	}
}

// notification reads an event that Amazon SNS mailed, bare or in its envelope.
func (b *builder) notification(text string) bool {
	event, ok := readSNS(text)
	if !ok {
		return false
	}
	r := b.report
	for _, rcpt := range event.recipients() {
		if rcpt.FinalRecipient.Address != "" && !b.add(rcpt) {
			break
		}
	}
	if len(r.Recipients) == 0 {
		return false
	}
	r.Kind, r.Format, r.TextFormat = DeliveryStatus, Prose, "amazon-sns"
	r.ReportingMTA = parseMTA(cmp.Or(event.Bounce.ReportingMTA, event.Delivery.ReportingMTA, event.DeliveryDelay.ReportingMTA))
	if event.kind() == "Complaint" {
		c := event.Complaint
		r.Kind, r.Feedback = FeedbackReport, &Feedback{TypeRaw: c.ComplaintFeedbackType, Type: parseFeedbackType(c.ComplaintFeedbackType), UserAgent: c.UserAgent}
		for _, rcpt := range r.Recipients {
			r.Feedback.OriginalRcptTo = append(r.Feedback.OriginalRcptTo, rcpt.FinalRecipient)
		}
	}
	return true
}

// readSNS reads the event at the start of a text.
func readSNS(text string) (event snsEvent, ok bool) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") || !strings.Contains(text, "otificationType") && !strings.Contains(text, "ventType") {
		return event, false
	}
	// Line breaks within strings were put in on the way.
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\n ", ""), "\n", " ")
	var envelope struct{ Message string }
	if strings.Contains(text, `"Message"`) && json.Unmarshal(firstJSON(text), &envelope) == nil && envelope.Message != "" {
		text = envelope.Message
	}
	return event, json.NewDecoder(strings.NewReader(text)).Decode(&event) == nil
}

func (e *snsEvent) kind() string { return strings.TrimSpace(e.NotificationType + e.EventType) }

// recipients are those the event is about; none of an event that is no report.
func (e *snsEvent) recipients() (list []Recipient) {
	switch e.kind() {
	case "Bounce":
		for _, to := range e.Bounce.BouncedRecipients {
			rcpt := Recipient{FinalRecipient: parseAddress(to.EmailAddress), ActionRaw: to.Action, Action: cmp.Or(parseAction(to.Action), smtpcode.Failed),
				StatusRaw: to.Status, Diagnostic: parseDiagnostic(to.DiagnosticCode), LastAttemptDate: snsDate(e.Bounce.Timestamp)}
			rcpt.Status, _, _ = smtpcode.CutStatus(to.Status)
			list = append(list, rcpt)
		}
	case "DeliveryDelay":
		d := &e.DeliveryDelay
		for _, to := range d.DelayedRecipients {
			rcpt := Recipient{FinalRecipient: parseAddress(to.EmailAddress), Action: smtpcode.Delayed, StatusRaw: to.Status,
				Diagnostic: parseDiagnostic(to.DiagnosticCode), LastAttemptDate: snsDate(d.Timestamp), WillRetryUntil: snsDate(d.ExpirationTime)}
			rcpt.Status, _, _ = smtpcode.CutStatus(to.Status)
			list = append(list, rcpt)
		}
	case "Reject", "Rendering Failure": // before there was a delivery: of all
		said := cmp.Or(e.Reject.Reason, e.Failure.ErrorMessage)
		for _, to := range e.Mail.Destination {
			list = append(list, Recipient{FinalRecipient: parseAddress(to), Action: smtpcode.Failed, Diagnostic: Diagnostic{Text: said, Raw: said}})
		}
	case "Delivery":
		said := e.Delivery.SmtpResponse
		rcpt := Recipient{Action: smtpcode.Delivered, Diagnostic: Diagnostic{Type: "smtp", Text: said, Raw: said}, LastAttemptDate: snsDate(e.Delivery.Timestamp)}
		if reply := smtpcode.ParseReply(said); reply.Code == 250 {
			rcpt.Status, rcpt.StatusRaw = reply.Status, reply.Status.String()
		}
		for _, to := range e.Delivery.Recipients {
			rcpt.FinalRecipient = parseAddress(to)
			list = append(list, rcpt)
		}
	case "Complaint":
		for _, to := range e.Complaint.ComplainedRecipients {
			list = append(list, Recipient{FinalRecipient: parseAddress(to.EmailAddress)})
		}
	}
	return list
}

// firstJSON returns the JSON value at the start of a text.
func firstJSON(text string) []byte {
	var raw json.RawMessage
	if json.NewDecoder(strings.NewReader(text)).Decode(&raw) != nil {
		return nil
	}
	return raw
}

func snsDate(raw string) Date {
	return Date{Raw: raw, Time: parseTime3339(raw)}
}
