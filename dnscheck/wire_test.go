package dnscheck

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// wireQuestion is a question with a fixed identifier, for messages written by
// hand: 12 bytes of header, then the question.
func wireQuestion(t testing.TB, name string, typ Type) *question {
	t.Helper()
	q := &question{id: 0x1234, name: name, t: typ}
	var err error
	if q.wire, err = q.pack(false); err != nil {
		t.Fatal(err)
	}
	return q
}

// wireReply turns the question into a reply with the given answers and
// authorities, each as it stands on the wire.
func wireReply(q *question, answers, authorities []string) []byte {
	msg := slices.Clone(q.wire[2:])
	msg[2] |= 0x80 // response
	msg[3] |= 0x80 // recursion available
	binary.BigEndian.PutUint16(msg[6:], uint16(len(answers)))
	binary.BigEndian.PutUint16(msg[8:], uint16(len(authorities)))
	return append(msg, strings.Join(append(slices.Clone(answers), authorities...), "")...)
}

// The records below name their owner with a pointer to the question's name at
// offset 12.
const (
	mxHead  = "\xc0\x0c\x00\x0f\x00\x01\x00\x00\x00\x3c"
	aHead   = "\xc0\x0c\x00\x01\x00\x01\x00\x00\x00\x3c"
	txtHead = "\xc0\x0c\x00\x10\x00\x01\x00\x00\x00\x3c"
	soaHead = "\xc0\x0c\x00\x06\x00\x01\x00\x00\x00\x3c"
)

func TestReadReplyRejectsWhatCannotBeRead(t *testing.T) {
	mx, a, txt := wireQuestion(t, "example.org", TypeMX), wireQuestion(t, "example.org", TypeA), wireQuestion(t, "example.org", TypeTXT)
	here := byte(len(mx.wire) - 2 + len(mxHead) + 4) // offset of the exchanger's name
	for name, tt := range map[string]struct {
		q      *question
		answer string
	}{
		"a pointer to itself":                {mx, mxHead + "\x00\x04\x00\x0a\xc0" + string(here)},
		"pointers to each other":             {mx, mxHead + "\x00\x06\x00\x0a\xc0" + string(here+2) + "\xc0" + string(here)},
		"a label, then the pointer back":     {mx, mxHead + "\x00\x06\x00\x0a\x01x\xc0" + string(here)},
		"a pointer behind the message":       {mx, mxHead + "\x00\x04\x00\x0a\xff\xff"},
		"half a pointer":                     {mx, mxHead + "\x00\x03\x00\x0a\xc0"},
		"a reserved kind of label":           {mx, mxHead + "\x00\x04\x00\x0a\x80\x00"},
		"a dot within a label":               {mx, mxHead + "\x00\x06\x00\x0a\x02a.\x00"},
		"an owner that points to itself":     {a, "\xc0" + string(byte(len(a.wire)-2)) + "\x00\x01\x00\x01\x00\x00\x00\x3c\x00\x04\x7f\x00\x00\x01"},
		"data longer than the message":       {a, aHead + "\x00\x40\x7f\x00\x00\x01"},
		"an address that is too short":       {a, aHead + "\x00\x02\x7f\x00\x00\x01"},
		"an address that is too long":        {a, aHead + "\x00\x05\x7f\x00\x00\x01\x01"},
		"a string longer than its record":    {txt, txtHead + "\x00\x03\x08ab"},
		"fewer records than were announced":  {a, ""},
		"a header without anything after it": {a, aHead[:4]},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := readReply(wireReply(tt.q, []string{tt.answer}, nil), tt.q)
			if !errors.Is(err, ErrMalformed) {
				t.Errorf("%+v, %v", r.answer, err)
			}
		})
	}
}

func TestReadReplyReadsAMailboxWithADot(t *testing.T) {
	q := wireQuestion(t, "example.org", TypeA)
	soa := soaHead + "\x00\x1c\xc0\x0c\x03a.b\xc0\x0c" + strings.Repeat("\x00\x00\x00\x01", 4) + "\x00\x00\x00\x1e" // 2+6+20 bytes; minimum 30 s
	r, err := readReply(wireReply(q, nil, []string{soa}), q)
	if err != nil || r.answer.Outcome != NoData || r.answer.TTL != 30*time.Second {
		t.Errorf("%+v, %v", r.answer, err)
	}
}

