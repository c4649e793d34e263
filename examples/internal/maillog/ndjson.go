package maillog

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mailfault/mailfault/smtpcode"
)

// readJSON reads one JSON object a line: a document of explain -json, KumoMTA's
// log records, the bounce notices of Amazon SES, or an object whose members have
// the names below. It returns the failures that the object tells of, and whether
// it knows the object.
func readJSON(line string) (failures []smtpcode.Failure, ok bool) {
	if !strings.HasPrefix(line, "{") || !strings.HasSuffix(line, "}") {
		return nil, false
	}
	var record jsonRecord
	if err := json.Unmarshal([]byte(line), &record); err != nil {
		return nil, false
	}
	switch {
	case record.Kind == "not-a-report":
		return nil, true
	case len(record.Recipients) > 0:
		for _, r := range record.Recipients {
			f := smtpcode.Failure{Recipient: r.FinalRecipient, OriginalRecipient: r.OriginalRecipient, GeneratingServer: r.GeneratingServer, RemoteServer: r.RemoteServer}
			f.Action = smtpcode.ParseAction(r.Action)
			f.Status, _ = smtpcode.ParseStatus(r.Status)
			f.Replies = smtpcode.ParseReplies(r.Reply.Raw)
			if f.Action == smtpcode.ActionUnknown {
				f.Action = actionOf(&f)
			}
			if !succeeded(f.Action) {
				failures = append(failures, f)
			}
		}
		return failures, true
	case len(record.Bounce.Recipients) > 0:
		for _, r := range record.Bounce.Recipients {
			f := smtpcode.Failure{Recipient: r.Address, Action: smtpcode.Failed, GeneratingServer: record.Bounce.ReportingMTA}
			f.Status, _ = smtpcode.ParseStatus(r.Status)
			f.Replies = smtpcode.ParseReplies(r.DiagnosticCode)
			failures = append(failures, f)
		}
		return failures, true
	}
	f, failed, ok := readAttempt(&record)
	if failed {
		failures = []smtpcode.Failure{f}
	}
	return failures, ok
}

// succeeded reports whether an action tells of no failure.
func succeeded(a smtpcode.Action) bool {
	return a == smtpcode.Delivered || a == smtpcode.Relayed || a == smtpcode.Expanded
}

// actionOf tells a delay from a failure by the class of the reply or the status.
func actionOf(f *smtpcode.Failure) smtpcode.Action {
	if n := len(f.Replies); n > 0 && f.Replies[n-1].Code/100 == 4 || f.Status[0] == 4 {
		return smtpcode.Delayed
	}
	return smtpcode.Failed
}

// readAttempt reads an object about one recipient.
func readAttempt(record *jsonRecord) (f smtpcode.Failure, failed, ok bool) {
	f.Recipient = first(record.Recipient, record.To, record.Email, record.Address)
	f.RemoteServer = first(record.Peer.Name, record.Host, record.RemoteServer)
	f.EnvelopeFrom = first(record.Sender, record.From)
	f.Status, _ = smtpcode.ParseStatus(record.Status)
	f.Action = smtpcode.Failed
	switch record.Type {
	case "Delivery", "Reception", "delivered":
		return f, false, true
	case "TransientFailure", "deferred", "delayed":
		f.Action = smtpcode.Delayed
	}
	reply := first(record.Reply, record.Diagnostic, record.Reason)
	if content := record.Response.Content; record.Response.Code != 0 {
		c := record.Response.Enhanced
		reply = fmt.Sprintf("%d %s", record.Response.Code, content)
		if c.Class != 0 {
			reply = fmt.Sprintf("%d %d.%d.%d %s", record.Response.Code, c.Class, c.Subject, c.Detail, content)
		}
	}
	f.Replies = smtpcode.ParseReplies(reply)
	if record.Type == "" {
		f.Action = actionOf(&f)
	}
	return f, len(f.Replies) > 0 || !f.Status.IsZero(), f.Recipient != "" || len(f.Replies) > 0
}

// jsonRecord has the members of all the objects that readJSON knows.
type jsonRecord struct {
	// Of a document of explain -json.
	Kind       string `json:"kind"`
	Recipients []struct {
		FinalRecipient    string `json:"final_recipient"`
		OriginalRecipient string `json:"original_recipient"`
		Action            string `json:"action"`
		Status            string `json:"status"`
		GeneratingServer  string `json:"generating_server"`
		RemoteServer      string `json:"remote_server"`
		Reply             struct {
			Raw string `json:"raw"`
		} `json:"reply"`
	} `json:"recipients"`

	// Of a notice of Amazon SES.
	Bounce struct {
		ReportingMTA string `json:"reportingMTA"`
		Recipients   []struct {
			Address        string `json:"emailAddress"`
			Status         string `json:"status"`
			DiagnosticCode string `json:"diagnosticCode"`
		} `json:"bouncedRecipients"`
	} `json:"bounce"`

	// Of KumoMTA, which calls a refusal Bounce and a deferral TransientFailure.
	Type     string `json:"type"`
	Response struct {
		Code     int `json:"code"`
		Enhanced struct {
			Class   int `json:"class"`
			Subject int `json:"subject"`
			Detail  int `json:"detail"`
		} `json:"enhanced_code"`
		Content string `json:"content"`
	} `json:"response"`
	Peer struct {
		Name string `json:"name"`
	} `json:"peer_address"`

	// Of anything else.
	Recipient    string `json:"recipient"`
	To           string `json:"to"`
	Email        string `json:"email"`
	Address      string `json:"address"`
	Sender       string `json:"sender"`
	From         string `json:"from"`
	Host         string `json:"host"`
	RemoteServer string `json:"remote_server"`
	Status       string `json:"status"`
	Reply        string `json:"reply"`
	Diagnostic   string `json:"diagnostic"`
	Reason       string `json:"reason"`
}

func first(texts ...string) string {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return ""
}
