package dmarcreport_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"github.com/mailfault/mailfault/dmarcreport"
)

func gz(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func zipped(members ...[]byte) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i, m := range members {
		f, _ := w.Create(fmt.Sprintf("m%d.xml", i))
		f.Write(m)
	}
	w.Close()
	return b.Bytes()
}

func mailed(mediaType string, data []byte) []byte {
	return []byte("From: dmarc@receiver.example\r\nTo: x@sender.example\r\n" +
		"Subject: Report Domain: sender.example Submitter: receiver.example\r\n Report-ID: <r-1>\r\nMessage-ID: <m@receiver.example>\r\nMIME-Version: 1.0\r\n" +
		"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nA report.\r\n" +
		"--b\r\nContent-Type: " + mediaType + "; name=\"receiver.example!sender.example!1774915200!1775001599.xml.gz\"\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
		base64.StdEncoding.EncodeToString(data) + "\r\n--b--\r\n")
}

func TestWrappings(t *testing.T) {
	utf16, _ := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(strings.Replace(sample, "UTF-8", "UTF-16", 1))
	utf16be, _ := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewEncoder().String(strings.Replace(sample, "UTF-8", "UTF-16", 1))
	cp1252, _ := charmap.Windows1252.NewEncoder().String(strings.NewReplacer("UTF-8", "windows-1252", "Receiver", "Café").Replace(sample))
	var z bytes.Buffer
	zw := zlib.NewWriter(&z)
	zw.Write([]byte(sample))
	zw.Close()
	s := []byte(sample)
	unsafe := append(bytes.Clone(s), "<!-- ???>>>~~~ -->"...) // has both digits that the two alphabets differ in
	broken := zipped(s)
	broken = broken[:len(broken)-60] // its directory is cut off
	for _, tt := range []struct {
		name string
		data []byte
		part string
	}{
		{"xml", s, ""},
		{"byte order mark", append([]byte("\xef\xbb\xbf"), s...), ""},
		{"utf-16", []byte(utf16), ""},
		{"utf-16 without mark", []byte(utf16be), ""},
		{"windows-1252", []byte(cp1252), ""},
		{"without declaration", []byte(sample[strings.Index(sample, "<feedback"):]), ""},
		{"gzip", gz(s), "gzip"},
		{"gzip in gzip", gz(gz(s)), "gzip > gzip"},
		{"gzip in two members", append(gz(s[:300]), gz(s[300:])...), "gzip"},
		{"gzip with a tail", append(gz(s), "\r\n"...), "gzip"},
		{"zlib", z.Bytes(), "zlib"},
		{"zip", zipped(s), "zip > member 1"},
		{"zip in gzip", gz(zipped(s)), "gzip > zip > member 1"},
		{"zip in zip", zipped(zipped(s)), "zip > member 1 > zip > member 1"},
		{"gzip in zip", zipped(gz(s)), "zip > member 1 > gzip"},
		{"zip without directory", broken, "zip > member 1"},
		{"mail with gzip", mailed("application/gzip", gz(s)), "mail 2 > gzip"},
		{"mail with another type", mailed("application/octet-stream", gz(s)), "mail 2 > gzip"},
		{"mail with xml", mailed("text/xml", s), "mail 2"},
		{"mail with utf-16 xml", mailed("text/xml", []byte(utf16)), "mail 2"},
		{"mail with utf-16 xml without mark", mailed("text/xml", []byte(utf16be)), "mail 2"},
		{"signed mail", bytes.Replace(mailed("application/gzip", gz(s)), []byte("--b--"),
			[]byte("--b\r\nContent-Type: application/pkcs7-signature; name=smime.p7s\r\nContent-Transfer-Encoding: base64\r\n\r\nMIIBAAYJKoZIhvcNAQcC\r\n--b--"), 1), "mail 2 > gzip"},
		{"mail with a mail of no type", mailed("application/octet-stream; name=report.eml", mailed("application/gzip", gz(s))), "mail 2 > mail 2 > gzip"},
		{"mail with a mail named as text", bytes.ReplaceAll(mailed("text/plain", mailed("application/gzip", gz(s))), []byte(".xml.gz"), []byte(".EML")), "mail 2 > mail 2 > gzip"},
		{"mail after a byte order mark", append([]byte("\ufeff"), mailed("application/gzip", gz(s))...), "mail 2 > gzip"},
		{"mail after blank lines", append([]byte("\r\n \r\n"), mailed("application/gzip", gz(s))...), "mail 2 > gzip"},
		{"mail with a comment at the encoding", bytes.Replace(mailed("application/gzip", gz(s)), []byte(": base64"), []byte(": (packed) Base64 (so it says)"), 1), "mail 2 > gzip"},
		{"mail with URL-safe base64", bytes.Replace(mailed("text/xml", unsafe), []byte(base64.StdEncoding.EncodeToString(unsafe)), []byte(base64.URLEncoding.EncodeToString(unsafe)), 1), "mail 2"},
		{"zip after a page", append([]byte("HTTP/1.1 200 OK\r\n"), zipped(s)...), "zip > member 1"},
		{"zip without directory after junk", append([]byte("\x00\x01junk"), broken...), "zip > member 1"},
		{"mbox of one mail", append([]byte("From a@b Wed Apr  1 02:00:00 2026\n"), mailed("application/gzip", gz(s))...), "mail 2 > gzip"},
		{"mail that is the report", append([]byte("Subject: x\nContent-Type: text/xml\n\n"), s...), "mail"},
		{"forwarded mail", append([]byte("Subject: Fwd\nMIME-Version: 1.0\nContent-Type: message/rfc822\n\n"), mailed("application/gzip", gz(s))...), "mail > mail 2 > gzip"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := 0
			for doc, err := range new(dmarcreport.Reader).Documents(bytes.NewReader(tt.data)) {
				if err != nil {
					t.Fatal(err)
				}
				n++
				if doc.Kind != dmarcreport.KindAggregate || doc.Part != tt.part {
					t.Errorf("%v %q, want %q", doc.Kind, doc.Part, tt.part)
				}
				r, err := doc.Aggregate.Report()
				if err != nil || len(r.Records) != 1 || r.Records[0].Count != 12 {
					t.Errorf("%+v, %v", r, err)
				}
				if strings.Contains(tt.name, "1252") && r.Metadata.OrgName != "Café" {
					t.Errorf("org %q", r.Metadata.OrgName)
				}
				if strings.HasPrefix(tt.part, "mail 2") && (doc.Carrier == nil || doc.Carrier.Domain != "sender.example" || doc.Carrier.ReportID != "r-1") {
					t.Errorf("carrier %+v", doc.Carrier)
				}
			}
			if n != 1 {
				t.Errorf("%d documents", n)
			}
		})
	}
}

