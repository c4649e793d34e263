package dmarcreport

import (
	"testing"

	"github.com/mailfault/mailfault/internal/enumtest"
)

func TestEnumerationsReadTheirTexts(t *testing.T) {
	enumtest.RoundTrip[AlignmentMode](t)
	enumtest.RoundTrip[Class](t)
	enumtest.RoundTrip[Disposition](t)
	enumtest.RoundTrip[Kind](t)
	enumtest.RoundTrip[Override](t)
	enumtest.RoundTrip[Result](t)
	enumtest.RoundTrip[SPFScope](t)
	enumtest.RoundTrip[Severity](t)
	enumtest.RoundTrip[Standard](t)
	enumtest.RoundTrip[Verdict](t)
}
