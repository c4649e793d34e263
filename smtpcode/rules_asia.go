package smtpcode

// asiaRules are replies of Tencent (QQ), NetEase (163, 126), docomo, KDDI and
// Naver.
var asiaRules = []Rule{
	{ID: "qq-recipient-rejects", Condition: "sender-blocked-by-recipient", Text: "mail is rejected by recipients", Source: qqSMTP},
	{ID: "qq-access-denied", Condition: "mailbox-receive-limit", Text: "mailbox unavailable or access denied", Source: qqSMTP},
	{ID: "qq-content", Condition: "spam-content", Text: "mail content denied", Source: qqSMTP},
	{ID: "qq-sender-frequency", Condition: "sender-throttled", Text: "sender frequency limited", Source: qqSMTP},
	{ID: "qq-domain-frequency", Condition: "sender-throttled", Text: "domain frequency limited", Source: "qiao.yimirj.com/article/detail/2261"},
	{ID: "qq-ip-frequency", Condition: "ip-throttled", Text: "ip frequency limited", Source: "computersolutions.cn: QQ Mail 550 Ip frequency limited"},
	{ID: "qq-connection-frequency", Condition: "ip-throttled", Text: "connection frequency limited", Source: "qiao.yimirj.com/article/detail/2261"},
	{ID: "qq-spam-sender", Condition: "sender-domain-blocked", Text: "suspected spam sender", Source: qqSMTP},
	{ID: "qq-address", Condition: "recipient-address-invalid", Text: "bad address syntax", Source: qqSMTP},

	{ID: "netease-hl-rep", Condition: "namespace-mining", Text: "hl:rep", Token: true, Source: neteaseSMTP},
	{ID: "netease-hl-icc", Condition: "too-many-connections", Text: "hl:icc", Token: true, Source: neteaseSMTP},
	{ID: "netease-hl-ifc", Condition: "ip-throttled", Text: "hl:ifc", Token: true, Source: neteaseSMTP},
	{ID: "netease-hl-mep", Condition: "ip-throttled", Text: "hl:mep", Token: true, Source: neteaseSMTP},
	{ID: "netease-mi-cel", Condition: "protocol-error", Text: "mi:cel", Token: true, Source: neteaseSMTP},
	{ID: "netease-mi-ccl", Condition: "protocol-error", Text: "mi:ccl", Token: true, Source: neteaseSMTP},
	{ID: "netease-mi-dmc", Condition: "too-many-connections", Text: "mi:dmc", Token: true, Source: neteaseSMTP},
	{ID: "netease-mi-sfq", Condition: "sender-throttled", Text: "mi:sfq", Token: true, Source: neteaseSMTP},
	{ID: "netease-rp-drc", Condition: "too-many-recipients", Text: "rp:drc", Token: true, Source: neteaseSMTP},
	{ID: "netease-rp-ccl", Condition: "protocol-error", Text: "rp:ccl", Token: true, Source: neteaseSMTP},
	{ID: "netease-rp-cel", Condition: "protocol-error", Text: "rp:cel", Token: true, Source: neteaseSMTP},
	{ID: "netease-dt-rbl", Condition: "ip-blocked", Text: "dt:rbl", Token: true, Source: neteaseSMTP},
	{ID: "netease-dt-spm", Condition: "spam-content", Text: "dt:spm", Token: true, Source: neteaseSMTP},
	{ID: "netease-wm-bli", Condition: "relay-denied", Text: "wm:bli", Token: true, Source: neteaseSMTP},
	{ID: "netease-wm-blu", Condition: "relay-denied", Text: "wm:blu", Token: true, Source: neteaseSMTP},
	{ID: "netease-login", Condition: "login-failed", Text: "too much fail authentication", Source: neteaseSMTP},

	{ID: "docomo-full", Condition: "mailbox-full", Text: "too much mail data", Source: "note.com/sendmagic/n/neb6bbe7e51cf"},
	{ID: "docomo-user", Condition: "recipient-not-found", Operator: Docomo, Code: 550, Text: "unknown user", Source: "note.com/sendmagic/n/neb6bbe7e51cf"},
	{ID: "kddi-address", Condition: "recipient-address-invalid", Operator: KDDI, Code: 554, Text: "relay access denied", Source: "note.com/sendmagic/n/n875d8dcb6cb8"},
	{ID: "kddi-user", Condition: "recipient-not-found", Operator: KDDI, Code: 550, Text: "user unknown", Source: "note.com/sendmagic/n/n875d8dcb6cb8"},
	{ID: "naver-filtered", Condition: "ip-blocked", Text: "is filtered and this connection will be closed", Source: "puffinknight.tistory.com/102"},
	{ID: "naver-register", Condition: "ip-blocked", Text: "realip.naver.com", Token: true, Source: "puffinknight.tistory.com/102"},
	{ID: "naver-many", Condition: "ip-throttled", Text: "you send too many messages", Source: "puffinknight.tistory.com/102"},
	{ID: "naver-reject-list", Condition: "sender-blocked-by-recipient", Text: "registered as spammer (by user's reject list)", Source: "puffinknight.tistory.com/102"},
}
