package dnscheck

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

func TestClientSaysWhyTheServerFailed(t *testing.T) {
	for name, tt := range map[string]struct {
		options []dnsmessage.Option
		want    string // within the error's text
		bogus   bool
	}{
		"signature expired": {[]dnsmessage.Option{{Code: 10, Data: []byte("cookie")}, {Code: 15, Data: []byte("\x00\x07since May")}}, `extended error 7 (Signature Expired) "since May"`, true},
		"no server reached": {[]dnsmessage.Option{{Code: 15, Data: []byte{0, 22}}}, "extended error 22 (No Reachable Authority)", false},
		"a code of later":   {[]dnsmessage.Option{{Code: 15, Data: []byte{0xff, 0xff}}}, "extended error 65535", false},
		"long words":        {[]dnsmessage.Option{{Code: 15, Data: []byte("\x00\x00" + strings.Repeat("x", 1000))}}, `"` + strings.Repeat("x", 200) + `"`, false},
		"too short":         {[]dnsmessage.Option{{Code: 15, Data: []byte{0}}}, "code 2 (ServerFailure)", false},
		"none":              {nil, "code 2 (ServerFailure)", false},
	} {
		t.Run(name, func(t *testing.T) {
			got, _ := ask(t, answers(func(m *dnsmessage.Message) {
				m.RCode = dnsmessage.RCodeServerFailure
				var opt dnsmessage.ResourceHeader
				opt.SetEDNS0(1232, 0, false)
				m.Additionals = []dnsmessage.Resource{recordA("ns.example.org.", 300, "192.0.2.53"), {Header: opt, Body: &dnsmessage.OPTResource{Options: tt.options}}}
			}), "example.org", TypeA)
			if got.Outcome != ServFail || got.Err == nil || !strings.Contains(got.Err.Error(), tt.want) || errors.Is(got.Err, ErrBogus) != tt.bogus {
				t.Errorf("%v %v", got.Outcome, got.Err)
			}
			if bare := tt.options == nil || len(tt.options[0].Data) < 2; bare == strings.Contains(got.Err.Error(), "extended") {
				t.Errorf("%v", got.Err)
			}
		})
	}
}
