package dsn

import (
	"testing"

	"github.com/mailfault/mailfault/internal/enumtest"
)

func TestEnumerationsReadTheirTexts(t *testing.T) {
	enumtest.RoundTrip[ActionMode](t)
	enumtest.RoundTrip[AddressSource](t)
	enumtest.RoundTrip[AuthFailure](t)
	enumtest.RoundTrip[Author](t)
	enumtest.RoundTrip[DispositionType](t)
	enumtest.RoundTrip[Extent](t)
	enumtest.RoundTrip[FeedbackType](t)
	enumtest.RoundTrip[Format](t)
	enumtest.RoundTrip[Kind](t)
	enumtest.RoundTrip[OriginCheck](t)
	enumtest.RoundTrip[SendingMode](t)
	enumtest.RoundTrip[Severity](t)
	enumtest.RoundTrip[Verdict](t)
}
