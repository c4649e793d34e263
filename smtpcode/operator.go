package smtpcode

// Operator is who runs a server, as far as codes and wording of its own go.
type Operator string

const (
	UnknownOperator Operator = ""
	Microsoft       Operator = "microsoft" // Exchange Online, Exchange Server, Outlook.com
	Google          Operator = "google"    // Gmail, Workspace
	Yahoo           Operator = "yahoo"     // Yahoo, AOL
	Apple           Operator = "apple"     // iCloud

	Proofpoint     Operator = "proofpoint"
	Mimecast       Operator = "mimecast"
	Barracuda      Operator = "barracuda"
	Cisco          Operator = "cisco" // IronPort, Secure Email
	TrendMicro     Operator = "trend-micro"
	Broadcom       Operator = "broadcom" // Symantec Email Security.cloud, MessageLabs
	Trellix        Operator = "trellix"  // FireEye Email Security
	Sophos         Operator = "sophos"   // Sophos Email
	Cloudflare     Operator = "cloudflare"
	Comcast        Operator = "comcast"
	Cox            Operator = "cox"
	Charter        Operator = "charter" // Spectrum, Roadrunner
	ATT            Operator = "att"     // BellSouth, Prodigy
	Orange         Operator = "orange"  // Wanadoo
	Free           Operator = "free"
	UnitedInternet Operator = "united-internet" // GMX, web.de, 1&1, IONOS, mail.com
	TOnline        Operator = "t-online"
	Tencent        Operator = "tencent" // QQ Mail
	NetEase        Operator = "netease" // 163, 126, yeah.net
	Docomo         Operator = "docomo"
	KDDI           Operator = "kddi" // au
	Naver          Operator = "naver"
	Yandex         Operator = "yandex"
	VK             Operator = "vk" // Mail.ru
	Zoho           Operator = "zoho"
	GoDaddy        Operator = "godaddy"
	LaPoste        Operator = "laposte"
	Amazon         Operator = "amazon" // SES
	SFR            Operator = "sfr"    // Neuf, Numericable
	Fastmail       Operator = "fastmail"
	Proton         Operator = "proton"
	Libero         Operator = "libero"   // Italiaonline: Libero, Virgilio
	Verizon        Operator = "verizon"  // Verizon Online
	SoftBank       Operator = "softbank" // SoftBank
	Kakao          Operator = "kakao"    // Daum, Hanmail
	SendGrid       Operator = "sendgrid"
	Mailgun        Operator = "mailgun"
	Postmark       Operator = "postmark"
	SparkPost      Operator = "sparkpost"
)

// operatorHosts tells an operator by the domain its servers are named in.
var operatorHosts = []struct {
	domain   string
	operator Operator
}{
	{"outlook.com", Microsoft},
	{"hotmail.com", Microsoft},
	{"exchangelabs.com", Microsoft},
	{"office365.us", Microsoft},
	{"microsoft.com", Microsoft},
	{"partner.outlook.cn", Microsoft},
	{"mx.microsoft", Microsoft},
	{"google.com", Google},
	{"gmail.com", Google},
	{"googlemail.com", Google},
	{"yahoodns.net", Yahoo},
	{"yahoo.com", Yahoo},
	{"aol.com", Yahoo},
	{"icloud.com", Apple},
	{"me.com", Apple},
	{"pphosted.com", Proofpoint},
	{"gpphosted.com", Proofpoint},
	{"ppe-hosted.com", Proofpoint},
	{"mimecast.com", Mimecast},
	{"mimecast.co.za", Mimecast},
	{"mimecast-offshore.com", Mimecast},
	{"barracudanetworks.com", Barracuda},
	{"cudaops.com", Barracuda},
	{"iphmx.com", Cisco},
	{"trendmicro.com", TrendMicro},
	{"trendmicro.eu", TrendMicro},
	{"messagelabs.com", Broadcom},
	{"fireeyecloud.com", Trellix},
	{"hydra.sophos.com", Sophos},
	{"mx.cloudflare.net", Cloudflare},
	{"cloudflare-email.net", Cloudflare},
	{"mxrecord.io", Cloudflare},
	{"mxrecord.mx", Cloudflare},
	{"comcast.net", Comcast},
	{"cox.net", Cox},
	{"charter.net", Charter},
	{"rr.com", Charter},
	{"twc.com", Charter},
	{"prodigy.net", ATT},
	{"bellsouth.net", ATT},
	{"att.net", ATT},
	{"sbcglobal.net", ATT},
	{"pacbell.net", ATT},
	{"ameritech.net", ATT},
	{"swbell.net", ATT},
	{"snet.net", ATT},
	{"flash.net", ATT},
	{"nvbell.net", ATT},
	{"wans.net", ATT},
	{"orange.fr", Orange},
	{"wanadoo.fr", Orange},
	{"free.fr", Free},
	{"gmx.net", UnitedInternet},
	{"gmx.com", UnitedInternet},
	{"web.de", UnitedInternet},
	{"kundenserver.de", UnitedInternet},
	{"1and1.com", UnitedInternet},
	{"1and1.es", UnitedInternet},
	{"1and1.co.uk", UnitedInternet},
	{"1and1.fr", UnitedInternet},
	{"ionos.com", UnitedInternet},
	{"ionos.de", UnitedInternet},
	{"ionos.co.uk", UnitedInternet},
	{"ionos.es", UnitedInternet},
	{"ionos.fr", UnitedInternet},
	{"ionos.it", UnitedInternet},
	{"perfora.net", UnitedInternet},
	{"mail.com", UnitedInternet},
	{"t-online.de", TOnline},
	{"qq.com", Tencent},
	{"163.com", NetEase},
	{"126.com", NetEase},
	{"yeah.net", NetEase},
	{"netease.com", NetEase},
	{"docomo.ne.jp", Docomo},
	{"ezweb.ne.jp", KDDI},
	{"au.com", KDDI},
	{"naver.com", Naver},
	{"yandex.ru", Yandex},
	{"yandex.com", Yandex},
	{"yandex.net", Yandex},
	{"mail.ru", VK},
	{"zoho.com", Zoho},
	{"zoho.eu", Zoho},
	{"zoho.in", Zoho},
	{"zoho.com.au", Zoho},
	{"zoho.com.cn", Zoho},
	{"zoho.jp", Zoho},
	{"zoho.sa", Zoho},
	{"zohocloud.ca", Zoho},
	{"zohomail.com", Zoho},
	{"zeptomail.com", Zoho},
	{"secureserver.net", GoDaddy},
	{"laposte.net", LaPoste},
	{"sfr.fr", SFR},
	{"neuf.fr", SFR},
	{"cegetel.net", SFR},
	{"club-internet.fr", SFR},
	{"numericable.fr", SFR},
	{"noos.fr", SFR},
	{"messagingengine.com", Fastmail},
	{"protonmail.ch", Proton},
	{"proton.me", Proton},
	{"mail-europe.com", Proton},
	{"libero.it", Libero},
	{"italiaonline.it", Libero},
	{"iol.it", Libero},
	{"virgilio.it", Libero},
	{"verizon.net", Verizon},
	{"softbank.jp", SoftBank},
	{"softbank.ne.jp", SoftBank},
	{"hanmail.net", Kakao},
	{"daum.net", Kakao},
	{"sendgrid.net", SendGrid},
	{"mailgun.org", Mailgun},
	{"mailgun.net", Mailgun},
	{"mailgun.us", Mailgun},
	{"mtasv.net", Postmark},
	{"postmarkapp.com", Postmark},
	{"sparkpostmail.com", SparkPost},
	{"spmta.com", SparkPost},
	{"amazonses.com", Amazon},
	{"amazonaws.com", Amazon},
}

