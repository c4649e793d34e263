package explained

import "testing"

func TestOnlyOneAddressOfAReplyIsTakenForTheSenders(t *testing.T) {
	for reply, want := range map[string]string{
		"192.0.2.20 is not allowed to send": "192.0.2.20",
		"blocked [2001:db8::1].":            "2001:db8::1",
		"192.0.2.1 said that 192.0.2.2":     "invalid IP",
		"5.7.23 rejected":                   "invalid IP",
	} {
		if got := namedIP(reply); got.String() != want {
			t.Errorf("%q names %v, want %s", reply, got, want)
		}
	}
}
