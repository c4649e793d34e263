package main

import (
	"bytes"
	"encoding/base64"
	"net"
	"net/netip"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/dmarcreport"
)

// loginServer takes mail of desk, whose password is p:w@ /x, and knows these
// mechanisms: the older form of LOGIN, that asks for the user too.
func loginServer(t *testing.T, mechanisms string) (addr string, mails <-chan string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	taken := make(chan string, 10)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go takeFromUser(textproto.NewConn(conn), mechanisms, taken)
		}
	}()
	return l.Addr().String(), taken
}

func takeFromUser(c *textproto.Conn, mechanisms string, taken chan<- string) {
	host, _ := os.Hostname()
	known := false
	c.PrintfLine("220 test")
	for {
		line, err := c.ReadLine()
		verb, rest, _ := strings.Cut(line, " ")
		switch {
		case err != nil:
			c.Close()
			return
		case verb == "EHLO" && rest != host:
			c.PrintfLine("550 %s is not your name", rest)
		case verb == "EHLO" && mechanisms == "":
			c.PrintfLine("250 test")
		case verb == "EHLO":
			c.PrintfLine("250-test\r\n250 AUTH %s", mechanisms)
		case verb == "AUTH" && rest == "LOGIN":
			var given []string
			for _, question := range []string{"Username:", "Password:"} {
				c.PrintfLine("334 %s", base64.StdEncoding.EncodeToString([]byte(question)))
				answer, _ := c.ReadLine()
				text, _ := base64.StdEncoding.DecodeString(answer)
				given = append(given, string(text))
			}
			known = given[0] == "desk" && given[1] == "p:w@ /x"
		case verb == "AUTH":
			text, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(rest, "PLAIN "))
			known = string(text) == "\x00desk\x00p:w@ /x"
		case verb == "MAIL" && !known:
			c.PrintfLine("530 5.7.0 log in")
		case verb == "DATA":
			c.PrintfLine("354 go on")
			data, _ := c.ReadDotBytes()
			taken <- string(data)
			c.PrintfLine("250 taken")
		default:
			c.PrintfLine("250 yes")
		}
		switch {
		case verb == "AUTH" && known:
			c.PrintfLine("235 2.7.0 welcome")
		case verb == "AUTH":
			c.PrintfLine("535 5.7.8 no")
		}
	}
}

const sides = "?from=dmarc@a.example&to=admin@a.example"

func TestLogIn(t *testing.T) {
	for _, tt := range []struct{ mechanisms, user, want string }{
		{"PLAIN LOGIN", "desk:p%3Aw%40%20%2Fx", ""},
		{"LOGIN", "desk:p%3Aw%40%20%2Fx", ""}, // Exchange's
		{"LOGIN", "desk:secret", "log in as desk: 535"},
		{"PLAIN", "desk:secret", "log in as desk: 535"},
		{"GSSAPI", "desk:secret", `offers "GSSAPI"`},
		{"", "desk:secret", "takes no log-in here"},
	} {
		addr, mails := loginServer(t, tt.mechanisms)
		a, err := newAlerts("smtp://"+tt.user+"@"+addr+sides, false)
		if err != nil {
			t.Fatal(err)
		}
		err = a.send(t.Context(), alert{Entry: entry("a.example")})
		if tt.want == "" && (err != nil || len(mails) != 1) {
			t.Errorf("%+v: %v, %d mails", tt, err, len(mails))
		}
		if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "secret") || len(mails) > 0) {
			t.Errorf("%+v: %v, %d mails", tt, err, len(mails))
		}
	}
}

// A mistake in the address is said before the run begins, without the password.
func TestServerAddressesThatAreNone(t *testing.T) {
	for _, address := range []string{"smtp://desk@mx.a.example", "smtps://desk:se cret/@mx.a.example", "smtp://desk:secret%zz@mx.a.example", "smtp://:25"} {
		_, err := newAlerts(address+sides, false)
		if err == nil || !strings.HasPrefix(err.Error(), "alert: ") || strings.Contains(err.Error(), "cret") {
			t.Errorf("%s: alert says %v", address, err)
		}
		if _, err := serverURL(address); err == nil {
			t.Errorf("%s: taken", address)
		}
	}
}

// Whoever imports a past with -alert is told why no alert comes of it.
func TestEventsTooOldToAlertOfAreCounted(t *testing.T) {
	dir := t.TempDir()
	file := reportFile(t, dir, "r.example", "192.0.2.66")
	var old bytes.Buffer
	r := &dmarcreport.Report{
		Metadata: dmarcreport.Metadata{OrgName: "r.example", ReportID: "old", DateRange: dmarcreport.DateRange{Begin: yesterday.AddDate(0, -3, 0), End: yesterday.AddDate(0, -3, 1)}},
		Policy:   dmarcreport.PolicyPublished{Domain: "a.example", P: dmarcreport.DispositionReject},
		Records: []dmarcreport.Record{{Count: 3, HeaderFrom: "a.example", SourceIP: netip.MustParseAddr("192.0.2.67"),
			Evaluated: dmarcreport.Evaluated{Disposition: dmarcreport.DispositionReject, DKIM: dmarcreport.ResultFail, SPF: dmarcreport.ResultFail}}},
	}
	if err := r.WriteXML(&old, dmarcreport.RFC7489); err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(dir, "h.db")
	if out, _ := watch(t, db, "ingest", "-alert", "true", file); strings.Contains(out, "too old") {
		t.Errorf("of a fresh one: %q", out)
	}
	ancient := filepath.Join(dir, "old.xml")
	if err := os.WriteFile(ancient, old.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code := watch(t, db, "ingest", "-alert", "true", ancient); code != 0 || !strings.Contains(out, "events too old to alert of: 1;") {
		t.Errorf("code %d, %q", code, out)
	}
	if out, _ := watch(t, db, "ingest", "-alert", "true", ancient); strings.Contains(out, "too old") {
		t.Errorf("a second time: %q", out)
	}
}
