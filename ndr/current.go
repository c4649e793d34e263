package ndr

import (
	"strings"

	"github.com/mailfault/mailfault/smtpcode"
)

// readCurrent reads the current layout: headline, cause, party diagram, fix-it
// steps, administrators' part, hops, quoted header. It reports whether the
// page has it. Only English headings are known in public, so each part is also
// found by its place and shape: five coloured cells, rows of label and value,
// a table of six columns.
func (r *reading) readCurrent(p *page) bool {
	m := findCurrent(p)
	if !m.found() {
		return false
	}
	r.n.Layout = LayoutCurrent
	if r.language == "" && (m.labels > 0 || m.admin >= 0) {
		r.language = "en"
	}
	r.headline(p, m)
	if r.n.Diagram = readDiagram(p, m.diagram); r.n.Diagram != nil {
		r.n.StatedOwner = r.n.Diagram.owner()
		r.n.Label = readLabel(p, m)
	}
	r.fixIt(p, m)
	r.adminText(p, m)
	r.fields(p, m)
	if m.hops >= 0 {
		r.hops(p, m.hops)
	}
	if m.original >= 0 {
		r.originalHeaders(p, m.original)
	}
	r.currentRecipients()
	return true
}

// currentMap is where the parts of the current layout begin on a page; -1
// where there is none.
type currentMap struct {
	diagram  int // bar row in HTML, role line in text
	fixIt    int // heading
	feedback int
	admin    int // heading
	status   int // line with the status code
	details  int // heading of the fields
	fields   int // first "label: value"
	hops     int // heading row of the hops table
	original int // first line of the quoted header
	labels   int // how many labels of the layout were seen
	end      int // first line that is not the layout's any more
}

// found reports whether the page shows enough to be the current layout.
func (m *currentMap) found() bool {
	return m.diagram >= 0 && (m.labels > 0 || m.status >= 0 || m.fixIt >= 0 || m.hops >= 0) ||
		m.admin >= 0 && m.labels > 0 || m.labels >= 3 && m.status >= 0
}

// begun reports whether any part of the layout was met: a mail program's own
// "Subject:" before it is no label.
func (m *currentMap) begun() bool {
	return m.diagram >= 0 || m.fixIt >= 0 || m.admin >= 0 || m.status >= 0
}

func findCurrent(p *page) *currentMap {
	m := &currentMap{diagram: -1, fixIt: -1, feedback: -1, admin: -1, status: -1, details: -1, fields: -1, hops: -1, original: -1}
	for i := range p.lines {
		l := &p.lines[i]
		if l.kind == blankLine || l.kind == ruleLine {
			continue
		}
		if l.kind == preLine {
			set(&m.original, i)
			break
		}
		if m.diagram < 0 && m.fixIt < 0 && (isBar(l) || !p.html && isRoleLine(l)) {
			m.diagram = i
			continue
		}
		switch matchSection(l.text) {
		case fixItSection:
			set(&m.fixIt, i)
		case feedbackSection:
			set(&m.feedback, i)
		case adminSection:
			set(&m.admin, i)
		case statusSection:
			set(&m.status, i)
		case detailsSection:
			set(&m.details, i)
		case originalSection:
			set(&m.original, i+1)
		}
		if m.hops < 0 && isHopsHeading(l) {
			m.hops = i
		}
		if m.original >= 0 {
			break
		}
		if m.status < 0 && m.diagram >= 0 && endsInStatus(l.text) {
			m.status = i
		}
		if lab, _ := matchLabel(l); lab != nil && m.begun() {
			m.labels++
			set(&m.fields, i)
		} else if m.diagram >= 0 && m.fields < 0 && m.hops < 0 && p.html && l.kind == rowLine && len(l.cells) == 2 && l.cells[0].text != "" {
			m.fields = i
		}
	}
	m.end = len(p.lines)
	if m.original >= 0 {
		m.end = m.original
	}
	return m
}

func set(at *int, i int) {
	if *at < 0 {
		*at = i
	}
}

// endsInStatus reports whether a short line ends in "550 5.1.10": the status
// code line in any language.
func endsInStatus(s string) bool {
	if len(s) > 80 {
		return false
	}
	i := strings.LastIndexByte(s, ' ')
	if i < 4 || !isReplyCode(s[i-3:]) {
		return false
	}
	_, err := smtpcode.ParseStatus(s[i+1:])
	return err == nil && isReplyCode(s[i-3:i])
}

