package smtpcode

import (
	"os"
	"strings"
	"testing"
)

// operatorServers are hosts whose replies the table shows.
var operatorServers = map[string]string{
	"google": "gmail-smtp-in.l.google.com", "yahoo": "mta5.am0.yahoodns.net", "apple": "mx01.mail.icloud.com",
	"mimecast": "eu-smtp-inbound-1.mimecast.com", "proofpoint": "mx0a-00000001.pphosted.com",
	"outlook": "eur.olc.protection.outlook.com", "exchange": "am6pr01mb0001.eurprd01.prod.exchangelabs.com", "barracuda": "d100000a.ess.barracudanetworks.com",
	"comcast": "mx1.mxge.comcast.net", "att": "ff-ip4-mx-vip1.prodigy.net", "cox": "mx.cox.net", "charter": "mx0.charter.net",
	"orange": "smtp-in.orange.fr", "free": "mx1.free.fr", "gmx": "mx00.gmx.net", "t-online": "mx00.t-online.de",
	"qq": "mx1.qq.com", "netease": "163mx01.mxmail.netease.com", "yandex": "mx.yandex.ru", "mailru": "mxs.mail.ru",
	"docomo": "mfsmax.docomo.ne.jp", "kddi": "lsean.ezweb.ne.jp", "naver": "mx1.naver.com", "laposte": "smtpz4.laposte.net", "sophos": "mx-01-us-west-2.prod.hydra.sophos.com",
	"zoho": "mx.zoho.com", "sfr": "smtp-in.sfr.fr", "fastmail": "in1-smtp.messagingengine.com", "ses": "email-smtp.us-east-1.amazonaws.com", "trendmicro": "in.tmes.trendmicro.com",
	"broadcom": "cluster1.us.messagelabs.com", "cloudflare": "isaac.mx.cloudflare.net", "trellix": "primary.us.email.fireeyecloud.com",
	"proton": "mail.protonmail.ch", "libero": "smtp-in.libero.it", "verizon": "smtp-in.verizon.net", "godaddy": "smtp.secureserver.net", "softbank": "mx.softbank.jp", "kakao": "mx2.hanmail.net",
	"sendgrid": "smtp.sendgrid.net", "mailgun": "mxa.mailgun.org", "postmark": "smtp.postmarkapp.com", "sparkpost": "smtp.sparkpostmail.com",
}

// replyFailure is a failure by a reply of an operator's server.
func replyFailure(operator, raw string) Failure {
	server := operatorServers[operator]
	if server == "" {
		server = "mx.recipient.example"
	}
	f := Failure{Action: Failed, RemoteServer: server, GeneratingServer: "out.sender.example", Replies: []Reply{ParseReply(raw)}}
	if class(f.Replies[0]) == ClassTransient {
		f.Action = ActionUnknown // the server that got it tries again
	}
	return f
}

// TestRepliesOfOperators judges replies as operators document them. The wanted
// meaning was written down from the documentation.
func TestRepliesOfOperators(t *testing.T) {
	data, err := os.ReadFile("testdata/replies.tsv")
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "operator\t") {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != 5 || cells[4] == "" {
			t.Fatalf("line %d: %d cells", i+1, len(cells))
		}
		operator, raw, condition, owner := cells[0], cells[1], Condition(cells[2]), cells[3]
		counts[operator]++
		d := Diagnose(replyFailure(operator, raw))
		if d.Condition != condition {
			t.Errorf("line %d: %s: %q is %s, want %s (evidence %v)", i+1, operator, raw, d.Condition, condition, d.Evidence)
			continue
		}
		if owner != "*" && (len(d.Owners) == 0 || d.Owners[0].String() != owner) {
			t.Errorf("line %d: %q: owners %v, want %s first", i+1, raw, d.Owners, owner)
		}
	}
	t.Log(counts)
}

// TestRepliesInOtherFormsMeanTheSame judges the table's replies as people paste
// them: with no word on whose server spoke, cut into lines, the lines joined
// again, typed by a program that likes curly apostrophes. Few words are an
// operator's in one meaning only; hence the share.
func TestRepliesInOtherFormsMeanTheSame(t *testing.T) {
	data, err := os.ReadFile("testdata/replies.tsv")
	if err != nil {
		t.Fatal(err)
	}
	forms := []struct {
		name string
		form func(reply string) string
	}{
		{"as it is", func(s string) string { return s }},
		{"in lines", func(s string) string { return inLines(s, "\n") }},
		{"in lines that were joined", func(s string) string { return inLines(s, " ") }},
		{"curly", func(s string) string { return strings.ReplaceAll(s, "'", "\u2019") }},
		{"with a command behind", func(s string) string { return s + " (in reply to RCPT TO command)" }},
	}
	for _, f := range forms {
		all, same := 0, 0
		for line := range strings.Lines(string(data)) {
			cells := strings.Split(line, "\t")
			if strings.HasPrefix(line, "#") || len(cells) < 3 || cells[0] == "operator" {
				continue
			}
			all++
			got := Diagnose(Failure{Action: Failed, Replies: ParseReplies(f.form(cells[1]))}).Condition
			if got == Condition(cells[2]) {
				same++
			} else {
				t.Logf("%s: %s: %q is %s, want %s", f.name, cells[0], cells[1], got, cells[2])
			}
		}
		if same*100 < all*97 {
			t.Errorf("%s: %d of %d, want 97 %%", f.name, same, all)
		}
	}
}

// inLines makes a reply one of several lines, four words each (RFC 5321 section
// 4.2.1), if it begins with a code.
func inLines(reply, between string) string {
	code, text, _ := strings.Cut(reply, " ")
	words := strings.Fields(text)
	if r := ParseReply(reply); r.Code == 0 || len(code) != 3 || len(words) < 6 {
		return reply
	}
	var b strings.Builder
	for len(words) > 4 {
		b.WriteString(code + "-" + strings.Join(words[:4], " ") + between)
		words = words[4:]
	}
	return b.String() + code + " " + strings.Join(words, " ")
}
