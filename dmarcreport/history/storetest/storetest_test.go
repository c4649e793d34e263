package storetest_test

import (
	"testing"

	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/dmarcreport/history/storetest"
)

func TestMemory(t *testing.T) {
	storetest.Run(t, func(*testing.T) history.Store { return new(history.Memory) })
}
