package smtpcode

// outlookRules are the refusals of Outlook.com and Hotmail that the tables of
// Exchange Online lack: the codes of the former postmaster page, and block-list
// marks in parentheses.
var outlookRules = []Rule{
	{ID: "outlook-pfa-agent-busy", Condition: "ip-throttled", Text: "pfa agent busy", Source: "metacpan.org: Sisimai, notes on Microsoft"},
	{ID: "outlook-sc-004", Condition: "ip-blocked", Text: "sc-004", Token: true, Source: "mydigitallife.net: how to remove server IP address from MSN Hotmail block"},
}
