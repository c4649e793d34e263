package main

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"mime/multipart"
	"net/textproto"
	"strings"
	"time"

	"github.com/mailfault/mailfault/dsn"
)

// writeReport writes a report as a mail (RFC 3464, RFC 6522).
func writeReport(w io.Writer, from, to string, r *dsn.Report) (int64, error) {
	var b bytes.Buffer
	parts := multipart.NewWriter(&b)
	fmt.Fprintf(&b, "From: Mail Delivery System <MAILER-DAEMON@%s>\r\nTo: <%s>\r\nSubject: Undelivered mail returned to sender\r\n", from, to)
	fmt.Fprintf(&b, "Date: %s\r\nMessage-ID: <%s@%s>\r\nAuto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n", time.Now().Format(time.RFC1123Z), rand.Text(), from)
	fmt.Fprintf(&b, "Content-Type: multipart/report; report-type=delivery-status; boundary=%q\r\n\r\n", parts.Boundary())
	part := func(mediaType, text string) {
		p, _ := parts.CreatePart(textproto.MIMEHeader{"Content-Type": {mediaType}, "Content-Transfer-Encoding": {"8bit"}})
		io.WriteString(p, strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n"))
	}
	part("text/plain; charset=utf-8", r.Explanation.Text)
	var status strings.Builder
	line := func(name, kind, value string) {
		if value = clean(value); value != "" {
			status.WriteString(name + ": " + strings.TrimPrefix(kind+"; ", "; ") + value + "\r\n")
		}
	}
	line("Original-Envelope-Id", "", r.OriginalEnvelopeID)
	line("Reporting-MTA", "dns", r.ReportingMTA.Host)
	line("Received-From-MTA", "dns", r.ReceivedFromMTA.Host)
	line("Arrival-Date", "", r.ArrivalDate.Time.Format(time.RFC1123Z))
	for _, to := range r.Recipients {
		status.WriteString("\r\n")
		line("Original-Recipient", to.OriginalRecipient.Type, to.OriginalRecipient.Address)
		line("Final-Recipient", to.FinalRecipient.Type, to.FinalRecipient.Address)
		line("Action", "", to.Action.String())
		line("Status", "", to.Status.String())
		line("Remote-MTA", to.RemoteMTA.Type, to.RemoteMTA.Host)
		line("Diagnostic-Code", to.Diagnostic.Type, to.Diagnostic.Text)
		line("Last-Attempt-Date", "", to.LastAttemptDate.Time.Format(time.RFC1123Z))
	}
	part("message/delivery-status", status.String())
	mediaType := "text/rfc822-headers"
	if r.Returned.Extent == dsn.Whole {
		mediaType = "message/rfc822"
	}
	part(mediaType, string(r.Returned.Raw))
	if err := parts.Close(); err != nil {
		return 0, err
	}
	return b.WriteTo(w)
}
