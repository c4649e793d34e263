package ndr

import (
	"slices"
	"strings"

	"github.com/mailfault/mailfault/internal/enum"
	"github.com/mailfault/mailfault/smtpcode"
)

// SentenceKind says whose words a reason sentence is.
// As text: unknown, stock, custom.
type SentenceKind uint8

const (
	SentenceUnknown SentenceKind = iota // in no table, and nothing shows who wrote it
	SentenceStock                       // Microsoft's own, chosen from the status code
	SentenceCustom                      // an administrator's, put in place with New-SystemMessage: follow it, its contacts are the right ones
)

var sentenceNames = enum.Names{"unknown", "stock", "custom"}

// String returns the kind in kebab-case.
func (k SentenceKind) String() string { return sentenceNames.String("SentenceKind", uint8(k)) }

// MarshalText returns the kind in kebab-case.
func (k SentenceKind) MarshalText() ([]byte, error) {
	return sentenceNames.MarshalText("SentenceKind", uint8(k))
}

// UnmarshalText reads what MarshalText writes; another name is an error.
func (k *SentenceKind) UnmarshalText(text []byte) error {
	v, err := sentenceNames.Parse("SentenceKind", text)
	*k = SentenceKind(v)
	return err
}

// Sentence is what is known about a reason sentence. It does not come from the
// server that refused: Exchange picks it from the enhanced status code.
type Sentence struct {
	Kind  SentenceKind      `json:"kind"`
	Codes []smtpcode.Status `json:"codes"` // a stock sentence belongs to; read-only

	// Mismatch: the sentence describes another code than the reply has. The
	// reply counts.
	Mismatch bool `json:"mismatch"`

	// Foreign: a server that is not Microsoft's refused, and the sentence
	// explains what its code means at Microsoft. The reply's words count.
	Foreign bool `json:"foreign"`

	// MayMislead: the sentence asks for the accept list, which a disabled
	// on-premises account brings up too; no accept list clears that.
	MayMislead bool `json:"may_mislead"`

	Contacts []string `json:"contacts"` // mail addresses and telephone numbers in it
	Links    []Link   `json:"links"`    // that are not Microsoft's own
}

// Sentence judges the reason sentence of recipient i. It is the zero value
// where there is no sentence.
func (n *Notice) Sentence(i int) Sentence {
	s := Sentence{Codes: []smtpcode.Status{}, Contacts: []string{}, Links: []Link{}}
	if i < 0 || i >= len(n.Recipients) || n.Recipients[i].Reason == "" {
		return s
	}
	rc := &n.Recipients[i]
	var status smtpcode.Status
	if len(rc.Replies) > 0 {
		status = rc.Replies[0].Status
	}
	if st := matchStock(rc.Reason); st != nil {
		s.Kind, s.MayMislead = SentenceStock, st.mayMislead
		if st.codes != nil {
			s.Codes = st.codes
		}
		s.Mismatch = len(st.codes) > 0 && !status.IsZero() && !containsStatus(st.codes, status)
		s.Foreign = isForeign(rc.RemoteServer, n.Servers.Generating)
		return s
	}
	s.Contacts = contacts(rc.Reason, rc.Advice)
	for _, l := range rc.ReasonLinks {
		if !isMicrosoftURL(l.URL) && !hasPrefixFold(l.URL, "mailto:") {
			s.Links = append(s.Links, l)
		}
	}
	// Only Exchange Server lets administrators rewrite the sentence, and the
	// table above is not complete: without a contact it stays unknown.
	if n.Product == ExchangeServer && len(s.Contacts)+len(s.Links) > 0 {
		s.Kind = SentenceCustom
	}
	return s
}

func containsStatus(list []smtpcode.Status, s smtpcode.Status) bool {
	return slices.Contains(list, s)
}

// isForeign reports whether a remote host is neither Microsoft's nor of the
// generating server's domain.
func isForeign(remote, generating string) bool {
	return remote != "" && !isExchangeOnline(remote) && !strings.EqualFold(lastLabels(remote, 2), lastLabels(generating, 2))
}

// lastLabels returns the last n labels of a host name.
func lastLabels(host string, n int) string {
	host = strings.TrimSuffix(host, ".")
	for i := len(host) - 1; i >= 0; i-- {
		if host[i] == '.' {
			if n--; n == 0 {
				return host[i+1:]
			}
		}
	}
	return host
}

// contacts finds mail addresses and telephone numbers.
func contacts(reason string, advice []string) []string {
	out := []string{}
	for _, text := range append([]string{reason}, advice...) {
		for w := range strings.FieldsSeq(text) {
			w = strings.Trim(w, ".,;:()<>[]\"'!?")
			if a := bareAddress(w); a != "" && len(out) < 20 {
				out = append(out, a)
			}
		}
		if p := phone(text); p != "" && len(out) < 20 {
			out = append(out, p)
		}
	}
	return out
}

// phone finds the first run of digits, blanks, dashes, dots, slashes and
// brackets that holds 7 to 15 digits and begins like a telephone number.
func phone(text string) string {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '+' && c != '(' && !isDigit(c) || i > 0 && text[i-1] != ' ' && text[i-1] != ':' {
			continue
		}
		digits, end := 0, i
		for end < len(text) && end-i < 40 && (isDigit(text[end]) || strings.IndexByte(" -./()+", text[end]) >= 0) {
			if isDigit(text[end]) {
				digits++
			}
			end++
		}
		if digits >= 7 && digits <= 15 {
			return strings.TrimRight(text[i:end], " -./(")
		}
		i = max(i, end-1)
	}
	return ""
}

// microsoftSites hold Microsoft's own help pages.
var microsoftSites = []string{"microsoft.com", "office.com", "office365.com", "aka.ms", "live.com"}

func isMicrosoftURL(url string) bool {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return false
	}
	host, _, _ := strings.Cut(rest, "/")
	host = strings.ToLower(host)
	for _, s := range microsoftSites {
		if host == s || strings.HasSuffix(host, "."+s) {
			return true
		}
	}
	return false
}
