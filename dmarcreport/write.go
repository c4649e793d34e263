package dmarcreport

import (
	"bufio"
	"compress/gzip"
	"encoding/xml"
	"html"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/mailfault/mailfault/internal/enum"
)

// Standard is the document whose form a report is written in.
// As text: rfc7489, rfc9990.
type Standard uint8

const (
	RFC7489 Standard = iota // what every reader understands
	RFC9990                 // its successor; names and namespace from draft-32, unverified against the final text
)

var standardNames = enum.Names{"rfc7489", "rfc9990"}

// String returns the standard's name in lower case.
func (s Standard) String() string { return standardNames.String("Standard", uint8(s)) }

// MarshalText returns the standard's name in lower case.
func (s Standard) MarshalText() ([]byte, error) {
	return standardNames.MarshalText("Standard", uint8(s))
}

// UnmarshalText reads what MarshalText writes; another name is an error.
func (s *Standard) UnmarshalText(text []byte) error {
	v, err := standardNames.Parse("Standard", text)
	*s = Standard(v)
	return err
}

// WriteGzip writes the report as WriteXML does, compressed, the form in which
// RFC 7489 section 7.2.1.1 wants it mailed.
func (r *Report) WriteGzip(w io.Writer, form Standard) error {
	zw := gzip.NewWriter(w)
	if err := r.WriteXML(zw, form); err != nil {
		return err
	}
	return zw.Close()
}

// WriteXML writes the report. Elements that the form does not have are left
// out: pct from RFC 9990; np, testing, discovery_method, generator from RFC
// 7489. Words that were read are written as they were read. What RFC 7489
// requires and the report lacks stays out, but the version and what no report
// can do without. Elements of other namespaces
// are not kept.
func (r *Report) WriteXML(w io.Writer, form Standard) error {
	bw := bufio.NewWriter(w)
	x := &xmlWriter{w: bw}
	x.raw(xml.Header)
	if form == RFC9990 {
		x.raw("<feedback xmlns=\"urn:ietf:params:xml:ns:dmarc-2.0\">\n")
	} else {
		x.raw("<feedback>\n")
	}
	x.depth = 1
	version := r.Metadata.Version
	if version == "" {
		version = "1.0"
	}
	x.leaf("version", version)
	x.metadata(&r.Metadata, form)
	x.policy(&r.Policy, form)
	for i := range r.Records {
		x.record(&r.Records[i], form)
	}
	x.raw("</feedback>\n")
	if x.err != nil {
		return x.err
	}
	return bw.Flush()
}

type xmlWriter struct {
	w     *bufio.Writer
	depth int
	err   error
}

func (x *xmlWriter) raw(s string) {
	if x.err == nil {
		_, x.err = x.w.WriteString(s)
	}
}

func (x *xmlWriter) indent() {
	for range x.depth {
		x.raw("  ")
	}
}

func (x *xmlWriter) open(name string) {
	x.indent()
	x.raw("<" + name + ">\n")
	x.depth++
}

func (x *xmlWriter) close(name string) {
	x.depth--
	x.indent()
	x.raw("</" + name + ">\n")
}

func (x *xmlWriter) leaf(name, text string) { x.leafLang(name, text, "") }

func (x *xmlWriter) leafLang(name, text, lang string) {
	x.indent()
	x.raw("<" + name)
	if lang != "" {
		x.raw(` lang="`)
		x.text(lang)
		x.raw(`"`)
	}
	x.raw(">")
	x.exactly(text)
	x.raw("</" + name + ">\n")
}

func (x *xmlWriter) text(s string) {
	if x.err == nil {
		x.err = xml.EscapeText(x.w, []byte(s))
	}
}

// exactly writes a text so that a reader who takes "&amp;lt;" for a text that
// was escaped twice finds what was written: an "&" that begins an entity is a
// section of its own.
func (x *xmlWriter) exactly(s string) {
	if html.UnescapeString(s) == s {
		x.text(s)
		return
	}
	for i, part := range strings.Split(s, "&") {
		if i > 0 {
			x.raw("<![CDATA[&]]>")
		}
		x.text(part)
	}
}

