package ndr

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding/htmlindex"
)

// fixtureParts returns the decoded text and HTML of a fixture, by the standard
// library alone: fixtures are well formed.
func fixtureParts(t testing.TB, name string) (text, html string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	msg, err := mail.ReadMessage(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return walkParts(t, msg.Header.Get("Content-Type"), msg.Header.Get("Content-Transfer-Encoding"), msg.Body)
}

func walkParts(t testing.TB, contentType, encoding string, r io.Reader) (text, html string) {
	t.Helper()
	typ, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		typ = "text/plain"
	}
	if strings.HasPrefix(typ, "multipart/") {
		mr := multipart.NewReader(r, params["boundary"])
		for {
			p, err := mr.NextRawPart()
			if err == io.EOF {
				return text, html
			} else if err != nil {
				t.Fatal(err)
			}
			tx, h := walkParts(t, p.Header.Get("Content-Type"), p.Header.Get("Content-Transfer-Encoding"), p)
			if text == "" {
				text = tx
			}
			if html == "" {
				html = h
			}
		}
	}
	if typ != "text/plain" && typ != "text/html" {
		return "", ""
	}
	if encoding == "quoted-printable" {
		r = quotedprintable.NewReader(r)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	if cs := params["charset"]; cs != "" && cs != "us-ascii" && cs != "unicode-1-1-utf-7" {
		enc, err := htmlindex.Get(cs)
		if err != nil {
			t.Fatal(err)
		}
		if b, err = enc.NewDecoder().Bytes(b); err != nil {
			t.Fatal(err)
		}
	}
	if typ == "text/html" {
		return "", string(b)
	}
	return string(b), ""
}