// otherOperator runs a host that no table names. It may still be an Exchange
// Server of some company: its marks tell.
const otherOperator Operator = "other"

// operatorMarks are marks in a reply that one operator's software leaves, in
// their exact case. Where several stand in a reply the first of the table
// tells who wrote it; they are found in the same pass as the words of rules.
var operatorMarks = []struct {
	mark     string
	operator Operator
}{
	{"RESOLVER.", Microsoft},
	{"STOREDRV.", Microsoft},
	{"SMTPSEND.", Microsoft},
	{"QUEUE.Expired", Microsoft},
	{"TRANSPORT.RULES.", Microsoft},
	{"APPROVAL.", Microsoft},
	{" AS(", Microsoft},
	{"(AS", Microsoft},
	{"(S3", Microsoft},
	{".PROD.OUTLOOK.COM", Microsoft},
	{".prod.outlook.com", Microsoft},
	{".prod.protection.outlook.com", Microsoft},
	{"go.microsoft.com", Microsoft},
	{"aka.ms/", Microsoft},
	{" - gsmtp", Google},
	{"support.google.com", Google},
	{"postmaster.yahooinc.com", Yahoo},
	{"help.yahoo.com", Yahoo},
	{"community.mimecast.com", Mimecast},
	{"ipcheck.proofpoint.com", Proofpoint},
	{"postmaster.comcast.net", Comcast},
	{"postmaster.gmx.", UnitedInternet},
	{"postmaster.web.de", UnitedInternet},
	{"postmaster.1and1.", UnitedInternet},
	{"mail.qq.com", Tencent},
	{"exmail.qq.com", Tencent},
	{"mail.163.com", NetEase},
	{"help.mail.ru", VK},
	{"OFR_", Orange},
	{"OFR00", Orange},
	{"cuda_nsu", Barracuda},
	{"XGEMAIL_", Sophos},
	{"LPN007_", LaPoste},
	{"SFR_IN_", SFR},
	{"LPN027_", LaPoste},
	{"rx.t-online.de", TOnline},
	{"AUP#CX", Cox},
	{"AUP#I-13", Charter},
	{"AUP#In-13", Charter},
	{"abuse-att.net", ATT},
	{"DNSBL:RBL", ATT},
	{"postmaster.free.fr", Free},
	{"GU_EIB_", SFR},
	{"mail.zoho.com", Zoho},
	{"Zoho Mail", Zoho},
	{"proton.me/support", Proton},
	{"realip.naver.com", Naver},
	{"www.verizon.net", Verizon},
	{"developers.cloudflare.com", Cloudflare},
	{"senders.yahooinc.com", Yahoo},
	{"support.apple.com", Apple},
	{"mimecast.com/docs", Mimecast},
	{"mimecast.org", Mimecast},
}
