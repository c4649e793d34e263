package smtpcode

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/internal/corpora"
)

// tableParties says who "whose problem" of the table of Microsoft's codes is;
// any of them may lead.
var tableParties = map[string][]Party{
	"sender": {Sender, SenderAdmin}, "sender-admin": {SenderAdmin, Sender}, "sender-dns": {SenderDNS}, "recipient": {Recipient, Nobody},
	"recipient-admin": {RecipientAdmin}, "group-owner": {GroupOwner}, "third-party-filter": {Filter}, "microsoft-or-platform": {Platform},
	"both": {SenderAdmin, RecipientAdmin, Sender},
}

// argued are rows where the table's reading is not taken, and why.
var argued = map[string]string{
	"4.3.2 recipient mailbox delivery thread limit, throttled": "time clears it",
	"5.7.1 client was not authenticated":                       "whose client it is decides, which these words alone do not tell",
	"5.7.3 cannot achieve Exchange Server authentication":      "the side of the server that refuses decides",
}

// Every row of the table of Microsoft's codes that a page or a real report
// attests gets a judgement, and its owner is the one the table names.
func TestMicrosoftTable(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(corpora.Dir(t), "..", "facts", "microsoft-codes.tsv"))
	if err != nil {
		t.Skip("the table of codes does not stand beside the corpora: ", err)
	}
	rows, differs := 0, make(map[string]bool)
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) < 8 || f[0] == "code" || !strings.HasPrefix(f[7], "microsoft:") && !strings.HasPrefix(f[7], "observed:") {
			continue
		}
		rows++
		code, _, _ := strings.Cut(f[0], "-")
		status, _ := ParseStatus(code)
		name := f[0] + " " + f[2]
		for token := range strings.SplitSeq(f[5], ";") {
			failure := Failure{Action: Failed, RemoteServer: exchangeOnline, Recipient: "a@example.com", Status: status}
			token = strings.Trim(strings.ReplaceAll(token, "<d>", "example.com"), " #")
			failure.Replies = []Reply{{Code: status.Class()*100 + 50, Status: status, Text: token, Raw: token}}
			d := Diagnose(failure)
			if d.Condition == UnknownCondition && token != "" && len(d.Others) == 0 || d.Condition == "refused" || d.Condition == "deferred" {
				t.Errorf("%s: %q is %v", name, token, d.Condition)
				continue
			}
			if d.Condition != UnknownCondition && token != "" && !slices.ContainsFunc(tableParties[f[3]], func(p Party) bool { return slices.Contains(d.Owners, p) }) {
				if differs[name] = true; argued[name] != "" {
					continue
				}
				t.Errorf("%s: %q is %v, owned by %v, the table says %s", name, token, d.Condition, d.Owners, f[3])
			}
		}
	}
	for name := range argued {
		if !differs[name] {
			t.Errorf("%s: argued, but nothing differs", name)
		}
	}
	if rows < 140 {
		t.Errorf("%d rows", rows)
	}
}
