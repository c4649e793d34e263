package ndr

import "strings"

// lineRecipient returns the address of a line that is a recipient and nothing
// else: "Name<mailto:addr>", "addr (addr)", "addr".
func lineRecipient(l *line) string {
	if l.kind != textLine && l.kind != rowLine || l.text == "" {
		return ""
	}
	if len(l.links) == 1 && hasPrefixFold(l.links[0].URL, "mailto:") && l.links[0].Text == l.text {
		if a := bareAddress(l.text); a != "" {
			return a
		}
		return bareAddress(l.links[0].URL)
	}
	if a := bareAddress(l.text); a != "" && (isAddress(l.text) || len(l.text) < 200 && strings.ContainsAny(l.text[len(l.text)-1:], ">)")) {
		return a
	}
	return ""
}

// userPart reads the heading and each recipient with the sentences under it.
func (r *reading) userPart(p *page, from, to int) {
	i := p.next(from)
	if i >= to {
		return
	}
	if lineRecipient(&p.lines[i]) == "" {
		r.n.Headline = p.lines[i].text
		if host, ok := cutRejected(r.n.Headline); ok {
			r.n.Servers.Remote = host
		}
		i++
	}
	var open []int // recipients whose reason is still to come
	for i < to {
		i = p.next(i)
		if i >= to {
			return
		}
		if addr := lineRecipient(&p.lines[i]); addr != "" {
			k := r.recipient(addr)
			if k < 0 {
				return
			}
			r.n.Recipients[k].DisplayName = displayName(p.lines[i].text, addr)
			open = append(open, k)
			i++
			continue
		}
		end := i
		for end < to && lineRecipient(&p.lines[end]) == "" {
			end++
		}
		r.reason(p, i, end, open)
		open, i = nil, end
	}
}

// reason reads the sentences of [from, to) and gives them to the recipients
// they stand under; without any, to all.
func (r *reading) reason(p *page, from, to int, under []int) {
	end, text := to, ""
	gave := p.find(from, to, func(l *line) bool { return strings.Contains(fold(l.text), "gave this error") })
	if gave >= 0 {
		end = gave
		text, _ = joinParagraphs(p.paragraphs(gave+1, to))
		if host := firstToken(p.lines[gave].text); isHostName(host) && r.n.Servers.Remote == "" {
			r.n.Servers.Remote = host
		}
	}
	paras := r.takeSubject(r.dropSignature(p.paragraphs(from, end)))
	sentence, links, advice := "", []Link(nil), []string(nil)
	for i, q := range paras {
		if i == 0 {
			sentence = q.text
		} else if q.text != "" {
			advice = append(advice, q.text)
		}
		links = append(links, q.links...)
	}
	r.n.Links = append(r.n.Links, links...)
	if under == nil {
		r.sharedReason, r.sharedAdvice, r.sharedLinks = sentence, advice, links
		return
	}
	for _, k := range under {
		rc := &r.n.Recipients[k]
		rc.Reason, rc.Advice, rc.ReasonLinks, rc.RemoteText = sentence, advice, links, text
	}
}

// dropSignature takes "Sent by Microsoft Exchange Server 2007" off: it names
// the product and is no part of the reason.
func (r *reading) dropSignature(paras []paragraph) []paragraph {
	kept := paras[:0]
	for _, q := range paras {
		if i := strings.Index(q.text, "Sent by Microsoft Exchange Server"); i >= 0 {
			r.signed = true
			q.text = strings.TrimSpace(q.text[:i])
		}
		if q.text != "" {
			kept = append(kept, q)
		}
	}
	return kept
}

// takeSubject takes the message's subject off, which delay notices repeat
// above the sentence.
func (r *reading) takeSubject(paras []paragraph) []paragraph {
	if len(paras) < 2 {
		return paras
	}
	subject, ok := strings.CutPrefix(paras[0].text, "Subject:")
	if !ok {
		return paras
	}
	r.n.Details.Subject = strings.TrimSpace(subject)
	return paras[1:]
}

// cutRejected reads "<host> rejected your message to the following ...".
func cutRejected(s string) (host string, ok bool) {
	i := indexFold(s, " rejected your message")
	if i <= 0 || !isHostName(s[:i]) {
		return "", false
	}
	return s[:i], true
}

// displayName returns what a recipient line says beside the address.
func displayName(text, addr string) string {
	name := text
	for _, s := range []string{"(" + addr + ")", "<" + addr + ">"} {
		if i := strings.LastIndex(name, s); i >= 0 {
			name = name[:i] + name[i+len(s):]
		}
	}
	name = strings.TrimSpace(name)
	if strings.EqualFold(name, addr) {
		return ""
	}
	return name
}
