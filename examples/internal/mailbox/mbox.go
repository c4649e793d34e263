package mailbox

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
)

// startsMbox reports whether the input begins with the separator line of an
// mbox (RFC 4155) and holds a message below it.
func startsMbox(br *bufio.Reader) bool {
	head, _ := br.Peek(4 << 10)
	line, rest, ok := bytes.Cut(head, []byte("\n"))
	return ok && isSeparator(line) && len(bytes.TrimSpace(rest)) > 0
}

// isSeparator reports whether line has the form "From sender date", with a
// date that ends in a year as asctime writes it or carries a clock time.
func isSeparator(line []byte) bool {
	if !bytes.HasPrefix(line, []byte("From ")) {
		return false
	}
	fields := bytes.Fields(line)
	if len(fields) < 6 {
		return false
	}
	for _, field := range fields[2:] {
		if bytes.Count(field, []byte(":")) >= 1 && field[0] >= '0' && field[0] <= '9' {
			return true
		}
	}
	return false
}

// endsMessage reports whether a separator line without a blank line before it is
// one all the same, as some programs write it: it has the day of the week where
// asctime has it, and a header field follows.
func endsMessage(separator []byte, br *bufio.Reader) bool {
	day := bytes.Fields(separator)[2]
	if len(day) != 3 || !bytes.Contains([]byte("MonTueWedThuFriSatSun"), day) {
		return false
	}
	next, _ := br.Peek(100)
	name, _, ok := bytes.Cut(next, []byte(":"))
	return ok && len(name) > 0 && bytes.IndexFunc(name, func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}

// splitMbox yields each message of an mbox with the quoting of "From " lines
// undone (one ">" taken off, the mboxrd rule).
func splitMbox(name string, br *bufio.Reader, yield func(Message, error) bool) {
	var (
		message    bytes.Buffer
		index      = -1
		afterBlank = true
		tooLarge   bool
	)
	flush := func() bool {
		if index < 0 {
			return true
		}
		var err error
		if tooLarge {
			err = fmt.Errorf("%s: message %d: %w", name, index, ErrTooLarge)
		}
		return yield(Message{File: name, Index: index, Data: bytes.Clone(trimBlank(message.Bytes()))}, err)
	}
	for {
		// A line longer than the buffer arrives in pieces, so that memory
		// stays bounded whatever the input.
		line, err := br.ReadSlice('\n')
		if len(line) > 0 {
			separator := isSeparator(line)
			if separator && !afterBlank {
				line = bytes.Clone(line) // looking ahead moves the buffer
				separator = endsMessage(line, br)
			}
			if separator {
				if !flush() {
					return
				}
				message.Reset()
				index, tooLarge, afterBlank = index+1, false, false
			} else {
				afterBlank = len(bytes.TrimRight(line, "\r\n")) == 0
				if unquoted, ok := unquote(line); ok {
					line = unquoted
				}
				if message.Len()+len(line) > MaxMessage {
					tooLarge = true
				} else {
					message.Write(line)
				}
			}
		}
		switch err {
		case nil, bufio.ErrBufferFull:
		case io.EOF:
			flush()
			return
		default:
			yield(Message{File: name, Index: max(index, 0)}, fmt.Errorf("%s: %w", name, err))
			return
		}
	}
}

func unquote(line []byte) ([]byte, bool) {
	rest := bytes.TrimLeft(line, ">")
	if len(rest) == len(line) || !bytes.HasPrefix(rest, []byte("From ")) {
		return line, false
	}
	return line[1:], true
}

// trimBlank takes off the blank line that stands between two messages.
func trimBlank(message []byte) []byte {
	for _, blank := range []string{"\r\n\r\n", "\n\n"} {
		if bytes.HasSuffix(message, []byte(blank)) {
			return message[:len(message)-len(blank)/2]
		}
	}
	return message
}
