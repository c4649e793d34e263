package dsn

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailfault/mailfault/internal/mime"
)

// hostile are shapes of mail that cost more than their size where a reader
// looks at anything again for each of its like: what comes before, what is
// repeated (the number counts up), and what comes behind.
var hostile = map[string]struct{ before, again, behind string }{
	"folds of To":            {"To: a\n", " f\n", "\n"},
	"folds of Content-Type":  {"Content-Type: a\n", " ;x=y\n", "\n"},
	"parameters":             {"Content-Type: multipart/mixed", ";x%d=y", "\n\n"},
	"fields":                 {"", "X-A%d: b\n", "\n"},
	"Received":               {"", "Received: from a by b for <c%d@example.org>; x\n", "\n"},
	"failed recipients":      {"X-Failed-Recipients: a@example.net", ",\n a%d@example.net", "\n\nfailed\n"},
	"To":                     {"To: a@example.net", ",\n a%d@example.net", "\n\nfailed\n"},
	"lines of no field":      {"", "no field\n", ""},
	"lines of blanks":        {"", " \n", ""},
	"parts":                  {"Content-Type: multipart/mixed; boundary=b\n", "\n--b\n\nx", ""},
	"boundary-like lines":    {"Content-Type: multipart/mixed; boundary=b\n\n--b\n", "\n--bx", ""},
	"nested multiparts":      {"", "Content-Type: multipart/mixed; boundary=%[1]d\n\n--%[1]d\n", ""},
	"nested messages":        {"", "Content-Type: message/rfc822\n\n", ""},
	"groups":                 {statusPart, "Final-Recipient: rfc822; a%d@example.net\nAction: failed\nStatus: 5.1.1\n\n", ""},
	"groups in one":          {statusPart, "Final-Recipient: rfc822; a%d@example.net\n", ""},
	"extension fields":       {statusPart, "X-A: b\n\n", ""},
	"replies in a field":     {statusPart + "Final-Recipient: rfc822; a@example.net\nDiagnostic-Code: smtp;", " 550 5.1.1 no ->", "\n"},
	"at signs":               {"\n", "a@", ""},
	"quotes":                 {"\nundeliverable to ", `"a@`, ""},
	"addresses":              {"\nThe following addresses failed:\n", "<a%d@example.net>\n", ""},
	"qmail's paragraphs":     {"\nHi. This is the qmail-send program at a.example.\n\n", "<a%d@example.net>:\n550 5.1.1 gone\n\n", ""},
	"dialogues":              {"\n----- transcript of session follows -----\n", ">>> RCPT To:<a%d@example.net>\n<<< 550 gone\n", ""},
	"forwards":               {"\n", "Begin forwarded message:\nFrom: MAILER-DAEMON@example.org\n\n", ""},
	"elements":               {"Content-Type: text/html\n\n", "<div><b>a@example.net<p>550 5.1.1", ""},
	"a returned From":        {"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n" + strings.Repeat("Final-Recipient: rfc822; a@example.net\n\n", 2000) + "--b\nContent-Type: message/rfc822\n\nFrom: a\n", " b\n", "\n"},
	"feedback about several": {"Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/feedback-report\n\n", "Removal-Recipient: a%d@example.net\n", ""},
}

const statusPart = "Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n"

// hostileMail makes a mail of a size and a shape.
func hostileMail(name string, size int) string {
	shape := hostile[name]
	var b strings.Builder
	b.WriteString("From: MAILER-DAEMON@example.org\nSubject: failure notice\n" + shape.before)
	for i := 0; b.Len() < size; i++ {
		if strings.Contains(shape.again, "%") {
			fmt.Fprintf(&b, shape.again, i)
		} else {
			b.WriteString(shape.again)
		}
	}
	return b.String() + shape.behind
}

// readAllOf reads a mail and asks its report for everything.
func readAllOf(mail string) error {
	r, err := Read(strings.NewReader(mail))
	if err != nil && !errors.Is(err, ErrNotReport) {
		return err
	}
	r.Failures()
	r.Thread()
	r.OriginalAddresses()
	Classify(r.Header)
	return nil
}

// TestHostileMailTakesItsSize bounds each shape at far more than it takes, and
// far less than it did where something was looked at again.
func TestHostileMailTakesItsSize(t *testing.T) {
	for name := range hostile {
		mail := hostileMail(name, 4<<20)
		begin := time.Now()
		if err := readAllOf(mail); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%s: 4 MiB took %v", name, took)
		}
	}
}

// TestHostileMailTakesLittleMemory bounds what is allocated in all, most of it
// for a moment only, by a multiple of the mail's size. The highest is that of
// nested messages, of each of which the text is read.
func TestHostileMailTakesLittleMemory(t *testing.T) {
	const size, most = 4 << 20, 120
	for name := range hostile {
		mail := hostileMail(name, size)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := readAllOf(mail); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		runtime.ReadMemStats(&after)
		if times := (after.TotalAlloc - before.TotalAlloc) / size; times > most {
			t.Errorf("%s: %d times its size", name, times)
		}
	}
}

// TestWhatIsNotReadIsNamed has one finding for each limit.
func TestWhatIsNotReadIsNamed(t *testing.T) {
	for name, test := range map[string]struct{ mail, want string }{
		"extension fields":    {hostileMail("extension fields", 1<<20), findingTooManyFields},
		"groups":              {hostileMail("groups", 1<<20), findingTooManyRecipients},
		"failed recipients":   {hostileMail("failed recipients", 1<<20), findingTooManyRecipients},
		"fields":              {hostileMail("fields", 1<<20), defectTexts[mime.TooManyFields].id},
		"parts":               {hostileMail("parts", 1<<20), defectTexts[mime.TooManyParts].id},
		"a text":              {hostileMail("addresses", 2<<20), findingTextLimit},
		"a thousand deep":     {hostileMail("nested multiparts", 50_000), defectTexts[mime.TooDeep].id},
		"feedback about many": {hostileMail("feedback about several", 1<<20), findingTooManyFields},
	} {
		r, err := Read(strings.NewReader(test.mail))
		if err != nil && !errors.Is(err, ErrNotReport) {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.ID == test.want }) {
			t.Errorf("%s: no finding %s among %v", name, test.want, r.Findings)
		}
	}
}

// BenchmarkHostile shows for each shape that bytes a second stay the same up to
// 64 MiB.
func BenchmarkHostile(b *testing.B) {
	for name := range hostile {
		for _, size := range []int{4 << 20, 63 << 20} {
			mail := hostileMail(name, size)
			b.Run(name+"/"+byteSize(size), func(b *testing.B) {
				b.SetBytes(int64(len(mail)))
				b.ReportAllocs()
				for b.Loop() {
					if err := readAllOf(mail); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
