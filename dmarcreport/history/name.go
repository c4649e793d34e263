package history

import (
	"strings"

	"golang.org/x/net/idna"
)

// domainKey returns a domain as it is kept and asked for: in lower case, in
// A-labels (RFC 5890 section 2.3.2.1), without a trailing dot. Reporters write
// one domain in all of its forms. What has no A-label form stays as it is.
func domainKey(s string) string {
	s = strings.TrimSuffix(fold(s), ".")
	for i := range len(s) {
		if s[i] >= 0x80 {
			if ascii, err := idna.Registration.ToASCII(s); err == nil {
				return ascii
			}
			break
		}
	}
	return s
}
