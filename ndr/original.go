package ndr

import (
	"net/mail"
	"net/netip"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/internal/authres"
)

// originalHeaders reads the quoted header from line i to the page's end.
func (r *reading) originalHeaders(p *page, i int) {
	var h headerBuilder
	for ; i < len(p.lines); i++ {
		raw := p.lines[i].raw
		if strings.TrimSpace(raw) == "" {
			if h.begun {
				break
			}
			continue
		}
		if p.html && p.lines[i].kind != preLine && h.begun && !isFieldStart(raw) {
			break
		}
		if len(h.fields) >= r.lim.fields {
			r.finding(findingTooMany, "more than %d fields in the quoted header: the rest is left out", r.lim.fields)
			break
		}
		h.add(raw)
	}
	h.end()
	r.n.Original = readOriginal(h.fields)
}

// isFieldStart reports whether a line begins a header field. A colon without a
// blank after it does not: "https://" in a continuation that lost its indent.
func isFieldStart(s string) bool {
	i := strings.IndexByte(s, ':')
	if i <= 0 || i > 80 || i+1 < len(s) && s[i+1] != ' ' && s[i+1] != '\t' {
		return false
	}
	for _, c := range []byte(s[:i]) {
		if c <= ' ' || c >= 0x7f {
			return false
		}
	}
	return true
}

// headerBuilder unfolds fields. A line that begins no field continues the last
// one, whether or not its indent survived.
type headerBuilder struct {
	fields []dsn.Field
	name   string
	value  strings.Builder
	begun  bool
}

func (h *headerBuilder) add(raw string) {
	if raw[0] != ' ' && raw[0] != '\t' && isFieldStart(raw) {
		h.end()
		name, value, _ := strings.Cut(raw, ":")
		h.name, h.begun = name, true
		h.value.WriteString(strings.TrimSpace(value))
		return
	}
	if h.begun && h.value.Len() < maxField {
		h.value.WriteByte(' ')
		h.value.WriteString(strings.TrimSpace(raw))
	}
}

func (h *headerBuilder) end() {
	if h.name != "" {
		h.fields = append(h.fields, dsn.Field{Name: h.name, Value: h.value.String()})
	}
	h.name = ""
	h.value.Reset()
}

// maxField is how many bytes of one field are kept.
const maxField = 64 << 10

// readOriginal reads the fields that say something about the failure.
func readOriginal(fields []dsn.Field) OriginalHeaders {
	o := OriginalHeaders{Fields: fields}
	for _, f := range fields {
		switch strings.ToLower(f.Name) {
		case "to":
			o.To = append(o.To, headerAddresses(f.Value)...)
		case "from":
			if a := headerAddresses(f.Value); o.From == "" && len(a) > 0 {
				o.From = a[0]
			}
		case "return-path":
			if o.ReturnPath == "" {
				o.ReturnPath = bareAddress(f.Value)
			}
		case "subject":
			if o.Subject == "" {
				o.Subject = f.Value
			}
		case "message-id":
			if o.MessageID == "" {
				o.MessageID = strings.Trim(f.Value, "<> ")
			}
		case "x-ms-exchange-organization-network-message-id", "x-ms-exchange-crosstenant-network-message-id",
			"x-ms-exchange-crosspremises-network-message-id", "x-ms-office365-filtering-correlation-id":
			if o.NetworkID == "" {
				o.NetworkID = strings.TrimSpace(f.Value)
			}
		case "received":
			o.Received = append(o.Received, parseReceived(f.Value))
		case "received-spf":
			o.ReceivedSPF = append(o.ReceivedSPF, authres.ParseReceivedSPF(f.Value))
		case "authentication-results":
			o.AuthResults = append(o.AuthResults, authres.Parse(f.Value))
		}
	}
	return o
}

// maxAddressField bounds the address lists handed to net/mail.
const maxAddressField = 32 << 10

func headerAddresses(value string) (out []string) {
	if len(value) > maxAddressField {
		value = value[:maxAddressField]
	}
	if list, err := mail.ParseAddressList(value); err == nil {
		for _, a := range list {
			out = append(out, a.Address)
		}
		return out
	}
	for part := range strings.SplitSeq(value, ",") {
		if a := bareAddress(part); a != "" {
			out = append(out, a)
		}
	}
	return out
}

// parseReceived reads the clauses of a Received field (RFC 5321 section 4.4)
// as far as they are there.
func parseReceived(value string) Received {
	var rec Received
	body := value
	if i := strings.LastIndexByte(value, ';'); i >= 0 {
		body = value[:i]
		rec.Date = headerDate(value[i+1:])
	}
	words := strings.Fields(body)
	depth := 0 // of comments: qmail's "(qmail 1 invoked from network)" names no host
	for i := 0; i < len(words); i++ {
		depth = max(0, depth+strings.Count(words[i], "(")-strings.Count(words[i], ")"))
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch strings.ToLower(words[i]) {
		case "from":
			if rec.From == "" && rec.By == "" && depth == 0 {
				rec.From = next
				rec.FromIP = bracketIP(words[i+1:])
				i++
			}
		case "by":
			if rec.By == "" && (depth == 0 || rec.From != "") {
				rec.By = next
				i++
			}
		case "with":
			if rec.With == "" {
				rec.With = withClause(words[i+1:])
			}
		case "for":
			if rec.For == "" {
				rec.For = bareAddress(strings.Trim(next, "<>"))
			}
		}
	}
	return rec
}

// withClause reads the protocol after "with": Microsoft's has blanks.
func withClause(words []string) string {
	var out []string
	for _, w := range words {
		switch strings.ToLower(w) {
		case "id", "via", "for", "by":
			return strings.Join(out, " ")
		}
		out = append(out, w)
		if len(out) == 8 {
			break
		}
	}
	return strings.Join(out, " ")
}

// bracketIP finds the address in "(192.0.2.1)", "([192.0.2.1])" or
// "(host [192.0.2.1])" before the next clause.
func bracketIP(words []string) netip.Addr {
	for _, w := range words {
		if strings.EqualFold(w, "by") {
			break
		}
		if a, err := netip.ParseAddr(strings.Trim(w, "()[],;")); err == nil {
			return a.WithZone("")
		}
	}
	return netip.Addr{}
}

// headerDate reads a date of a header, zero when it cannot be read.
func headerDate(s string) time.Time {
	s = strings.TrimSpace(s)
	if i := strings.IndexByte(s, '('); i >= 0 {
		s = strings.TrimSpace(s[:i])
	}
	if t, err := mail.ParseDate(s); err == nil {
		return t.UTC()
	}
	return time.Time{}
}
