package main

import (
	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/ndr"
	"github.com/mailfault/mailfault/smtpcode"
)

// document is what explain says about one message: the object that -json
// prints, and what the text and the page are drawn from.
type document struct {
	SchemaVersion int           `json:"schema_version"`
	File          string        `json:"file"`
	Index         int           `json:"index"`
	Kind          string        `json:"kind"`
	Format        string        `json:"format,omitempty"`
	Layout        string        `json:"layout,omitempty"`
	Product       string        `json:"product,omitempty"`
	Recipients    []recipient   `json:"recipients"`
	Findings      []dsn.Finding `json:"findings"`
	Error         string        `json:"error,omitempty"`

	Notice *ndr.Notice `json:"notice,omitempty"`
}

// recipient is one recipient's facts and their judgement.
type recipient struct {
	FinalRecipient    string             `json:"final_recipient"`
	OriginalRecipient string             `json:"original_recipient"`
	Action            smtpcode.Action    `json:"action"`
	Status            smtpcode.Status    `json:"status"`
	Reply             smtpcode.Reply     `json:"reply"`
	GeneratingServer  string             `json:"generating_server"`
	RemoteServer      string             `json:"remote_server"`
	Refuser           smtpcode.Refuser   `json:"refuser"`
	StatedOwner       smtpcode.Party     `json:"stated_owner"`
	Diagnosis         smtpcode.Diagnosis `json:"diagnosis"`

	failure smtpcode.Failure
}
