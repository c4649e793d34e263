package sqlstore

import (
	"context"
	"database/sql"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The types of columns, as PostgreSQL writes them; SQLite needs none.
const (
	bigint = "BIGINT"
	text   = "TEXT"
	bytea  = "BYTEA"
)

// bulk runs one statement over many rows of values. The statement has the mark
// ROWS where they belong, as INSERT and WITH take them. types are the SQL types
// of the columns, and args the values row by row. Where scan is given, it is
// called for each row of the answer; before are the values of what stands
// before ROWS.
//
// In PostgreSQL each column is one parameter, an array: the statement is the
// same for any number of rows, so it is prepared once, and a thousand rows are
// one message.
func (c conn) bulk(ctx context.Context, types []string, args []any, statement string, scan func(*sql.Rows) error, before ...any) error {
	rows := 100
	if c.dialect == PostgreSQL {
		rows = 5000
	}
	for part := range slices.Chunk(args, rows*len(types)) {
		values := "VALUES " + tuples(len(part)/len(types), len(types))
		if c.dialect == PostgreSQL {
			values, part = unnest(types), columns(types, part)
		}
		part = slices.Concat(before, part)
		query := strings.Replace(statement, "ROWS", values, 1)
		var err error
		if scan != nil {
			err = c.each(ctx, scan, query, part...)
		} else {
			err = c.exec(ctx, query, part...)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// unnest returns the rows of arrays, one a column.
func unnest(types []string) string {
	var b strings.Builder
	b.WriteString("SELECT * FROM unnest(")
	for i, t := range types {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "CAST(? AS %s[])", t)
	}
	b.WriteString(")")
	return b.String()
}

// columns returns the values of rows as arrays, one a column, in PostgreSQL's
// own notation: no driver has to know of arrays.
func columns(types []string, args []any) []any {
	arrays := make([]any, len(types))
	for i := range types {
		b := make([]byte, 0, 16*len(args)/len(types))
		for n := i; n < len(args); n += len(types) {
			b = append(b, ',')
			switch v := args[n].(type) {
			case string:
				b = appendQuoted(b, v)
			case []byte:
				b = append(b, `"\\x`...)
				b = append(hex.AppendEncode(b, v), '"')
			case int64:
				b = strconv.AppendInt(b, v, 10)
			case int:
				b = strconv.AppendInt(b, int64(v), 10)
			default:
				b = fmt.Append(b, v)
			}
		}
		b[0] = '{'
		arrays[i] = string(append(b, '}'))
	}
	return arrays
}

func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	for i := range len(s) {
		if s[i] == '"' || s[i] == '\\' {
			b = append(b, '\\')
		}
		b = append(b, s[i])
	}
	return append(b, '"')
}
