package dsn

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/emersion/go-msgauth/dkim"
	"github.com/mailfault/mailfault/internal/enum"
)

// Proof is what the caller has to tell reports about his own mail from
// backscatter: reports about mail that somebody else sent in his name. Each
// field may be empty; what is there is asked.
type Proof struct {
	// VERP are the caller's return paths. Those with a key prove.
	VERP []*VERP
	// EveryReturnPath says that all the caller's mail has one of them, so that a
	// report to another address is about other mail.
	EveryReturnPath bool

	// EnvelopeID says whether the caller gave a message that ENVID (RFC 3461
	// section 4.4). It is asked where the report has one.
	EnvelopeID func(ctx context.Context, id string) (Verdict, error)

	// Sent looks a message up in the mail that was really sent.
	Sent func(ctx context.Context, m SentMessage) (Verdict, error)

	// Domains are the caller's own. A whole returned message with a valid DKIM
	// signature of one of them, or of a subdomain, was sent from there. A
	// signature that covers only the body's beginning (the tag l=, RFC 6376
	// section 8.2) is never taken for valid: anything may follow what it signs.
	Domains []string
	// LookupTXT returns the TXT records of a name within Domains, each in one
	// piece. Without it signatures are not verified. Of a message with several
	// signatures it is called from several goroutines at once, ten at most.
	LookupTXT func(ctx context.Context, name string) ([]string, error)
}

// SentMessage identifies the message a report is about, as far as the report
// gives it.
type SentMessage struct {
	MessageID  string // without angle brackets
	EnvelopeID string
	From       string   // bare address of the author
	ReturnPath string   // of the sender, unwrapped
	Recipients []string // whom it may have been written to, the best first
	Subject    string
	Date       time.Time // of the message; zero when unknown
}

// Origin is whether a report is about the caller's own mail, and why.
type Origin struct {
	Verdict Verdict        `json:"verdict"`
	Reason  string         `json:"reason"`  // of the ground that decided
	Grounds []OriginGround `json:"grounds"` // of every check made, in order
}

// OriginGround is what one check said.
type OriginGround struct {
	Check   OriginCheck `json:"check"`
	Verdict Verdict     `json:"verdict"`
	Reason  string      `json:"reason"`
}

// Verdict is whether a report is about the caller's own mail.
// As text: cannot-tell, ours, not-ours.
type Verdict uint8

const (
	CannotTell Verdict = iota
	Ours               // the caller sent the message
	NotOurs            // backscatter: he did not
)

var verdictNames = enum.Names{"cannot-tell", "ours", "not-ours"}

// String returns the verdict in kebab-case.
func (v Verdict) String() string { return verdictNames.String("Verdict", uint8(v)) }

// MarshalText returns the verdict in kebab-case.
func (v Verdict) MarshalText() ([]byte, error) { return verdictNames.MarshalText("Verdict", uint8(v)) }

// UnmarshalText reads what MarshalText writes; another name is an error.
func (v *Verdict) UnmarshalText(text []byte) error {
	n, err := verdictNames.Parse("Verdict", text)
	*v = Verdict(n)
	return err
}

// OriginCheck is a way to tell whose mail a report is about.
// As text: none, return-path, dkim, envelope-id, sent-mail.
type OriginCheck uint8

const (
	NoCheck OriginCheck = iota
	CheckReturnPath
	CheckDKIM
	CheckEnvelopeID
	CheckSentMail
)

var originCheckNames = enum.Names{"none", "return-path", "dkim", "envelope-id", "sent-mail"}

// String returns the check in kebab-case.
func (c OriginCheck) String() string { return originCheckNames.String("OriginCheck", uint8(c)) }

// MarshalText returns the check in kebab-case.
func (c OriginCheck) MarshalText() ([]byte, error) {
	return originCheckNames.MarshalText("OriginCheck", uint8(c))
}

// UnmarshalText reads what MarshalText writes; another name is an error.
func (c *OriginCheck) UnmarshalText(text []byte) error {
	v, err := originCheckNames.Parse("OriginCheck", text)
	*c = OriginCheck(v)
	return err
}

// signs reports whether a check rests on a signature, which nobody can forge,
// where a message id can be known to others.
func (c OriginCheck) signs() bool { return c == CheckReturnPath || c == CheckDKIM }

// Backscatter says whether the report is about mail the caller sent. All that
// the proof allows is checked. A signature beats a look-up, and of either a yes
// beats a no: mail may have left by another way than the one that was asked. An
// answer of Ours says nothing about whether the report itself is genuine.
//
// The error is the first one a look-up of the caller's returned, DNS excepted:
// a key that cannot be had leaves a signature open.
func (r *Report) Backscatter(ctx context.Context, proof Proof) (Origin, error) {
	o := Origin{Grounds: []OriginGround{}}
	note := func(check OriginCheck, v Verdict, format string, args ...any) {
		o.Grounds = append(o.Grounds, OriginGround{check, v, fmt.Sprintf(format, args...)})
	}
	r.checkReturnPath(proof, note)
	r.checkDKIM(ctx, proof, note)
	message := r.sentMessage(proof)
	if proof.EnvelopeID != nil && message.EnvelopeID != "" {
		v, err := proof.EnvelopeID(ctx, message.EnvelopeID)
		if err != nil {
			return o, fmt.Errorf("dsn: looking up the envelope id: %w", err)
		}
		note(CheckEnvelopeID, v, "the envelope id %q was asked for", message.EnvelopeID)
	}
	if proof.Sent != nil && (message.MessageID != "" || len(message.Recipients) > 0) {
		v, err := proof.Sent(ctx, message)
		if err != nil {
			return o, fmt.Errorf("dsn: looking up the sent message: %w", err)
		}
		found := map[Verdict]string{Ours: "the message is among the sent mail", NotOurs: "no such message is among the sent mail"}[v]
		note(CheckSentMail, v, "%s (id %q and recipients)", cmp.Or(found, "whether the message is among the sent mail is not known"), message.MessageID)
	}
	o.decide()
	return o, ctx.Err()
}

