package dnscheck

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// question is one query as it goes out.
type question struct {
	id   uint16
	name string // canonical
	t    Type
	wire []byte // with the two bytes of length that TCP wants in front
}

// newQuestion makes a query with an identifier that cannot be guessed.
func newQuestion(name string, t Type) (*question, error) {
	var id [2]byte
	rand.Read(id[:]) // never fails
	q := &question{id: binary.BigEndian.Uint16(id[:]), name: name, t: t}
	var err error
	q.wire, err = q.pack(true)
	return q, err
}

func (q *question) pack(edns bool) ([]byte, error) {
	name, err := dnsmessage.NewName(q.name + ".")
	if err != nil {
		return nil, ErrBadName
	}
	// The AD bit asks for the AD bit (RFC 6840 section 5.7).
	b := dnsmessage.NewBuilder(make([]byte, 2, 300), dnsmessage.Header{ID: q.id, RecursionDesired: true, AuthenticData: true})
	err = b.StartQuestions()
	if err == nil {
		err = b.Question(dnsmessage.Question{Name: name, Type: dnsmessage.Type(q.t), Class: dnsmessage.ClassINET})
	}
	if err == nil && edns {
		var opt dnsmessage.ResourceHeader
		err = errors.Join(b.StartAdditionals(), opt.SetEDNS0(udpSize, dnsmessage.RCodeSuccess, false), b.OPTResource(opt, dnsmessage.OPTResource{}))
	}
	if err != nil {
		return nil, ErrBadName
	}
	wire, err := b.Finish()
	if err != nil {
		return nil, ErrBadName
	}
	binary.BigEndian.PutUint16(wire, uint16(len(wire)-2))
	return wire, nil
}

// reply is what one message says.
type reply struct {
	answer    Answer
	truncated bool // ask again over TCP
	noEDNS    bool // the server did not understand; without EDNS0 it may
	open      bool // ends at an alias that the server did not follow
}

// errStray marks a message that does not answer the question.
var errStray = errors.New("dnscheck: answer to another question")

