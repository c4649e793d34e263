package main

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/mailfault/mailfault/dnscheck"
	"github.com/mailfault/mailfault/examples/internal/askdns"
	"golang.org/x/net/html"
)

// testSite serves the page of a desk that took the demo's mails in.
func testSite(t *testing.T) (*desk, *httptest.Server) {
	t.Helper()
	k := testDesk(t)
	zone, err := askdns.Named("testdata/demo.zone")
	if err != nil {
		t.Fatal(err)
	}
	k.Resolver = zone
	takeAll(t, k, people...)
	takeAll(t, k, "04-delayed", "05-expired", "09-refused-by-spf", "10-backscatter")
	server := httptest.NewServer((&site{desk: k, log: func(err error) { t.Error(err) }}).handler())
	t.Cleanup(server.Close)
	return k, server
}

// body returns the answer's body, and checks what has to stand on every page.
func body(t *testing.T, response *http.Response, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	policy := response.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") || strings.Contains(policy, "script-src") {
		t.Errorf("policy %q", policy)
	}
	inert(t, string(data))
	return string(data)
}

// inert checks that a page holds no element that runs, loads or is styled by a
// stranger, and that each form control has a name for screen readers.
func inert(t *testing.T, source string) {
	t.Helper()
	labels := make(map[string]bool)
	var controls []string
	z := html.NewTokenizer(strings.NewReader(source))
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		token := z.Token()
		attr := make(map[string]string)
		for _, a := range token.Attr {
			attr[a.Key] = a.Val
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "src" || a.Key == "srcset" {
				t.Errorf("<%s %s=%q>", token.Data, a.Key, a.Val)
			}
			if (a.Key == "href" || a.Key == "action") && !strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "#") {
				t.Errorf("<%s> leads away to %q", token.Data, a.Val)
			}
		}
		switch token.Data {
		case "script", "style", "img", "iframe", "object", "embed", "base", "svg":
			t.Errorf("the page holds <%s>", token.Data)
		case "label":
			labels[attr["for"]] = true
		case "textarea":
			controls = append(controls, attr["id"])
		case "input":
			if attr["type"] != "hidden" {
				controls = append(controls, attr["id"])
			}
		}
	}
	for _, id := range controls {
		if !labels[id] {
			t.Errorf("the control %q has no label", id)
		}
	}
}

func contains(t *testing.T, page string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the page:\n%s", want, page)
		}
	}
}

func get(t *testing.T, address string) string {
	t.Helper()
	response, err := http.Get(address)
	return body(t, response, err)
}

func explainText(t *testing.T, server *httptest.Server, text string) string {
	t.Helper()
	response, err := http.PostForm(server.URL+"/explain", url.Values{"text": {text}})
	return body(t, response, err)
}

func TestListLeadsToATicketAndItsMail(t *testing.T) {
	_, server := testSite(t)
	contains(t, get(t, server.URL), `<a href="/ticket/1">Invoice 2231</a>`, "not about our mail", "1 failed")
	ticket := get(t, server.URL+"/ticket/1")
	contains(t, ticket, "The wait for anna@customer.example is over: failed", "Show the mail")
	_, link, _ := strings.Cut(ticket[strings.Index(ticket, ">report<"):], `href="`)
	link, _, _ = strings.Cut(link, `"`)
	contains(t, get(t, server.URL+link), "moves first", "can clear it", "The way it took", "helpdesk.desk.example", "after 3s")
	for _, path := range []string{"/ticket/99", "/ticket/x", "/mail/none"} {
		response, err := http.Get(server.URL + path)
		if body(t, response, err); response.StatusCode != http.StatusNotFound {
			t.Errorf("%s answers %s", path, response.Status)
		}
	}
	// Nobody's mistake stays on the page.
	contains(t, get(t, server.URL+"/ticket/1"), `<h1>#1 Invoice 2231</h1>`)
	contains(t, get(t, server.URL+link), "can clear it")
}

