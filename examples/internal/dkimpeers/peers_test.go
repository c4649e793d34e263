package dkimpeers

import (
	"bytes"
	"crypto/rand"
	mathrand "math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/dnscheck"
)

// difference is a reason why this library and dkimpy say something else of a
// signature. Each holds of all cases that it explains, and fits only one verdict.
type difference struct {
	pass bool // this library's verdict
	why  string
	of   func(c peerCase, s *dnscheck.SignatureCheck, theirs peerAnswer) bool
}

var differences = []difference{
	{true, "dkimpy lets no From be added, whatever h says; RFC 6376 section 8.15 leaves that to receivers, and it is a caveat here",
		func(_ peerCase, s *dnscheck.SignatureCheck, _ peerAnswer) bool {
			return strings.Contains(strings.Join(s.Caveats, "; "), "several From")
		}},
	{false, "dkimpy does not look whether v is the first tag of the key (section 3.6.1)",
		func(c peerCase, _ *dnscheck.SignatureCheck, _ peerAnswer) bool { return c.change == "v last" }},
	{false, "dkimpy does not look at h of the key (section 6.1.2)",
		func(c peerCase, _ *dnscheck.SignatureCheck, _ peerAnswer) bool { return c.change == "only sha1" }},
	{false, "dkimpy does not look at t=s of the key (section 3.6.1)",
		func(c peerCase, s *dnscheck.SignatureCheck, _ peerAnswer) bool {
			return c.change == "t=s" && strings.Contains(s.Reason, "t=s")
		}},
	{true, "dkimpy reads no message with a line in its header that is no field; what is signed may be whole all the same",
		func(_ peerCase, _ *dnscheck.SignatureCheck, theirs peerAnswer) bool {
			return strings.Contains(theirs.Why, "Unexpected characters in RFC822 header")
		}},
}

// Whatever dkimpy signs passes here, and after a change both say the same, or
// differ for a reason of the table. MAILFAULT_DKIM_CASES is how many cases there are; with
// it messages are also damaged at random.
func TestEveryDifferenceIsExplained(t *testing.T) {
	if err := exec.CommandContext(t.Context(), "/usr/bin/python3", "-c", "import dkim, nacl").Run(); err != nil {
		if os.Getenv("MAILFAULT_CORPORA_REQUIRED") != "" {
			t.Fatalf("dkimpy: %v", err)
		}
		t.Skip("dkimpy is not installed (Debian: python3-dkim, python3-nacl)")
	}
	changes := changes
	number, err := strconv.Atoi(os.Getenv("MAILFAULT_DKIM_CASES"))
	if err != nil {
		number = 600
	} else {
		changes = append(changes, damage)
	}
	g := &generator{Rand: mathrand.New(mathrand.NewPCG(1, 2))}
	for _, make := range []func() (signer, error){func() (signer, error) { return rsaSigner(rand.Reader) }, func() (signer, error) { return ed25519Signer(rand.Reader) }} {
		s, err := make()
		if err != nil {
			t.Fatal(err)
		}
		g.signers = append(g.signers, s)
	}
	signed := make([]peerCase, number)
	for i := range signed {
		signed[i] = g.next()
	}
	fields, err := ask(t.Context(), signed)
	if err != nil || len(fields) != number {
		t.Fatalf("%d answers, %v", len(fields), err)
	}
	cases := make([]peerCase, number)
	for i, c := range signed {
		if len(fields[i].Field) == 0 {
			t.Fatalf("not signed: %s", fields[i].Why)
		}
		change := changes[i%len(changes)]
		text, key := change.do(g, string(fields[i].Field)+string(c.Message), c.Key)
		cases[i] = peerCase{Message: []byte(text), Key: key, change: change.name}
	}
	theirs, err := ask(t.Context(), cases)
	if err != nil || len(theirs) != number {
		t.Fatalf("%d answers, %v", len(theirs), err)
	}
	used, passed := make([]int, len(differences)), 0
	for i, c := range cases {
		ours := verify(t, c)
		if ours.Result == dnscheck.DKIMPass {
			passed++
		}
		if (ours.Result == dnscheck.DKIMPass) != theirs[i].Pass && !explained(c, ours, theirs[i], used) {
			t.Errorf("%s: %v (%s), dkimpy %v %s\nkey %s\n%q", c.change, ours.Result, ours.Reason, theirs[i].Pass, theirs[i].Why, c.Key, c.Message)
		}
		if c.change == "none" && ours.Result != dnscheck.DKIMPass {
			t.Errorf("as it was signed: %v, %s\n%q", ours.Result, ours.Reason, c.Message)
		}
	}
	t.Logf("%d cases, %d pass, differences %v", number, passed, used)
}

func explained(c peerCase, ours *dnscheck.SignatureCheck, theirs peerAnswer, used []int) bool {
	for i, d := range differences {
		if d.pass == (ours.Result == dnscheck.DKIMPass) && d.of(c, ours, theirs) {
			used[i]++
			return true
		}
	}
	return false
}

// verify verifies the first signature; a message without one has an empty result.
func verify(t *testing.T, c peerCase) *dnscheck.SignatureCheck {
	t.Helper()
	var zone dnscheck.Zone
	if c.Key != "" {
		zone.AddTXT("sel._domainkey.example.org", c.Key)
		zone.AddTXT("sel2._domainkey.example.org", c.Key)
	}
	checks, err := dnscheck.VerifyDKIM(t.Context(), &zone, dnscheck.DKIMQuery{Message: bytes.NewReader(c.Message)})
	if err != nil {
		t.Fatal(err)
	}
	if len(checks) == 0 {
		return &dnscheck.SignatureCheck{Signature: new(dnscheck.DKIMSignature)}
	}
	return checks[0]
}
