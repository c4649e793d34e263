package ndr

import (
	"strings"

	"github.com/mailfault/mailfault/smtpcode"
)

// A stockSentence is one sentence Microsoft's servers write by themselves.
// Prefix and suffix are in lower case and without accents (see fold); names
// and addresses may stand between them. Without codes it stands under several.
type stockSentence struct {
	prefix, suffix string
	codes          []smtpcode.Status
	mayMislead     bool
	source         string
}

type codes = []smtpcode.Status

// Sources: "article" the specification; "observed" a report of the shared
// corpora; "docs" Microsoft's page on the code.
var stockSentences = []stockSentence{
	{"the recipient's mailbox is full and can't accept messages now.", "", codes{{5, 2, 2}}, false, "article; observed"},
	{"the message can't be submitted because the sender's submission quota was exceeded", "", codes{{5, 2, 2}}, false, "article"},
	{"the server tries to deliver this message but can't. it stops trying.", "", codes{{4, 4, 7}}, false, "article"},
	{"the server has tried to deliver this message, without success, and has stopped trying.", "", codes{{4, 4, 7}}, false, "observed: exchange 2013"},
	{"your message couldn't be delivered to the recipient because you don't have permission to send to it. ask the recipient's email admin to add you to the accept list for the recipient.", "", codes{{5, 7, 1}}, true, "article"},
	{"your message can't be delivered because delivery to this address is restricted.", "", codes{{5, 7, 1}}, false, "observed: exchange 2010"},
	{"the recipient's e-mail address was not found in the recipient's e-mail system.", "", codes{{5, 1, 1}}, false, "observed: exchange 2007"},
	{"the email address you entered couldn't be found.", "", codes{{5, 1, 1}, {5, 1, 10}}, false, "observed: exchange 2013 to 2019"},
	{"the e-mail address you entered couldn't be found.", "", codes{{5, 1, 1}}, false, "docs: exchange 2010"},
	{"the address you sent your message to wasn't found at the destination domain.", "", codes{{5, 1, 1}}, false, "observed: outlook.com, 2019"},
	{"the email address wasn't found at the destination domain.", "", codes{{5, 1, 10}}, false, "observed: exchange online, 2015"},
	{"your message couldn't be delivered because delivery to this group is restricted to authenticated senders.", "", codes{{5, 7, 133}}, false, "docs: groups in hybrid Exchange environments"},
	{"this message exceeds the maximum message size allowed.", "", codes{{5, 2, 3}}, false, "observed: exchange 2007"},
	{"your message was rejected by the recipient email server.", "", codes{{5, 1, 0}}, false, "observed: exchange online, 2017"},
	{"your message couldn't be delivered because you weren't recognized as a valid sender.", "", codes{{5, 1, 8}}, false, "observed: outlook.com, 2018"},
	{"your message couldn't be delivered. it appears that the email address you sent your message to wasn't found at the destination domain, or the recipient's mailbox is unavailable.", "", codes{{5, 1, 351}}, false, "observed: outlook.com, 2018"},
	{"your message couldn't be delivered. despite repeated attempts to deliver your message, querying the domain name system (dns) for the recipient's domain location information failed.", "", codes{{5, 4, 312}}, false, "observed: outlook.com, 2018"},
	{"your message couldn't be delivered. the domain name system (dns) reported that the recipient's domain does not exist.", "", codes{{5, 4, 310}}, false, "observed: exchange online, 2023"},
	{"your message wasn't delivered because the recipient's email provider rejected it.", "", nil, false, "observed: exchange online, under several 5.7.x codes"},
	{"your message wasn't delivered. please try resending the message.", "", nil, false, "observed: outlook.com, 2026, under a code of the remote server's"},
	{"this message hasn't been delivered yet. delivery will continue to be attempted.", "", codes{{4, 4, 7}}, false, "observed: exchange server's delay notices"},
	{"non sono riuscito a trovare l'indirizzo e-mail che hai immesso.", "", codes{{5, 1, 1}}, false, "observed: exchange 2013, italian"},
	{"", " wasn't found at ", codes{{5, 1, 10}}, false, "observed: current layout; the domain follows"},
}

// matchStock returns the stock sentence a reason begins with, or nil.
func matchStock(reason string) *stockSentence {
	if len(reason) > 4096 {
		reason = reason[:4096]
	}
	folded := fold(reason)
	for i := range stockSentences {
		s := &stockSentences[i]
		if s.prefix != "" && strings.HasPrefix(folded, s.prefix) {
			return s
		}
		if s.prefix == "" && isNotFoundAt(folded, s.suffix) {
			return s
		}
	}
	return nil
}

// isNotFoundAt recognises "<name> wasn't found at <domain>.", the one sentence
// that begins with a name.
func isNotFoundAt(folded, middle string) bool {
	name, domain, ok := strings.Cut(folded, middle)
	return ok && name != "" && !strings.Contains(name, ". ") && isHostName(strings.TrimSuffix(strings.TrimSpace(domain), "."))
}
