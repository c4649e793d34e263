package ndr

import (
	"strings"

	"github.com/mailfault/mailfault/smtpcode"
)

// actionRequired is the role line of the marked party.
const actionRequired = "action required"

// owner is who the diagram marks, by column. A red middle column was never
// seen; the layout leaves no other reading than the service.
func (d *Diagram) owner() smtpcode.Party {
	switch d.Marked {
	case 0:
		return smtpcode.Sender
	case 1:
		return smtpcode.Platform
	case 2:
		return smtpcode.Recipient
	}
	return smtpcode.Unknown
}

// isBar reports whether a row is the diagram's strip: five coloured cells
// without text, parties at 1, 3 and 5 with gaps between them.
func isBar(l *line) bool {
	if l.kind != rowLine || len(l.cells) != 5 {
		return false
	}
	for i, c := range l.cells {
		if strings.TrimSpace(c.text) != "" || c.colour == "" && i%2 == 0 {
			return false
		}
	}
	return true
}

// isRoleLine reports whether a line of text is the diagram's role line:
// "Action Required ... Recipient", "Sender ... Action Required". The gap may
// have shrunk or vanished.
func isRoleLine(l *line) bool {
	t := strings.ToLower(l.text)
	before, after, ok := strings.Cut(t, actionRequired)
	if !ok || len(t) > 80 {
		return false
	}
	left := strings.TrimSpace(before)
	right := strings.TrimSpace(after)
	return (left == "" || left == "sender") && (right == "" || right == "recipient")
}

// partyLines are the lines of the diagram; -1 where there is none.
type partyLines struct {
	names, roles, label int
}

// partyRows finds the diagram's lines around its bar (HTML) or role line
// (text).
func partyRows(p *page, at int) partyLines {
	rows := partyLines{roles: at, label: p.next(at + 1)}
	if p.html {
		rows.roles = p.prev(at - 1)
	}
	rows.names = p.prev(rows.roles - 1)
	if rows.names < 0 {
		rows.names = max(rows.roles, 0)
	}
	if rows.label >= len(p.lines) || matchSection(p.lines[rows.label].text) != 0 {
		rows.label = at
	}
	return rows
}

func readDiagram(p *page, at int) *Diagram {
	if at < 0 {
		return nil
	}
	rows := partyRows(p, at)
	d := &Diagram{Marked: -1}
	if p.html {
		d.readHTML(p, rows, &p.lines[at])
	} else {
		d.readText(p, rows)
	}
	return d
}

func (d *Diagram) readHTML(p *page, rows partyLines, bar *line) {
	marked := 0
	for i := range d.Parties {
		party := &d.Parties[i]
		party.Colour = bar.cells[2*i].colour
		if isRed(party.Colour) {
			d.Marked = i
			marked++
		}
		if rows.names >= 0 && len(p.lines[rows.names].cells) == 3 {
			party.Name = p.lines[rows.names].cells[i].text
		}
		if rows.roles >= 0 && len(p.lines[rows.roles].cells) == 3 {
			party.Role = p.lines[rows.roles].cells[i].text
		}
	}
	if marked == 1 {
		return
	}
	// Colours lost or all alike: the role line says it too.
	d.Marked = -1
	for i, party := range d.Parties {
		if strings.EqualFold(party.Role, actionRequired) {
			d.Marked = i
		}
	}
}

func (d *Diagram) readText(p *page, rows partyLines) {
	role := strings.ToLower(p.lines[rows.roles].text)
	i := strings.Index(role, actionRequired)
	left := strings.TrimSpace(role[:i]) != ""
	right := strings.TrimSpace(role[i+len(actionRequired):]) != ""
	switch {
	case left && right:
		d.Marked = 1
	case left:
		d.Marked = 2
	case right:
		d.Marked = 0
	default: // the other party's word is lost: its place on the line is left
		if strings.HasPrefix(p.lines[rows.roles].raw, " ") || strings.HasPrefix(p.lines[rows.roles].raw, "\t") {
			d.Marked = 2
		} else {
			d.Marked = 0
		}
	}
	roles := [3]string{}
	text := p.lines[rows.roles].text
	roles[d.Marked] = text[i : i+len(actionRequired)]
	if d.Marked != 0 && left {
		roles[0] = strings.TrimSpace(text[:i])
	}
	if d.Marked != 2 && right {
		roles[2] = strings.TrimSpace(text[i+len(actionRequired):])
	}
	names := textNames(&p.lines[rows.names])
	for k := range d.Parties {
		d.Parties[k] = DiagramParty{Name: names[k], Role: roles[k]}
	}
}

// textNames splits the names line of the text form. The service's name tells
// where the others end when the gaps have gone.
func textNames(l *line) (names [3]string) {
	cells := l.cells
	if len(cells) > 0 && cells[0].text == "" {
		cells = cells[1:]
	}
	if len(cells) == 3 {
		for i, c := range cells {
			names[i] = c.text
		}
		return names
	}
	for _, service := range []string{"Office 365", "Microsoft 365"} {
		if before, after, ok := strings.Cut(l.text, service); ok {
			return [3]string{strings.TrimSpace(before), service, strings.TrimSpace(after)}
		}
	}
	return names
}

// readLabel reads the short problem label under the diagram.
func readLabel(p *page, m *currentMap) string {
	rows := partyRows(p, m.diagram)
	if rows.label == m.diagram {
		return ""
	}
	l := &p.lines[rows.label]
	if p.html && l.kind != rowLine || len(l.text) > 120 {
		return ""
	}
	return l.text
}
