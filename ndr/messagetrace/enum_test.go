package messagetrace

import (
	"testing"

	"github.com/mailfault/mailfault/internal/enumtest"
)

func TestEnumerationsReadTheirTexts(t *testing.T) {
	enumtest.RoundTrip[Direction](t)
	enumtest.RoundTrip[Kind](t)
	enumtest.RoundTrip[Match](t)
	enumtest.RoundTrip[Status](t)
}
