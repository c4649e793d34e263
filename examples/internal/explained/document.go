// Package explained is the document that the examples make of a report about
// mail: the facts, the diagnosis of each recipient, the findings.
package explained

import (
	"encoding/json"
	"errors"
	"io"

	"github.com/mailfault/mailfault/dnscheck"
	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/ndr"
	"github.com/mailfault/mailfault/smtpcode"
)

// Document is what is said about one message: the object that explain -json
// prints and the gateway sends.
type Document struct {
	SchemaVersion int           `json:"schema_version"`
	File          string        `json:"file"`
	Index         int           `json:"index"`
	Kind          string        `json:"kind"`
	Format        string        `json:"format"`
	Layout        string        `json:"layout"`
	Product       string        `json:"product"`
	Recipients    []Recipient   `json:"recipients"`
	Findings      []dsn.Finding `json:"findings"`
	Error         string        `json:"error,omitempty"`

	Report *dsn.Report `json:"-"` // nil where no mail was read
	Notice *ndr.Notice `json:"-"` // nil where the report is in no layout of Microsoft's
	Source []byte      `json:"-"` // what Any was given; nil from elsewhere
}

// Recipient is one recipient's facts and their judgement.
type Recipient struct {
	FinalRecipient    string             `json:"final_recipient"`
	OriginalRecipient string             `json:"original_recipient"`
	Action            smtpcode.Action    `json:"action"`
	Status            smtpcode.Status    `json:"status"`
	Reply             smtpcode.Reply     `json:"reply"` // the one judged
	GeneratingServer  string             `json:"generating_server"`
	RemoteServer      string             `json:"remote_server"`
	Refuser           smtpcode.Refuser   `json:"refuser"`
	StatedOwner       smtpcode.Party     `json:"stated_owner"`
	Diagnosis         smtpcode.Diagnosis `json:"diagnosis"`

	// DNS is what DNS says of the refusal; there where DNS was asked.
	DNS []*dnscheck.Explanation `json:"dns,omitzero"`

	Failure smtpcode.Failure `json:"-"`
}

const schemaVersion = 1

// NotAReport is the kind of an input that is no report about mail.
const NotAReport = "not-a-report"

// ErrNotReport is what is said of such an input.
var ErrNotReport = errors.New("no report about mail: neither a bounce nor an SMTP reply")

// ForgedAdvice is what to do about a report on mail that was not ours.
const ForgedAdvice = "Nothing to resend and nothing to mend here: somebody else sent that mail in our name. " +
	"Leave the recipient's address on its lists, and do not answer the report. " +
	"Where such reports keep coming, check that the domain's DMARC policy asks receivers to refuse forged mail; " +
	"where Sent Items holds mail its user does not know, treat the account as compromised."

// New returns the document of an input of that kind, with nothing in it yet.
func New(file string, index int, kind string) Document {
	return Document{SchemaVersion: schemaVersion, File: file, Index: index, Kind: kind, Recipients: []Recipient{}, Findings: []dsn.Finding{}}
}

// Judge fills in the recipients: evidence in, diagnosis out.
func (d *Document) Judge(failures []smtpcode.Failure, stated smtpcode.Party) {
	for _, f := range failures {
		diagnosis := smtpcode.Diagnose(f)
		r := Recipient{
			FinalRecipient: f.Recipient, OriginalRecipient: f.OriginalRecipient, Action: f.Action, Status: f.Status,
			GeneratingServer: f.GeneratingServer, RemoteServer: f.RemoteServer,
			Refuser: diagnosis.Refuser, StatedOwner: stated, Diagnosis: diagnosis, Failure: f,
		}
		if n := len(f.Replies); n > 0 {
			r.Reply = f.Replies[n-1]
		}
		d.Recipients = append(d.Recipients, r)
	}
}

// AddNotice adds what a layout of Microsoft's says.
func (d *Document) AddNotice(n *ndr.Notice) {
	d.Notice = n
	d.Layout, d.Product = n.Layout.String(), n.Product.String()
	d.Findings = append(d.Findings, n.Findings...)
}

// WriteJSON writes the document on one line. That of no report has no format,
// layout and product.
func (d *Document) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	if d.Kind != NotAReport {
		return encoder.Encode(d)
	}
	return encoder.Encode(struct {
		*Document
		Format  string `json:"format,omitempty"`
		Layout  string `json:"layout,omitempty"`
		Product string `json:"product,omitempty"`
	}{Document: d})
}
