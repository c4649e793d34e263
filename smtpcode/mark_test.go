package smtpcode

import "testing"

// Whose server spoke is told by its host, else by a mark of its software; what
// only looks like one, or names a third party, tells nothing.
func TestOperatorIsNotClaimedFalsely(t *testing.T) {
	for _, tt := range []struct {
		host, reply string
		want        Operator
	}{
		{"mx.example.net", "550 5.1.10 RESOLVER.ADR.RecipientNotFound; not found", Microsoft},
		{"mx.example.net", "550 5.7.1 banned (S3140) [AM0PR02.eurprd02.prod.outlook.com]", Microsoft},
		{"mx.example.net", "550 5.7.1 refused (AS3140)", Microsoft},
		{"mx.example.net", "550 5.7.1 refused AS(201806281)", Microsoft},
		{"mx.example.net", "550 5.7.1 see https://support.google.com/mail/answer/1.", Google},
		{"mx.example.net", "550 5.7.1 gone - gsmtp", Google},

		{"mx.example.net", "550 5.7.1 not (ASCII) text", otherOperator},
		{"mx.example.net", "550 5.7.1 an (S3) bucket", otherOperator},
		{"mx.example.net", "550 5.7.1 NEEDS APPROVAL.", otherOperator},
		{"mx.example.net", "550 5.7.1 NEEDS APPROVAL. Ask us", otherOperator},
		{"mx.example.net", "550 5.7.1 Message <1@am0pr02.eurprd02.prod.outlook.com> is a copy", otherOperator},
		{"mx.example.net", "550 5.7.1 <help@support.google.com>: no", otherOperator},
		{"mx.example.net", "550 5.7.1 see https://support.google.com.evil.example/", otherOperator},
		{"mx.example.net", "550 5.7.1 see https://notsupport.google.com/", otherOperator},
		{"mx.example.net", "550 5.7.1 [x.prod.outlook.com.evil.example]", otherOperator},

		{"mx.example.net", "550 5.7.1 see support.google.com.", Google},
		{"mx.example.net", "550 5.7.1 see support.google.com. Then write", Google},
		{"mx.example.net", "550 5.7.1 see support.google.com.7.example", otherOperator},
		{"mx.example.net", "550 5.7.1 see support.google.com-x.example", otherOperator},
		{"mx.example.net", "550 5.7.1 see support.google.commerce", otherOperator},
		{"mx.example.net", "550 5.7.1 see support.google.com7", otherOperator},
		{"mx.example.net", "550 5.7.1 see 7support.google.com", otherOperator},
		{"mx.example.net", "550 5.7.1 see my-support.google.com", otherOperator},
		{"mx.example.net", "550 5.7.1 see my.support.google.com", Google},
		{"mx.example.net", "550 5.7.1 see postmaster.gmx.net/en", UnitedInternet},
		{"mx.example.net", "550 5.7.1 see https://aka.ms/x", Microsoft},
		{"mx.example.net", "550 5.7.1 AUP#CX7 refused", Cox},
		{"mx.example.net", "550 5.7.1 known to Zoho Mailbox users", Zoho},
		{"mx.example.net", "550 5.7.1 refused (AS(201806281))", Microsoft},
		{"mx.example.net", "550 5.7.1 APPROVAL.InvalidExpiry; no", Microsoft},

		{"mail.google.com.evil.example", "550 5.7.1 no", otherOperator},
		{"notgoogle.com", "550 5.7.1 no", otherOperator},
		{"google.com.", "550 5.7.1 no", Google},
		{"MX.GOOGLE.COM", "550 5.7.1 no", Google},
		{"gmail-smtp-in.l.google.com", "550 5.7.1 client am0pr02.eurprd02.prod.outlook.com refused", Google},
		{"", "550 5.7.1 google.com", UnknownOperator},
	} {
		r := ParseReply(tt.reply)
		e := evidence{field: FieldReply, code: r.Code, status: r.Status, text: r.Text, operator: operatorOf(hostName(tt.host))}
		var ms matches
		Default().collect(&ms, &e)
		if e.operator != tt.want {
			t.Errorf("%s: %q: %q, want %q", tt.host, tt.reply, e.operator, tt.want)
		}
	}
}