func TestSeveralReports(t *testing.T) {
	other := strings.Replace(sample, "r-1@", "r-2@", 1)
	data := zipped([]byte(sample), []byte("unused"), []byte("\x89PNG\r\n\x1a\n0000"), gz([]byte(other)))
	var got []string
	for doc, err := range new(dmarcreport.Reader).Documents(bytes.NewReader(mailed("application/zip", data))) {
		if err != nil {
			if !errors.Is(err, dmarcreport.ErrPlaceholder) {
				t.Error(err)
			}
			got = append(got, "placeholder")
			continue
		}
		r, err := doc.Aggregate.Report()
		if err != nil {
			t.Error(err)
		}
		got = append(got, r.Metadata.ReportID)
	}
	if want := []string{"r-1@receiver.example", "placeholder", "r-2@receiver.example"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestMbox reads each mail of an mbox, more than one mail may have documents,
// and passes over those without a report.
func TestMbox(t *testing.T) {
	const separator = "From a@b Wed Apr  1 02:00:00 2026\n"
	var mbox strings.Builder
	for i := range 70 {
		report := strings.Replace(sample, "r-1@", fmt.Sprintf("r-%d@", i), 1)
		mbox.WriteString(separator)
		mbox.Write(mailed("application/gzip", gz([]byte(report))))
		mbox.WriteString("\n" + separator + "Subject: lunch\n\nFrom noon on.\n\nFrom the sea\n>From a@b Wed Apr  1 02:00:00 2026\n\n")
	}
	n := 0
	for doc, err := range new(dmarcreport.Reader).Documents(strings.NewReader(mbox.String())) {
		if err != nil {
			t.Fatal(err)
		}
		r, err := doc.Aggregate.Report()
		if want := fmt.Sprintf("r-%d@receiver.example", n); err != nil || r.Metadata.ReportID != want || doc.Part != fmt.Sprintf("message %d > mail 2 > gzip", 2*n+1) {
			t.Fatalf("%q in %q, %v; want %q", r.Metadata.ReportID, doc.Part, err, want)
		}
		n++
	}
	if n != 70 {
		t.Errorf("%d reports", n)
	}
}
