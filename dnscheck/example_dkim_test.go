package dnscheck_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/mailfault/mailfault/dnscheck"
)

// The signature covers the first line, and a mailing list has put another behind
// it: that is no failure, and is said.
func ExampleVerifyDKIM_bodyLength() {
	zone := zoneOf(`sel._domainkey.example.org TXT "v=DKIM1; k=ed25519; p=6kpsY+KcUgq+9VB7Ey7F+ZVHdq6+vnuSQh7qaRRG0iw="`)
	message := strings.NewReader(`DKIM-Signature: v=1; h=from:subject; l=12; a=ed25519-sha256; d=example.org; s=sel; bh=6RmYNG+nsAMZ+dhr4sbO/jttBjdI9Aqnee1ZDTf8ptY=; b=nzBJdrzNCzN1+0jRyP2qmAM7e71REOkiKyKAI2buNXJRv5fnCZfUSeBGCQu4wQ2AVn7mce/09Htkb0C21uUWCQ==
From: Anna <anna@example.org>
Subject: Lunch

At noon, OK?
To leave this list, write to its owner.
`)
	signatures, err := dnscheck.VerifyDKIM(context.Background(), zone, dnscheck.DKIMQuery{Message: message})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range signatures {
		fmt.Println(s.Signature.Domain, s.Result, s.UnsignedBody)
		fmt.Println(s.Caveats)
	}
	// Output:
	// example.org pass 43
	// [the last 43 octets of the body are not signed (l=12): anybody can have added them (RFC 6376 section 8.2)]
}

// A check that fetches the MTA-STS policy is recorded with it, and runs again
// offline.
func ExampleRecorder_Policies() {
	zone := zoneOf(`
example.org          MX  10 mail.example.org
mail.example.org     A   203.0.113.25
_mta-sts.example.org TXT "v=STSv1; id=1"
`)
	fetch := func(context.Context, string) ([]byte, error) { // over HTTPS in earnest
		return []byte("version: STSv1\nmode: enforce\nmx: mail.example.org\nmax_age: 604800\n"), nil
	}
	var file bytes.Buffer
	recorder := &dnscheck.Recorder{Resolver: zone, Writer: &file}
	check := dnscheck.CheckDomain(context.Background(), recorder, "example.org", dnscheck.DomainOptions{FetchPolicy: recorder.Policies(fetch)})
	fmt.Println(check.MTASTS.Policy.Mode, recorder.Err())

	recording, err := dnscheck.ReadRecording(&file)
	if err != nil {
		fmt.Println(err)
		return
	}
	check = dnscheck.CheckDomain(context.Background(), recording.Replay(), "example.org", dnscheck.DomainOptions{FetchPolicy: recording.FetchPolicy})
	fmt.Println(check.MTASTS.Policy.Mode)
	// Output:
	// enforce <nil>
	// enforce
}
