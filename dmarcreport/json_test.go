package dmarcreport

import (
	"bytes"
	"encoding/json"
	"testing"
)

// Other programs loop over lists without asking whether they are there.
func TestAbsentListsAreEmptyInJSON(t *testing.T) {
	for _, v := range []any{Source{}, &Source{}, []Source{{}}, Report{}, &Report{}, TLSReport{}, FailureReport{}} {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte("null")) {
			t.Errorf("%T: %s", v, data)
		}
	}
}
