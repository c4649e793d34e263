package smtpcode

import "strings"

// Operator is who runs a server, as far as codes and wording of its own go.
type Operator string

const (
	UnknownOperator Operator = ""
	Microsoft       Operator = "microsoft" // Exchange Online, Exchange Server, Outlook.com
	Google          Operator = "google"    // Gmail, Workspace
	Yahoo           Operator = "yahoo"     // Yahoo, AOL
	Apple           Operator = "apple"     // iCloud
	Mimecast        Operator = "mimecast"  // a filter in front of others' mailboxes
	Proofpoint      Operator = "proofpoint"
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
	{"google.com", Google},
	{"googlemail.com", Google},
	{"yahoodns.net", Yahoo},
	{"yahoo.com", Yahoo},
	{"aol.com", Yahoo},
	{"icloud.com", Apple},
	{"me.com", Apple},
	{"mimecast.com", Mimecast},
	{"mimecast.co.za", Mimecast},
	{"pphosted.com", Proofpoint},
	{"ppe-hosted.com", Proofpoint},
}

// operatorOf tells who runs host.
func operatorOf(host string) Operator {
	if host = hostName(host); host == "" {
		return UnknownOperator
	}
	for i := range operatorHosts {
		if within(host, operatorHosts[i].domain) {
			return operatorHosts[i].operator
		}
	}
	return otherOperator
}

// otherOperator runs a host that no table names. It may still be an Exchange
// Server of some company: its marks tell.
const otherOperator Operator = "other"

// operatorMarks are marks in a reply that one operator's software leaves.
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
	{"senders.yahooinc.com", Yahoo},
	{"support.apple.com", Apple},
	{"mimecast.com/docs", Mimecast},
	{"mimecast.org", Mimecast},
	{"ipcheck.proofpoint.com", Proofpoint},
}

// speaker tells whose software wrote a reply: by its marks, else by the host
// that spoke.
func speaker(reply *Reply, host string) Operator {
	for i := range operatorMarks {
		if strings.Contains(reply.Text, operatorMarks[i].mark) {
			return operatorMarks[i].operator
		}
	}
	return operatorOf(host)
}
