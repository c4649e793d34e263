package smtpcode

import "testing"

// TestOperatorsWithTablesOfTheirOwn judges replies as the pages that the rules
// cite show them.
func TestOperatorsWithTablesOfTheirOwn(t *testing.T) {
	for _, tt := range []struct {
		reply     string
		condition Condition
		owner     Party
	}{
		{"550 XGEMAIL_0003", "dmarc-reject", SenderDNS},
		{"550 XGEMAIL_0011", "recipient-not-found", Sender},
		{"554 5.7.28 Mail flood detected", "submission-quota", Sender},
		{"450 4.1.8 Emetteur invalide LPN007_405", "sender-address-rejected", SenderAdmin},
		{"450 4.7.1 Client host rejected: Service refuse LPN027_503", "ip-throttled", SenderAdmin},
		{"550 Email from your Email Service Provider is currently blocked by Verizon Online's anti-spam system.", "ip-blocked", SenderAdmin},
		{"550 Relay Disabled", "relay-denied", SenderAdmin},
		{"552 5.2.0 This message has been rejected due to content judged to be spam by the internet community IB212", "spam-content", Filter},
		{"550 5.1.0 192.0.2.1 is not allowed to send from <example.com> per it's SPF Record. Please inspect your SPF settings, and try again. IB508", "spf-fail", SenderDNS},
		{"The domain is not allowed to send: Account Terminated", "sender-account-blocked", Sender},
		{"You are not authorized to send from that email address", "sender-domain-unregistered", SenderAdmin},
		{"550 5.7.1 Unconfigured Sending Domain <example.com>", "sender-domain-unregistered", SenderAdmin},
		{"552 Too much mail data a@docomo.ne.jp", "mailbox-full", Recipient},
		{"421 4.3.2 Your IP(192.0.2.1) is filtered and this connection will be closed. You must register your IP to http://realip.naver.com", "ip-blocked", SenderAdmin},
		{"You tried to send to a recipient that has been marked as inactive.", "recipient-refused", Sender},
	} {
		d := Diagnose(Failure{Action: Failed, RemoteServer: "mx.recipient.example", GeneratingServer: "out.sender.example", Replies: ParseReplies(tt.reply)})
		if d.Condition != tt.condition || d.Owners[0] != tt.owner {
			t.Errorf("%s: %s, %v (%v)", tt.reply, d.Condition, d.Owners, d.Evidence)
		}
	}
}

// TestOperatorOfHost tells operators by the names of MX records and of servers
// that send, as their pages and public mail name them, and leaves what customers
// rent to the customers.
func TestOperatorOfHost(t *testing.T) {
	for host, want := range map[string]Operator{
		"example-com.mail.protection.outlook.com":              Microsoft,
		"example-com.o-v1.mx.microsoft":                        Microsoft,
		"example.mail.protection.office365.us":                 Microsoft,
		"mx.microsoft.example.com":                             otherOperator,
		"smtp.google.com":                                      Google,
		"smtp.gmail.com":                                       Google,
		"mx0e-00000001.gpphosted.com":                          Proofpoint,
		"je-smtp-inbound-1.mimecast-offshore.com":              Mimecast,
		"mx-outbound8-74.us-east-2a.ess.aws.cudaops.com":       Barracuda,
		"example-com.in.tmems-jp.trendmicro.com":               TrendMicro,
		"repost01.tmes.trendmicro.eu":                          TrendMicro,
		"route1.mx.cloudflare.net":                             Cloudflare,
		"cloudflare-email.net":                                 Cloudflare,
		"mailstream-east.mxrecord.io":                          Cloudflare,
		"mailstream-central.mxrecord.mx":                       Cloudflare,
		"www.cloudflare.net":                                   otherOperator,
		"mx00.1and1.co.uk":                                     UnitedInternet,
		"mx00.ionos.fr":                                        UnitedInternet,
		"mout.perfora.net":                                     UnitedInternet,
		"mail-m16.yeah.net":                                    NetEase,
		"out203-205-221-240.mail.qq.com":                       Tencent,
		"mx.zoho.com.au":                                       Zoho,
		"mx.zohocloud.ca":                                      Zoho,
		"mx.zoho.jp":                                           Zoho,
		"mail-0301.mail-europe.com":                            Proton,
		"smtp-16-i2.italiaonline.it":                           Libero,
		"smtp.yandex.com":                                      Yandex,
		"mx.softbank.ne.jp":                                    SoftBank,
		"z5.mailgun.us":                                        Mailgun,
		"mta200.spmta.com":                                     SparkPost,
		"smtp.secureserver.net":                                GoDaddy,
		"p3plsmtpa07-01.prod.phx3.secureserver.net":            GoDaddy,
		"ip-192-0-2-1.ip.secureserver.net":                     otherOperator,
		"inbound-smtp.eu-west-1.amazonaws.com":                 Amazon,
		"email-smtp-fips.us-east-1.amazonaws.com":              Amazon,
		"a48-123.smtp-out.us-west-2.amazonses.com":             Amazon,
		"ec2-192-0-2-1.compute-1.amazonaws.com":                otherOperator,
		"ec2-192-0-2-1.eu-west-1.compute.amazonaws.com":        otherOperator,
		"mail-1234567.elb.us-east-1.amazonaws.com":             otherOperator,
		"amazonaws.com":                                        otherOperator,
		"mx1a1.comcast.net":                                    Comcast,
		"C-192-0-2-1.HSD1.CA.comcast.net":                      otherOperator,
		"ip192-0-2-1.ri.ri.cox.net":                            otherOperator,
		"pkvw-mx.msg.pkvw.co.charter.net":                      Charter,
		"cpe-192-0-2-1.nyc.res.rr.com":                         otherOperator,
		"al-ip4-mx-vip1.prodigy.net":                           ATT,
		"192-0-2-1.lightspeed.irvnca.sbcglobal.net":            otherOperator,
		"pool-192-0-2-1.nycmny.fios.verizon.net":               otherOperator,
		"smtp-30.smtpout.orange.fr":                            Orange,
		"lfbn-tou-1-2-3.w192-0.abo.wanadoo.fr":                 otherOperator,
		"20010db8000000000000000000000001.ipv6.abo.wanadoo.fr": otherOperator,
		"smtp4-g21.free.fr":                                    Free,
		"mail.hd.free.fr":                                      otherOperator,
		"smtp26.services.sfr.fr":                               SFR,
		"192-0-2-1.rev.numericable.fr":                         otherOperator,
	} {
		if got := operatorOf(host); got != want {
			t.Errorf("%s is run by %q, want %q", host, got, want)
		}
	}
}

// A customer's names are told in domains of the table alone.
func TestCustomersAreNamedInOperatorsDomains(t *testing.T) {
	for _, names := range customerNames {
		if operatorDomains()[names.domain].operator == UnknownOperator {
			t.Errorf("%s is no domain of an operator", names.domain)
		}
		if hasAddress("mx.") || names.domain != "amazonaws.com" && names.customer("mx.") {
			t.Errorf("mx.%s is no customer's", names.domain)
		}
	}
}
