package messagetrace

import "strings"

type field uint8

const (
	fieldTime field = iota + 1
	fieldSender
	fieldRecipient  // one address, or a list with ";"
	fieldRecipients // addr##event, event;addr##event
	fieldStatus
	fieldSubject
	fieldMessageID
	fieldNetworkID
	fieldSize
	fieldOriginalClientIP
	fieldClientIP
	fieldClientHost
	fieldServerIP
	fieldServerHost
	fieldDirection
	fieldConnector
	fieldSource
	fieldEvent
	fieldContext
	fieldDetail
	fieldReference
	fieldReturnPath
	fieldInfo
	fieldCustom
	fieldRelated
)

// columns maps column names, in lower case without blanks, "_" and "-", to
// what they hold. One name may belong to several kinds of export.
var columns = []struct {
	name   string
	field  field
	source string
}{
	{"date", fieldTime, "docs: Summary"},
	{"datetime", fieldTime, "docs: Extended"},
	{"datetimeutc", fieldTime, "observed: detail files of historical searches"},
	{"origintimestamp", fieldTime, "docs: Enhanced summary"},
	{"origintimestamputc", fieldTime, "observed: Enhanced summary"},
	{"received", fieldTime, "docs: Get-MessageTrace"},
	{"sender", fieldSender, "docs: Summary"},
	{"senderaddress", fieldSender, "docs: Enhanced summary, Extended, Get-MessageTrace"},
	{"recipient", fieldRecipient, "docs: Summary"},
	{"recipientaddress", fieldRecipient, "docs: Extended, Get-MessageTrace"},
	{"recipientstatus", fieldRecipients, "docs: Enhanced summary, Extended"},
	{"status", fieldStatus, "docs: Summary, Get-MessageTrace"},
	{"subject", fieldSubject, "docs: Summary, Get-MessageTrace"},
	{"messagesubject", fieldSubject, "docs: Enhanced summary, Extended"},
	{"messageid", fieldMessageID, "docs: all but Summary"},
	{"networkmessageid", fieldNetworkID, "docs: Enhanced summary, Extended"},
	{"messagetraceid", fieldNetworkID, "docs: Get-MessageTrace"},
	{"totalbytes", fieldSize, "docs: Enhanced summary, Extended"},
	{"size", fieldSize, "docs: Get-MessageTrace"},
	{"originalclientip", fieldOriginalClientIP, "docs: Enhanced summary, Extended"},
	{"fromip", fieldOriginalClientIP, "docs: Get-MessageTrace"},
	{"clientip", fieldClientIP, "docs: Extended"},
	{"clienthostname", fieldClientHost, "docs: Extended"},
	{"serverip", fieldServerIP, "docs: Extended"},
	{"toip", fieldServerIP, "docs: Get-MessageTrace"},
	{"serverhostname", fieldServerHost, "docs: Extended"},
	{"directionality", fieldDirection, "docs: Enhanced summary, Extended; 1 in, 2 out"},
	{"connectorid", fieldConnector, "docs: Enhanced summary, Extended"},
	{"source", fieldSource, "docs: Extended"},
	{"eventid", fieldEvent, "docs: Extended"},
	{"event", fieldEvent, "docs: Get-MessageTraceDetail"},
	{"action", fieldContext, "docs: Get-MessageTraceDetail"},
	{"sourcecontext", fieldContext, "docs: Extended"},
	{"detail", fieldDetail, "docs: Get-MessageTraceDetail"},
	{"data", fieldDetail, "docs: Get-MessageTraceDetail"},
	{"reference", fieldReference, "docs: Extended"},
	{"returnpath", fieldReturnPath, "docs: Extended"},
	{"messageinfo", fieldInfo, "docs: Extended"},
	{"customdata", fieldCustom, "docs: Extended"},
	{"relatedrecipientaddress", fieldRelated, "docs: Extended"},
}

// lookupColumn returns what a column holds, or 0.
func lookupColumn(name string) field {
	key := strings.ToLower(strings.Map(func(r rune) rune {
		switch r {
		case ' ', '_', '-', '\ufeff', '"', '\'', '(', ')':
			return -1
		}
		return r
	}, name))
	for _, c := range columns {
		if c.name == key {
			return c.field
		}
	}
	return 0
}

// header resolves the columns of a file. It is a trace's only with two columns
// that are known.
func header(names []string) (fields []field, ok bool) {
	known := 0
	for _, n := range names {
		f := lookupColumn(n)
		if f != 0 {
			known++
		}
		fields = append(fields, f)
	}
	return fields, known >= 2
}
