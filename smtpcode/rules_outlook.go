package smtpcode

// outlookRules are the refusals of Outlook.com and Hotmail that the tables of
// Exchange Online lack: the codes of the former postmaster page, and block-list
// marks in parentheses.
var outlookRules = []Rule{
	{ID: "outlook-part-of-their-network-is-on-our-block-list", Condition: "ip-blocked", Text: "part of their network is on our block list", Source: "https://sendersupport.olc.protection.outlook.com/pm/troubleshooting.aspx"},
	{ID: "outlook-sc-001", Condition: "ip-blocked", Text: "sc-001", Source: "https://help.returnpath.com/hc/en-us/articles/220565487-Block-bounce-code-examples"},
	{ID: "outlook-exceeded-their-limit-for-the-number-of-messages-they-can-rec", Condition: "mailbox-receive-limit", Text: "exceeded their limit for the number of messages they can receive per hour", Source: "https://learn.microsoft.com/en-us/exchange/mail-flow-best-practices/non-delivery-reports-in-exchange-online/non-delivery-reports-in-exchange-online"},
	{ID: "outlook-s8002", Condition: "sender-domain-blocked", Text: "(s8002)", Token: true, Source: fieldManual + "/provider/outlook"},
	{ID: "outlook-mailfrom-spamhaus", Condition: "sender-domain-blocked", Text: "mailfrom domain is listed in spamhaus", Source: fieldManual + "/provider/outlook"},
	{ID: "outlook-pfa-agent-busy", Condition: "ip-throttled", Text: "pfa agent busy", Source: "metacpan.org: Sisimai, notes on Microsoft"},
	{ID: "outlook-sc-004", Condition: "ip-blocked", Text: "sc-004", Token: true, Source: "mydigitallife.net: how to remove server IP address from MSN Hotmail block"},
}
