package digest_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dmarcreport"
	"github.com/mailfault/mailfault/dmarcreport/history"
	"github.com/mailfault/mailfault/dmarcreport/history/digest"
)

// A week of one domain as a mail's text. Whoever sends it calls Send, which
// remembers it and leaves a clean one out.
func ExampleMake() {
	const report = `<feedback>
<report_metadata><org_name>receiver.example</org_name><email>dmarc@receiver.example</email><report_id>1</report_id>
<date_range><begin>1796083200</begin><end>1796169599</end></date_range></report_metadata>
<policy_published><domain>sender.example</domain><p>none</p></policy_published>
<record><row><source_ip>192.0.2.25</source_ip><count>4</count>
<policy_evaluated><disposition>none</disposition><dkim>fail</dkim><spf>fail</spf></policy_evaluated></row>
<identifiers><header_from>sender.example</header_from></identifiers>
<auth_results><spf><domain>other.example</domain><result>pass</result></spf></auth_results></record>
</feedback>`
	ctx := context.Background()
	h := &history.History{Store: new(history.Memory)}
	r, err := dmarcreport.Read(strings.NewReader(report))
	if err != nil {
		fmt.Println(err)
		return
	}
	s := history.Of(r)
	s.Learnt, s.Authentic = time.Date(2026, 12, 2, 6, 0, 0, 0, time.UTC), true
	if _, err := h.Add(ctx, s); err != nil {
		fmt.Println(err)
		return
	}
	last := history.DayOf(s.Learnt)
	d, err := digest.Make(ctx, h, "postmaster@sender.example", history.Period{First: last - 6, Last: last}, "sender.example")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Subject(), d.Clean())
	fate, err := digest.Send(ctx, h, d, true, func(d *digest.Digest) error { return d.Text(os.Stdout) })
	fmt.Println(fate, err)
	// Output:
	// DMARC 2026-11-26 to 2026-12-02: 1 of 1 domains need attention false
	// DMARC 2026-11-26 to 2026-12-02: 1 of 1 domains need attention
	//
	// sender.example: 4 messages from 1 source in 1 report, 0.0% passed
	//   2026-12-01  192.0.2.25, never seen before, sends mail that fails DMARC
	//     failing source  failed  passed  muted  first seen    state
	//         192.0.2.25       4       0      0  2026-12-01  failing
	//   receiver.example told last of 2026-12-01
	// sent <nil>
}
