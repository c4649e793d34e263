package explained

import (
	"bytes"
	"slices"
	"strings"

	"github.com/mailfault/mailfault/dsn"
	"github.com/mailfault/mailfault/examples/internal/maillog"
	"github.com/mailfault/mailfault/smtpcode"
)

// Shape is what an input looks like; it decides which reader gets it.
type Shape int

// The shapes.
const (
	ShapeText  Shape = iota // text pasted from a mail client, and anything else
	ShapeMail               // a mail: header fields first
	ShapeHTML               // a report's HTML body, saved or pasted
	ShapeLog                // lines of a mail server's log
	ShapeReply              // one SMTP reply
)

// sniffLines is how many lines are looked at.
const sniffLines = 50

// Sniff tells the shape of an input by its start.
func Sniff(data []byte) Shape {
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch {
	case startsHeader(data):
		return ShapeMail
	case startsHTML(data):
		return ShapeHTML
	case bytes.HasPrefix(data, []byte(`{"`)):
		return ShapeLog // of one JSON object a line
	}
	lines := head(data)
	var log maillog.Reader
	for _, line := range lines {
		if entries, known := log.Line(line); known {
			if len(entries) == 1 && beginsWith(line, entries[0].Failure.Recipient) && isBounce(data) {
				return ShapeText
			}
			return ShapeLog
		}
	}
	if isReply(lines) {
		return ShapeReply
	}
	return ShapeText
}

// beginsWith reports whether a line begins with an address, as a bounce's lines
// do; a log's begin with the time.
func beginsWith(line, address string) bool {
	return strings.HasPrefix(strings.TrimLeft(line, " \t<"), address)
}

// isBounce reports whether the text is a bounce that names its recipient: a
// bounce has lines too that could stand in a log.
func isBounce(data []byte) bool {
	report, err := dsn.ReadText(string(data))
	return err == nil && slices.ContainsFunc(report.Recipients, func(r dsn.Recipient) bool { return r.FinalRecipient.Address != "" })
}

// head returns the first lines that are not blank.
func head(data []byte) []string {
	var lines []string
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			lines = append(lines, string(line[:min(len(line), 4<<10)]))
		}
		if len(lines) == sniffLines {
			break
		}
	}
	return lines
}

// mailFields begin a mail; other names with a colon may begin any text.
var mailFields = []string{"received", "return-path", "delivered-to", "from", "to", "date", "subject", "message-id",
	"mime-version", "content-type", "authentication-results", "received-spf", "dkim-signature", "auto-submitted"}

// startsHeader reports whether data begins with a header: field lines of which
// one has a name that mails carry, before the first blank line.
func startsHeader(data []byte) bool {
	first := true
	for line := range bytes.Lines(data[:min(len(data), 256<<10)]) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			return false
		}
		if line[0] == ' ' || line[0] == '\t' {
			continue
		}
		name, _, ok := bytes.Cut(line, []byte(":"))
		isField := ok && len(name) > 0 && !bytes.ContainsAny(name, " \t\"<>")
		if first && !isField && !bytes.HasPrefix(line, []byte("From ")) {
			return false
		}
		first = false
		for _, field := range mailFields {
			if isField && strings.EqualFold(string(name), field) {
				return true
			}
		}
	}
	return false
}

func startsHTML(data []byte) bool {
	if len(data) == 0 || data[0] != '<' {
		return false
	}
	start := strings.ToLower(string(data[:min(len(data), 2<<10)]))
	for _, tag := range []string{"<html", "<!doctype html", "<head", "<meta", "<body", "<table", "<div", "<p>", "<p ", "<b>", "<font"} {
		if strings.Contains(start, tag) {
			return true
		}
	}
	return false
}

// isReply reports whether the lines are one SMTP reply, of one line or several.
func isReply(lines []string) bool {
	if len(lines) == 0 || len(lines) > 20 {
		return false
	}
	if len(lines) > 1 {
		for _, line := range lines {
			if len(line) < 4 || line[:3] != lines[0][:3] || line[3] != '-' && line[3] != ' ' {
				return false
			}
		}
	}
	reply := smtpcode.ParseReply(strings.Join(lines, "\n"))
	return reply.Code != 0 || !reply.Status.IsZero()
}