// headline reads the first sentence and the one under it.
func (r *reading) headline(p *page, m *currentMap) {
	end := m.end
	for _, part := range []int{m.diagram, m.fixIt, m.admin, m.fields} {
		if part >= 0 && part < end {
			end = part
		}
	}
	if m.diagram >= 0 && end == m.diagram {
		end = partyRows(p, m.diagram).names
	}
	from := p.next(0)
	// A mail program may have put lines of its own before the report.
	if i := p.find(from, end, func(l *line) bool { return strings.HasPrefix(l.text, "Your message to ") }); i >= 0 {
		from = i
	}
	next := from
	for ; next < end && r.n.Headline == ""; next++ {
		r.n.Headline = p.lines[next].text
	}
	for next < end && !p.html && p.lines[next].kind == textLine && !strings.HasSuffix(r.n.Headline, ".") {
		r.n.Headline += " " + p.lines[next].text // wrapped
		next++
	}
	r.n.Cause, r.causeLinks = joinParagraphs(p.paragraphs(next, end))
	// Pasted text may run the two sentences into one line.
	if i := strings.Index(r.n.Headline, " couldn't be delivered. "); i >= 0 && r.n.Cause == "" {
		i += len(" couldn't be delivered.")
		r.n.Headline, r.n.Cause = r.n.Headline[:i], strings.TrimSpace(r.n.Headline[i:])
	}
}

func (r *reading) fixIt(p *page, m *currentMap) {
	from := m.fixIt
	if from < 0 && m.diagram >= 0 {
		// The box's heading in an unknown language: first line after the label.
		from = p.next(partyRows(p, m.diagram).label + 1)
	}
	if from < 0 || from >= len(p.lines) {
		return // the diagram is the last there is
	}
	end := m.end
	for _, part := range []int{m.feedback, m.admin, m.status, m.fields, m.hops} {
		if part > from && part < end {
			end = part
		}
	}
	if rule := p.find(from, end, func(l *line) bool { return l.kind == ruleLine }); rule >= 0 {
		end = rule
	}
	if !p.html {
		markIndented(p.lines[from+1 : max(end, from+1)])
	}
	paras := p.paragraphs(from+1, end)
	if n := len(paras); n > 0 && asksFeedback(paras[n-1].links) {
		paras = paras[:n-1]
	}
	first, last := -1, -1
	for i, q := range paras {
		r.n.Links = append(r.n.Links, q.links...)
		if q.item {
			set(&first, i)
			last = i
		}
	}
	f := &r.n.FixIt
	if first < 0 {
		for _, q := range paras {
			if q.text != "" {
				f.Steps = append(f.Steps, q.text)
			}
		}
		return
	}
	f.Lead, _ = joinParagraphs(paras[:first])
	for _, q := range paras[first : last+1] {
		switch {
		case q.item || len(f.Steps) == 0:
			f.Steps = append(f.Steps, q.text)
		case q.text != "":
			f.Steps[len(f.Steps)-1] += " " + q.text
		}
	}
	f.Closing, _ = joinParagraphs(paras[last+1:])
}

// markIndented makes items of lines that are indented: a list whose bullets
// were lost.
func markIndented(lines []line) {
	for i := range lines {
		l := &lines[i]
		if strings.HasPrefix(l.raw, "    ") && (l.kind == textLine || l.kind == rowLine) {
			l.kind = itemLine
		}
	}
}

// asksFeedback reports whether a line links to Microsoft's "Was this helpful?"
// page, whatever its language.
func asksFeedback(links []Link) bool {
	return len(links) == 1 && strings.HasSuffix(links[0].URL, "LinkId=525921")
}

// adminText reads the status code line and the explanation under it.
func (r *reading) adminText(p *page, m *currentMap) {
	from := m.status
	if from >= 0 {
		text := p.lines[from].text
		for i := 0; i+3 <= len(text); i++ {
			if isReplyCode(text[i:]) {
				if list := smtpcode.ParseReplies(text[i:]); len(list) > 0 {
					r.n.StatusCode = list[0]
				}
				break
			}
		}
	} else {
		from = m.admin
	}
	if from < 0 {
		return
	}
	end := m.end
	for _, part := range []int{m.details, m.fields, m.hops} {
		if part > from && part < end {
			end = part
		}
	}
	paras := p.paragraphs(from+1, end)
	// The last short line is the heading of the fields that follow.
	if n := len(paras); n > 0 && end == m.fields && len(paras[n-1].text) < 60 && !strings.HasSuffix(paras[n-1].text, ".") {
		paras = paras[:n-1]
	}
	var links []Link
	r.n.AdminText, links = joinParagraphs(paras)
	r.n.Links = append(r.n.Links, links...)
}

// currentRecipients makes the layout's recipients of what was read: it names
// them in "Recipient Address", else in the headline.
func (r *reading) currentRecipients() {
	addrs := r.n.Details.Recipients
	if len(addrs) == 0 {
		for w := range strings.FieldsSeq(r.n.Headline) {
			if a := bareAddress(strings.Trim(w, ".,;:")); a != "" {
				addrs = append(addrs, a)
			}
		}
	}
	if len(addrs) == 0 {
		addrs = []string{""}
	}
	for _, a := range addrs {
		k := r.recipient(a)
		if k < 0 {
			return
		}
		rc := &r.n.Recipients[k]
		rc.Reason, rc.ReasonLinks = r.n.Cause, r.causeLinks
		rc.Replies = r.errorReplies
		rc.RemoteServer = r.n.Servers.Remote
	}
}
