package history_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/mailfault/mailfault/dmarcreport"
	"github.com/mailfault/mailfault/dmarcreport/history"
)

// Two reports of one key are the same report where all that they say of the mail is
// the same, in whatever order of records; else they contradict each other.
func TestWhatMakesAnotherReport(t *testing.T) {
	full := func() (dmarcreport.Report, history.Submission) {
		s := report("r.example", 0)
		a := dmarcreport.Record{SourceIP: netip.MustParseAddr("192.0.2.1"), Count: 2, HeaderFrom: domain, EnvelopeFrom: "m.a.example", EnvelopeTo: "b.example"}
		a.Evaluated = dmarcreport.Evaluated{Disposition: dmarcreport.DispositionNone, DKIM: dmarcreport.ResultPass, SPF: dmarcreport.ResultFail,
			Reasons: []dmarcreport.Reason{{Type: dmarcreport.OverrideLocalPolicy, Comment: "trusted"}}}
		a.DKIM = []dmarcreport.DKIMResult{{Domain: domain, Selector: "key", Result: dmarcreport.ResultPass}}
		a.SPF = []dmarcreport.SPFResult{{Domain: "m.a.example", Scope: dmarcreport.ScopeMailFrom, Result: dmarcreport.ResultFail}}
		b := dmarcreport.Record{SourceIP: netip.MustParseAddr("192.0.2.2"), Count: 1, HeaderFrom: domain}
		r := dmarcreport.Report{Metadata: s.Metadata, Policy: s.Policy, Records: []dmarcreport.Record{a, b}}
		return r, s
	}
	for name, tt := range map[string]struct {
		change func(*dmarcreport.Report)
		want   string
	}{
		"nothing":                     {func(*dmarcreport.Report) {}, "duplicate"},
		"the order of records":        {func(r *dmarcreport.Report) { r.Records[0], r.Records[1] = r.Records[1], r.Records[0] }, "duplicate"},
		"a name's case":               {func(r *dmarcreport.Report) { r.Metadata.OrgName = "R.Example" }, "duplicate"},
		"a record that is missing":    {func(r *dmarcreport.Report) { r.Records = r.Records[:1] }, "conflict"},
		"a record twice":              {func(r *dmarcreport.Report) { r.Records = append(r.Records, r.Records[1]) }, "conflict"},
		"the address that sends it":   {func(r *dmarcreport.Report) { r.Metadata.Email = "other@r.example" }, "conflict"},
		"the policy":                  {func(r *dmarcreport.Report) { r.Policy.P = dmarcreport.DispositionNone }, "conflict"},
		"the policy's share":          {func(r *dmarcreport.Report) { r.Policy.Pct = "50" }, "conflict"},
		"a source":                    {func(r *dmarcreport.Report) { r.Records[0].SourceIP = netip.MustParseAddr("192.0.2.9") }, "conflict"},
		"a source that is no address": {func(r *dmarcreport.Report) { r.Records[1].SourceIPRaw = "somewhere" }, "conflict"},
		"a count":                     {func(r *dmarcreport.Report) { r.Records[0].Count = 3 }, "conflict"},
		"the author's domain":         {func(r *dmarcreport.Report) { r.Records[0].HeaderFrom = "sub." + domain }, "conflict"},
		"the envelope's domain":       {func(r *dmarcreport.Report) { r.Records[0].EnvelopeFrom = "n.a.example" }, "conflict"},
		"whom it went to":             {func(r *dmarcreport.Report) { r.Records[0].EnvelopeTo = "c.example" }, "conflict"},
		"where a domain ends": {func(r *dmarcreport.Report) {
			r.Records[0].EnvelopeFrom, r.Records[0].EnvelopeTo = "m.a.exampleb", ".example"
		}, "conflict"},
		"the disposition":               {func(r *dmarcreport.Report) { r.Records[0].Evaluated.Disposition = dmarcreport.DispositionReject }, "conflict"},
		"a disposition that is no word": {func(r *dmarcreport.Report) { r.Records[0].Evaluated.DispositionRaw = "nothing" }, "conflict"},
		"what came of DKIM":             {func(r *dmarcreport.Report) { r.Records[0].Evaluated.DKIM = dmarcreport.ResultFail }, "conflict"},
		"what came of SPF":              {func(r *dmarcreport.Report) { r.Records[0].Evaluated.SPF = dmarcreport.ResultPass }, "conflict"},
		"a reason":                      {func(r *dmarcreport.Report) { r.Records[0].Evaluated.Reasons[0].Type = dmarcreport.OverrideMailingList }, "conflict"},
		"a reason's comment":            {func(r *dmarcreport.Report) { r.Records[0].Evaluated.Reasons[0].Comment = "arc=pass" }, "conflict"},
		"a signature's domain":          {func(r *dmarcreport.Report) { r.Records[0].DKIM[0].Domain = "m.a.example" }, "conflict"},
		"a signature's selector":        {func(r *dmarcreport.Report) { r.Records[0].DKIM[0].Selector = "yek" }, "conflict"},
		"a signature's result":          {func(r *dmarcreport.Report) { r.Records[0].DKIM[0].Result = dmarcreport.ResultFail }, "conflict"},
		"the domain of SPF":             {func(r *dmarcreport.Report) { r.Records[0].SPF[0].Domain = domain }, "conflict"},
		"the scope of SPF":              {func(r *dmarcreport.Report) { r.Records[0].SPF[0].Scope = dmarcreport.ScopeHELO }, "conflict"},
		"the result of SPF":             {func(r *dmarcreport.Report) { r.Records[0].SPF[0].Result = dmarcreport.ResultSoftFail }, "conflict"},
	} {
		first, s := full()
		second, _ := full()
		tt.change(&second)
		var subs []history.Submission
		for _, r := range []*dmarcreport.Report{&first, &second} {
			sub := history.Of(r)
			sub.Authentic, sub.Learnt = true, s.Learnt
			subs = append(subs, sub)
		}
		h := &history.History{Store: new(history.Memory)}
		if got := statuses(add(t, h, subs...)); got != "accepted "+tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// What a record counts as by default: its own results decide, where they do not say
// enough the reporter's word (RFC 7489 section 7.2 has both), and the reasons of
// appendix C that tell of a forwarder or a list mute a failure.
func TestJudge(t *testing.T) {
	const none = dmarcreport.OverrideAbsent
	fails := dmarcreport.Judgement{DKIM: dmarcreport.VerdictFail, SPF: dmarcreport.VerdictFail}
	open := dmarcreport.Judgement{DKIM: dmarcreport.VerdictUnknown, SPF: dmarcreport.VerdictFail}
	passes := dmarcreport.Judgement{DKIM: dmarcreport.VerdictPass, SPF: dmarcreport.VerdictFail}
	for name, tt := range map[string]struct {
		j       dmarcreport.Judgement
		said    dmarcreport.Result // of DKIM, by the reporter
		reason  dmarcreport.Override
		comment string
		want    history.Verdict
	}{
		"the results pass": {passes, dmarcreport.ResultFail, none, "", history.VerdictPass},
		"the results fail, whatever the reporter says":   {fails, dmarcreport.ResultPass, none, "", history.VerdictFail},
		"the results leave it open, the reporter passes": {open, dmarcreport.ResultPass, none, "", history.VerdictPass},
		"the results leave it open, the reporter fails":  {open, dmarcreport.ResultFail, none, "", history.VerdictFail},
		"forwarded":             {fails, dmarcreport.ResultFail, dmarcreport.OverrideForwarded, "", history.VerdictMuted},
		"a trusted forwarder":   {fails, dmarcreport.ResultFail, dmarcreport.OverrideTrustedForwarder, "", history.VerdictMuted},
		"a mailing list":        {fails, dmarcreport.ResultFail, dmarcreport.OverrideMailingList, "", history.VerdictMuted},
		"ARC by a local policy": {fails, dmarcreport.ResultFail, dmarcreport.OverrideLocalPolicy, "ARC=Pass as[1].d=f.example", history.VerdictMuted},
		"ARC that fails":        {fails, dmarcreport.ResultFail, dmarcreport.OverrideLocalPolicy, "arc=fail", history.VerdictFail},
		"a local policy":        {fails, dmarcreport.ResultFail, dmarcreport.OverrideLocalPolicy, "", history.VerdictFail},
		"sampled out":           {fails, dmarcreport.ResultFail, dmarcreport.OverrideSampledOut, "", history.VerdictFail},
		"another reason":        {fails, dmarcreport.ResultFail, dmarcreport.OverrideOther, "arc=pass", history.VerdictFail},
		"a list, and it passes": {passes, dmarcreport.ResultPass, dmarcreport.OverrideMailingList, "", history.VerdictPass},
	} {
		rec := dmarcreport.Record{Count: 1}
		rec.Evaluated.DKIM, rec.Evaluated.SPF = tt.said, dmarcreport.ResultFail
		if tt.reason != none {
			rec.Evaluated.Reasons = []dmarcreport.Reason{{Type: dmarcreport.OverrideOther}, {Type: tt.reason, Comment: tt.comment}}
		}
		if got := history.Judge(&rec, tt.j); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

// Records of one source are one row; those of none count in the report alone.
func TestRowsOfARecord(t *testing.T) {
	bySelector := func(rec *dmarcreport.Record, _ dmarcreport.Judgement) string { return rec.HeaderFrom }
	h := &history.History{Store: new(history.Memory), Rules: history.Rules{Source: bySelector}}
	s := report("r.example", 0)
	s.Records = func(yield func(*dmarcreport.Record, error) bool) {
		for _, line := range []struct {
			source string
			count  int64
			d      dmarcreport.Disposition
		}{{"a", 2, dmarcreport.DispositionReject}, {"", 7, dmarcreport.DispositionReject}, {"b", 1, dmarcreport.DispositionReject}, {"a", 3, dmarcreport.DispositionReject}, {"a", 4, dmarcreport.DispositionQuarantine}} {
			rec := dmarcreport.Record{Count: line.count, HeaderFrom: line.source}
			rec.Evaluated.Disposition, rec.Evaluated.DKIM, rec.Evaluated.SPF = line.d, dmarcreport.ResultFail, dmarcreport.ResultFail
			if !yield(&rec, nil) {
				return
			}
		}
	}
	add(t, h, s)
	rows, err := h.Rows(t.Context(), domain, "a", history.Period{})
	if err != nil || len(rows) != 1 || rows[0].Fail != 9 || rows[0].Refused != 5 {
		t.Errorf("rows of a: %+v, %v", rows, err)
	}
	reports, err := h.Reports(t.Context(), domain, history.Period{})
	if err != nil || len(reports) != 1 || reports[0].Sources != 2 || reports[0].Unattributed != 7 || reports[0].Messages() != 17 || reports[0].NoTraffic() {
		t.Errorf("reports: %+v, %v", reports, err)
	}
}

func TestAReportWithoutRecordsSaysThereWasNoMail(t *testing.T) {
	h := &history.History{Store: new(history.Memory)}
	s := report("r.example", 0)
	s.Records = nil
	if got := statuses(add(t, h, s)); got != "accepted" {
		t.Error(got)
	}
	if reports, err := h.Reports(t.Context(), domain, history.Period{}); err != nil || len(reports) != 1 || !reports[0].NoTraffic() {
		t.Errorf("%+v, %v", reports, err)
	}
}

// A stream is left where a report cannot be kept, and a name no store would hold is
// such a reason.
func TestASourceThatCannotBeKept(t *testing.T) {
	const text = `<feedback><report_metadata><org_name>r.example</org_name><email>a@r.example</email><report_id>1</report_id><date_range><begin>1767225600</begin><end>1767311999</end></date_range></report_metadata><policy_published><domain>a.example</domain><p>none</p></policy_published>` +
		`<record><row><source_ip>192.0.2.1</source_ip><count>1</count></row><identifiers><header_from>a.example</header_from></identifiers></record><record><row><source_ip>192.0.2.2</source_ip><count>1</count></row><identifiers><header_from>a.example</header_from></identifiers></record></feedback>`
	long := func(*dmarcreport.Record, dmarcreport.Judgement) string { return strings.Repeat("x", 1<<10) }
	for name, tt := range map[string]struct {
		rules history.Rules
		want  error
	}{
		"both are kept": {history.Rules{MaxSources: 2}, nil},
		"one too many":  {history.Rules{MaxSources: 1}, history.ErrSources},
		"a long name":   {history.Rules{Source: long}, history.ErrTooLong},
	} {
		in, err := new(dmarcreport.Reader).Open(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		s := history.OfStream(in)
		s.Authentic, s.Learnt = true, time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC)
		h := &history.History{Store: new(history.Memory), Rules: tt.rules}
		if o := add(t, h, s)[0]; !errors.Is(o.Err, tt.want) || (o.Status == history.Accepted) != (tt.want == nil) {
			t.Errorf("%s: %v, %v", name, o.Status, o.Err)
		}
	}
}

// Who sends a report without a name is told by its address.
func TestReportersWithoutAName(t *testing.T) {
	for email, want := range map[string]string{"dmarc@R.example": "r.example", "": "unknown", "nobody": "unknown"} {
		h := &history.History{Store: new(history.Memory)}
		s := report("", 0, pass("192.0.2.1", 1))
		s.Metadata.Email = email
		add(t, h, s)
		if reports, err := h.Reports(t.Context(), domain, history.Period{}); err != nil || len(reports) != 1 || reports[0].Key.Reporter != want {
			t.Errorf("%q: %+v, %v, want %s", email, reports, err, want)
		}
	}
}

// Forwarders and lists are left out of the share that passed.
func TestPassRate(t *testing.T) {
	for totals, want := range map[history.Totals]float64{{Pass: 3, Fail: 1, Muted: 96}: 0.75, {Fail: 2}: 0, {Pass: 2}: 1, {Muted: 5}: -1, {}: -1} {
		rate, ok := totals.PassRate()
		if ok != (want >= 0) || ok && rate != want || !ok && rate != 0 {
			t.Errorf("%+v: %v %v, want %v", totals, rate, ok, want)
		}
	}
}

// A day is written as RFC 3339's full-date, no day as nothing; before 1970 a second
// past midnight is of its own day too.
func TestDayReadsWhatItWrites(t *testing.T) {
	for text, at := range map[string]time.Time{
		"":           {},
		"2026-01-01": day0,
		"2025-12-31": day0.Add(-time.Second),
		"1969-12-31": time.Unix(-1, 0),
		"1969-12-30": time.Unix(-86401, 0),
		"1970-01-02": time.Date(1970, 1, 1, 23, 0, 0, 0, time.FixedZone("", -3600)),
	} {
		d := history.DayOf(at)
		written, err := d.MarshalText()
		back := history.Day(7)
		if err != nil || string(written) != text || back.UnmarshalText(written) != nil || back != d {
			t.Errorf("%v: %q, read as %d, want %q", at, written, back, text)
		}
		if d.Time().IsZero() != (text == "") || !d.Time().IsZero() && d.Time().Format(time.DateOnly) != text {
			t.Errorf("%v: %v", at, d.Time())
		}
	}
	for _, text := range []string{"2026-13-01", "yesterday", "2026-01-01T00:00:00Z"} {
		if d := history.Day(0); d.UnmarshalText([]byte(text)) == nil {
			t.Errorf("%q is read as %v", text, d)
		}
	}
}
