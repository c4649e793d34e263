package dmarcreport

import (
	"fmt"
	"io"
	"strings"

	"github.com/mailfault/mailfault/internal/mime"
)

// mails goes through a mail, or through the mails of an mbox.
func (w *walker) mails(r io.Reader, at place) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return w.give(at, err)
	}
	data = mailStart(data)
	first, rest := cutMessage(data)
	if len(rest) == 0 {
		return w.mail(first, at)
	}
	last := error(nil)
	for n := 1; len(first) > 0 && !w.stopped; n++ {
		w.members = 0 // bounds one mail; how many there are, the size of the input does
		if err := w.mail(first, at.at(fmt.Sprintf("message %d", n))); err != nil {
			last = err
		}
		first, rest = cutMessage(rest)
	}
	return last
}

// mail goes through the parts of a mail.
func (w *walker) mail(data []byte, at place) error {
	root, _ := mime.Parse(string(data), mime.Limits{Depth: 20, Parts: 1000})
	at = at.within("mail")
	subject := mime.DecodeWords(root.Header.Get("Subject"))
	c := Carrier{From: mime.DecodeWords(root.Header.Get("From")), Subject: subject, MessageID: root.Header.Get("Message-ID")}
	if s, ok := ParseSubject(subject); ok {
		c.Domain, c.Submitter, c.ReportID = s.Domain, s.Submitter, s.ReportID
	}
	at.carrier = &c
	if part := findPart(root, "message/feedback-report"); part != nil {
		return w.failure(root, part, at)
	}
	err := w.parts(root, at)
	if text := findPart(root, "text/plain"); text != nil && w.found == 0 && !w.stopped {
		plain, _ := text.Text()
		if rep := notice(plain, at.part+" "+text.Path, w.limits); rep != nil {
			w.hand(&Document{Kind: KindFailure, Part: at.part, Carrier: at.carrier, Failure: rep})
			return nil
		}
	}
	return err
}

// parts reads each part that may hold a report. The error is of the last one
// that does not.
func (w *walker) parts(p *mime.Part, at place) error {
	if len(p.Parts) > 0 {
		last := error(ErrNotReport)
		for _, q := range p.Parts {
			if err := w.parts(q, at); err != nil {
				last = err
			}
			if w.stopped {
				return nil
			}
		}
		return last
	}
	if strings.HasPrefix(p.Type, "multipart/") {
		return ErrNotReport
	}
	if strings.HasSuffix(p.Type, "-signature") {
		return ErrNotReport // of a signed mail (RFC 1847): DER that holds no report
	}
	body, defects := p.Decoded()
	in := at
	if p.Path != "" {
		in.part += " " + p.Path
	}
	if len(defects) > 0 {
		in.notes = []note{{id: findTransfer}}
	}
	carrier := *at.carrier
	carrier.FileName = fileName(p)
	in.carrier = &carrier
	if strings.HasPrefix(p.Type, "message/") {
		return w.walk(strings.NewReader(body), in)
	}
	head := []byte(body[:min(len(body), 1024)])
	named := strings.HasSuffix(strings.ToLower(carrier.FileName), ".eml")
	f, mail := sniff(head, len(head) == len(body)), beginsMail(head)
	in.inMail = strings.HasPrefix(p.Type, "text/") || strings.HasPrefix(p.Type, "image/")
	if f == formMail && mail && (!in.inMail || named) {
		in.inMail = false
		in.notes = append(in.notes, note{id: findMediaType, before: cut([]byte(p.Type))})
		return w.walk(strings.NewReader(body), in)
	}
	if in.inMail && !(f == formGzip || f == formZip || f == formBase64 || f == formXML && saysFeedback(body)) {
		return ErrNotReport
	}
	if f == formMail {
		in.inMail = true
	}
	if f == formXML && !xmlType(p.Type) || f == formGzip && !strings.Contains(p.Type, "gzip") {
		in.notes = append(in.notes, note{id: findMediaType, before: cut([]byte(p.Type))})
	}
	return w.walk(strings.NewReader(body), in)
}

// saysFeedback reports whether a text has the name of the root in it, in UTF-8
// or UTF-16.
func saysFeedback(body string) bool {
	const wide = "f\x00e\x00e\x00d\x00b\x00a\x00c\x00k"
	return strings.Contains(body, "feedback") || strings.Contains(body, wide)
}

func xmlType(t string) bool { return t == "text/xml" || t == "application/xml" }

// fileName returns the name of an attachment, as either field gives it.
func fileName(p *mime.Part) string {
	_, params := mime.ParseType(p.Header.Get("Content-Disposition"))
	for _, name := range []string{params.Get("filename"), p.Params.Get("name")} {
		if name != "" {
			return mime.DecodeWords(name)
		}
	}
	return ""
}

// findPart returns the first part of a media type, at any depth.
func findPart(p *mime.Part, mediaType string) *mime.Part {
	if p.Type == mediaType {
		return p
	}
	for _, q := range p.Parts {
		if found := findPart(q, mediaType); found != nil {
			return found
		}
	}
	return nil
}
