package dmarcreport

import "bytes"

// cutMessage returns the first message of an mbox without its separator line
// (RFC 4155) and with the quoting of "From " taken off, and what follows it.
// What is no mbox is one message.
func cutMessage(data []byte) (message, rest []byte) {
	if !separator(data) {
		return data, nil
	}
	mark := []byte("\nFrom ")
	at := 0
	for {
		i := bytes.Index(data[at:], mark)
		if i < 0 {
			at = len(data)
			break
		}
		at += i + 1
		if before := bytes.TrimSuffix(data[:at-1], []byte("\r")); bytes.HasSuffix(before, []byte("\n")) && separator(data[at:]) {
			break
		}
	}
	_, message, _ = bytes.Cut(data[:at], []byte("\n"))
	return bytes.ReplaceAll(message, []byte("\n>From "), mark), data[at:]
}

// separator reports whether a line has the form "From sender date" with a time
// of day in the date.
func separator(data []byte) bool {
	const longest = 200
	line, _, _ := bytes.Cut(data[:min(len(data), longest)], []byte("\n"))
	fields := bytes.Fields(line)
	if !bytes.HasPrefix(line, []byte("From ")) || len(fields) < 6 {
		return false
	}
	for _, f := range fields[2:] {
		if i := bytes.IndexByte(f, ':'); i > 0 && f[0] >= '0' && f[0] <= '9' {
			return true
		}
	}
	return false
}
