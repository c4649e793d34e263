package smtpcode

import (
	"strings"
	"time"
)

// maxStatedWait is the longest wait that is believed: no server holds a sender
// off for longer, and queues end earlier.
const maxStatedWait = 7 * day

// statedWait returns how long a reply asks a client to wait, as in "come back
// in 300 seconds", "greylisted for 5 minutes" and milter-greylist's
// "come back in 00:05:00"; 0 where it does not say. A time is only read where
// words ask for another attempt ahead of it, or where it ends in "later".
func statedWait(text string) time.Duration {
	for i := 0; i < len(text); i++ {
		if !isDigit(text[i]) || i > 0 && (isLetter(text[i-1]) || strings.IndexByte(".:-_@/", text[i-1]) >= 0) {
			continue
		}
		wait, end := timeAt(text, i)
		if wait > 0 && wait <= maxStatedWait && (asksAgain(text[:i]) || isLater(text[end:])) {
			return wait
		}
		i = max(i, end-1)
	}
	return 0
}

// timeAt reads a number and its unit, or hours, minutes and seconds between
// colons. It returns where what it read ends, also when that is no time.
func timeAt(text string, start int) (time.Duration, int) {
	n, i := 0, start
	for i < len(text) && isDigit(text[i]) && i-start < 7 {
		n = n*10 + int(text[i]-'0')
		i++
	}
	if i == len(text) || isDigit(text[i]) {
		return 0, i
	}
	if text[i] == ':' {
		return clockAt(text, start)
	}
	unit := strings.TrimLeft(text[i:], " -(")
	if len(text)-i-len(unit) > 2 {
		return 0, i
	}
	for _, u := range timeUnits {
		if len(unit) >= len(u.word) && strings.EqualFold(unit[:len(u.word)], u.word) {
			return time.Duration(n) * u.unit, len(text) - len(unit) + len(u.word)
		}
	}
	return 0, i
}

// clockAt reads 00:05:00.
func clockAt(text string, start int) (time.Duration, int) {
	const form = "00:00:00"
	if len(text)-start < len(form) {
		return 0, start + 1
	}
	var n [3]int
	for i := range form {
		c := text[start+i]
		if form[i] == ':' {
			if c != ':' {
				return 0, start + i
			}
			continue
		}
		if !isDigit(c) {
			return 0, start + i
		}
		n[i/3] = n[i/3]*10 + int(c-'0')
	}
	return time.Duration(n[0])*hour + time.Duration(n[1])*time.Minute + time.Duration(n[2])*time.Second, start + len(form)
}

// timeUnits are the words for units of time of the languages that rules are in,
// by the letters that they begin with; longer ones come first.
var timeUnits = []struct {
	word string
	unit time.Duration
}{
	{"sec", time.Second}, {"sek", time.Second}, {"seg", time.Second}, {"сек", time.Second}, {"秒", time.Second},
	{"min", time.Minute}, {"мин", time.Minute}, {"分", time.Minute},
	{"hour", hour}, {"hrs", hour}, {"stunde", hour}, {"heure", hour}, {"hora", hour}, {"ore", hour}, {"ora", hour}, {"uur", hour}, {"uren", hour},
	{"godzin", hour}, {"час", hour}, {"時間", hour}, {"小时", hour}, {"小時", hour},
}

// againWords ask for another attempt, or say that the sender is held off.
var againWords = []string{
	"again", "back", "retry", "retries", "reconnect", "resend", "wait", "greylist", "graylist", "deferred for", "blocked for", "throttled for",
	"erneut", "warten", "réessayer", "réessayez", "reessayer", "attendre", "intente", "inténtelo", "intentelo", "espere", "riprovare", "riprova", "attendere",
	"tente", "aguarde", "opnieuw", "wacht", "ponownie", "spróbuj", "odczekaj", "повторите", "попробуйте", "подождите", "请在",
}

// maxBeforeTime is how many bytes may stand between such words and the time.
const maxBeforeTime = 40

// asksAgain reports whether the words right ahead of a time ask for another
// attempt. A number or the end of a clause between them parts them: "try later:
// 100 messages in 60 minutes" states no wait.
func asksAgain(ahead string) bool {
	start := len(ahead)
	for start > 0 && len(ahead)-start < maxBeforeTime && !isDigit(ahead[start-1]) && strings.IndexByte(":;.!?,\n", ahead[start-1]) < 0 {
		start--
	}
	for _, word := range againWords {
		if containsFold(ahead[start:], word) {
			return true
		}
	}
	return false
}

// isLater reports whether the words behind a time say that it is to pass.
func isLater(behind string) bool {
	for _, word := range []string{"后", "後", "之后", "以后", "以後", "钟后", "鐘後"} {
		if strings.HasPrefix(behind, word) {
			return true
		}
	}
	behind = strings.TrimLeft(behind, "abcdefghijklmnopqrstuvwxyz()") // the unit's end
	for _, word := range []string{" later", " before", " erneut", " noch einmal", " opnieuw"} {
		if strings.HasPrefix(behind, word) {
			return true
		}
	}
	return false
}
