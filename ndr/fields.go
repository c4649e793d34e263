package ndr

import (
	"strings"

	"github.com/mailfault/mailfault/smtpcode"
)

// fields reads the label and value lines of the current layout: what was sent,
// the error, who rejected and who reported it.
func (r *reading) fields(p *page, m *currentMap) {
	if m.fields < 0 {
		return
	}
	end := m.end
	if m.hops > m.fields {
		end = m.hops
	}
	var group [][2]string // rows of unknown labels since the last heading
	var groups [][][2]string
	for i := m.fields; i < end; i++ {
		l := &p.lines[i]
		if l.kind == blankLine || l.kind == ruleLine {
			continue
		}
		lab, value := matchLabel(l)
		if lab == nil {
			if l.kind == rowLine && len(l.cells) == 2 {
				group = append(group, [2]string{l.cells[0].text, l.cells[1].text})
			} else if len(group) > 0 {
				groups, group = append(groups, group), nil
			}
			continue
		}
		for ; !p.html && i+1 < end && isWrapped(&p.lines[i+1]) && len(value) < maxReply; i++ {
			value = strings.TrimSpace(value + " " + p.lines[i+1].text)
		}
		r.field(lab, value)
	}
	if len(group) > 0 {
		groups = append(groups, group)
	}
	r.unknownFields(groups)
}

// isWrapped reports whether a line of text continues the value before it.
func isWrapped(l *line) bool {
	if l.kind == blankLine || l.kind == ruleLine || l.kind == preLine || matchSection(l.text) != 0 || isHopsHeading(l) {
		return false
	}
	lab, _ := matchLabel(l)
	return lab == nil
}

func (r *reading) field(lab *label, value string) {
	if lab.labels != LabelsUnknown && r.n.Labels == LabelsUnknown {
		r.n.Labels = lab.labels
	}
	switch lab.field {
	case createdLabel:
		r.n.Details.Created = value
	case senderLabel:
		r.n.Details.Sender = value
	case recipientLabel:
		r.n.Details.Recipients = splitAddresses(value)
	case subjectLabel:
		r.n.Details.Subject = value
	case replyLabel:
		if r.errorReplies == nil {
			r.errorReplies = smtpcode.ParseReplies(value)
		}
	case remoteLabel:
		r.n.Servers.Remote, _, _ = hostAndIP(value)
	case generatedLabel:
		r.n.Servers.Generating, _, _ = hostAndIP(value)
	}
}

// unknownFields reads rows whose labels are in a language nobody has seen, by
// what their values are and where they stand: the first group is the message,
// the group that begins with a reply is the error; in the newer labels the
// report's author has a group of its own.
func (r *reading) unknownFields(groups [][][2]string) {
	for gi, g := range groups {
		if isReplyCode(g[0][1]) {
			r.unknownError(g, groups[gi+1:])
			return
		}
		if r.n.Details.Created == "" && len(g) >= 3 {
			r.n.Details.Created, r.n.Details.Sender = g[0][1], g[1][1]
			r.n.Details.Recipients = splitAddresses(g[2][1])
			if len(g) > 3 {
				r.n.Details.Subject = g[3][1]
			}
		}
	}
}

func (r *reading) unknownError(g [][2]string, after [][][2]string) {
	if r.errorReplies != nil {
		return
	}
	r.errorReplies = smtpcode.ParseReplies(g[0][1])
	var hosts []string
	for _, row := range g[1:] {
		if h, _, _ := hostAndIP(row[1]); isHostName(h) {
			hosts = append(hosts, h)
		}
	}
	if len(after) > 0 && len(after[0]) == 1 && isHostName(after[0][0][1]) {
		r.n.Labels = Labels2023
		r.n.Servers.Generating = after[0][0][1]
		if len(hosts) > 0 {
			r.n.Servers.Remote = hosts[0]
		}
		return
	}
	r.n.Labels = Labels2017
	if len(hosts) > 0 {
		r.n.Servers.Generating = hosts[0]
	}
	if len(hosts) > 1 {
		r.n.Servers.Remote = hosts[1]
	}
}

// splitAddresses reads the addresses of a value that may hold several.
func splitAddresses(s string) []string {
	var out []string
	for w := range strings.FieldsFuncSeq(s, func(c rune) bool { return c == ' ' || c == ',' || c == ';' }) {
		if a := bareAddress(w); a != "" {
			out = append(out, a)
		}
	}
	return out
}
