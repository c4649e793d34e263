package dsn

import (
	"errors"
	"net/mail"
	"slices"
	"strings"

	"github.com/mailfault/mailfault/internal/enum"
)

// OriginalAddress is an address the message may have been written to: the one
// in the sender's address book, which a forward hides from the report.
type OriginalAddress struct {
	Address string `json:"address"`
	// Sources say where it was found, the best first.
	Sources []AddressSource `json:"sources"`
	Text    string          `json:"text"` // what the best source was read from, verbatim
	// Recipient is the index in Report.Recipients of who it belongs to, or -1
	// where that does not show.
	Recipient int `json:"recipient"`
}

// AddressSource is where an original address was found. The smaller, the
// better: sources are listed in the order of their rank.
// As text: unknown, keyed-verp, original-recipient, plain-verp, srs, batv,
// received-for, x-failed-recipients, final-recipient, returned-to.
type AddressSource uint8

const (
	SourceUnknown         AddressSource = iota
	FromKeyedVERP                       // the report's own address names him, signed by us
	FromOriginalRecipient               // declared: Original-Recipient (RFC 3464), Original-Rcpt-To (RFC 5965)
	FromPlainVERP                       // the report's own address, or the message's return path, names him
	FromSRS                             // a recipient's address, taken out of a forwarder's rewriting
	FromBATV                            // a recipient's address, without its tag
	FromReceived                        // "for" of the returned message's first Received field that has it
	FromXFailedRecipients               // of the report's header
	FromFinalRecipient                  // where delivery ended, perhaps behind a forward
	FromReturnedTo                      // To and Cc of the returned message
)

var addressSourceNames = enum.Names{"unknown", "keyed-verp", "original-recipient", "plain-verp", "srs", "batv", "received-for", "x-failed-recipients", "final-recipient", "returned-to"}

// String returns the source in kebab-case.
func (s AddressSource) String() string { return addressSourceNames.String("AddressSource", uint8(s)) }

// MarshalText returns the source in kebab-case.
func (s AddressSource) MarshalText() ([]byte, error) {
	return addressSourceNames.MarshalText("AddressSource", uint8(s))
}

// UnmarshalText reads what MarshalText writes; another name is an error.
func (s *AddressSource) UnmarshalText(text []byte) error {
	v, err := addressSourceNames.Parse("AddressSource", text)
	*s = AddressSource(v)
	return err
}

// OriginalAddresses returns whom the message was written to, the best source
// first, from all the report has. Several recipients give several answers:
// [OriginalAddress.Recipient] tells them apart. The caller's own return paths are
// read with verp, and one with a key is proof.
//
// Nothing here says that an address failed; that is in the Recipients. At most
// 1,000 addresses are returned, and of a field the first 256 KiB are read.
func (r *Report) OriginalAddresses(verp ...*VERP) []OriginalAddress {
	o := originals{report: r}
	paths := r.returnPaths()
	known := o.known()
	for _, path := range paths {
		ours := false
		for _, v := range verp {
			recipient, err := v.Recipient(path.Address)
			ours = ours || err == nil || errors.Is(err, ErrForged)
			if err != nil {
				continue
			}
			source := FromPlainVERP
			if v.Key != nil {
				source = FromKeyedVERP
			}
			o.add(recipient, source, path.Raw, o.owner(recipient))
		}
		if ours {
			continue // a forged one names nobody
		}
		if recipient, ok := plainVERP(path.Address, known); ok {
			o.add(recipient, FromPlainVERP, path.Raw, o.owner(recipient))
		}
	}
	for i := range r.Recipients {
		rcpt := &r.Recipients[i]
		o.recipient(rcpt.OriginalRecipient, FromOriginalRecipient, i)
		o.recipient(rcpt.FinalRecipient, FromFinalRecipient, i)
	}
	if d := r.Disposition; d != nil {
		o.recipient(d.OriginalRecipient, FromOriginalRecipient, -1)
		o.recipient(d.FinalRecipient, FromFinalRecipient, -1)
	}
	if f := r.Feedback; f != nil {
		for _, address := range f.OriginalRcptTo {
			o.recipient(address, FromOriginalRecipient, -1)
		}
	}
	for _, field := range r.Header.All("X-Failed-Recipients") {
		for _, address := range words([]string{cutList(field)}) {
			o.add(bareAddress(address), FromXFailedRecipients, field, o.owner(address))
		}
	}
	if r.Returned != nil {
		o.returned(r.Returned.Header)
	}
	slices.SortStableFunc(o.list, func(a, b OriginalAddress) int { return int(a.Sources[0]) - int(b.Sources[0]) })
	return o.list
}

// originals gathers original addresses.
type originals struct {
	report *Report
	list   []OriginalAddress
	at     map[string]int // index in list, by address in lower case
	owners map[string]int // index of the recipient, likewise; made when first asked for
}

// maxOriginals bounds the addresses that are kept.
const maxOriginals = 1000

// recipient adds a declared address, and who is behind what is wrapped around
// him.
func (o *originals) recipient(a Address, source AddressSource, index int) {
	o.add(a.Address, source, a.Raw, index)
	path := ParseReturnPath(a.Address)
	if len(path.Layers) == 0 {
		return
	}
	source = FromBATV
	if strings.HasPrefix(path.Layers[len(path.Layers)-1].Scheme, "srs") {
		source = FromSRS
	}
	o.add(path.Address, source, a.Raw, index)
}

