package dsn

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mailfault/mailfault/smtpcode"
)

// snsEvent is what Amazon SES publishes about a message (Amazon SES developer
// guide, "Amazon SNS notification contents").
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
		ComplainedRecipients []struct{ EmailAddress string }
		Timestamp            string
	}
	Delivery struct {
		Recipients   []string
		SmtpResponse string
		ReportingMTA string
		Timestamp    string
	}
}

// notification reads an event that Amazon SNS mailed, bare or in its envelope.
func (b *builder) notification(text string) bool {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") || !strings.Contains(text, "otificationType") && !strings.Contains(text, "ventType") {
		return false
	}
	// Line breaks within strings were put in on the way.
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\n ", ""), "\n", " ")
	var event snsEvent
	decoder := json.NewDecoder(strings.NewReader(text))
	var envelope struct{ Message string }
	if strings.Contains(text, `"Message"`) && json.Unmarshal(firstJSON(text), &envelope) == nil && envelope.Message != "" {
		decoder = json.NewDecoder(strings.NewReader(envelope.Message))
	}
	if decoder.Decode(&event) != nil {
		return false
	}
	r := b.report
	r.Format, r.TextFormat = Prose, "amazon-sns"
	switch strings.TrimSpace(event.NotificationType + event.EventType) {
	case "Bounce":
		r.Kind = DeliveryStatus
		r.ReportingMTA = parseMTA(event.Bounce.ReportingMTA)
		for _, to := range event.Bounce.BouncedRecipients {
			rcpt := Recipient{FinalRecipient: parseAddress(to.EmailAddress), ActionRaw: to.Action, Action: parseAction(to.Action), StatusRaw: to.Status, Diagnostic: parseDiagnostic(to.DiagnosticCode), LastAttemptDate: snsDate(event.Bounce.Timestamp)}
			rcpt.Status, _, _ = smtpcode.CutStatus(to.Status)
			if rcpt.Action == 0 {
				rcpt.Action = smtpcode.Failed
			}
			r.Recipients = append(r.Recipients, rcpt)
		}
	case "Delivery":
		r.Kind = DeliveryStatus
		r.ReportingMTA = parseMTA(event.Delivery.ReportingMTA)
		for _, to := range event.Delivery.Recipients {
			rcpt := Recipient{FinalRecipient: parseAddress(to), Action: smtpcode.Delivered, Diagnostic: Diagnostic{Type: "smtp", Text: event.Delivery.SmtpResponse, Raw: event.Delivery.SmtpResponse}, LastAttemptDate: snsDate(event.Delivery.Timestamp)}
			if reply := smtpcode.ParseReply(event.Delivery.SmtpResponse); reply.Code == 250 {
				rcpt.Status, rcpt.StatusRaw = reply.Status, reply.Status.String()
			}
			r.Recipients = append(r.Recipients, rcpt)
		}
	case "Complaint":
		r.Kind = FeedbackReport
		for _, to := range event.Complaint.ComplainedRecipients {
			r.Recipients = append(r.Recipients, Recipient{FinalRecipient: parseAddress(to.EmailAddress)})
		}
	}
	r.Recipients = slices.DeleteFunc(r.Recipients, func(rcpt Recipient) bool { return rcpt.FinalRecipient.Address == "" })
	if len(r.Recipients) == 0 {
		r.Kind, r.Format, r.TextFormat = KindUnknown, FormatUnknown, ""
		return false
	}
	return true
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
	d := Date{Raw: raw}
	d.Time = parseTime3339(raw)
	return d
}
