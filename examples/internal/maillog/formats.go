package maillog

import (
	"strings"

	"github.com/mailfault/mailfault/smtpcode"
)

// readPostfix reads the line a Postfix delivery agent writes for a recipient:
//
//	to=<a@example.net>, orig_to=<b@example.org>, relay=mx.example.net[192.0.2.1]:25,
//	delay=1, delays=0/0/1/0, dsn=5.1.1, status=bounced (host mx.example.net[192.0.2.1] said: 550 ...)
func readPostfix(_ *Reader, line string) (f smtpcode.Failure, failed, ok bool) {
	outcome, ok := between(line, ", status=", " ")
	if !ok {
		return f, false, false
	}
	f.Recipient, ok = between(line, "to=<", ">")
	if !ok {
		return f, false, false
	}
	switch strings.TrimSuffix(outcome, ",") {
	case "bounced", "expired":
		f.Action = smtpcode.Failed
	case "deferred":
		f.Action = smtpcode.Delayed
	default:
		return f, false, true
	}
	f.OriginalRecipient, _ = between(line, "orig_to=<", ">")
	f.GeneratingServer = syslogHost(line)
	setStatus(&f, line, "dsn=")
	relay, _ := between(line, "relay=", ",")
	text := afterParenthesis(line, ", status=")
	f.Replies = smtpcode.ParseReplies(text)
	// Only a host that said something refused; a host that could not be
	// reached, or Postfix itself, wrote the text otherwise.
	if strings.Contains(text, " said: ") || strings.Contains(text, "refused to talk to me: ") {
		f.RemoteServer = host(relay)
	}
	return f, true, true
}

// afterParenthesis returns the text in the parentheses that follow mark, which
// run to the end of the line.
func afterParenthesis(line, mark string) string {
	_, rest, _ := strings.Cut(line, mark)
	_, text, ok := strings.Cut(rest, "(")
	if !ok {
		return ""
	}
	return strings.TrimSuffix(text, ")")
}

// readSendmail reads sendmail's line for a recipient:
//
//	to=<a@example.net>, delay=00:00:01, mailer=esmtp, relay=mx.example.net. [192.0.2.1], dsn=5.1.1, stat=User unknown
func readSendmail(_ *Reader, line string) (f smtpcode.Failure, failed, ok bool) {
	_, stat, ok := strings.Cut(line, ", stat=")
	if !ok || !strings.Contains(line, "mailer=") {
		return f, false, false
	}
	to, ok := between(line, "to=", ", ")
	if !ok {
		return f, false, false
	}
	f.Recipient = strings.Trim(to, "<>")
	f.GeneratingServer = syslogHost(line)
	setStatus(&f, line, "dsn=")
	switch {
	case strings.HasPrefix(stat, "Sent"), strings.HasPrefix(stat, "queued"):
		return f, false, true
	case strings.HasPrefix(stat, "Deferred"):
		f.Action = smtpcode.Delayed
		stat = strings.TrimPrefix(strings.TrimPrefix(stat, "Deferred"), ": ")
	default:
		f.Action = smtpcode.Failed
	}
	relay, _ := between(line, "relay=", ", ")
	f.Replies = smtpcode.ParseReplies(stat)
	f.RemoteServer = host(relay)
	return f, true, true
}

// readOpenSMTPD reads the delivery line of OpenSMTPD 6 and later:
//
//	mta delivery evpid=... from=<> to=<a@example.net> rcpt=<-> source="..." relay="192.0.2.1 (mx.example.net)" delay=1s result="PermFail" stat="550 ..."
func readOpenSMTPD(_ *Reader, line string) (f smtpcode.Failure, failed, ok bool) {
	result, ok := between(line, ` result="`, `"`)
	if !ok {
		result, ok = between(line, " result=", " ")
	}
	if !ok {
		return f, false, false
	}
	f.Recipient, ok = between(line, " to=<", ">")
	if !ok {
		return f, false, false
	}
	switch result {
	case "PermFail":
		f.Action = smtpcode.Failed
	case "TempFail":
		f.Action = smtpcode.Delayed
	default:
		return f, false, true
	}
	f.GeneratingServer = syslogHost(line)
	f.EnvelopeFrom, _ = between(line, " from=<", ">")
	if relay, ok := between(line, ` relay="`, `"`); ok {
		if name, ok := between(relay, "(", ")"); ok {
			relay = name
		}
		f.RemoteServer = host(relay)
	}
	_, stat, _ := strings.Cut(line, " stat=")
	f.Replies = smtpcode.ParseReplies(strings.Trim(stat, `"`))
	return f, true, true
}

