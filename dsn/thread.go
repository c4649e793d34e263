package dsn

import "strings"

// Thread names the message a report is about, for a ticket system or a mail
// program to find it by. Ids are without angle brackets. A report can be
// forged: see [Report.Backscatter].
type Thread struct {
	MessageID  string   `json:"message_id"`  // of the message itself
	From       Ground   `json:"from"`        // where MessageID was found
	InReplyTo  []string `json:"in_reply_to"` // what the message answered
	References []string `json:"references"`  // the conversation, oldest first
	EnvelopeID string   `json:"envelope_id"` // ENVID the sender gave it (RFC 3461 section 4.4)
}

// maxThreadIDs bounds the ids of one field.
const maxThreadIDs = 1000

// Thread returns the ids that lead from the report to the message. The
// message's own id is looked for where it is declared, then in the returned
// message, then in what the report itself says it answers.
func (r *Report) Thread() Thread {
	t := Thread{EnvelopeID: r.OriginalEnvelopeID}
	if r.Feedback != nil && t.EnvelopeID == "" {
		t.EnvelopeID = r.Feedback.OriginalEnvelopeID
	}
	if r.Returned != nil {
		h := r.Returned.Header
		t.InReplyTo, t.References = messageIDs(h.Get("In-Reply-To")), messageIDs(h.Get("References"))
	}
	switch {
	case r.Disposition != nil && r.Disposition.OriginalMessageID != "":
		t.MessageID = r.Disposition.OriginalMessageID
		t.From = Ground{"Original-Message-ID", t.MessageID, "RFC 8098 section 3.2.5"}
	case t.take(r.Header, "X-Original-Message-ID", "Gmail"):
	case r.Returned != nil && t.take(r.Returned.Header, "Message-ID", "RFC 5322 section 3.6.4"):
	case r.field("X-Original-Message-ID") != "":
		value := r.field("X-Original-Message-ID")
		t.MessageID, t.From = parseMessageID(value), Ground{"X-Original-Message-ID", value, "field of the report"}
	case t.take(r.Header, "In-Reply-To", "RFC 3834 section 3.1.5"):
	case t.take(r.Header, "References", "RFC 3834 section 3.1.5"):
	}
	return t
}

// take takes the last message id of a field, the nearest one.
func (t *Thread) take(h Header, name, source string) bool {
	value := h.Get(name)
	ids := messageIDs(value)
	if len(ids) == 0 {
		return false
	}
	t.MessageID, t.From = ids[len(ids)-1], Ground{name, value, source}
	return true
}

// field returns an extension field of the report or of its first recipient.
func (r *Report) field(name string) string {
	lists := [][]Field{r.Extensions}
	if len(r.Recipients) > 0 {
		lists = append(lists, r.Recipients[0].Extensions)
	}
	for _, list := range lists {
		for _, e := range list {
			if strings.EqualFold(e.Name, name) {
				return e.Value
			}
		}
	}
	return ""
}

// messageIDs returns the ids of a field: those in angle brackets, else, where
// there are none, the words with an at sign.
func messageIDs(text string) (ids []string) {
	for rest := text; len(ids) < maxThreadIDs; {
		_, after, ok := strings.Cut(rest, "<")
		if !ok {
			break
		}
		id, after, ok := strings.Cut(after, ">")
		if !ok {
			break
		}
		if id = strings.TrimSpace(id); id != "" {
			ids = append(ids, id)
		}
		rest = after
	}
	if len(ids) > 0 {
		return ids
	}
	for word := range strings.FieldsSeq(text) {
		if strings.Contains(word, "@") && len(ids) < maxThreadIDs {
			ids = append(ids, strings.Trim(word, "<>"))
		}
	}
	return ids
}