// A report about a mail that was not ours gives no first move to its sender:
// he did not write it.
func TestBackscatterGivesTheSenderNothingToDo(t *testing.T) {
	_, server := testSite(t)
	list := get(t, server.URL)
	_, link, _ := strings.Cut(list[strings.Index(list, "not about our mail"):], `href="`)
	link, _, _ = strings.Cut(link, `"`)
	page := get(t, server.URL+link)
	contains(t, page, "Not about our mail", "What to do:", "somebody else sent that mail in our name")
	for _, no := range []string{"First move", "acts first", "resend:"} {
		if strings.Contains(page, no) {
			t.Errorf("%q in the page:\n%s", no, page)
		}
	}
}

func TestPastedBounceShowsWhoActsAndTheWordsThatDecided(t *testing.T) {
	_, server := testSite(t)
	page := explainText(t, server, string(demoMail(t, "09-refused-by-spf")))
	contains(t, page, `<li class="acts">Sender<b>acts first</b>`, "First move, sender-dns", "Sender Policy Framework")
	_, own, _ := strings.Cut(page, "own words")
	if !strings.Contains(own, "<mark>") {
		t.Errorf("no words are marked in the report's own text:\n%s", own)
	}
	contains(t, explainText(t, server, "550 5.1.1 <x@y.example>: User unknown"), "recipient-not-found", "<mark>")
	contains(t, explainText(t, server, "Good morning"), "no report about mail")
	// A screen reader says the title first: it is the result.
	contains(t, explainText(t, server, "550 5.1.1 <x@y.example>: User unknown"), "<title>The address does not exist")
	contains(t, explainText(t, server, string(demoMail(t, "08-out-of-office"))), "<h1>An automatic answer</h1>", "<title>An automatic answer ")
	contains(t, explainText(t, server, " "), "<title>Paste a bounce, or choose a file. ")
}

func TestUploadedFileIsExplained(t *testing.T) {
	_, server := testSite(t)
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("file", "bounce.eml")
	if err != nil {
		t.Fatal(err)
	}
	part.Write(demoMail(t, "07-user-unknown"))
	w.Close()
	response, err := http.Post(server.URL+"/explain", w.FormDataContentType(), &form)
	contains(t, body(t, response, err), "bob@partner.example", "recipient-not-found")
}

func TestDNSIsAskedNow(t *testing.T) {
	_, server := testSite(t)
	// The button of the page: the address is the one that the reply names.
	page := explainText(t, server, string(demoMail(t, "09-refused-by-spf")))
	contains(t, page, `name="claim" value="spf"`, `name="ip" value="192.0.2.20"`)
	ask := func(form url.Values) string {
		response, err := http.PostForm(server.URL+"/dns", form)
		return body(t, response, err)
	}
	refused := url.Values{"claim": {"spf"}, "from": {"help@desk.example"}, "ip": {"192.0.2.20"}}
	contains(t, ask(refused), "What to change", "ip4:192.0.2.20", "spf.mailer.example")
	refused.Set("ip", "192.0.2.10") // the record has it
	if page := ask(refused); strings.Contains(page, "Term to add") {
		t.Errorf("a change is asked for where none is needed:\n%s", page)
	}
	refused.Set("ip", "not one")
	contains(t, ask(refused), "no IP address")
	contains(t, ask(url.Values{"claim": {"luck"}}), "spf, dkim or dmarc")
}

// A check makes ten look-ups and no more (RFC 7208 section 4.6.4): a record that
// needs more is told as such, one at the limit is not. A DKIM signature has no
// sending address, so that none is asked for.
func TestWhatDNSSaysFitsTheQuestion(t *testing.T) {
	k, server := testSite(t)
	record := func(lookups int) string {
		var text strings.Builder
		text.WriteString("v=spf1")
		for i := range lookups {
			fmt.Fprintf(&text, " exists:x%d.desk.example", i)
		}
		return "desk.example TXT \"" + text.String() + " -all\"\n"
	}
	ask := func(zone string, form url.Values) string {
		z, err := dnscheck.ReadZone(strings.NewReader(zone))
		if err != nil {
			t.Fatal(err)
		}
		k.Resolver = z
		response, err := http.PostForm(server.URL+"/dns", form)
		return body(t, response, err)
	}
	spf := url.Values{"claim": {"spf"}, "from": {"help@desk.example"}, "ip": {"192.0.2.20"}}
	for lookups, want := range map[int]string{
		1:  "At most 1 of the 10 look-ups that a check may make.",
		10: "At most 10 of the 10 look-ups that a check may make.",
		11: "Up to 11 look-ups, of which a check makes 10 and then gives up.",
	} {
		contains(t, ask(record(lookups), spf), want, "Ask for another sending address")
	}
	signed := url.Values{"claim": {"dkim"}, "signature": {"v=1; a=rsa-sha256; d=desk.example; s=key; h=from; bh=x; b=x"}}
	if page := ask(record(1), signed); strings.Contains(page, "sending address") || !strings.Contains(page, "What DNS says") {
		t.Errorf("a page about DKIM asks for an address:\n%s", page)
	}
	contains(t, ask(record(1), url.Values{"claim": {"dmarc"}, "author": {"desk.example"}}), "Ask for another sending address")
}

