package dnscheck

import (
	"encoding/json"
	"net/netip"
	"strings"
	"testing"
)

// The reason of a result that is no verdict is there in JSON too, where Err is not.
func TestSPFCheckSaysItsProblemInJSON(t *testing.T) {
	zone := readZone(t, "two.example TXT \"v=spf1 -all\"\ntwo.example TXT \"v=spf1 +all\"\ngood.example TXT \"v=spf1 -all\"\n")
	for domain, want := range map[string]string{
		"two.example": `"problem":"two.example publishes several SPF records"`, "none.example": `"problem":"none.example publishes no SPF record"`,
		"": `"problem":"there is no domain to check"`, "good.example": "",
	} {
		data, err := json.Marshal(CheckSPF(t.Context(), zone, SPFQuery{IP: netip.MustParseAddr("192.0.2.1"), HELO: domain}))
		if err != nil || !strings.Contains(string(data), want) || want == "" && strings.Contains(string(data), `"problem"`) {
			t.Errorf("%s: %s, want %s", domain, data, want)
		}
	}
}
