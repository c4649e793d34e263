package dkimpeers

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"
)

// peerCase is a line for the peer: a message to sign where Private is not empty,
// and one to verify otherwise.
type peerCase struct {
	Message   []byte   `json:"message"`
	Private   []byte   `json:"private"`
	Algorithm string   `json:"algorithm"`
	Identity  string   `json:"identity"`
	Head      string   `json:"head"` // canonical forms
	Body      string   `json:"body"`
	Headers   []string `json:"headers"`
	Length    bool     `json:"length"` // sign with l=
	Key       string   `json:"key"`    // the record

	change string // what happened to the message or its key on the way
}

// peerAnswer is a line of the peer.
type peerAnswer struct {
	Field []byte `json:"field"`
	Pass  bool   `json:"pass"`
	Why   string `json:"why"`
}

//go:embed peer.py
var program string

// ask has dkimpy sign or verify.
func ask(ctx context.Context, cases []peerCase) ([]peerAnswer, error) {
	var in, out, problems bytes.Buffer
	for encoder := json.NewEncoder(&in); len(cases) > 0; cases = cases[1:] {
		if err := encoder.Encode(&cases[0]); err != nil {
			return nil, err
		}
	}
	command := exec.CommandContext(ctx, "/usr/bin/python3", "-c", program)
	command.Stdin, command.Stdout, command.Stderr = &in, &out, &problems
	if err := command.Run(); err != nil {
		return nil, fmt.Errorf("dkimpy: %w\n%.2000s", err, problems.String())
	}
	var answers []peerAnswer
	for decoder := json.NewDecoder(&out); ; {
		var a peerAnswer
		if err := decoder.Decode(&a); err == io.EOF {
			return answers, nil
		} else if err != nil {
			return nil, err
		}
		answers = append(answers, a)
	}
}

// signer is a key in the forms that dkimpy and DNS take.
type signer struct {
	algorithm string
	private   []byte
	tags      string // k and p
}

func rsaSigner(random io.Reader) (signer, error) {
	key, err := rsa.GenerateKey(random, 2048)
	if err != nil {
		return signer{}, err
	}
	der, err := x509.MarshalPKIXPublicKey(key.Public())
	private := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	return signer{"rsa-sha256", private, "k=rsa; p=" + base64.StdEncoding.EncodeToString(der)}, err
}

func ed25519Signer(random io.Reader) (signer, error) {
	public, private, err := ed25519.GenerateKey(random)
	return signer{"ed25519-sha256", []byte(base64.StdEncoding.EncodeToString(private.Seed())), "k=ed25519; p=" + base64.StdEncoding.EncodeToString(public)}, err
}

// generator makes messages out of pieces that canonical forms treat specially.
type generator struct {
	*rand.Rand
	signers []signer
}

func one[T any](g *generator, list ...T) T { return list[g.IntN(len(list))] }

// next is a message to sign.
func (g *generator) next() peerCase {
	c := peerCase{Head: one(g, "simple", "relaxed"), Body: one(g, "simple", "relaxed"), Length: g.IntN(4) == 0}
	c.Identity = one(g, "", "", "@example.org", "x@sub.example.org")
	by := one(g, g.signers...)
	c.Algorithm, c.Private, c.Key = by.algorithm, by.private, by.tags
	fields := []string{"From: a@example.org\r\n"}
	c.Headers = []string{"from"}
	if g.IntN(3) == 0 {
		c.Headers = append(c.Headers, "from") // so that none can be added
	}
	for range g.IntN(6) {
		name := one(g, "Subject", "To", "X-List", "Received")
		fields = append(fields, name+":"+g.text("a", "bc", " ", "  ", "\t", "\r\n ", "\r\n\t", ";", "b=", "\xe9")+"\r\n")
		if name != "Received" && g.IntN(4) > 0 {
			c.Headers = append(c.Headers, strings.ToLower(name))
		}
	}
	g.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	g.Shuffle(len(c.Headers), func(i, j int) { c.Headers[i], c.Headers[j] = c.Headers[j], c.Headers[i] })
	// A last line without an end is no mail (RFC 5321 section 4.1.1.4); blanks there are dkimpy's alone.
	body := strings.TrimRight(g.text("word", "a", " ", "  ", "\t", "\r\n", "\r\n\r\n", " \r\n", "\xff", "."), " \t") + one(g, "", "\r\n", "\r\n", " \r\n", "\t \r\n\r\n")
	c.Message = []byte(strings.Join(fields, "") + "\r\n" + body)
	return c
}

