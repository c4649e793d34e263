package digest_test

import (
	"errors"
	"testing"

	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/dmarcreport/history/digest"
	"github.com/mailfault/mailfault/internal/dmarcyear"
)

func TestAPeriodThatIsNone(t *testing.T) {
	h := year(t, dmarcyear.Submissions())
	first := dmarcyear.Day(10)
	for _, p := range []history.Period{{}, {First: first}, {Last: first}, {First: first, Last: first - 1}, {First: first, Last: first + 1_000_000}, {First: 1, Last: 1<<31 - 1}, {First: -1 << 31, Last: 1<<31 - 1}} {
		if d, err := digest.Make(t.Context(), h, address, p, dmarcyear.Shop); !errors.Is(err, digest.ErrPeriod) {
			t.Errorf("%d to %d: %v, %v", p.First, p.Last, d, err)
		}
	}
}

func TestOneAddressHoweverItIsWritten(t *testing.T) {
	h := year(t, dmarcyear.Submissions())
	mailed := 0
	for _, to := range []string{"Ops <ops@a.example>", "ops@a.example", "OPS@A.example"} {
		d := week(t, h, 119, dmarcyear.Shop)
		d.Address = to
		if fate, err := digest.Send(t.Context(), h, d, false, func(*digest.Digest) error { mailed++; return nil }); err != nil || fate != digest.Sent {
			t.Errorf("%s: %s, %v", to, fate, err)
		}
	}
	if mailed != 1 {
		t.Errorf("mailed %d times", mailed)
	}
}
