package main

import (
	"encoding/json"
	"fmt"
	"strings"
)

// shape is the form of the webhook's JSON.
type shape string

// Shapes: the plain event, or the body that a ticket system's API takes. The
// ids of that system are the caller's to fill in.
const (
	plainShape   shape = "plain"
	zendeskShape shape = "zendesk" // Tickets API, create and update
	jiraShape    shape = "jira"    // REST API 2, create issue and add comment
	zammadShape  shape = "zammad"  // Tickets API with an article
)

func parseShape(s string) (shape, error) {
	switch shape(s) {
	case plainShape, zendeskShape, jiraShape, zammadShape:
		return shape(s), nil
	}
	return "", fmt.Errorf("-shape %s: plain, zendesk, jira or zammad", s)
}

type object = map[string]any

func (s shape) encode(e *event) ([]byte, error) {
	switch s {
	case zendeskShape:
		return json.Marshal(object{"ticket": e.zendesk()})
	case jiraShape:
		return json.Marshal(e.jira())
	case zammadShape:
		return json.Marshal(e.zammad())
	}
	return json.Marshal(e)
}

// externalID names our ticket in the other system.
func (e *event) externalID() string { return fmt.Sprintf("mailfault-%d", e.Ticket) }

// agent is the text for the agent, and what to tell the customer.
func (e *event) agent() string {
	if len(e.Failures) == 0 {
		return fmt.Sprintf("%s wrote to ticket %s.", e.From, subjectToken(e.Ticket))
	}
	var parts []string
	for _, f := range e.Failures {
		parts = append(parts, f.AgentText+"\nFor the customer: "+f.CustomerText)
	}
	return strings.Join(parts, "\n\n")
}

func (e *event) tags() []string {
	tags := []string{"mailfault", "mailfault-" + string(e.Kind)}
	for _, f := range e.Failures {
		tags = append(tags, "condition-"+f.Condition.String(), "owner-"+f.Owner.String())
	}
	return tags
}

func (e *event) zendesk() object {
	ticket := object{
		"external_id": e.externalID(), "status": "open", "tags": e.tags(),
		"comment": object{"body": e.agent(), "public": false},
	}
	if e.Action == "opened" {
		ticket["subject"] = e.Subject
		ticket["requester"] = object{"name": e.Customer, "email": e.Customer}
	}
	return ticket
}

func (e *event) jira() object {
	if e.Action != "opened" {
		return object{"body": e.agent(), "properties": []object{{"key": "mailfault", "value": object{"id": e.externalID(), "idempotency_key": e.Key}}}}
	}
	return object{
		"fields": object{
			"summary": e.Subject, "description": e.agent(), "labels": e.tags(), "issuetype": object{"name": "Task"},
		},
		"properties": []object{{"key": "mailfault", "value": object{"id": e.externalID(), "idempotency_key": e.Key}}},
	}
}

func (e *event) zammad() object {
	ticket := object{
		"state": "open", "preferences": object{"mailfault": e.externalID()},
		"article": object{"subject": e.Subject, "body": e.agent(), "type": "note", "internal": true, "content_type": "text/plain"},
	}
	if e.Action == "opened" {
		ticket["title"] = e.Subject
		ticket["customer_id"] = "guess:" + e.Customer
		ticket["tags"] = strings.Join(e.tags(), ",")
	}
	return ticket
}
