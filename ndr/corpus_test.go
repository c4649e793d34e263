package ndr

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/mail"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/internal/corpora"
	"github.com/mailfault/mailfault/internal/replies"
	"github.com/mailfault/mailfault/smtpcode"
)

// corpusFact is one line of testdata/corpus-facts.tsv.
type corpusFact struct {
	file, layout, product, recipient, original, action, status, replies, generating, remote string
}

func corpusFacts(t testing.TB) (files []string, facts map[string][]corpusFact) {
	t.Helper()
	b, err := os.ReadFile("testdata/corpus-facts.tsv")
	if err != nil {
		t.Fatal(err)
	}
	facts = map[string][]corpusFact{}
	for line := range strings.Lines(string(b)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || len(f) != 11 || f[0] == "file" {
			continue
		}
		if facts[f[0]] == nil {
			files = append(files, f[0])
		}
		facts[f[0]] = append(facts[f[0]], corpusFact{f[0], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10]})
	}
	return files, facts
}

// Every Microsoft-made file of the shared corpora gives every recipient,
// status, reply, generating and remote server that a careful reader finds.
func TestCorpusFacts(t *testing.T) {
	files, facts := corpusFacts(t)
	if len(files) < 43 {
		t.Fatalf("%d files in the table", len(files))
	}
	bounces, ndrs := corpora.Dir(t, "bounces", "eml"), corpora.Dir(t, "ndr")
	for _, file := range files {
		want := facts[file]
		if want[0].layout == "-" {
			continue // not Microsoft's to read: package dsn's
		}
		t.Run(file, func(t *testing.T) {
			n := corpusNotice(t, file, bounces, ndrs)
			if n.Layout.String() != want[0].layout {
				t.Errorf("layout %v, want %s", n.Layout, want[0].layout)
			}
			if p := n.Product.String(); want[0].product != "?" && p != want[0].product {
				t.Errorf("product %s, want %s", p, want[0].product)
			}
			failures := n.Failures()
			if len(failures) != len(want) {
				t.Fatalf("%d recipients, want %d: %+v", len(failures), len(want), failures)
			}
			for i, w := range want {
				w.check(t, failures[i])
			}
		})
	}
}

func (w corpusFact) check(t *testing.T, f smtpcode.Failure) {
	t.Helper()
	for _, c := range []struct{ what, got, want string }{
		{"recipient", f.Recipient, w.recipient},
		{"original recipient", f.OriginalRecipient, w.original},
		{"action", f.Action.String(), w.action},
		{"status", f.Status.String(), w.status},
		{"replies", encodeReplies(f.Replies), w.replies},
		{"generating server", f.GeneratingServer, w.generating},
		{"remote server", f.RemoteServer, w.remote},
	} {
		if c.got == "" {
			c.got = "-"
		}
		if c.want != "?" && c.got != c.want {
			t.Errorf("%s: got %q, want %q", c.what, c.got, c.want)
		}
	}
}

var suffix = regexp.MustCompile(`(?i)\s*(\[[^\[\]]*\]|\(as\d*\))$`)

// encodeReplies writes replies the way the table has them.
func encodeReplies(list []smtpcode.Reply) string {
	var out []string
	for _, r := range list {
		code, status, hash := "-", "-", "-"
		if r.Code != 0 {
			code = fmt.Sprint(r.Code)
		}
		if !r.Status.IsZero() {
			status = r.Status.String()
		}
		text := strings.Join(strings.Fields(r.Text), " ")
		for suffix.MatchString(text) {
			text = suffix.ReplaceAllString(text, "")
		}
		if text != "" {
			sum := sha256.Sum256([]byte(strings.ToLower(text)))
			hash = hex.EncodeToString(sum[:])[:12]
		}
		out = append(out, code+"/"+status+"/"+hash)
	}
	return strings.Join(out, " ")
}

