package ndr

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

func (r *Reader) limits() limits {
	if r == nil {
		r = &Reader{}
	}
	return limits{
		bytes:      limit(r.MaxBytes, 4<<20),
		lines:      limit(r.MaxLines, 100_000),
		recipients: limit(r.MaxRecipients, 1000),
		hops:       limit(r.MaxHops, 200),
		fields:     limit(r.MaxFields, 1000),
	}
}

func limit(n, fallback int) int {
	switch {
	case n < 0:
		return int(^uint(0) >> 1)
	case n == 0:
		return fallback
	}
	return n
}