func TestHostileBounceDoesNothing(t *testing.T) {
	_, server := testSite(t)
	hostile, err := os.ReadFile("testdata/hostile.eml")
	if err != nil {
		t.Fatal(err)
	}
	page := explainText(t, server, string(hostile))
	contains(t, page, "recipient-not-found", "xn--") // its real verdict; the look-alike domain unmasked
	if strings.ContainsRune(page, '\u202e') {
		t.Error("the page turns text round")
	}
	// The forged verdict stands in the report's own words and nowhere else.
	before, own, _ := strings.Cut(page, "own words")
	if strings.Contains(before, "Everything is fine") || !strings.Contains(own, "Everything is fine") {
		t.Error("the forged verdict is not kept to the report's own words")
	}
}

func TestPageRefusesForeignFormsAndNames(t *testing.T) {
	k, server := testSite(t)
	request, _ := http.NewRequest("POST", server.URL+"/ticket/1/state", strings.NewReader("state=closed"))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Origin", "https://evil.example")
	request.Header.Set("Sec-Fetch-Site", "cross-site")
	response, err := http.DefaultClient.Do(request)
	if body(t, response, err); response.StatusCode != http.StatusForbidden {
		t.Errorf("a foreign form is answered %s", response.Status)
	}
	request, _ = http.NewRequest("GET", server.URL, nil)
	request.Host = "evil.example"
	response, err = http.DefaultClient.Do(request)
	if body(t, response, err); response.StatusCode != http.StatusForbidden {
		t.Errorf("a foreign name is answered %s", response.Status)
	}
	response, err = http.PostForm(server.URL+"/ticket/1/state", url.Values{"state": {"closed"}})
	contains(t, body(t, response, err), "An agent set the ticket to closed")
	if ticket, _, _ := k.ticket(t.Context(), 1); ticket.State != closed {
		t.Error("the ticket is still open")
	}
}

func TestMailByHTTPIsAnsweredOnlyWhenStored(t *testing.T) {
	k := testDesk(t)
	var logged []error
	server := httptest.NewServer((&site{desk: k, token: "sesame", log: func(err error) { logged = append(logged, err) }}).handler())
	defer server.Close()
	post := func(token string, data []byte) (int, string) {
		request, _ := http.NewRequest("POST", server.URL+"/mail", bytes.NewReader(data))
		request.Header.Set("Authorization", "Bearer "+token)
		response, err := http.DefaultClient.Do(request)
		text := body(t, response, err)
		return response.StatusCode, text
	}
	if status, _ := post("wrong", demoMail(t, "01-person")); status != http.StatusUnauthorized {
		t.Errorf("a wrong token is answered %d", status)
	}
	if status, text := post("sesame", demoMail(t, "01-person")); status != 200 || !strings.Contains(text, `"action":"opened"`) {
		t.Errorf("answered %d %s", status, text)
	}
	if status, _ := post("sesame", nil); status != http.StatusBadRequest {
		t.Errorf("no mail is answered %d", status)
	}
	k.db.Close()
	if status, _ := post("sesame", demoMail(t, "02-person")); status != http.StatusServiceUnavailable || len(logged) != 1 {
		t.Errorf("a store that is gone is answered %d, logged %v", status, fmt.Sprint(logged))
	}
}