func corpusNotice(t *testing.T, file, bounces, ndrs string) *Notice {
	t.Helper()
	if b, err := os.ReadFile(filepath.Join(ndrs, file+".txt")); err == nil {
		n, err := ParseText(string(b))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	b, err := os.ReadFile(filepath.Join(bounces, file+".eml"))
	if err != nil {
		if b, err = os.ReadFile(filepath.Join(ndrs, file+".eml")); err != nil {
			t.Fatal(err)
		}
	}
	n, err := (&Reader{}).parse(plainSource(b))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// plainSource finds what a notice is read from by plain means: parts by their
// Content-Type lines, fields by their names. It stands in for package dsn.
func plainSource(b []byte) *source {
	b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	head, body, _ := bytes.Cut(b, []byte("\n\n"))
	src := &source{text: string(body)}
	h := headerBuilder{}
	for line := range strings.Lines(string(head)) {
		line = strings.TrimRight(line, "\n")
		name, rest, ok := strings.Cut(line, " :") // flanker's header has a blank there
		if ok && !strings.ContainsAny(name, " \t:") {
			line = name + ":" + rest
		}
		h.add(line + " ")
	}
	h.end()
	for _, f := range h.fields {
		switch strings.ToLower(f.Name) {
		case "content-language":
			src.language = f.Value
		case "from":
			src.from = bareAddress(f.Value)
		case "x-ms-exchange-message-is-ndr":
			src.isNDR = true
		case "x-dsncontext":
			src.context = true
		case "received":
			src.received = append(src.received, f.Value)
		case "date":
			src.date = headerDate(f.Value)
		}
	}
	for part := range bytes.SplitSeq(b, []byte("\n--")) {
		phead, pbody, ok := bytes.Cut(part, []byte("\n\n"))
		if !ok {
			continue
		}
		low := strings.ToLower(string(phead))
		switch {
		case strings.Contains(low, "message/delivery-status"):
			src.declare(string(pbody))
			return src
		case strings.Contains(low, "text/html") && src.html == "":
			src.html = decodePart(low, pbody)
		case strings.Contains(low, "text/plain") && src.text == string(body):
			src.text = decodePart(low, pbody)
		}
	}
	return src
}

func decodePart(head string, body []byte) string {
	if !strings.Contains(head, "quoted-printable") {
		return string(body)
	}
	var out bytes.Buffer
	for i := 0; i < len(body); i++ {
		if body[i] != '=' {
			out.WriteByte(body[i])
			continue
		}
		if i+1 < len(body) && body[i+1] == '\n' {
			i++
			continue
		}
		var c byte
		if i+2 < len(body) {
			if n, err := fmt.Sscanf(string(body[i+1:i+3]), "%02x", &c); n == 1 && err == nil {
				out.WriteByte(c)
				i += 2
			}
		}
	}
	if strings.Contains(head, "iso-8859-1") || strings.Contains(head, "windows-1252") {
		runes := make([]rune, out.Len())
		for i, c := range out.Bytes() {
			runes[i] = rune(c)
		}
		return string(runes)
	}
	return out.String()
}

func (src *source) declare(body string) {
	value := func(s, typ string) string {
		if t, rest, ok := strings.Cut(s, ";"); ok && strings.EqualFold(strings.TrimSpace(t), typ) {
			return strings.TrimSpace(rest)
		}
		return strings.TrimSpace(s)
	}
	var generating string
	var cur *smtpcode.Failure
	sc := bufio.NewScanner(strings.NewReader(body))
	for sc.Scan() {
		name, v, ok := strings.Cut(sc.Text(), ":")
		v = strings.TrimSpace(v)
		if !ok {
			if sc.Text() == "" {
				cur = nil
			}
			continue
		}
		name = strings.ToLower(name)
		switch name {
		case "reporting-mta":
			generating = value(v, "dns")
			continue
		case "arrival-date":
			if d, err := mail.ParseDate(v); err == nil {
				src.arrival = d.UTC()
			}
			continue
		case "original-recipient", "final-recipient":
			if cur == nil {
				src.declared = append(src.declared, smtpcode.Failure{GeneratingServer: generating})
				cur = &src.declared[len(src.declared)-1]
			}
		}
		if cur == nil {
			continue
		}
		switch name {
		case "original-recipient":
			cur.OriginalRecipient = value(v, "rfc822")
		case "final-recipient":
			cur.Recipient = value(v, "rfc822")
		case "action":
			cur.Action = smtpcode.ParseAction(v)
		case "status":
			cur.Status, _ = smtpcode.ParseStatus(v)
		case "diagnostic-code":
			cur.Replies = replies.Parse(value(v, "smtp"))
		case "remote-mta":
			cur.RemoteServer = value(v, "dns")
		}
	}
}
