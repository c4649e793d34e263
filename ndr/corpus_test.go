package ndr

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/internal/corpora"
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
	report, err := dsn.Read(bytes.NewReader(b))
	if err != nil && !errors.Is(err, dsn.ErrNotReport) {
		t.Fatal(err)
	}
	n, err := Parse(report)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
