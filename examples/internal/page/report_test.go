package page

import (
	"testing"
	"time"
)

func TestDelaysAreToldWithoutZeros(t *testing.T) {
	for _, test := range []struct {
		d    time.Duration
		want string
	}{
		{0, ""},
		{3 * time.Second, "after 3s"},
		{10 * time.Minute, "after 10m"},
		{9 * time.Hour, "after 9h"},
		{9*time.Hour + 30*time.Minute, "after 9h30m"},
		{time.Hour + 5*time.Second, "after 1h0m5s"},
		{47 * time.Hour, "after 47h"},
		{50*time.Hour + 7*time.Second, "after 2 days 2h"},
		{115 * 24 * time.Hour, "after 115 days"},
		{-20 * time.Minute, "20m early: the clocks differ"},
	} {
		if got := delay(test.d); got != test.want {
			t.Errorf("%d s: %q, want %q", int(test.d.Seconds()), got, test.want)
		}
	}
}
