package main

import (
	"strings"
	"testing"

	"github.com/emersion/go-smtp"

	"github.com/mailfault/mailfault/smtpcode"
)

// The plain line goes on to whoever reads the reply, the library itself among
// them: it must not sway the judgement.
func TestPlainLineDoesNotChangeTheDiagnosis(t *testing.T) {
	judge := func(e *smtp.SMTPError) smtpcode.Diagnosis {
		return smtpcode.Diagnose(smtpcode.Failure{Replies: []smtpcode.Reply{replyOf(e)}})
	}
	check := func(e *smtp.SMTPError) {
		t.Helper()
		before := judge(e)
		explained := explain(e, before)
		if explained.Code != e.Code {
			t.Fatalf("%v became %v", e, explained)
		}
		if after := judge(explained); after.Condition != before.Condition {
			t.Errorf("%d %s: %q became %q for %q", e.Code, e.Message, before.Condition, after.Condition, plainLine(before))
		}
		for line := range strings.SplitSeq(explained.Message, "\n") {
			if len(line) > 500 {
				t.Errorf("a line of %d bytes", len(line))
			}
		}
	}
	for _, rule := range smtpcode.Default().Rules() {
		if rule.Text == "" || rule.Reason {
			continue
		}
		for _, status := range []smtp.EnhancedCode{{}, {5, 0, 0}, {5, 7, 1}, {5, 1, 1}} {
			check(&smtp.SMTPError{Code: 550, EnhancedCode: status, Message: rule.Text})
		}
		check(&smtp.SMTPError{Code: 451, EnhancedCode: smtp.EnhancedCode{4, 7, 1}, Message: rule.Text})
	}
	check(&smtp.SMTPError{Code: 550, Message: "no"})
	check(&smtp.SMTPError{Code: 451, Message: "no"})
}
