package ndr

import (
	"strings"
	"testing"
)

func TestB13AttachmentsOver10MB(t *testing.T) {
	n := fixtureNotice(t, "two-section-fr.eml")
	for _, tt := range []struct {
		size    int64
		works   Answer
		instead string
	}{
		{SendAgainLimit + 1, No, "Sent Items"},
		{SendAgainLimit, Yes, ""},
		{0, NotKnown, "If Send Again is missing"},
	} {
		s := n.SendAgain(tt.size)
		if s.Works != tt.works || !strings.Contains(s.Instead, tt.instead) || tt.instead == "" && s.Instead != "" {
			t.Errorf("%d bytes: %+v", tt.size, s)
		}
	}
}

func TestB14NothingToSendAgainWhenABulkServiceSentIt(t *testing.T) {
	text := strings.Replace(fixtureText(t, "current-2017-sender.eml"), "MIME-Version: 1.0", "X-SES-Outgoing: 2026.11.28-192.0.2.10\nMIME-Version: 1.0", 1)
	n, err := ParseText(text)
	if err != nil {
		t.Fatal(err)
	}
	if s := n.SendAgain(100); s.Works != No || !strings.Contains(strings.Join(s.Why, " "), "Amazon SES") {
		t.Errorf("%+v", s)
	}
}

func TestB15CopyOfAClass5MessageDrawsTheSameReply(t *testing.T) {
	for name, want := range map[string]Answer{
		"current-2017-sender.eml":              No,
		"two-section-2007-two-recipients.eml":  No,
		"two-section-attempts-month-first.eml": Yes, // 4.4.7: the cause may go away
		"two-section-delayed.eml":              No,  // still trying: it would arrive twice
		"smtpsvc-failure.eml":                  NotKnown,
	} {
		if s := fixtureNotice(t, name).SendAgain(1); s.Helps != want {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// A quota is the exception: time clears it, so the same copy goes through later.
// Where another recipient of the report waits for a change, so does the copy.
func TestB16AfterTheDayACopyGoesThrough(t *testing.T) {
	const quota = "550 5.2.2 Submission quota exceeded"
	for _, tt := range []struct {
		replies []string
		helps   Answer
		why     string
	}{
		{[]string{quota}, Yes, "24 hours"},
		{[]string{quota, quota}, Yes, "24 hours"},
		{[]string{quota, "550 5.1.1 RESOLVER.ADR.RecipNotFound; not found"}, No, "change something first"},
	} {
		n, err := ParseText("Delivery has failed to these recipients or groups:\n\nbob@contoso.example\nNo.\n\n" +
			"Diagnostic information for administrators:\n\nGenerating server: AM0PR02.eurprd02.prod.outlook.com\n\n" +
			"bob@contoso.example\nRemote Server returned '" + strings.Join(tt.replies, "'\n\ncarol@contoso.example\nRemote Server returned '") + "'\n")
		if err != nil {
			t.Fatal(err)
		}
		if s := n.SendAgain(1); s.Helps != tt.helps || !strings.Contains(s.Why[0], tt.why) {
			t.Errorf("%q: %+v", tt.replies, s)
		}
	}
}