func TestReadReplyBoundsAliases(t *testing.T) {
	// Thousands of aliases: only the first eleven are followed.
	q := wireQuestion(t, "0.example", TypeA)
	var records []string
	label := func(n int) string { s := itoa(n); return string(byte(len(s))) + s + "\x07example\x00" }
	for n := range 2000 {
		target := label(n + 1)
		records = append(records, label(n)+"\x00\x05\x00\x01\x00\x00\x00\x3c\x00"+string(byte(len(target)))+target)
	}
	r, err := readReply(wireReply(q, records, nil), q)
	if err != nil || !errors.Is(r.answer.Err, ErrAliasLoop) || len(r.answer.CNAME) != maxAliases+1 {
		t.Errorf("%d aliases, %v, %v", len(r.answer.CNAME), r.answer.Err, err)
	}
}

// FuzzReadReply reads arbitrary messages as answers to a question of each
// type: no panic, and nothing in an answer that the message cannot hold.
func FuzzReadReply(f *testing.F) {
	types := []Type{TypeA, TypeAAAA, TypeMX, TypeTXT, TypeSPF, TypePTR, TypeCNAME}
	q := wireQuestion(f, "example.org", TypeMX)
	for _, change := range []func(*dnsmessage.Message){
		func(m *dnsmessage.Message) { m.Answers = []dnsmessage.Resource{recordMX("example.org.", 1)} },
		func(m *dnsmessage.Message) {
			m.Answers = []dnsmessage.Resource{recordCNAME("example.org.", 1, "b.example."), recordMX("b.example.", 1)}
		},
		func(m *dnsmessage.Message) {
			m.RCode, m.Authorities = dnsmessage.RCodeNameError, []dnsmessage.Resource{recordSOA("org.", 1, 2)}
		},
		func(m *dnsmessage.Message) { m.RCode = dnsmessage.RCodeRefused },
		func(m *dnsmessage.Message) { m.Truncated = true },
	} {
		f.Add(response(q.wire[2:], change)[2:], uint8(2))
	}
	f.Add(wireReply(q, []string{mxHead + "\x00\x04\x00\x0a\xc0\x2b"}, nil)[2:], uint8(2))
	f.Add(wireReply(wireQuestion(f, "example.org", TypeTXT), []string{txtHead + "\x00\x05\x01a\x02bc"}, nil)[2:], uint8(3))
	f.Add(wireReply(wireQuestion(f, "example.org", TypeA), []string{aHead + "\x00\x04\x7f\x00\x00\x01"}, nil)[2:], uint8(0))
	f.Fuzz(func(t *testing.T, tail []byte, which uint8) {
		q := &question{id: 0x1234, name: "example.org", t: types[int(which)%len(types)]}
		msg := append([]byte{0x12, 0x34}, tail...)
		r, err := readReply(msg, q)
		a := r.answer
		if err != nil {
			if !errors.Is(err, errStray) && !errors.Is(err, ErrMalformed) {
				t.Errorf("untyped error %v", err)
			}
			return
		}
		if records := len(a.Addrs) + len(a.MX) + len(a.TXT) + len(a.Names); a.Outcome == Found && q.t != TypeTXT && records == 0 ||
			a.Outcome != Found && records > 0 || records > len(msg)/11 {
			t.Errorf("%v with %d records from %d bytes", a.Outcome, records, len(msg))
		}
		if len(a.CNAME) > maxAliases+1 || a.TTL < 0 || a.Outcome.Failed() && a.Outcome != OutcomeUnknown && a.Err == nil {
			t.Errorf("%+v", a)
		}
		if a.Outcome == OutcomeUnknown && !r.open && !r.truncated {
			t.Errorf("neither an answer nor a reason: %+v", r)
		}
	})
}

func BenchmarkReadReply(b *testing.B) {
	q := wireQuestion(b, "example.org", TypeTXT)
	msg := response(q.wire[2:], func(m *dnsmessage.Message) {
		m.Answers = []dnsmessage.Resource{recordCNAME("example.org.", 300, "spf.example.net."), recordTXT("spf.example.net.", 300, "v=spf1 include:_spf.example.com -all")}
	})
	b.ReportAllocs()
	for b.Loop() {
		if r, err := readReply(msg, q); err != nil || len(r.answer.TXT) != 1 {
			b.Fatal(err)
		}
	}
}
