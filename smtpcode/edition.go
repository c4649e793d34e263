package smtpcode

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// Edition names what b judges by, its rules and the tables of conditions and of
// operators' hosts: twelve hexadecimal digits, the same wherever they are the
// same. Who keeps a diagnosis keeps it beside it, and knows when to judge again.
// It reads all the tables: ask once, not for every failure.
func (b *Rulebook) Edition() string {
	sum := sha256.New()
	for i := range b.rules {
		fmt.Fprintf(sum, "%+v\n", b.rules[i])
	}
	for _, table := range conditionTables {
		for i := range table {
			fmt.Fprintf(sum, "%+v\n", table[i])
		}
	}
	for _, host := range operatorHosts {
		fmt.Fprintf(sum, "%+v\n", host)
	}
	return hex.EncodeToString(sum.Sum(nil)[:6])
}
