package spfpeers

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mailfault/mailfault/dnscheck"
)

//go:embed disagreements.tsv
var disagreementsTable string

// disagreement is a kind of case that two programs judge differently: a line of
// disagreements.tsv.
type disagreement struct {
	class        string
	peers        []string
	ours, theirs []string       // results; none means any
	reason       *regexp.Regexp // in the text of this library's error; nil for any
	words        *regexp.Regexp // in the peer's
	condition    condition      // of the case; nil for any
	section      string         // of RFC 7208, or of another standard when it says which
	argument     string
}

func readDisagreements() (table []disagreement, err error) {
	for n, line := range strings.Split(strings.TrimSpace(disagreementsTable), "\n") {
		fields := strings.Split(line, "\t")
		if n == 0 {
			continue // the heading
		}
		if len(fields) != 9 {
			return nil, fmt.Errorf("disagreements.tsv:%d: %d fields, want 9", n+1, len(fields))
		}
		d := disagreement{class: fields[0], peers: listed(fields[1]), ours: listed(fields[2]), theirs: listed(fields[3]), section: fields[7], argument: fields[8]}
		for i, to := range map[int]**regexp.Regexp{4: &d.reason, 5: &d.words} {
			if fields[i] != "*" {
				if *to, err = regexp.Compile(fields[i]); err != nil {
					return nil, fmt.Errorf("disagreements.tsv:%d: %w", n+1, err)
				}
			}
		}
		if fields[6] != "*" {
			if d.condition = conditions[fields[6]]; d.condition == nil {
				return nil, fmt.Errorf("disagreements.tsv:%d: there is no condition %q", n+1, fields[6])
			}
		}
		table = append(table, d)
	}
	return table, nil
}

func listed(field string) []string {
	if field == "*" {
		return nil
	}
	return strings.Split(field, ",")
}

// explains reports whether the disagreement is of this kind.
func (d *disagreement) explains(peer string, c *spfCase, ours *dnscheck.SPFCheck, theirs verdict) bool {
	has := func(list []string, s string) bool { return list == nil || slices.Contains(list, s) }
	return has(d.peers, peer) && has(d.ours, ours.Result.String()) && has(d.theirs, theirs.Result) &&
		(d.reason == nil || d.reason.MatchString(fmt.Sprint(ours.Err))) && (d.words == nil || d.words.MatchString(theirs.Why)) &&
		(d.condition == nil || d.condition(c, theirs))
}
