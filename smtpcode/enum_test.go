package smtpcode

import (
	"testing"

	"github.com/mailfault/mailfault/internal/enumtest"
)

func TestEnumerationsReadTheirTexts(t *testing.T) {
	enumtest.RoundTrip[AddressAdvice](t)
	enumtest.RoundTrip[CheckKind](t)
	enumtest.RoundTrip[Party](t)
	enumtest.RoundTrip[Permanence](t)
	enumtest.RoundTrip[RefuserKind](t)
	enumtest.RoundTrip[ResendAdvice](t)
	enumtest.RoundTrip[Side](t)
}
