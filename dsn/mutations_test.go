package dsn_test

import (
	"bytes"
	"fmt"
	"html"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/internal/corpora"
	"github.com/mailfault/mailfault/ndr"
	"github.com/mailfault/mailfault/smtpcode"
)

// A mutation is what a relay, a gateway or a mail program does to a mail on its
// way without changing what the mail says.
type mutation struct {
	name  string
	floor int // of the mails it changes that have to be judged as before, in percent
	// change returns false where the mail has nothing to change.
	change func(l *letter) bool
}

var mutations = []mutation{
	{"texts in quoted-printable", 100, func(l *letter) bool { return l.texts(func(p *letter) bool { return p.transfer("quoted-printable") }) }},
	{"texts in base64", 100, func(l *letter) bool { return l.texts(func(p *letter) bool { return p.transfer("base64") }) }},
	{"texts as they are", 100, func(l *letter) bool {
		return l.texts(func(p *letter) bool { return p.get("content-transfer-encoding") != "" && p.transfer("8bit") })
	}},
	{"fields in quoted-printable", 100, func(l *letter) bool { return l.status(func(p *letter) { p.transfer("quoted-printable") }) }},
	{"fields in base64", 100, func(l *letter) bool { return l.status(func(p *letter) { p.transfer("base64") }) }},
	{"texts in UTF-8", 100, func(l *letter) bool { return l.plain(func(s string) string { return s + "\n" }) }},
	{"no charset", 100, func(l *letter) bool {
		return l.texts(func(p *letter) bool {
			_, params := p.contentType()
			if text := p.text(); params.Get("charset") == "" || !isPlainASCII(text) {
				return false
			}
			p.set("Content-Type", p.kind())
			return true
		})
	}},
	{"another charset with ASCII in it", 100, func(l *letter) bool {
		return l.texts(func(p *letter) bool {
			if !isPlainASCII(p.text()) {
				return false
			}
			p.set("Content-Type", p.kind()+"; charset=\"ISO-8859-15\"")
			return true
		})
	}},
	{"header unfolded", 100, func(l *letter) bool {
		return l.header(func(f string) string { return strings.Join(strings.Fields(f), " ") })
	}},
	{"header folded at every blank", 100, func(l *letter) bool {
		return l.header(func(f string) string {
			name, value, _ := strings.Cut(f, ":")
			return name + ": " + strings.Join(strings.Fields(value), "\n\t")
		})
	}},
	{"header turned round", 100, func(l *letter) bool { slices.Reverse(l.fields); return true }},
	{"header in upper case", 100, func(l *letter) bool {
		return l.header(func(f string) string {
			name, value, _ := strings.Cut(f, ":")
			return strings.ToUpper(name) + ":" + value
		})
	}},
	{"types quoted", 100, func(l *letter) bool {
		return l.typeAgain(func(kind string, params map[string]string) string { return typeWith(kind, params, `"%s"`) })
	}},
	{"types in upper case", 100, func(l *letter) bool {
		return l.typeAgain(func(kind string, params map[string]string) string {
			upper := map[string]string{}
			for name, value := range params {
				upper[strings.ToUpper(name)] = value
			}
			return typeWith(strings.ToUpper(kind), upper, `"%s"`)
		})
	}},
	{"a relay's trace", 100, func(l *letter) bool {
		l.fields = slices.Concat([]string{
			"Delivered-To: ann@relay.example", "Received: by 2002:a05:6a10::1 with SMTP id x1; Mon, 3 Aug 2026 10:00:01 -0700 (PDT)",
			"Authentication-Results: mx.relay.example;\n\tspf=none (relay.example: no policy) smtp.helo=out.relay.example;\n\tdmarc=fail header.from=relay.example",
			"Received-SPF: none (mx.relay.example: no policy) client-ip=192.0.2.77;", "X-Spam-Status: No, score=-1.2 required=5.0 tests=BAYES_00",
			"Received: from out.relay.example (out.relay.example [192.0.2.77]) by mx.relay.example with ESMTP id 55012; Mon, 3 Aug 2026 10:00:00 -0700",
		}, l.fields)
		return true
	}},
	{"a list's subject", 100, func(l *letter) bool {
		if l.get("subject") == "" {
			return false
		}
		l.set("Subject", "[EXTERNAL] "+l.get("subject"))
		return true
	}},
	{"an mbox's first line", 100, func(l *letter) bool {
		if strings.HasPrefix(l.fields[0], "From ") {
			return false
		}
		l.fields = slices.Concat([]string{"From MAILER-DAEMON Mon Aug  3 10:00:00 2026"}, l.fields)
		return true
	}},
	{"texts broken at 72", 98, func(l *letter) bool { return l.plain(func(s string) string { return wrapped(s, 72, "") }) }},
	{"texts broken at 60", 98, func(l *letter) bool { return l.plain(func(s string) string { return wrapped(s, 60, "") }) }},
	{"format=flowed", 98, func(l *letter) bool {
		changed := l.plain(func(s string) string { return wrapped(s, 72, " ") })
		if changed {
			l.texts(func(p *letter) bool {
				if p.kind() == "text/plain" {
					p.set("Content-Type", "text/plain; charset=utf-8; format=flowed")
				}
				return true
			})
		}
		return changed
	}},
	{"blanks at the ends of lines", 99, func(l *letter) bool {
		return l.plain(func(s string) string { return strings.ReplaceAll(s, "\n", "  \n") })
	}},
	{"blanks that do not break", 100, func(l *letter) bool {
		return l.plain(func(s string) string { return strings.ReplaceAll(s, "  ", " \u00a0") })
	}},
	{"typographic quotes", 100, func(l *letter) bool {
		return l.plain(func(s string) string { return strings.ReplaceAll(s, "'", "’") })
	}},
	{"a warning above", 99, func(l *letter) bool {
		return l.plain(func(s string) string {
			return "CAUTION: This email originated from outside of the organization. Do not click links or open attachments unless you recognize the sender.\n\n" + s
		})
	}},
	{"a footer below", 100, func(l *letter) bool {
		return l.plain(func(s string) string {
			return strings.TrimRight(s, "\n") + "\n\n_______________________________________________\nstaff mailing list\nstaff@lists.relay.example\nhttps://lists.relay.example/mailman/listinfo/staff\n"
		})
	}},
	{"a footer as a part", 100, func(l *letter) bool {
		footer := parseLetter("Content-Type: text/plain; charset=\"us-ascii\"\n\n_______________________________________________\nstaff mailing list\nstaff@lists.relay.example\n", 1)
		if l.parts != nil {
			l.parts = append(l.parts, footer)
			return true
		}
		l.into("multipart/mixed", footer)
		return true
	}},
	{"within another multipart", 100, func(l *letter) bool {
		if l.parts == nil {
			return false
		}
		l.into("multipart/mixed")
		return true
	}},
	{"texts as HTML", 99, func(l *letter) bool { return l.asHTML() }},
	{"no content type", 100, func(l *letter) bool { return l.parts == nil && l.kind() == "text/plain" && l.drop("content-type") }},
	{"no content type above parts", 100, func(l *letter) bool { return l.parts != nil && l.drop("content-type") }},
	{"another boundary", 100, func(l *letter) bool {
		if l.parts == nil {
			return false
		}
		l.boundary = "=_b_(relay)+'1'=="
		kind, _ := l.contentType()
		l.set("Content-Type", kind+";\n report-type=delivery-status;\n boundary=\""+l.boundary+"\"")
		return true
	}},
	{"multipart/mixed", 100, func(l *letter) bool {
		if l.kind() != "multipart/report" || l.parts == nil {
			return false
		}
		l.set("Content-Type", "multipart/mixed; boundary=\""+l.boundary+"\"")
		return true
	}},
	{"parts turned round", 100, func(l *letter) bool {
		slices.Reverse(l.parts)
		return len(l.parts) > 1 && l.kind() != "multipart/alternative"
	}},
	{"without the returned message", 99, func(l *letter) bool {
		n := len(l.parts)
		l.parts = slices.DeleteFunc(l.parts, func(p *letter) bool {
			return strings.HasPrefix(p.kind(), "message/rfc822") || strings.HasSuffix(p.kind(), "rfc822-headers")
		})
		return len(l.parts) < n && len(l.parts) > 0
	}},
	{"fields with blank lines between", 100, func(l *letter) bool {
		return l.status(func(p *letter) { p.body = "\n" + strings.ReplaceAll(p.body, "\n\n", "\n\n\n") + "\n\n" })
	}},
	{"fields with tabs", 100, func(l *letter) bool {
		return l.statusLines(func(line string) string {
			name, value, _ := strings.Cut(line, ":")
			return name + ":\t" + strings.TrimSpace(value)
		})
	}},
	{"fields in lower case", 100, func(l *letter) bool {
		return l.statusLines(func(line string) string {
			name, value, _ := strings.Cut(line, ":")
			return strings.ToLower(name) + ":" + value
		})
	}},
	{"fields without blanks", 100, func(l *letter) bool {
		return l.statusLines(func(line string) string {
			name, value, _ := strings.Cut(line, ":")
			kind, rest, ok := strings.Cut(value, ";")
			if !ok || len(strings.TrimSpace(kind)) > 12 {
				return name + ":" + strings.TrimSpace(value)
			}
			return name + ":" + strings.TrimSpace(kind) + ";" + strings.TrimSpace(rest)
		})
	}},
	{"fields of the relay's own", 100, func(l *letter) bool {
		return l.statusLines(func(line string) string {
			if strings.HasPrefix(strings.ToLower(line), "final-recipient") {
				return "X-Relay-Queue-ID: 55012345\n" + line + "\nX-Relay-Note: code 421, host 192.0.2.77"
			}
			return line
		})
	}},
	{"recipients in angle brackets", 100, func(l *letter) bool {
		return l.statusLines(func(line string) string {
			name, value, _ := strings.Cut(line, ":")
			kind, address, ok := strings.Cut(value, ";")
			if ok && strings.EqualFold(name, "final-recipient") && strings.Contains(address, "@") && !strings.Contains(address, "<") {
				return name + ":" + strings.ToUpper(kind) + "; <" + strings.TrimSpace(address) + ">"
			}
			return line
		})
	}},
	{"fields as a global status", 100, func(l *letter) bool {
		return l.status(func(p *letter) { p.set("Content-Type", "message/global-delivery-status") })
	}},
	{"fields as text", 99, func(l *letter) bool {
		return l.status(func(p *letter) { p.set("Content-Type", "text/plain; name=\"details.txt\"") })
	}},
	{"fields as an attachment", 99, func(l *letter) bool {
		return l.status(func(p *letter) {
			p.set("Content-Type", "application/octet-stream; name=\"details.txt\"")
			p.set("Content-Disposition", "attachment")
		})
	}},
	{"attached", 99, func(l *letter) bool {
		mail := l.String()
		*l = *parseLetter("From: anna@o.example\nTo: help@desk.example\nSubject: FW: what is this?\nMessage-ID: <p1@o.example>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=zzq\n\n--zzq\nContent-Type: text/plain\n\nPlease look at this.\n\n--zzq\nContent-Type: message/rfc822\n\n"+mail+"\n--zzq--\n", 0)
		return true
	}},
	{"attached in base64", 99, func(l *letter) bool {
		inner := parseLetter("Content-Type: message/rfc822\n\n"+l.String(), 1)
		inner.transfer("base64")
		*l = letter{fields: []string{"From: anna@o.example", "Subject: FW: what is this?", "Content-Type: multipart/mixed; boundary=zzq"}, boundary: "zzq",
			parts: []*letter{parseLetter("Content-Type: text/plain\n\nSee.\n", 1), inner}}
		return true
	}},
}

func isPlainASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf || r == 0x1b }) < 0
}

func typeWith(kind string, params map[string]string, form string) string {
	for _, name := range slices.Sorted(maps.Keys(params)) {
		kind += ";\n\t" + name + "=" + fmt.Sprintf(form, params[name])
	}
	return kind
}

// header calls f for every field of the mail's header.
func (l *letter) header(f func(string) string) bool {
	changed := false
	for i := range l.fields {
		if strings.HasPrefix(l.fields[i], "From ") {
			continue
		}
		before := l.fields[i]
		l.fields[i] = f(before)
		changed = changed || l.fields[i] != before
	}
	return changed
}

// into makes the mail the first part of another multipart.
func (l *letter) into(kind string, more ...*letter) {
	inner := &letter{body: l.body, parts: l.parts, boundary: l.boundary, preamble: l.preamble, epilogue: l.epilogue}
	var outer []string
	for _, f := range l.fields {
		if strings.HasPrefix(fieldName(f), "content-") {
			inner.fields = append(inner.fields, f)
		} else {
			outer = append(outer, f)
		}
	}
	*l = letter{fields: append(outer, "Content-Type: "+kind+"; boundary=\"=_relay\""), boundary: "=_relay", parts: append([]*letter{inner}, more...)}
}

// asHTML turns the texts into pages, as gateways do, a line into an element.
func (l *letter) asHTML() bool {
	return l.texts(func(p *letter) bool {
		if p.kind() != "text/plain" {
			return false
		}
		var page strings.Builder
		page.WriteString("<html><head><meta charset=utf-8></head><body>\n")
		for line := range strings.SplitSeq(strings.TrimRight(p.text(), "\n"), "\n") {
			page.WriteString(strings.ReplaceAll(html.EscapeString(strings.TrimRight(line, " ")), "  ", "&nbsp; ") + "<br>\n")
		}
		page.WriteString("</body></html>\n")
		p.set("Content-Type", "text/html; charset=utf-8")
		p.set("Content-Transfer-Encoding", "8bit")
		p.body = page.String()
		return true
	})
}

