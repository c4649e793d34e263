package dnscheck

import "fmt"

// rule is one line of a table of findings.
type rule struct {
	severity Severity
	owner    Owner
	spec     string
	message  string // for fmt, as fix
	fix      string
}

// rules is a table of findings by id.
type rules map[string]rule

// finding makes the finding of that id; args fill in its message.
func (rs rules) finding(id string, where Position, args ...any) Finding {
	r := rs[id]
	return Finding{ID: id, Severity: r.severity, Where: where, Spec: r.spec, Message: fill(r.message, args), Fix: r.fix, Owner: r.owner}
}

func fill(message string, args []any) string {
	if len(args) == 0 {
		return message
	}
	return fmt.Sprintf(message, args...)
}

// clip cuts text that others wrote to a length fit for a message.
func clip(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return s[:most] + "..."
}