// text is made of pieces. It begins with a letter: a line of blanks alone is read
// differently by everybody.
func (g *generator) text(pieces ...string) string {
	var b strings.Builder
	if g.IntN(8) > 0 {
		b.WriteString("z")
		for range g.IntN(9) {
			piece := one(g, pieces...)
			b.WriteString(piece)
			if strings.HasPrefix(piece, "\r\n") && strings.Trim(piece, "\r\n") != "" {
				b.WriteString("y")
			}
		}
	}
	return b.String()
}

// change is something that happens to a signed message, or to its key.
type change struct {
	name string
	do   func(g *generator, message, key string) (string, string)
}

func replace(name, old, new string) change {
	return change{name, func(_ *generator, m, k string) (string, string) { return strings.Replace(m, old, new, 1), k }}
}

func rekey(name, old, new string) change {
	return change{name, func(_ *generator, m, k string) (string, string) { return m, strings.Replace(k, old, new, 1) }}
}

// changes is the table of them.
var changes = []change{
	replace("none", "", ""),
	{"a line more", func(_ *generator, m, k string) (string, string) { return m + "\r\nmore\r\n", k }},
	{"empty lines more", func(_ *generator, m, k string) (string, string) { return m + "\r\n\r\n", k }},
	{"a blank more", func(_ *generator, m, k string) (string, string) { return m + " \r\n", k }},
	{"the last line less its end", func(_ *generator, m, k string) (string, string) { return strings.TrimRight(m, " \t\r\n") + "\r\n", k }},
	{"ends of lines of Unix", func(_ *generator, m, k string) (string, string) { return strings.ReplaceAll(m, "\r\n", "\n"), k }},
	replace("a From more, above", "", "From: b@example.org\r\n"),
	replace("a From more, below", "\r\n\r\n", "\r\nFrom: b@example.org\r\n\r\n"),
	replace("a Subject more, below", "\r\n\r\n", "\r\nSubject: x\r\n\r\n"),
	replace("a Received more, above", "", "Received: x\r\n"),
	replace("blanks before the value", "From: ", "From:  \t"),
	replace("a fold", "From: ", "From:\r\n "),
	replace("upper case", "From: ", "FROM: "),
	replace("another sender", "a@example.org", "A@example.org"),
	replace("two blanks", "  ", " "),
	replace("a tab for a blank", " ", "\t"),
	replace("another body hash", "bh=", "bh=A"),
	replace("another selector", "s=sel", "s=sel2"),
	rekey("v first", "k=", "v=DKIM1; k="),
	{"v last", func(_ *generator, m, k string) (string, string) { return m, k + "; v=DKIM1" }},
	rekey("another v", "k=", "v=DKIM2; k="),
	rekey("upper case k", "k=rsa", "k=RSA"),
	rekey("no k", "k=rsa; ", ""),
	rekey("h", "k=", "h=sha1:sha256; k="),
	rekey("only sha1", "k=", "h=sha1; k="),
	rekey("s=email", "k=", "s=email; k="),
	rekey("s=*", "k=", "s=*; k="),
	rekey("another service", "k=", "s=other; k="),
	rekey("t=y", "k=", "t=y; k="),
	rekey("t=s", "k=", "t=y:s; k="),
	rekey("notes", "k=", "n=a note; k="),
	{"revoked", func(_ *generator, m, k string) (string, string) { return m, k[:strings.Index(k, "p=")+2] }},
	{"a cut key", func(_ *generator, m, k string) (string, string) { return m, k[:len(k)-8] }},
	{"a repeated tag", func(_ *generator, m, k string) (string, string) { return m, k + "; n=a; n=b" }},
	{"no record", func(_ *generator, m, k string) (string, string) { return m, "" }},
}

// damage is a change whose outcome nobody can foresee.
var damage = change{"any byte", func(g *generator, m, k string) (string, string) {
	i := g.IntN(len(m))
	return m[:i] + one(g, "x", " ", "=", "\t") + m[i+1:], k
}}
