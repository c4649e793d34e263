package dnscheck

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mailfault/mailfault/internal/enum"
)

// STSMode is what a policy asks of senders that cannot verify the connection.
// As text: unknown, none, testing, enforce.
type STSMode uint8

const (
	STSUnknown STSMode = iota // no mode, or another word
	STSNone                   // deliver as if there were no policy
	STSTesting                // deliver, and report
	STSEnforce                // do not deliver
)

var stsModes = enum.Names{"unknown", "none", "testing", "enforce"}

// String returns the standard's word, or "unknown".
func (m STSMode) String() string { return stsModes.String("STSMode", uint8(m)) }

// MarshalText returns what String returns.
func (m STSMode) MarshalText() ([]byte, error) { return stsModes.MarshalText("STSMode", uint8(m)) }

// UnmarshalText reads what MarshalText writes; another word is an error.
func (m *STSMode) UnmarshalText(text []byte) error {
	v, err := stsModes.Parse("STSMode", text)
	*m = STSMode(v)
	return err
}

// MTASTSPolicy is a policy document (RFC 8461 section 3.2).
type MTASTSPolicy struct {
	Mode     STSMode       `json:"mode"`
	MaxAge   time.Duration `json:"-"`  // how long senders keep it; max_age_seconds in JSON
	MX       []string      `json:"mx"` // hosts, or *. and a domain; in lower case
	Findings []Finding     `json:"findings"`
}

const (
	maxPolicySize = 64 << 10
	maxPolicyAge  = 31557600 // seconds, a year
	shortPolicy   = 86400    // seconds; "weeks or more" are meant
	maxPolicyMX   = 1000
)

// ParseMTASTSPolicy reads a policy document. The policy is never nil: beside
// ErrBadRecord it holds what could be read. A finding's position holds the line that is meant.
func ParseMTASTSPolicy(text string) (*MTASTSPolicy, error) {
	p := &MTASTSPolicy{MX: []string{}, Findings: []Finding{}}
	bad := false
	find := func(id, line string, args ...any) {
		bad = bad || mtastsRules[id].severity == Error
		if len(p.Findings) < maxRecordFindings {
			p.Findings = append(p.Findings, mtastsRules.finding(id, Position{Record: clip(line)}, args...))
		}
	}
	if len(text) > maxPolicySize {
		text = text[:maxPolicySize]
		find("mta-sts-policy-long", "")
	}
	seen := make(map[string]string)
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.Trim(line, blanks)
		name, value, ok := strings.Cut(line, ":")
		name, value = strings.Trim(name, blanks), strings.Trim(value, blanks)
		_, again := seen[name]
		switch {
		case line == "":
		case !ok || name == "":
			find("mta-sts-line-malformed", line, clip(line))
		case name == "mx":
			p.addMX(value, line, find)
		case !slices.Contains([]string{"version", "mode", "max_age"}, name):
			find("mta-sts-line-unknown", line, clip(name))
		case again:
			find("mta-sts-line-repeated", line, name)
		default:
			seen[name] = value
		}
	}
	p.judge(seen, find)
	if bad {
		return p, ErrBadRecord
	}
	return p, nil
}

// addMX takes one mx line.
func (p *MTASTSPolicy) addMX(value, line string, find func(id, line string, args ...any)) {
	host := canonical(value)
	if !isHostName(strings.TrimPrefix(host, "*.")) {
		find("mta-sts-mx-invalid", line, clip(value))
	} else if len(p.MX) < maxPolicyMX {
		p.MX = append(p.MX, host)
	}
}

// judge looks at the fields that stand once.
func (p *MTASTSPolicy) judge(values map[string]string, find func(id, line string, args ...any)) {
	if values["version"] != mtastsVersion {
		find("mta-sts-version-invalid", values["version"])
	}
	mode := values["mode"]
	if err := p.Mode.UnmarshalText([]byte(mode)); err != nil || p.Mode == STSUnknown {
		p.Mode = STSUnknown
		find("mta-sts-mode-invalid", mode, clip(mode))
	}
	age := values["max_age"]
	seconds, err := strconv.ParseUint(age, 10, 64)
	if err != nil || !isDigits(age) || len(age) > 10 || seconds > maxPolicyAge {
		find("mta-sts-age-invalid", age, clip(age))
	} else {
		p.MaxAge = time.Duration(seconds) * time.Second
		if seconds < shortPolicy && p.Mode != STSNone {
			find("mta-sts-age-short", age, seconds)
		}
	}
	switch {
	case p.Mode == STSNone:
		find("mta-sts-off", mode)
		return
	case p.Mode == STSTesting:
		find("mta-sts-testing", mode)
	}
	if len(p.MX) == 0 {
		find("mta-sts-mx-missing", "")
	}
}

// Covers reports whether the policy names a mail exchanger (RFC 8461 section
// 4.1): a wildcard stands for exactly one label. No policy names none.
func (p *MTASTSPolicy) Covers(host string) bool {
	return p != nil && slices.ContainsFunc(p.MX, func(pattern string) bool { return coversHost(pattern, host) })
}

func coversHost(pattern, host string) bool {
	host = canonical(host)
	if domain, ok := strings.CutPrefix(pattern, "*."); ok {
		label, rest, _ := strings.Cut(host, ".")
		return label != "" && rest == domain
	}
	return pattern == host
}