// returned adds what the returned message says.
func (o *originals) returned(h Header) {
	received := h.All("Received")
	for i := len(received) - 1; i >= 0; i-- { // the first hop wrote the last field
		if address := receivedFor(received[i]); address != "" {
			o.add(address, FromReceived, received[i], o.owner(address))
			break
		}
	}
	for _, name := range [...]string{"To", "Cc"} {
		for _, field := range h.All(name) {
			for _, address := range addresses(field) {
				o.add(address, FromReturnedTo, field, o.owner(address))
			}
		}
	}
}

func (o *originals) add(address string, source AddressSource, text string, recipient int) {
	local, domain := splitAddress(address)
	if local == "" || domain == "" {
		return
	}
	key := strings.ToLower(address)
	if i, ok := o.at[key]; ok {
		have := &o.list[i]
		if have.Recipient < 0 {
			have.Recipient = recipient
		}
		if !slices.Contains(have.Sources, source) {
			if source < have.Sources[0] {
				have.Text, have.Address = text, address
			}
			have.Sources = append(have.Sources, source)
			slices.Sort(have.Sources)
		}
		return
	}
	if len(o.list) < maxOriginals {
		if o.at == nil {
			o.at = make(map[string]int)
		}
		o.at[key] = len(o.list)
		o.list = append(o.list, OriginalAddress{address, []AddressSource{source}, text, recipient})
	}
}

// owner returns the index of the recipient an address belongs to: the only
// one, or the one that has it.
func (o *originals) owner(address string) int {
	if len(o.report.Recipients) == 1 {
		return 0
	}
	if o.owners == nil {
		o.owners = make(map[string]int)
		for i := range o.report.Recipients {
			r := &o.report.Recipients[i]
			for _, a := range [...]string{r.OriginalRecipient.Address, r.FinalRecipient.Address} {
				if key := strings.ToLower(a); key != "" {
					if _, ok := o.owners[key]; !ok {
						o.owners[key] = i
					}
				}
			}
		}
	}
	if i, ok := o.owners[strings.ToLower(address)]; ok {
		return i
	}
	return -1
}

// known returns the addresses the report declares or the returned message names.
func (o *originals) known() (list []string) {
	for i := range o.report.Recipients {
		r := &o.report.Recipients[i]
		list = append(list, r.OriginalRecipient.Address, r.FinalRecipient.Address)
		if len(list) >= maxOriginals {
			break
		}
	}
	if o.report.Returned != nil {
		to := addresses(o.report.Returned.Header.Get("To"))
		list = append(list, to[:min(len(to), maxOriginals)]...)
	}
	return list
}

// returnPaths returns where the report went to and the returned message's
// return path, unwrapped: addresses of the sender's, never a recipient's.
func (r *Report) returnPaths() (paths []ReturnPath) {
	add := func(text string) {
		p := ParseReturnPath(text)
		if p.Address != "" && len(paths) < 50 && !slices.ContainsFunc(paths, func(have ReturnPath) bool { return have.Address == p.Address }) {
			paths = append(paths, p)
		}
	}
	for _, name := range [...]string{"Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "X-Delivered-To", "To"} {
		for _, text := range r.Header.All(name) {
			for _, address := range addresses(text) {
				add(address)
			}
		}
	}
	for _, text := range r.Header.All("Received") {
		if address := receivedFor(text); address != "" {
			add(address)
		}
	}
	if r.Feedback != nil {
		add(r.Feedback.OriginalMailFrom.Address)
	}
	if r.Returned != nil {
		for _, name := range [...]string{"Return-Path", "X-Envelope-From"} {
			add(r.Returned.Header.Get(name))
		}
	}
	return paths
}

// receivedFor returns the address of a Received field's "for" clause
// (RFC 5321 section 4.4), or "".
func receivedFor(text string) string {
	for from := 0; ; {
		i := strings.Index(text[from:], "for ")
		if i < 0 {
			return ""
		}
		at := from + i
		from = at + len("for ")
		if at > 0 && text[at-1] != ' ' && text[at-1] != ')' {
			continue
		}
		word, _, _ := strings.Cut(strings.TrimLeft(text[from:], " "), " ")
		word = strings.Trim(word, "<>;,")
		if local, domain := splitAddress(word); local != "" && isDomain(domain) {
			return word
		}
	}
}

// maxAddressList bounds the bytes of an address list that are read.
const maxAddressList = 256 << 10

// cutList returns as many whole addresses of a list as are read.
func cutList(text string) string {
	if len(text) <= maxAddressList {
		return text
	}
	text = text[:strings.LastIndexByte(text[:maxAddressList], ',')+1]
	return strings.TrimSuffix(text, ",")
}

// addresses returns the bare addresses of an address list, read forgivingly.
func addresses(text string) (list []string) {
	text = cutList(text)
	if parsed, err := mail.ParseAddressList(text); err == nil {
		for _, a := range parsed {
			list = append(list, a.Address)
		}
		return list
	}
	for _, word := range words([]string{text}) {
		if address := bareAddress(word); strings.Contains(address, "@") && !strings.ContainsAny(address, " \t") {
			list = append(list, address)
		}
	}
	return list
}
