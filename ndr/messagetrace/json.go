package messagetrace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"
	"time"
)

// isJSON reports whether the input begins like JSON.
func isJSON(in *bufio.Reader) bool {
	head, _ := in.Peek(512)
	head = bytes.TrimLeft(head, " \t\r\n")
	return len(head) > 0 && (head[0] == '[' || head[0] == '{')
}

// readJSON reads what ConvertTo-Json prints of the cmdlets, and what the
// services return: an array of objects, objects one after the other, or an
// array inside wrapping objects ({"value":[...]}).
func (rd *Reader) readJSON(in *bufio.Reader, yield func(Row, error) bool) {
	dec := json.NewDecoder(in)
	dec.UseNumber()
	t := rd.table()
	n := 0
	any := false
	emit := func(raw json.RawMessage) (bool, error) {
		n++
		names, values, err := object(raw)
		if err != nil || !t.head(names) {
			return true, err
		}
		any = true
		row := Row{Line: n}
		t.fill(&row, values)
		return yield(row, nil), nil
	}
	err := walkJSON(dec, 0, emit)
	switch {
	case err == errStop:
	case err != nil && err != io.EOF:
		yield(Row{}, &Error{Line: n + 1, Err: err})
	case !any:
		yield(Row{}, ErrNotTrace)
	}
}

var errStop = errors.New("stopped by the caller")

// maxJSONDepth bounds wrapping arrays and objects around the records.
const maxJSONDepth = 6

// walkJSON calls emit for each record: an object that holds no array of
// objects. It streams arrays; only one record is in memory.
func walkJSON(dec *json.Decoder, depth int, emit func(json.RawMessage) (bool, error)) error {
	if depth > maxJSONDepth {
		return fmt.Errorf("records nested deeper than %d", maxJSONDepth)
	}
	for {
		tok, err := dec.Token()
		if err != nil {
			return err
		}
		switch tok {
		case json.Delim('['):
			err = elements(dec, emit)
		case json.Delim('{'):
			err = members(dec, depth, emit)
		}
		if err == io.EOF { // within a value
			err = io.ErrUnexpectedEOF
		}
		if err != nil || depth > 0 {
			return err
		}
	}
}

func elements(dec *json.Decoder, emit func(json.RawMessage) (bool, error)) error {
	for dec.More() {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return err
		}
		if err := record(raw, emit); err != nil {
			return err
		}
	}
	_, err := dec.Token()
	return err
}

func record(raw json.RawMessage, emit func(json.RawMessage) (bool, error)) error {
	if len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	more, err := emit(raw)
	if err == nil && !more {
		err = errStop
	}
	return err
}

// members reads an object at the top: a record, or a wrapper whose arrays hold
// the records.
func members(dec *json.Decoder, depth int, emit func(json.RawMessage) (bool, error)) error {
	rec := []byte{'{'}
	wrapper := false
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		if strings.EqualFold(name, "value") || strings.EqualFold(name, "results") || strings.EqualFold(name, "d") {
			wrapper = true
			if err := walkJSON(dec, depth+1, emit); err != nil {
				return err
			}
			continue
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return err
		}
		if len(rec) > 1 {
			rec = append(rec, ',')
		}
		quoted, err := json.Marshal(name)
		if err != nil {
			return err
		}
		rec = append(append(append(rec, quoted...), ':'), raw...)
	}
	if _, err := dec.Token(); err != nil {
		return err
	}
	if wrapper {
		return nil
	}
	return record(append(rec, '}'), emit)
}

// object returns the members of a record as columns, in the order of their
// names, with values as text.
func object(raw json.RawMessage) (names, values []string, err error) {
	var m map[string]any
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	if err := dec.Decode(&m); err != nil {
		return nil, nil, err
	}
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		values = append(values, text(m[name]))
	}
	return names, values, nil
}

// text brings a JSON value to the text a CSV export has for it.
func text(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case json.Number:
		return v.String()
	case []any:
		list := make([]string, 0, len(v))
		for _, e := range v {
			list = append(list, text(e))
		}
		return strings.Join(list, ";")
	case map[string]any:
		if date, ok := v["value"]; ok { // Windows PowerShell's form of a date
			return text(date)
		}
		if value, ok := v["Value"]; ok {
			return text(value)
		}
	}
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}

// jsonDate reads Windows PowerShell's "/Date(1507893011000)/".
func jsonDate(s string) (time.Time, bool) {
	in, ok := strings.CutPrefix(s, "/Date(")
	if !ok {
		return time.Time{}, false
	}
	in, ok = strings.CutSuffix(in, ")/")
	ms, err := strconv.ParseInt(in, 10, 64)
	if !ok || err != nil {
		return time.Time{}, false
	}
	return time.UnixMilli(ms).UTC(), true
}
