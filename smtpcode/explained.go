package smtpcode

import "strings"

// ExplainedMark begins the line that a program adds below a refusal to say what
// it means, as examples/gateway does. What follows it are words of this library,
// not of the server that refused: nothing is judged by them.
const ExplainedMark = "Explained: "

// unexplained returns a text as far as the server that refused wrote it.
func unexplained(text string) string {
	if at := strings.Index(text, ExplainedMark); at > 0 {
		return text[:at]
	}
	return text
}
