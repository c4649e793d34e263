package smtpcode

import (
	"fmt"
	"testing"
)

// A program that has a reply needs no judgement of its own by the reply's class:
// ResendUnknown is for replies that have none, as README and doc.go say.
func TestAClassSaysWhetherToSendAgain(t *testing.T) {
	for code := 400; code < 600; code++ {
		for _, words := range []string{"", " zzyzx", fmt.Sprintf(" %d.0.0 zzyzx", code/100)} {
			reply := fmt.Sprint(code) + words
			for _, action := range []Action{ActionUnknown, Failed, Delayed} {
				d := Diagnose(Failure{Action: action, Replies: ParseReplies(reply)})
				if d.Resend.Advice == ResendUnknown {
					t.Errorf("%s %q: %s says nothing of sending again", action, reply, d.Condition)
				}
			}
		}
	}
	for _, reply := range []string{"", "zzyzx", "250 ok", "354 go on"} {
		if d := Diagnose(Failure{Replies: ParseReplies(reply)}); d.Resend.Advice != ResendUnknown {
			t.Errorf("%q: %s without a class", reply, d.Resend.Advice)
		}
	}
}
