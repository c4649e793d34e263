package dsn

import (
	"strings"
	"testing"
)

// Reports of systems whose texts have no format of their own: of our writing,
// in the shape that public pages show.
func TestTextsOfSystemsWithoutAFormat(t *testing.T) {
	for name, test := range map[string]struct {
		text                        string
		address, status, code, host string
		said                        string // what the diagnostic ends in
	}{
		"QQ Mail": { // lists.gnu.org: qemu-devel, October 2021
			"抱歉，您的邮件被退回来了……\n原邮件信息：\n时间 2026-08-03 10:00:00\n主题 hello\n收件人 gone@example.net\n退信原因 收件人邮件地址（gone@example.net）不存在，邮件无法送达。\nhost mx.example.net[192.0.2.1] said: 550 5.1.1 user unknown\n解决方案 请联系您的收件人。\n",
			"gone@example.net", "5.1.1", "550", "mx.example.net", "user unknown"},
		"NetEase": { // pages that quote Postmaster@163.com
			"抱歉，您的邮件被退回来了……\n\n原邮件信息：\n时 间： 2026-08-03 10:00:00\n主 题： hello\n收件人： gone@example.net\n退信原因：\n收件人不存在 英文说明:550 5.1.1 User unknown: gone@example.net\n建议解决方案：\n请确认收件人地址。\n",
			"gone@example.net", "5.1.1", "550", "", "User unknown: gone@example.net"},
		"no blank before the address": {
			"您好，您发送的邮件无法投递。\n\n收件人：gone@example.net\n退信原因：550 5.1.1 user not found\n",
			"gone@example.net", "5.1.1", "550", "", "user not found"},
		"MDaemon": { // altn.com: delivery status notifications
			"The attached message had PERMANENT fatal delivery errors.\n\nAfter one or more unsuccessful delivery attempts the attached message has\nbeen removed from the mail queue on this server.\n\nFailed address: gone@example.net\n\n--- Session Transcript ---\n Mon 2026-08-03 10:00:00: --> RCPT To:<gone@example.net>\n Mon 2026-08-03 10:00:01: <-- 550 5.1.1 <gone@example.net>: User unknown\n--- End Transcript ---\n",
			"gone@example.net", "5.1.1", "550", "", "User unknown"},
		"a host and a text in quotes": {
			"Your message could not be delivered to the following recipients:\n\n<gone@example.net> (host 'mx.example.net' rejected command 'RCPT TO:<gone@example.net>' with code 550 (5.1.1) 'User unknown')\n",
			"gone@example.net", "5.1.1", "550", "mx.example.net", "User unknown"},
		"InterScan": {
			"InterScan Messaging Security Suite\n\nSent <<< RCPT TO:<gone@example.net>\nReceived >>> 550 5.1.1 <gone@example.net>... user unknown\n\nUnable to deliver message to <gone@example.net>.\n",
			"gone@example.net", "5.1.1", "550", "", "user unknown"},
		"a host before its reply": {
			"Your message could not be delivered to the following recipients:\n\ngone@example.net (mx.example.net: 550 5.1.1 Unknown recipient)\n",
			"gone@example.net", "5.1.1", "550", "mx.example.net", "Unknown recipient"},
		"a reason that the dialogue gives a host and a status": {
			"   ----- The following addresses had permanent fatal errors -----\n<gone@example.net>\n    (reason: 550 Unknown user)\n\n   ----- Transcript of session follows -----\n... while talking to mx.example.net.:\n>>> RCPT To:<gone@example.net>\n<<< 550 Unknown user\n550 5.1.1 <gone@example.net>... User unknown\n",
			"gone@example.net", "5.1.1", "550", "mx.example.net", "Unknown user"},
		"a reason in brackets": {
			"   ----- The following addresses had permanent fatal errors -----\n<gone@example.net>\n    (reason: 550 5.1.1 User unknown)\n",
			"gone@example.net", "5.1.1", "550", "", "User unknown"},
	} {
		mail := "Return-Path: <>\nFrom: Postmaster <postmaster@mx.example.org>\nTo: ann@o.example\nSubject: Undelivered Mail\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n" + test.text
		r, err := Read(strings.NewReader(mail))
		if err != nil || len(r.Recipients) != 1 {
			t.Errorf("%s: %v %+v", name, err, r.Recipients)
			continue
		}
		rcpt := r.Recipients[0]
		reply := r.Failures()[0].Replies[0]
		for what, pair := range map[string][2]string{
			"address": {rcpt.FinalRecipient.Address, test.address},
			"status":  {rcpt.Status.String(), test.status},
			"code":    {strings.TrimSpace(rcpt.Diagnostic.Text)[:3], test.code},
			"host":    {rcpt.RemoteMTA.Host, test.host},
		} {
			if pair[0] != pair[1] {
				t.Errorf("%s: %s %q, want %q", name, what, pair[0], pair[1])
			}
		}
		if !strings.HasSuffix(reply.Text, test.said) {
			t.Errorf("%s: %q does not end in %q", name, reply.Text, test.said)
		}
	}
}

// Scripts that put no blank between words: what stands before an address is
// none of it, but a local part in such a script is.
func TestAddressesInTextsWithoutBlanks(t *testing.T) {
	for text, want := range map[string]string{
		"收件人邮件地址（gone@example.net）不存在": "gone@example.net",
		"用户@example.net":        "用户@example.net",
		"jürgen@example.net":    "jürgen@example.net",
		"宛先：田中gone@example.net": "gone@example.net",
	} {
		if got, _, _ := findAddress(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
