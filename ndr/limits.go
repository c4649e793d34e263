package ndr

import "math"

// Reader reads notices with limits of the caller's choice. The zero value has
// the defaults; a negative number means no limit. What lies beyond a limit is
// left out, with a finding. A Reader is safe for concurrent use.
type Reader struct {
	MaxBytes      int // of HTML or text that are read: 4 MiB
	MaxLines      int // of them: 100,000
	MaxRecipients int // kept: 1,000
	MaxHops       int // rows of the hops table kept: 200
	MaxFields     int // of the quoted header kept: 1,000
}

// limits are a Reader's numbers with the defaults filled in.
type limits struct {
	bytes, lines, recipients, hops, fields int
}

func (rd *Reader) limits() limits {
	if rd == nil {
		rd = &Reader{}
	}
	return limits{
		bytes:      limit(rd.MaxBytes, 4<<20),
		lines:      limit(rd.MaxLines, 100_000),
		recipients: limit(rd.MaxRecipients, 1000),
		hops:       limit(rd.MaxHops, 200),
		fields:     limit(rd.MaxFields, 1000),
	}
}

func limit(n, fallback int) int {
	switch {
	case n < 0:
		return math.MaxInt
	case n == 0:
		return fallback
	}
	return n
}
