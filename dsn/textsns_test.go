package dsn

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// snsMail is a mail with an event in the form of the Amazon SES developer guide,
// "Amazon SNS notification contents".
func snsMail(event string) string {
	return "From: no-reply@sns.example\nSubject: AWS Notification Message\n\n" + event + "\n"
}

func TestAmazonComplaintHasItsFeedback(t *testing.T) {
	r, err := Read(strings.NewReader(snsMail(`{"notificationType":"Complaint","complaint":{"complainedRecipients":[{"emailAddress":"ann@example.net"}],` +
		`"userAgent":"Example (v1)","complaintFeedbackType":"not-spam"}}`)))
	if err != nil {
		t.Fatal(err)
	}
	f := r.Feedback
	if r.Kind != FeedbackReport || f == nil {
		t.Fatalf("kind %v, feedback %v", r.Kind, f)
	}
	if f.Type != NotSpam || f.TypeRaw != "not-spam" || f.UserAgent != "Example (v1)" || len(f.OriginalRcptTo) != 1 || f.OriginalRcptTo[0].Address != "ann@example.net" {
		t.Errorf("feedback %+v", f)
	}
}

func TestAmazonEventKeepsTheLimitOfRecipients(t *testing.T) {
	var list []string
	for i := range 12 {
		list = append(list, fmt.Sprintf(`{"emailAddress":"u%d@example.net"}`, i))
	}
	mail := snsMail(`{"notificationType":"Bounce","bounce":{"bouncedRecipients":[` + strings.Join(list, ",") + `]}}`)
	r, err := (&Reader{MaxRecipients: 10}).Read(strings.NewReader(mail))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Recipients) != 10 {
		t.Errorf("%d recipients beyond a limit of 10", len(r.Recipients))
	}
	told := false
	for _, f := range r.Findings {
		told = told || f.ID == findingTooManyRecipients
	}
	if !told {
		t.Errorf("nothing says that recipients are missing: %v", r.Findings)
	}
}

// The forms of the Amazon SES developer guide: a delivery notification, a bounce in
// the envelope that SNS puts around it, and events that report nothing.
func TestAmazonEvents(t *testing.T) {
	const delivery = `{"notificationType":"Delivery","delivery":{"timestamp":"2026-08-03T10:00:00.000Z","recipients":["ann@example.net","bo@example.net"],"reportingMTA":"a8-50.smtp-out.amazonses.com","smtpResponse":"250 2.6.0 accepted"}}`
	const bounce = `{"eventType":"Bounce","bounce":{"reportingMTA":"dns; email.example.com","bouncedRecipients":[{"emailAddress":"gone@example.net","action":"failed","status":"5.1.1","diagnosticCode":"smtp; 550 5.1.1 unknown"},{"emailAddress":""},{"emailAddress":"odd@example.net"}]}}`
	const delay = `{"eventType":"DeliveryDelay","deliveryDelay":{"reportingMTA":"a8-51.smtp-out.amazonses.com","delayedRecipients":[{"emailAddress":"bo@example.net","status":"4.2.2","diagnosticCode":"smtp; 452 4.2.2 mailbox full"}]}}`
	const reject = `{"eventType":"Reject","mail":{"destination":["bo@example.net"]},"reject":{"reason":"Bad content"}}`
	const failure = `{"eventType":"Rendering Failure","mail":{"destination":["bo@example.net"]},"failure":{"errorMessage":"Attribute 'name' is not present in the rendering data.","templateName":"Hello"}}`
	enveloped := `{"Type":"Notification","Message":"` + strings.ReplaceAll(bounce, `"`, `\"`) + `"}` + "\n\n--\nIf you wish to stop receiving notifications from this topic, visit the page."
	for name, tt := range map[string]struct{ text, mta, want string }{
		"a delivery":              {delivery, "a8-50.smtp-out.amazonses.com", "ann@example.net delivered 2.6.0 250 2.6.0 accepted\nbo@example.net delivered 2.6.0 250 2.6.0 accepted"},
		"a bounce":                {bounce, "email.example.com", "gone@example.net failed 5.1.1 550 5.1.1 unknown\nodd@example.net failed  "},
		"a delay":                 {delay, "a8-51.smtp-out.amazonses.com", "bo@example.net delayed 4.2.2 452 4.2.2 mailbox full"},
		"a virus":                 {reject, "", "bo@example.net failed  Bad content"},
		"a template":              {failure, "", "bo@example.net failed  Attribute 'name' is not present in the rendering data."},
		"a bounce in an envelope": {enveloped, "email.example.com", "gone@example.net failed 5.1.1 550 5.1.1 unknown\nodd@example.net failed  "},
	} {
		r, err := Read(strings.NewReader(snsMail(tt.text)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, rcpt := range r.Recipients {
			got = append(got, fmt.Sprintf("%s %v %v %s", rcpt.FinalRecipient.Address, rcpt.Action, rcpt.Status, rcpt.Diagnostic.Text))
		}
		if s := strings.Join(got, "\n"); s != tt.want || r.ReportingMTA.Host != tt.mta || r.TextFormat != "amazon-sns" || r.Kind != DeliveryStatus {
			t.Errorf("%s: %v %q by %q\n got %q\nwant %q", name, r.Kind, r.TextFormat, r.ReportingMTA.Host, s, tt.want)
		}
	}
	for _, event := range []string{
		`{"notificationType":"Open","open":{"timestamp":"2026-08-03T10:00:00.000Z"}}`,
		`{"notificationType":"Bounce","bounce":{"bouncedRecipients":[{"emailAddress":""}]}}`,
		`{"notificationType":"Bounce","bounce":{"bouncedRecipients":[`,
		`{"Message":"{\"notificationType\"`,
	} {
		if r, err := Read(strings.NewReader(snsMail(event))); !errors.Is(err, ErrNotReport) {
			t.Errorf("%s: %v, %+v", event, err, r)
		}
	}
}
