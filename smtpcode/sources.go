package smtpcode

// Public pages that more than one table cites.
const (
	yahooSMTP    = "senders.yahooinc.com/smtp-error-codes"
	mimecastSMTP = "mimecastsupport.zendesk.com/hc/en-us/articles/34000709564691"
	appleSMTP    = "smtp.codes/icloud"
	fieldManual  = "smtpfieldmanual.com"
)

const (
	comcastSMTP   = "postmaster.comcast.net/mail-error-codes"
	coxSMTP       = "postmaster.cox.net: Error Codes"
	charterSMTP   = "spamresource.com/2019/10/charterroadrunner-bounces"
	attSMTP       = "rbl.att.net/block_enduser"
	laposteSMTP   = "bentonow.com/smtp-errors/laposte"
	orangeSMTP    = "bentonow.com/smtp-errors/orange"
	unitedSMTP    = "smtp.codes/unitedinternet; postmaster.gmx.net/en/error-messages"
	germanTypical = "sitepackage.de: typische Fehlermeldungen bei Unzustellbarkeit"
	qqSMTP        = "smtp.codes/qq"
	neteaseSMTP   = "help.163.com as quoted at biecuoliao.com/pa/MBRrwEM"
	yandexSMTP    = "yandex.com/support/mail/bounces/yandex"
	sesQuota      = "docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas-errors"
	sesSMTP       = "docs.aws.amazon.com/ses/latest/dg/troubleshoot-smtp"
)

// Where server programs keep their wording.
const (
	postfixSource   = "github.com/vdukhovni/postfix"
	eximSource      = "github.com/Exim/exim"
	sendmailSource  = "sendmail 8.17.1"
	qmailSource     = "github.com/notqmail/notqmail"
	openSMTPDSource = "github.com/OpenSMTPD/OpenSMTPD"
)