// judged is what is read of a mail, and what follows from it.
func judged(mail string) (facts []string) {
	report, err := dsn.Read(strings.NewReader(mail))
	if err != nil {
		return []string{err.Error()}
	}
	failures := report.Failures()
	if notice, err := ndr.Parse(report); err == nil {
		failures = notice.Failures()
	}
	facts = append(facts, report.Kind.String())
	for _, f := range failures {
		d := smtpcode.Diagnose(f)
		code := 0
		if n := len(f.Replies); n > 0 {
			code = f.Replies[n-1].Code
		}
		facts = append(facts, fmt.Sprintf("%s %v %v %d %s %v %s", strings.ToLower(f.Recipient), f.Action, f.Status, code, d.Condition, d.Refuser.By, d.Refuser.Host))
	}
	return facts
}

// mutable returns the mails of the corpora that are reports.
func mutable(t *testing.T) map[string]string {
	mails := map[string]string{}
	for _, pattern := range []string{filepath.Join(corpora.Dir(t, "bounces", "eml"), "*.eml"), filepath.Join(corpora.Dir(t, "ndr"), "*.eml"), "../ndr/testdata/*.eml", "testdata/mta/*.eml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
			if r, err := dsn.Read(bytes.NewReader(data)); err == nil && r.Kind == dsn.DeliveryStatus {
				mails[filepath.Base(file)] = string(data)
			}
		}
	}
	if len(mails) < 400 {
		t.Fatalf("%d mails", len(mails))
	}
	return mails
}

// TestWhatARelayChangesIsNoMatter makes every change to every report of the
// corpora: recipients, codes, condition and refuser have to be the same.
func TestWhatARelayChangesIsNoMatter(t *testing.T) {
	mails := mutable(t)
	names := slices.Sorted(maps.Keys(mails))
	want := map[string][]string{}
	for _, name := range names {
		want[name] = judged(mails[name])
	}
	for _, m := range mutations {
		t.Run(m.name, func(t *testing.T) {
			changed, held := 0, 0
			var lost []string
			for _, name := range names {
				l := parseLetter(mails[name], 0)
				if !m.change(l) {
					continue
				}
				changed++
				got := judged(l.String())
				if slices.Equal(got, want[name]) {
					held++
					continue
				}
				lost = append(lost, fmt.Sprintf("%s:\n  was %q\n  now %q", name, want[name], got))
			}
			if changed == 0 {
				t.Fatal("changes no mail")
			}
			t.Logf("%d of %d hold, %.1f%%", held, changed, 100*float64(held)/float64(changed))
			if held*100 < m.floor*changed {
				t.Errorf("%d of %d hold, less than %d%%:\n%s", held, changed, m.floor, strings.Join(lost, "\n"))
			}
		})
	}
}