// readReply reads a message that should answer q. errStray means that it
// answers another question; another error wraps ErrMalformed.
//
// dnsmessage bounds names to 254 bytes and ten pointers each, so that
// compression can neither loop nor blow up. It does not compare the length of the data with
// the type's, and it refuses names with a dot within a label, which mailbox names of SOA records
// may have: those are not read.
func readReply(msg []byte, q *question) (reply, error) {
	var p dnsmessage.Parser
	h, err := p.Start(msg)
	if err != nil || !h.Response || h.ID != q.id || h.OpCode != 0 {
		return reply{}, errStray
	}
	if questions := binary.BigEndian.Uint16(msg[4:]); questions == 0 && h.RCode != dnsmessage.RCodeSuccess && h.RCode != dnsmessage.RCodeNameError {
		return readFailure(h.RCode, msg), nil // some servers leave the question out of an error
	} else if questions != 1 {
		return reply{}, errStray
	}
	asked, err := p.Question()
	if err != nil || asked.Class != dnsmessage.ClassINET || Type(asked.Type) != q.t || canonical(asked.Name.String()) != q.name {
		return reply{}, errStray
	}
	if h.Truncated {
		return reply{truncated: true}, nil
	}
	if h.RCode != dnsmessage.RCodeSuccess && h.RCode != dnsmessage.RCodeNameError {
		return readFailure(h.RCode, msg), nil
	}
	if err := p.SkipAllQuestions(); err != nil {
		return reply{}, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	r, err := readSections(&p, h, q)
	if err != nil {
		return reply{}, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	r.answer.Size = len(msg)
	return r, nil
}

// readFailure is the reply of a server that gives no answer (RFC 1035 section
// 4.1.1), with the reason where the server names one.
func readFailure(code dnsmessage.RCode, msg []byte) reply {
	err := fmt.Errorf("dnscheck: the DNS server answered with code %d (%s)", code, strings.TrimPrefix(code.String(), "RCode"))
	if why, ok := readExtendedError(msg); ok && why.bogus() {
		err = fmt.Errorf("%w: code %d, %v", ErrBogus, code, why)
	} else if ok {
		err = fmt.Errorf("%w, %v", err, why)
	}
	r := reply{answer: Answer{Outcome: ServFail, Size: len(msg), Err: err}}
	switch code {
	case dnsmessage.RCodeRefused:
		r.answer.Outcome = Refused
	case dnsmessage.RCodeFormatError, dnsmessage.RCodeNotImplemented:
		r.noEDNS = true
	}
	return r
}

// readSections reads the sections behind the question.
func readSections(p *dnsmessage.Parser, h dnsmessage.Header, q *question) (reply, error) {
	records := *p // to pass through the answers twice: aliases may stand behind what they lead to
	aliases, err := readAliases(p, q.t)
	if err != nil {
		return reply{}, err
	}
	a := Answer{Authentic: h.AuthenticData, TTL: 1<<63 - 1}
	owner := q.name
	for len(aliases) > 0 {
		alias, ok := aliases[owner]
		if !ok {
			break
		}
		owner = alias.target
		a.CNAME = append(a.CNAME, owner)
		a.TTL = min(a.TTL, alias.ttl)
		if aliasLoop(q.name, a.CNAME) {
			return reply{answer: Answer{Outcome: ServFail, CNAME: a.CNAME, Err: ErrAliasLoop}}, nil
		}
	}
	found, err := readRecords(&records, &a, owner, q.t)
	if err != nil {
		return reply{}, err
	}
	if found {
		if h.RCode != dnsmessage.RCodeSuccess {
			return reply{}, errContradiction
		}
		a.Outcome = Found
		return reply{answer: a}, nil
	}
	negative, err := readNegative(p, owner)
	if err != nil {
		return reply{}, err
	}
	switch {
	case h.RCode == dnsmessage.RCodeNameError:
		a.Outcome = NXDomain
	case negative.soa || h.RecursionAvailable || h.Authoritative && len(a.CNAME) == 0:
		a.Outcome = NoData
	case len(a.CNAME) > 0:
		return reply{answer: a, open: true}, nil
	default:
		return reply{answer: Answer{Outcome: Refused, Err: ErrReferral}}, nil
	}
	a.TTL = min(a.TTL, negative.ttl)
	return reply{answer: a}, nil
}

var errContradiction = errors.New("records of a name that is said not to exist")

type alias struct {
	target string
	ttl    time.Duration
}

// readAliases reads the CNAME records of the answer section by owner; of
// several at one name the first counts. A question for aliases follows none.
func readAliases(p *dnsmessage.Parser, t Type) (map[string]alias, error) {
	var aliases map[string]alias
	for {
		h, err := p.AnswerHeader()
		if errors.Is(err, dnsmessage.ErrSectionDone) {
			return aliases, nil
		}
		if err != nil {
			return nil, err
		}
		if h.Type != dnsmessage.TypeCNAME || h.Class != dnsmessage.ClassINET || t == TypeCNAME {
			if err := p.SkipAnswer(); err != nil {
				return nil, err
			}
			continue
		}
		r, err := p.CNAMEResource()
		if err != nil {
			return nil, err
		}
		owner := canonical(h.Name.String())
		if _, ok := aliases[owner]; !ok {
			if aliases == nil {
				aliases = make(map[string]alias)
			}
			aliases[owner] = alias{canonical(r.CNAME.String()), ttl(h.TTL)}
		}
	}
}

// readRecords reads the records of one owner and type into a and says whether
// there are any; others do not belong to the answer and are passed over.
func readRecords(p *dnsmessage.Parser, a *Answer, owner string, t Type) (found bool, err error) {
	for {
		h, err := p.AnswerHeader()
		if errors.Is(err, dnsmessage.ErrSectionDone) {
			slices.SortStableFunc(a.MX, func(x, y MX) int { return int(x.Preference) - int(y.Preference) })
			return found, nil
		}
		if err != nil {
			return false, err
		}
		if Type(h.Type) != t || h.Class != dnsmessage.ClassINET || canonical(h.Name.String()) != owner {
			if err := p.SkipAnswer(); err != nil {
				return false, err
			}
			continue
		}
		if err := readRecord(p, a, t, h.Length); err != nil {
			return false, err
		}
		a.TTL = min(a.TTL, ttl(h.TTL))
		found = true
	}
}

var errLength = errors.New("the length does not fit the type")

func readRecord(p *dnsmessage.Parser, a *Answer, t Type, length uint16) error {
	switch t {
	case TypeA:
		r, err := p.AResource()
		if err == nil && length != 4 {
			err = errLength
		}
		a.Addrs = append(a.Addrs, netip.AddrFrom4(r.A))
		return err
	case TypeAAAA:
		r, err := p.AAAAResource()
		if err == nil && length != 16 {
			err = errLength
		}
		a.Addrs = append(a.Addrs, netip.AddrFrom16(r.AAAA))
		return err
	case TypeMX:
		r, err := p.MXResource()
		a.MX = append(a.MX, MX{r.Pref, canonical(r.MX.String())})
		return err
	case TypePTR:
		r, err := p.PTRResource()
		a.Names = append(a.Names, canonical(r.PTR.String()))
		return err
	case TypeCNAME:
		r, err := p.CNAMEResource()
		a.Names = append(a.Names, canonical(r.CNAME.String()))
		return err
	case TypeTXT, TypeSPF:
		r, err := p.UnknownResource()
		if err != nil {
			return err
		}
		txt, err := readStrings(r.Data)
		a.TXT = append(a.TXT, txt)
		return err
	}
	return p.SkipAnswer() // only that there is such a record
}

// readStrings joins the character-strings of a TXT record (RFC 1035 section
// 3.3.14).
func readStrings(data []byte) (TXT, error) {
	var txt TXT
	var b strings.Builder
	b.Grow(len(data))
	for len(data) > 0 {
		n := int(data[0]) + 1
		if n > len(data) {
			return TXT{}, errLength
		}
		b.Write(data[1:n])
		data = data[n:]
		txt.Strings++
	}
	txt.Text = b.String()
	return txt, nil
}

type negative struct {
	soa bool
	ttl time.Duration // 0 without SOA
}

// readNegative reads how long a negative answer holds: the lesser of the SOA
// record's own TTL and its minimum (RFC 2308 section 5).
func readNegative(p *dnsmessage.Parser, owner string) (negative, error) {
	for {
		h, err := p.AuthorityHeader()
		if errors.Is(err, dnsmessage.ErrSectionDone) {
			return negative{}, nil
		}
		if err != nil {
			return negative{}, err
		}
		if h.Type != dnsmessage.TypeSOA || !within(owner, canonical(h.Name.String())) {
			if err := p.SkipAuthority(); err != nil {
				return negative{}, err
			}
			continue
		}
		r, err := p.UnknownResource()
		if err != nil {
			return negative{}, err
		}
		const fixed = 5 * 4 // five numbers at the end; two names of a byte at least before them
		if len(r.Data) < fixed+2 {
			return negative{}, errLength
		}
		minimum := binary.BigEndian.Uint32(r.Data[len(r.Data)-4:])
		return negative{true, min(ttl(h.TTL), ttl(minimum))}, nil
	}
}

// within reports whether name is zone or below it.
func within(name, zone string) bool {
	rest, ok := strings.CutSuffix(name, zone)
	return ok && (rest == "" || zone == "" || strings.HasSuffix(rest, "."))
}

// ttl reads a TTL: with the highest bit set it is zero (RFC 2181 section 8).
func ttl(seconds uint32) time.Duration {
	if seconds >= 1<<31 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}
