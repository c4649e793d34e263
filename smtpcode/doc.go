// Package smtpcode says what a mail refusal means, who can clear it and what
// they do first.
package smtpcode