// readExim reads Exim's main log: "**" marks a failure, "==" a deferral:
//
//	2026-01-01 00:00:00 1abcde-000001-AB ** a@example.net R=dnslookup T=remote_smtp H=mx.example.net [192.0.2.1]: SMTP error from remote mail server after RCPT TO:<a@example.net>: 550 ...
func readExim(_ *Reader, line string) (f smtpcode.Failure, failed, ok bool) {
	mark, action := " ** ", smtpcode.Failed
	before, rest, ok := strings.Cut(line, mark)
	if !ok {
		mark, action = " == ", smtpcode.Delayed
		before, rest, ok = strings.Cut(line, mark)
	}
	if !ok || len(before) == 0 || before[0] < '0' || before[0] > '9' {
		return f, false, false
	}
	address, rest, ok := strings.Cut(rest, " ")
	if !ok || !strings.Contains(address, "@") {
		return f, false, false
	}
	f.Action = action
	f.Recipient = strings.Trim(address, "<>:")
	if original, ok := strings.CutPrefix(rest, "<"); ok {
		f.OriginalRecipient, _, _ = strings.Cut(original, ">")
	}
	f.EnvelopeFrom, _ = between(rest, "F=<", ">")
	if name, ok := between(rest, " H=", " "); ok {
		f.RemoteServer = host(name)
	}
	_, text, _ := strings.Cut(rest, ": ")
	f.Replies = smtpcode.ParseReplies(text)
	return f, true, true
}

// maxDeliveries bounds what is remembered of deliveries that never end.
const maxDeliveries = 10_000

// readQmail reads qmail-send's log, where one line names the recipient of a
// delivery and a later one its outcome, with underscores for blanks:
//
//	starting delivery 7: msg 12 to remote a@example.net
//	delivery 7: failure: 192.0.2.1_does_not_like_recipient./Remote_host_said:_550_.../Giving_up_on_192.0.2.1./
func readQmail(r *Reader, line string) (f smtpcode.Failure, failed, ok bool) {
	if _, rest, ok := strings.Cut(line, "starting delivery "); ok {
		number, to, ok := strings.Cut(rest, ": ")
		i := strings.LastIndexByte(to, ' ')
		if !ok || i < 0 {
			return f, false, false
		}
		if r.deliveries == nil || len(r.deliveries) >= maxDeliveries {
			r.deliveries = make(map[string]string)
		}
		r.deliveries[number] = to[i+1:]
		return f, false, true
	}
	_, rest, ok := strings.Cut(line, "delivery ")
	if !ok {
		return f, false, false
	}
	number, rest, ok := strings.Cut(rest, ": ")
	outcome, text, ok2 := strings.Cut(rest, ": ")
	if !ok || !ok2 {
		return f, false, false
	}
	recipient, known := r.deliveries[number]
	switch outcome {
	case "success":
		delete(r.deliveries, number)
		return f, false, true
	case "failure":
		f.Action = smtpcode.Failed
	case "deferral":
		f.Action = smtpcode.Delayed
	default:
		return f, false, false
	}
	if known {
		delete(r.deliveries, number)
	}
	f.Recipient = recipient
	text = strings.NewReplacer("_", " ", "/", " ").Replace(text)
	if i := strings.Index(text, "Remote host said: "); i >= 0 {
		f.RemoteServer = host(firstWord(text))
		text = text[i+len("Remote host said: "):]
	}
	f.Replies = smtpcode.ParseReplies(strings.TrimSpace(text))
	return f, true, true
}

func firstWord(s string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	return word
}

// readGeneric takes the first address and the replies of any other line.
func readGeneric(line string) (f smtpcode.Failure, ok bool) {
	for reply := range smtpcode.FindReplies(line) {
		if reply.Code >= 400 || reply.Status.Class() >= smtpcode.ClassTransient {
			f.Replies = append(f.Replies, reply)
		}
	}
	if len(f.Replies) == 0 {
		return f, false
	}
	for _, word := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t<>,;:()[]\"'=", r) }) {
		if local, domain, ok := strings.Cut(word, "@"); ok && local != "" && strings.Contains(domain, ".") {
			f.Recipient = word
			break
		}
	}
	f.Action = smtpcode.Failed
	if f.Replies[0].Code/100 == 4 {
		f.Action = smtpcode.Delayed
	}
	return f, true
}

// setStatus reads the status that follows key.
func setStatus(f *smtpcode.Failure, line, key string) {
	if _, rest, ok := strings.Cut(line, key); ok {
		f.Status, _, _ = smtpcode.CutStatus(rest)
	}
}

// syslogHost returns the host of a classic syslog line ("Jan  1 00:00:00 host
// program[1]: ...") where it is a full name.
func syslogHost(line string) string {
	fields := strings.Fields(line)
	for i, field := range fields {
		if i > 1 && i < 5 && strings.HasSuffix(field, ":") && strings.Contains(fields[i-1], ".") && !strings.ContainsAny(fields[i-1], "=@[") {
			return fields[i-1]
		}
	}
	return ""
}
