package smtpcode

import (
	"testing"
	"time"
)

// The wait that a server states is the one to keep; numbers that are no wait
// leave the condition's own.
func TestStatedWaits(t *testing.T) {
	const own = 15 * time.Minute // of greylisting
	for _, tt := range []struct {
		reply string
		want  time.Duration
	}{
		{"451 4.7.1 Greylisting in action, please come back in 300 seconds", 5 * time.Minute},
		{"451 4.7.1 Greylisting in action, please come back in 00:05:00", 5 * time.Minute},
		{"450 4.2.0 Greylisted for 5 minutes", 5 * time.Minute},
		{"450 greylisted, try again in 2 hours", 2 * time.Hour},
		{"450 greylisted: wait 90s", own}, // no unit that is a word
		{"450 greylisted, retry (60 sec)", time.Minute},
		{"450 greylisted, 10 minutes later it will pass", 10 * time.Minute},
		{"451 Auf der grauen Liste, bitte in 5 Minuten erneut versuchen", 5 * time.Minute},
		{"451 Liste grise: veuillez réessayer dans 5 minutes", 5 * time.Minute},
		{"451 En lista gris, intente de nuevo en 10 minutos", 10 * time.Minute},
		{"451 In lista grigia, riprovare tra 20 minuti", 20 * time.Minute},
		{"451 Na lista cinza, tente novamente em 1 hora", time.Hour},
		{"451 Grijze lijst, probeer het over 5 minuten opnieuw", 5 * time.Minute},
		{"451 Szara lista, spróbuj ponownie za 10 minut", 10 * time.Minute},
		{"451 Серый список, повторите через 10 минут", 10 * time.Minute},
		{"451 グレーリスト。5分後に再送してください", 5 * time.Minute},
		{"451 灰名单，请300秒后重试", 5 * time.Minute},
		{"450 greylisted: 100 messages in 60 minutes", own},
		{"450 greylisted, try later: 100 messages in 60 minutes", own},
		{"450 greylisted, come back in 900 days", own},
		{"450 greylisted, come back in 99999999999999999999 seconds", own},
		{"450 greylisted, wait for host-5.minutes.example", own},
		{"450 greylisted, come back in 0 seconds", own},
		{"450 greylisted 192.0.2.7:25", own},
		{"450 greylisted, come back in 168 hours", 7 * day},
		{"450 greylisted, come back in 169 hours", own}, // beyond what is believed
		{"450 greylisted, come back in 604800 seconds", 7 * day},
		{"450 greylisted, come back in 604801 seconds", own},
		{"450 greylisted, come back in 00000060 seconds", own}, // more digits than any wait
		{"450 greylisted 3 times, try again in 60 seconds", time.Minute},
		{"450 greylisted, wait for v5 minutes", own},
		{"450 greylisted, come back in 10.5 minutes", own},
		{"450 greylisted, come back in 01:02:03", time.Hour + 2*time.Minute + 3*time.Second},
		{"450 greylisted, come back in 00:05", own},
		{"450 greylisted, come back in 00:05-00", own},
		{"450 greylisted, come back in 00:05:0x, or in 60 seconds", own},
		{"450 greylisted, come back in 5", own},
		{"450 greylisted, come back in 5 tries", own},
		{"450 greylisted, wait. You sent 100 mails in 60 minutes", own},
		{"450 greylisted: 60 minutes are the rule, come back", own},
		{"450 greylisted: 60 minutes before you may", time.Hour},
	} {
		d := Diagnose(Failure{RemoteServer: "mx.recipient.example", Replies: ParseReplies(tt.reply)})
		if d.Condition != "greylisted" || d.Resend != (Resend{Later, tt.want}) {
			t.Errorf("%q: %s, %v, want to wait %v", tt.reply, d.Condition, d.Resend, tt.want)
		}
	}
	delayed := Diagnose(Failure{Action: Delayed, Replies: ParseReplies("451 Greylisted, come back in 300 seconds")})
	if delayed.Resend.Wait != 0 {
		t.Errorf("a wait of %v where the server tries by itself", delayed.Resend.Wait)
	}
	refused := Diagnose(Failure{Action: Failed, Replies: ParseReplies("550 user unknown, do not try again in 5 minutes")})
	if refused.Resend != (Resend{Advice: AfterFix}) {
		t.Errorf("%v of an address that does not exist", refused.Resend)
	}
}
