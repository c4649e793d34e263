package dnscheck

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ReadZone reads the records of a zone file (RFC 1035 section 5), or plain lines:
//
//	$ORIGIN example.org.
//	$TTL 1h
//	@         TXT  "v=spf1 include:example.net" " -all"
//	     300  MX   10 mail
//	mail   IN A    192.0.2.1
//	gone      TXT  SERVFAIL
//
// Before the first $ORIGIN all names are absolute, with or without their dot; after
// it those without are relative to it, and @ is the origin itself. A line that
// begins with a blank and a type, class or time to live belongs to the name before.
// Parentheses join lines; a semicolon outside quotes begins a comment, and so does a
// # at the beginning of a line. SERVFAIL and TIMEOUT in place of a value simulate a
// broken server. Types that no mail check asks for make their name exist and are
// passed over otherwise. A wildcard is read as the name it is written as.
//
// The error is a *[ZoneError].
func ReadZone(r io.Reader) (*Zone, error) {
	if r == nil {
		return nil, &ZoneError{Err: errNoReader}
	}
	p := zoneParser{zone: &Zone{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxZoneLine)
	for lines.Scan() {
		p.line++
		if err := p.readLine(lines.Text()); err != nil {
			return nil, err
		}
	}
	if err := lines.Err(); err != nil {
		return nil, &ZoneError{Line: p.line + 1, Err: err}
	}
	if len(p.open) > 0 {
		return nil, p.open[0].fault("the parenthesis is not closed")
	}
	return p.zone, nil
}

const maxZoneLine = 1 << 20

var errNoReader = errors.New("there is nothing to read from")

// ZoneError says where a zone text is wrong.
type ZoneError struct {
	Line   int // 1-based; 0 where no line was read
	Column int // 1-based, in bytes; 0 for the whole line
	Err    error
}

// Error returns the message with line and column, as far as they are known.
func (e *ZoneError) Error() string {
	switch {
	case e.Line == 0:
		return fmt.Sprintf("dnscheck: zone: %v", e.Err)
	case e.Column == 0:
		return fmt.Sprintf("dnscheck: zone line %d: %v", e.Line, e.Err)
	}
	return fmt.Sprintf("dnscheck: zone line %d, column %d: %v", e.Line, e.Column, e.Err)
}

// Unwrap returns the cause.
func (e *ZoneError) Unwrap() error { return e.Err }

// zoneParser reads a zone file entry by entry.
type zoneParser struct {
	zone   *Zone
	line   int
	open   []zoneField // parentheses not closed yet
	entry  []zoneField // read so far
	blank  bool        // the entry begins with a blank
	origin string      // "" for none; else with its dot in front, "." for the root
	owner  string      // of the last record; "" before the first
	normal time.Duration
}

// readLine reads a line and, when no parenthesis is open behind it, the entry it ends.
func (p *zoneParser) readLine(line string) error {
	if len(p.open) == 0 {
		if strings.HasPrefix(line, "#") {
			return nil
		}
		p.entry, p.blank = p.entry[:0], line != "" && (line[0] == ' ' || line[0] == '\t')
	}
	if err := p.split(line); err != nil {
		return err
	}
	if len(p.open) > 0 || len(p.entry) == 0 {
		return nil
	}
	first := p.entry[0]
	switch {
	case strings.HasPrefix(first.text, "$") && !first.quoted:
		return p.directive(p.entry)
	case p.blank && p.owner != "" && first.beginsRecord():
		return p.record(first, p.owner, p.entry)
	}
	owner, err := p.name(first)
	if err != nil {
		return err
	}
	p.owner = owner
	return p.record(first, owner, p.entry[1:])
}

func (p *zoneParser) directive(fields []zoneField) error {
	switch first := fields[0]; strings.ToUpper(first.text) {
	case "$ORIGIN":
		if len(fields) != 2 {
			return first.fault("$ORIGIN takes one name")
		}
		origin, err := p.name(fields[1])
		if err != nil {
			return err
		}
		p.origin = "." + strings.TrimSuffix(origin, ".")
		return nil
	case "$TTL":
		if len(fields) != 2 {
			return first.fault("$TTL takes one time to live")
		}
		ttl, ok := parseTTL(fields[1].text)
		if !ok {
			return fields[1].fault("%q is no time to live, such as 3600 or 1h30m", fields[1].text)
		}
		p.normal = ttl
		return nil
	default:
		return first.fault("%s is not supported: $ORIGIN and $TTL are", first.text)
	}
}

// name makes a name absolute, with its dot.
func (p *zoneParser) name(f zoneField) (string, error) {
	switch name := f.text; {
	case f.quoted || f.escaped:
		return "", f.fault("a name is written without quotes and backslashes")
	case name == "@" && p.origin == "":
		return "", f.fault("@ stands for the origin: write $ORIGIN before it")
	case name == "@":
		return p.origin[1:] + ".", nil
	case strings.HasSuffix(name, "."):
		return name, nil
	case p.origin == "" || p.origin == ".":
		return name + ".", nil
	default:
		return name + p.origin + ".", nil
	}
}

// zoneTypes are the types a zone file may have, 0 for those that are passed over.
var zoneTypes = map[string]Type{
	"A": TypeA, "AAAA": TypeAAAA, "CNAME": TypeCNAME, "MX": TypeMX, "PTR": TypePTR, "SPF": TypeSPF, "TXT": TypeTXT,
	"CAA": 0, "CDNSKEY": 0, "CDS": 0, "DNSKEY": 0, "DS": 0, "HINFO": 0, "HTTPS": 0, "LOC": 0, "NAPTR": 0, "NS": 0, "NSEC": 0, "NSEC3": 0,
	"NSEC3PARAM": 0, "RP": 0, "RRSIG": 0, "SOA": 0, "SRV": 0, "SSHFP": 0, "SVCB": 0, "TLSA": 0,
}

// record reads what stands behind the owner's name.
func (p *zoneParser) record(at zoneField, owner string, fields []zoneField) error {
	ttl := p.normal
	for ; len(fields) > 0 && !fields[0].quoted; fields = fields[1:] {
		if given, ok := parseTTL(fields[0].text); ok {
			ttl = given
		} else if class := strings.ToUpper(fields[0].text); class == "CH" || class == "HS" {
			return fields[0].fault("class %s is not read: mail uses IN", class)
		} else if class != "IN" {
			break
		}
	}
	if len(fields) == 0 {
		return at.fault("a name, a type and a value are needed")
	}
	kind, values := fields[0], fields[1:]
	t, ok := zoneTypes[strings.ToUpper(kind.text)]
	if !ok || kind.quoted {
		return kind.fault("%q is no type this reads: A, AAAA, CNAME, MX, PTR, SPF or TXT", kind.text)
	}
	if t == 0 {
		p.zone.exists(canonical(owner))
		return nil
	}
	if len(values) == 0 {
		return kind.fault("a value is missing behind %v", t)
	}
	if err := p.values(owner, t, values); err != nil {
		return err
	}
	if ttl > 0 {
		a := p.zone.answers[Question{canonical(owner), t}]
		p.zone.SetTTL(owner, t, shorter(a.TTL, ttl))
	}
	return nil
}

// values adds a record with the values written for it.
func (p *zoneParser) values(owner string, t Type, values []zoneField) error {
	first := values[0]
	if !first.quoted {
		switch strings.ToUpper(first.text) {
		case "SERVFAIL":
			p.zone.SetOutcome(owner, t, ServFail)
			return nil
		case "TIMEOUT":
			p.zone.SetOutcome(owner, t, Timeout)
			return nil
		}
	}
	if t == TypeTXT || t == TypeSPF {
		parts := make([]string, len(values))
		for i := range values {
			parts[i] = values[i].text
		}
		p.zone.addText(owner, t, parts)
		return nil
	}
	wanted := 1
	if t == TypeMX {
		wanted = 2
		if len(values) < 2 {
			return first.fault("an MX record has a preference and a host")
		}
	}
	if len(values) > wanted {
		return values[wanted].fault("nothing more is expected behind the value of %v", t)
	}
	if t == TypeA || t == TypeAAAA {
		addr, err := netip.ParseAddr(first.text)
		if err != nil || addr.Is4() != (t == TypeA) || addr.Zone() != "" {
			return first.fault("%q is no address of type %v", first.text, t)
		}
		p.zone.AddAddr(owner, addr)
		return nil
	}
	host, err := p.name(values[wanted-1])
	if err != nil {
		return err
	}
	switch t {
	case TypeMX:
		preference, err := strconv.ParseUint(first.text, 10, 16)
		if err != nil {
			return first.fault("%q is no preference from 0 to 65535", first.text)
		}
		p.zone.AddMX(owner, uint16(preference), host)
	case TypePTR:
		p.zone.AddPTR(owner, host)
	case TypeCNAME:
		p.zone.SetCNAME(owner, host)
	}
	return nil
}

// parseTTL reads seconds, or numbers with the units of common servers: 1w2d3h4m5s.
func parseTTL(s string) (time.Duration, bool) {
	var total, n uint64
	digits := 0
	for i := range len(s) {
		c := s[i]
		if '0' <= c && c <= '9' {
			n, digits = n*10+uint64(c-'0'), digits+1
			if digits > 10 {
				return 0, false
			}
			continue
		}
		unit := map[byte]uint64{'s': 1, 'm': 60, 'h': 3600, 'd': 86400, 'w': 604800}[c|0x20]
		if digits == 0 || unit == 0 {
			return 0, false
		}
		total, n, digits = total+n*unit, 0, 0
	}
	total += n
	if s == "" || total > math.MaxInt32 { // RFC 2181 section 8
		return 0, false
	}
	return time.Duration(total) * time.Second, true
}

// zoneField is a word or quoted string of a zone file.
type zoneField struct {
	text         string
	line, column int // 1-based
	quoted       bool
	escaped      bool // a backslash was in it
}

func (f zoneField) fault(format string, args ...any) error {
	return &ZoneError{f.line, f.column, fmt.Errorf(format, args...)}
}

// beginsRecord reports whether the field can follow an owner's name.
func (f zoneField) beginsRecord() bool {
	upper := strings.ToUpper(f.text)
	_, isType := zoneTypes[upper]
	_, isTTL := parseTTL(f.text)
	return !f.quoted && (isType || isTTL || slices.Contains([]string{"IN", "CH", "HS"}, upper))
}

// split adds the fields of a line to the entry.
func (p *zoneParser) split(line string) error {
	for i := 0; i < len(line); {
		at := zoneField{line: p.line, column: i + 1}
		switch line[i] {
		case ' ', '\t', '\r':
			i++
		case ';':
			return nil
		case '(':
			p.open = append(p.open, at)
			i++
		case ')':
			if len(p.open) == 0 {
				return at.fault("no parenthesis is open")
			}
			p.open = p.open[:len(p.open)-1]
			i++
		default:
			end, err := at.read(line, i)
			if err != nil {
				return at.fault("%w", err)
			}
			p.entry = append(p.entry, at)
			i = end
		}
	}
	return nil
}

// read reads the field that begins at i and returns where it ends.
func (f *zoneField) read(line string, i int) (end int, err error) {
	stop := " \t\r;()\""
	if line[i] == '"' {
		f.quoted, stop = true, "\""
		i++
	}
	var b strings.Builder
	for ; i < len(line) && strings.IndexByte(stop, line[i]) < 0; i++ {
		if line[i] != '\\' {
			b.WriteByte(line[i])
			continue
		}
		f.escaped = true
		if i++; i == len(line) {
			return 0, errors.New("a backslash stands at the end of the line")
		}
		if c := line[i]; c < '0' || c > '9' {
			b.WriteByte(c)
			continue
		}
		n, err := strconv.ParseUint(line[i:min(i+3, len(line))], 10, 8)
		if err != nil || i+3 > len(line) {
			return 0, errors.New("a backslash and digits stand for a byte as three digits, 000 to 255")
		}
		b.WriteByte(byte(n))
		i += 2
	}
	if f.quoted {
		if i == len(line) {
			return 0, errors.New("the quote is not closed on its line")
		}
		i++
	}
	f.text = b.String()
	return i, nil
}
