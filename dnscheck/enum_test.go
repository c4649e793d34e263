package dnscheck

import (
	"testing"

	"github.com/mailfault/mailfault/internal/enumtest"
)

func TestEnumerationsReadTheirTexts(t *testing.T) {
	enumtest.RoundTrip[Agreement](t)
	enumtest.RoundTrip[AlignmentMode](t)
	enumtest.RoundTrip[Claim](t)
	enumtest.RoundTrip[DKIMResult](t)
	enumtest.RoundTrip[DMARCMethod](t)
	enumtest.RoundTrip[DMARCResult](t)
	enumtest.RoundTrip[HELOMatch](t)
	enumtest.RoundTrip[Mechanism](t)
	enumtest.RoundTrip[Outcome](t)
	enumtest.RoundTrip[Owner](t)
	enumtest.RoundTrip[PSD](t)
	enumtest.RoundTrip[Policy](t)
	enumtest.RoundTrip[SPFResult](t)
	enumtest.RoundTrip[STSMode](t)
	enumtest.RoundTrip[Severity](t)
}