// decide takes the strongest ground.
func (o *Origin) decide() {
	for _, signed := range [...]bool{true, false} {
		for _, v := range [...]Verdict{Ours, NotOurs} {
			for _, g := range o.Grounds {
				if g.Verdict == v && g.Check.signs() == signed {
					o.Verdict, o.Reason = v, g.Reason
					return
				}
			}
		}
	}
	o.Reason = "nothing to check: the report has no id, return path or signature the caller can judge"
	if n := len(o.Grounds); n > 0 {
		o.Reason = o.Grounds[n-1].Reason
	}
}

type noteFunc func(check OriginCheck, v Verdict, format string, args ...any)

func (r *Report) checkReturnPath(proof Proof, note noteFunc) {
	keyed, forged := false, ""
	for _, path := range r.returnPaths() {
		for _, v := range proof.VERP {
			if v.Key == nil {
				continue
			}
			keyed = true
			recipient, err := v.Recipient(path.Address)
			switch {
			case err == nil:
				note(CheckReturnPath, Ours, "the return path %s was signed here, for %s", path.Address, recipient)
				return
			case errors.Is(err, ErrForged):
				forged = path.Address
			}
		}
	}
	switch {
	case forged != "":
		note(CheckReturnPath, NotOurs, "the return path %s looks like one of ours, but was not signed here", forged)
	case keyed && proof.EveryReturnPath:
		note(CheckReturnPath, NotOurs, "the report came to none of the signed return paths that all our mail has")
	case keyed:
		note(CheckReturnPath, CannotTell, "the report shows no signed return path")
	}
}

var errNotOwn = errors.New("a domain of others")

// maxSignatures bounds the DKIM signatures that are verified.
const maxSignatures = 10

// checkDKIM verifies the returned message as it came back.
func (r *Report) checkDKIM(ctx context.Context, proof Proof, note noteFunc) {
	if len(proof.Domains) == 0 || proof.LookupTXT == nil {
		return
	}
	switch {
	case r.Returned == nil:
		note(CheckDKIM, CannotTell, "no message came back")
		return
	case r.Returned.Extent != Whole:
		note(CheckDKIM, CannotTell, "the message did not come back whole (%v): its signature covers the body", r.Returned.Extent)
		return
	case !r.Returned.Header.Has("DKIM-Signature"):
		note(CheckDKIM, CannotTell, "the returned message has no DKIM signature")
		return
	}
	verified, err := dkim.VerifyWithOptions(strings.NewReader(crlf(r.Returned.Raw)), &dkim.VerifyOptions{
		MaxVerifications: maxSignatures,
		LookupTXT: func(name string) ([]string, error) {
			if !proof.owns(name) {
				return nil, errNotOwn // strangers do not make us ask for names of theirs
			}
			return proof.LookupTXT(ctx, name)
		},
	})
	if err != nil && !errors.Is(err, dkim.ErrTooManySignatures) {
		note(CheckDKIM, CannotTell, "the returned message's signatures cannot be read: %v", err)
		return
	}
	reason := fmt.Sprintf("none of the %d DKIM signatures of the returned message is of a domain of ours", len(verified))
	for _, v := range verified {
		if !proof.owns(v.Domain) {
			continue
		}
		if v.Err == nil {
			note(CheckDKIM, Ours, "the returned message has a valid DKIM signature of %s", v.Domain)
			return
		}
		reason = fmt.Sprintf("the DKIM signature of %s does not verify, as after a change on the way: %v", v.Domain, v.Err)
	}
	note(CheckDKIM, CannotTell, "%s", reason)
}

func (p *Proof) owns(domain string) bool {
	domain = strings.ToLower(strings.TrimSuffix(domain, "."))
	for _, own := range p.Domains {
		own = strings.ToLower(strings.TrimSuffix(own, "."))
		if domain == own || own != "" && strings.HasSuffix(domain, "."+own) {
			return true
		}
	}
	return false
}

// crlf returns a message with every line ending in CRLF, as it was signed.
func crlf(message string) string {
	lf := strings.ReplaceAll(message, "\r\n", "\n")
	return strings.ReplaceAll(lf, "\n", "\r\n")
}

func (r *Report) sentMessage(proof Proof) SentMessage {
	thread := r.Thread()
	m := SentMessage{MessageID: thread.MessageID, EnvelopeID: thread.EnvelopeID}
	for _, o := range r.OriginalAddresses(proof.VERP...) {
		m.Recipients = append(m.Recipients, o.Address)
	}
	if r.Returned != nil {
		h := r.Returned.Header
		m.From, m.Subject = bareAddress(h.Get("From")), h.Get("Subject")
		m.ReturnPath = ParseReturnPath(h.Get("Return-Path")).Address
		m.Date = parseDate(h.Get("Date")).Time
	}
	return m
}
