package dsn

import (
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
