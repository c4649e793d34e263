package sqlstore

import (
	"database/sql"
	"strconv"
	"strings"
)

// Dialect is the SQL that a database speaks.
type Dialect uint8

// The dialects.
const (
	SQLite     Dialect = iota // 3.35 or newer
	PostgreSQL                // 12 or newer
)

// String returns the database's name.
func (d Dialect) String() string {
	if d == PostgreSQL {
		return "PostgreSQL"
	}
	return "SQLite"
}

// rebind writes the placeholders of a query, "?", as the dialect has them. No
// query of this package has a question mark otherwise.
func (d Dialect) rebind(query string) string {
	if d == SQLite {
		return query
	}
	var b strings.Builder
	b.Grow(len(query) + len(query)/4)
	n := 0
	for {
		i := strings.IndexByte(query, '?')
		if i < 0 {
			b.WriteString(query)
			return b.String()
		}
		n++
		b.WriteString(query[:i])
		b.WriteByte('$')
		b.WriteString(strconv.Itoa(n))
		query = query[i+1:]
	}
}

// bytewise returns the column in an order that depends on no locale.
func (d Dialect) bytewise(column string) string {
	if d == PostgreSQL {
		return column + ` COLLATE "C"`
	}
	return column
}

// snapshot returns the options of a transaction that reads at one point in
// time. SQLite's transactions all do.
func (d Dialect) snapshot() *sql.TxOptions {
	if d == PostgreSQL {
		return &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
	}
	return nil
}
