package dnscheck

import "errors"

// What Answer.Err says beside a failed outcome, for errors.Is.
var (
	ErrBadName   = errors.New("dnscheck: the name cannot be asked in DNS") // a label is empty or above 63 bytes, or the name above 253
	ErrMalformed = errors.New("dnscheck: the DNS answer cannot be read")
	ErrSpoofed   = errors.New("dnscheck: only answers to other questions came")
	ErrTruncated = errors.New("dnscheck: the DNS answer does not fit UDP, and TCP failed")
	ErrReferral  = errors.New("dnscheck: the DNS server does not know the zone and does not ask further")
	ErrBogus     = errors.New("dnscheck: the DNS server rejects the zone's DNSSEC signatures") // the server said so (RFC 8914); many do not
	ErrAliasLoop = errors.New("dnscheck: aliases lead in a circle, or there are more than ten in a row")
)

// maxAliases is how many aliases in a row are followed.
const maxAliases = 10
