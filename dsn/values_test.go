package dsn

import "testing"

// Domino writes Japanese into the diagnostic code with the escape sequences of
// ISO-2022-JP: the text is readable, what stood there stays in Raw.
func TestADiagnosticInISO2022JP(t *testing.T) {
	const raw = "X-Notes; \x1b$B%a!<%k\x1b(B gone@example.net"
	got := parseDiagnostic(raw)
	if want := (Diagnostic{Type: "x-notes", Text: "メール gone@example.net", Raw: raw}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
