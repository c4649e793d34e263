package history

import (
	"testing"

	"github.com/mailfault/mailfault/internal/enumtest"
)

func TestEnumerationsReadTheirTexts(t *testing.T) {
	enumtest.RoundTrip[Change](t)
	enumtest.RoundTrip[Grade](t)
	enumtest.RoundTrip[Kind](t)
	enumtest.RoundTrip[State](t)
	enumtest.RoundTrip[Status](t)
	enumtest.RoundTrip[Verdict](t)
}