// some writes an element only where it has a text.
func (x *xmlWriter) some(name, text string) {
	if text != "" {
		x.leaf(name, text)
	}
}

func (x *xmlWriter) metadata(m *Metadata, form Standard) {
	x.open("report_metadata")
	x.leaf("org_name", m.OrgName)
	x.leaf("email", m.Email)
	x.some("extra_contact_info", m.ExtraContactInfo)
	x.leaf("report_id", m.ReportID)
	x.open("date_range")
	x.leaf("begin", seconds(m.DateRange.Begin, m.DateRange.BeginRaw))
	x.leaf("end", seconds(m.DateRange.End, m.DateRange.EndRaw))
	x.close("date_range")
	for i, e := range m.Errors {
		if i == 0 || form == RFC7489 {
			x.leaf("error", e)
		}
	}
	if form == RFC9990 {
		x.some("generator", m.Generator)
	}
	x.close("report_metadata")
}

func seconds(t time.Time, raw string) string {
	if raw != "" || t.IsZero() {
		return raw
	}
	return strconv.FormatInt(t.Unix(), 10)
}

func (x *xmlWriter) policy(p *PolicyPublished, form Standard) {
	x.open("policy_published")
	x.leaf("domain", p.Domain)
	x.some("adkim", written(p.Raw.ADKIM, p.ADKIM))
	x.some("aspf", written(p.Raw.ASPF, p.ASPF))
	x.leaf("p", written(p.Raw.P, p.P))
	x.some("sp", written(p.Raw.SP, p.SP))
	if form == RFC9990 {
		x.some("np", written(p.Raw.NP, p.NP))
	} else {
		x.some("pct", p.Pct)
	}
	x.some("fo", p.FO)
	if form == RFC9990 {
		x.some("testing", p.Testing)
		x.some("discovery_method", p.Discovery)
	}
	x.close("policy_published")
}

// written returns a word as it was read, or the standard's.
func written(raw string, v interface{ String() string }) string {
	if raw != "" {
		return raw
	}
	return v.String()
}

func (x *xmlWriter) record(r *Record, form Standard) {
	x.open("record")
	x.open("row")
	ip := r.SourceIPRaw
	if ip == "" && r.SourceIP.IsValid() {
		ip = r.SourceIP.String()
	}
	x.leaf("source_ip", ip)
	count := r.CountRaw
	if count == "" {
		count = strconv.FormatInt(r.Count, 10)
	}
	x.leaf("count", count)
	x.open("policy_evaluated")
	x.leaf("disposition", written(r.Evaluated.DispositionRaw, r.Evaluated.Disposition))
	x.leaf("dkim", written(r.Evaluated.DKIMRaw, r.Evaluated.DKIM))
	x.leaf("spf", written(r.Evaluated.SPFRaw, r.Evaluated.SPF))
	for _, q := range r.Evaluated.Reasons {
		x.open("reason")
		x.leaf("type", written(q.TypeRaw, q.Type))
		if q.Comment != "" {
			x.leafLang("comment", q.Comment, q.Lang)
		}
		x.close("reason")
	}
	x.close("policy_evaluated")
	x.close("row")
	x.open("identifiers")
	x.some("envelope_to", r.EnvelopeTo)
	if r.EnvelopeFrom != "" || r.NullEnvelopeFrom {
		x.leaf("envelope_from", r.EnvelopeFrom)
	}
	x.leaf("header_from", r.HeaderFrom)
	x.close("identifiers")
	x.open("auth_results")
	for i := range r.DKIM {
		d := &r.DKIM[i]
		x.open("dkim")
		x.leaf("domain", d.Domain)
		if d.Selector != "" || form == RFC9990 {
			x.leaf("selector", d.Selector)
		}
		x.leaf("result", written(d.ResultRaw, d.Result))
		x.some("human_result", d.HumanResult)
		x.close("dkim")
	}
	for i := range r.SPF {
		s := &r.SPF[i]
		x.open("spf")
		x.leaf("domain", s.Domain)
		x.some("scope", written(s.ScopeRaw, s.Scope))
		x.leaf("result", written(s.ResultRaw, s.Result))
		x.some("human_result", s.HumanResult)
		x.close("spf")
	}
	x.close("auth_results")
	x.close("record")
}
