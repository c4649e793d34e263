package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/mailfault/mailfault/dsn"
)

// marks are what our mail carries so that a report about it, or an answer to
// it, leads back to its ticket. Those with the key prove that the mail was
// ours; the subject's token, which anybody can write, only finds the ticket.
type marks struct {
	Domain string // of the desk's addresses
	Key    []byte // at least 16 bytes
}

var markAlphabet = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// MessageID returns a new id for a mail about the ticket, without angle
// brackets: t123.RANDOM.SIGNATURE@desk.example.
func (m marks) MessageID(ticket int64) string {
	name := fmt.Sprintf("t%d.%s", ticket, strings.ToLower(rand.Text()[:12]))
	return name + "." + m.sign(name) + "@" + m.Domain
}

// Ticket reads the ticket from a message id. The verdict is Ours where our key
// signed it, NotOurs where somebody only wrote it in our form, else CannotTell.
func (m marks) Ticket(id string) (int64, dsn.Verdict) {
	local, domain, _ := strings.Cut(strings.Trim(strings.TrimSpace(id), "<>"), "@")
	parts := strings.Split(strings.ToLower(local), ".")
	if m.Key == nil || !strings.EqualFold(domain, m.Domain) || len(parts) != 3 {
		return 0, dsn.CannotTell
	}
	ticket, ok := ticketNumber(parts[0])
	switch {
	case !ok:
		return 0, dsn.CannotTell
	case !hmac.Equal([]byte(parts[2]), []byte(m.sign(parts[0]+"."+parts[1]))):
		return 0, dsn.NotOurs
	}
	return ticket, dsn.Ours
}

func (m marks) sign(name string) string {
	mac := hmac.New(sha256.New, m.Key)
	fmt.Fprintf(mac, "ticket1\x00%s\x00%s", name, strings.ToLower(m.Domain))
	return markAlphabet.EncodeToString(mac.Sum(nil)[:10])
}

// verp makes the return paths of a ticket: t123+SIGNATURE-user=example.net@desk.example.
func (m marks) verp(ticket int64) *dsn.VERP {
	return &dsn.VERP{Local: fmt.Sprintf("t%d", ticket), Domain: m.Domain, Key: m.Key}
}

// ReturnPath reads the ticket and the recipient from an address that a report
// came to, which our key signed.
func (m marks) ReturnPath(address string) (ticket int64, recipient string, ok bool) {
	local, _, _ := strings.Cut(strings.Trim(strings.TrimSpace(address), "<>"), "+")
	ticket, ok = ticketNumber(local)
	if m.Key == nil || !ok {
		return 0, "", false
	}
	recipient, err := m.verp(ticket).Recipient(address)
	return ticket, recipient, err == nil
}

func ticketNumber(mark string) (int64, bool) {
	digits, ok := strings.CutPrefix(strings.ToLower(mark), "t")
	if !ok || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil && n > 0
}

var tokenForm = regexp.MustCompile(`\[#([0-9]{1,18})\]`)

func subjectToken(ticket int64) string { return fmt.Sprintf("[#%d]", ticket) }

// tokenTicket reads the ticket from the token in a subject, 0 where there is
// none.
func tokenTicket(subject string) int64 {
	found := tokenForm.FindStringSubmatch(subject)
	if found == nil {
		return 0
	}
	n, _ := strconv.ParseInt(found[1], 10, 64)
	return n
}

var errShortKey = errors.New("the key needs at least 16 bytes")

// readMarks reads the key from a file, which it makes where there is none.
func readMarks(file, domain string) (marks, error) {
	m := marks{Domain: domain}
	key, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		key = []byte(rand.Text())
		err = os.WriteFile(file, key, 0o600)
	}
	if err != nil {
		return m, err
	}
	if key = []byte(strings.TrimSpace(string(key))); len(key) < 16 {
		return m, fmt.Errorf("%s: %w", file, errShortKey)
	}
	m.Key = key
	return m, nil
}
