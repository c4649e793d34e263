package dsn

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"strings"
)

// VERP makes and reads variable envelope return paths: the return path of each
// mail names its recipient, so that a report tells by where it arrives whom the
// mail was for, whatever it says.
//
//	bounces+user=example.net@news.example.org
//
// With a Key the return path also proves that it is ours: nobody else can make
// one. It proves nothing about what the report says.
//
//	bounces+k7x2...-user=example.net@news.example.org
type VERP struct {
	Local     string // before the delimiter: "bounces"
	Delimiter string // "+" when empty
	Domain    string // "news.example.org"
	Key       []byte // at least 16 random bytes; none: plain
}

// Errors of [VERP].
var (
	ErrNotVERP     = errors.New("dsn: not a return path of this form")
	ErrForged      = errors.New("dsn: return path with a signature that is not ours")
	ErrVERPTooLong = errors.New("dsn: return path's local part would exceed 64 bytes")
	ErrVERPConfig  = errors.New("dsn: VERP needs a local part and a domain, and a key of 16 bytes or none")
)

// maxLocalPart is the longest local part all servers take (RFC 5321 section
// 4.5.3.1.1).
const maxLocalPart = 64

// signatureLength is that of a signature: 80 bits in base 32. Servers may turn
// a local part into lower case, so the alphabet has one case.
const signatureLength = 16

var verpAlphabet = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// Address returns the return path for a recipient's bare address. The error is
// ErrVERPTooLong for a recipient with no room in it, or ErrVERPConfig.
func (v *VERP) Address(recipient string) (string, error) {
	if err := v.check(); err != nil {
		return "", err
	}
	local, domain := splitAddress(recipient)
	if local == "" || !isHostName(domain) {
		return "", fmt.Errorf("%w: recipient %q has no domain", ErrNotVERP, recipient)
	}
	name := v.prefix()
	if v.Key != nil {
		name += v.sign(recipient) + "-"
	}
	name += escapeLocal(local) + "=" + domain
	if len(name) > maxLocalPart {
		return "", fmt.Errorf("%w: %q", ErrVERPTooLong, name)
	}
	return name + "@" + v.Domain, nil
}

// Recipient returns whom a return path names. With a key, it is proved to be
// ours. The error is ErrNotVERP for another address, ErrForged for a signature
// that is wrong, or ErrVERPConfig.
func (v *VERP) Recipient(address string) (string, error) {
	if err := v.check(); err != nil {
		return "", err
	}
	local, domain := splitAddress(bareAddress(address))
	prefix := v.prefix()
	if !strings.EqualFold(domain, v.Domain) || len(local) <= len(prefix) || !strings.EqualFold(local[:len(prefix)], prefix) {
		return "", ErrNotVERP
	}
	rest, signature := local[len(prefix):], ""
	if v.Key != nil {
		if len(rest) <= signatureLength || rest[signatureLength] != '-' {
			return "", ErrNotVERP
		}
		signature, rest = strings.ToLower(rest[:signatureLength]), rest[signatureLength+1:]
	}
	at := strings.LastIndexByte(rest, '=')
	if at <= 0 || !isHostName(rest[at+1:]) {
		return "", ErrNotVERP
	}
	recipient := unescapeLocal(rest[:at]) + "@" + rest[at+1:]
	if v.Key != nil && !hmac.Equal([]byte(signature), []byte(v.sign(recipient))) {
		return "", ErrForged
	}
	return recipient, nil
}

const minKey = 16

func (v *VERP) check() error {
	if v.Local == "" || v.Domain == "" || v.Key != nil && len(v.Key) < minKey {
		return ErrVERPConfig
	}
	return nil
}

func (v *VERP) prefix() string {
	if v.Delimiter == "" {
		return v.Local + "+"
	}
	return v.Local + v.Delimiter
}

// sign covers the recipient and where the report goes, in lower case, since
// servers on the way may change the case of both.
func (v *VERP) sign(recipient string) string {
	mac := hmac.New(sha256.New, v.Key)
	fmt.Fprintf(mac, "verp1\x00%s\x00%s\x00%s", strings.ToLower(v.prefix()), strings.ToLower(v.Domain), strings.ToLower(recipient))
	return verpAlphabet.EncodeToString(mac.Sum(nil)[:signatureLength*5/8])
}

// escapeLocal writes what cannot stand unquoted in a local part as %XX.
func escapeLocal(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c < 0x80 && c != '%' && (c == '.' || isAtext(c)) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func isAtext(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || strings.IndexByte("!#$&'*+-/=?^_`{|}~", c) >= 0
}

func unescapeLocal(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if hi, lo := unhex(s[i+1]), unhex(s[i+2]); hi >= 0 && lo >= 0 {
				b.WriteByte(byte(hi<<4 | lo))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// unhex returns the value of a hexadecimal digit, or -1.
func unhex(c byte) int {
	if 'A' <= c && c <= 'F' {
		c |= 0x20
	}
	return strings.IndexByte("0123456789abcdef", c)
}

// plainVERP reads the recipient out of a return path of unknown form, as list
// programs and mail services write them. What stands before the recipient may
// have hyphens as he may, so an unknown form counts only with a known address.
func plainVERP(address string, known []string) (recipient string, ok bool) {
	local, domain := splitAddress(address)
	at := strings.LastIndexByte(local, '=')
	if domain == "" || at <= 0 || !isDomain(local[at+1:]) {
		return "", false
	}
	name, host := local[:at], local[at+1:]
	for _, address := range known {
		local, domain := splitAddress(address)
		if local == "" || !strings.EqualFold(domain, host) || len(name) <= len(local) || !strings.EqualFold(name[len(name)-len(local):], local) {
			continue
		}
		if before := name[len(name)-len(local)-1]; before == '+' || before == '-' || before == '=' {
			return address, true
		}
	}
	if prefix, rest, found := strings.Cut(name, "+"); found && prefix != "" && rest != "" {
		if fields := strings.SplitN(rest, "-", 3); len(fields) == 3 && isDigits(fields[0]) && len(fields[1]) == 4 {
			rest = fields[2] // SendGrid: bounces+account-hash-user=domain
		}
		return unescapeLocal(rest) + "@" + host, rest != ""
	}
	if _, rest, found := strings.Cut(name, "-return-"); found {
		if number, rest, found := strings.Cut(rest, "-"); found && isDigits(number) && rest != "" {
			return rest + "@" + host, true // ezmlm: list-return-number-user=domain
		}
	}
	return "", false
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
