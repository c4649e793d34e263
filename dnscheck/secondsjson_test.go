package dnscheck

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestDurationsAreSecondsInJSON(t *testing.T) {
	zone := readZone(t, "$TTL 1h\nexample.org. TXT \"v=spf1 include:spf.example.net -all\"\nspf.example.net. 300 TXT \"v=spf1 ip4:192.0.2.0/24 -all\"\n")
	audit := AuditSPF(t.Context(), zone, "example.org", SPFAuditOptions{Flatten: true})
	policy, err := ParseMTASTSPolicy("version: STSv1\nmode: enforce\nmx: mail.example.org\nmax_age: 604800\n")
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(struct {
		Audit  *SPFAudit
		Policy *MTASTSPolicy
	}{audit, policy})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"ttl_seconds":3600`, `"ttl_seconds":300`, `"expires_seconds":300`, `"max_age_seconds":604800`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("no %s in %s", want, data)
		}
	}
	var back struct {
		Audit  SPFAudit
		Policy MTASTSPolicy
	}
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	included := back.Audit.Record.Terms[0].Record
	if back.Audit.Record.TTL != time.Hour || included == nil || included.TTL != 5*time.Minute || included.Domain != "spf.example.net" ||
		back.Audit.Flattened.Expires != 5*time.Minute || back.Policy.MaxAge != 168*time.Hour || back.Policy.Mode != STSEnforce {
		t.Errorf("read back: %+v %+v %+v", back.Audit.Record, back.Audit.Flattened, back.Policy)
	}
}
