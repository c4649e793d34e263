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
	"zoho": "mx.zoho.com", "ses": "email-smtp.us-east-1.amazonaws.com", "trendmicro": "in.tmes.trendmicro.com",
	"broadcom": "cluster1.us.messagelabs.com", "cloudflare": "isaac.mx.cloudflare.net", "trellix": "primary.us.email.fireeyecloud.com",
}

// replyFailure is a failure by a reply of an operator's server.
func replyFailure(operator, raw string) Failure {
	server := operatorServers[operator]
	if server == "" {
		server = "mx.recipient.example"
	}
	return Failure{Action: Failed, RemoteServer: server, GeneratingServer: "out.sender.example", Replies: []Reply{ParseReply(raw)}}
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
