package ndr

import (
	"testing"

	"github.com/mailfault/mailfault/internal/enumtest"
)

func TestEnumerationsReadTheirTexts(t *testing.T) {
	enumtest.RoundTrip[Answer](t)
	enumtest.RoundTrip[DateOrder](t)
	enumtest.RoundTrip[Labels](t)
	enumtest.RoundTrip[Layout](t)
	enumtest.RoundTrip[Product](t)
	enumtest.RoundTrip[Relation](t)
	enumtest.RoundTrip[RetryState](t)
	enumtest.RoundTrip[SentenceKind](t)
}
