package mime

import (
	"slices"
	"testing"
)

// TestTypes reads values of Content-Type (RFC 2045 section 5.1).
func TestTypes(t *testing.T) {
	for value, want := range map[string]struct {
		mediaType string
		params    Params
	}{
		"":                                    {"text/plain", nil},
		"Text/HTML":                           {"text/html", nil},
		"text/plain; charset=UTF-8":           {"text/plain", Params{{"charset", "UTF-8"}}},
		`text/plain; CharSet="us-ascii"`:      {"text/plain", Params{{"charset", "us-ascii"}}},
		`a/b; x="1;2 \" \\"; y=3`:             {"a/b", Params{{"x", `1;2 " \`}, {"y", "3"}}},
		"a/b;x=1;y=2":                         {"a/b", Params{{"x", "1"}, {"y", "2"}}},
		"a/b; x = 1":                          {"a/b", Params{{"x", "1"}}},
		`a/b; x="open`:                        {"a/b", Params{{"x", "open"}}},
		"a/b; no value":                       {"a/b", Params{}},
		"a/b; x=1; x=2":                       {"a/b", Params{{"x", "1"}, {"x", "2"}}},
		"multipart/report; boundary=a=b; x=1": {"multipart/report", Params{{"boundary", "a=b"}, {"x", "1"}}},
	} {
		mediaType, params := ParseType(value)
		if mediaType != want.mediaType || !slices.Equal(params, want.params) {
			t.Errorf("%s: %s %v, want %s %v", value, mediaType, params, want.mediaType, want.params)
		}
	}
}

// TestExtendedParams reads the forms of RFC 2231, its own examples among them.
func TestExtendedParams(t *testing.T) {
	for value, want := range map[string]string{
		`message/external-body; URL*0="ftp://"; URL*1="cs.utk.edu/pub/moore/bulk-mailer/bulk-mailer.tar"`:        "ftp://cs.utk.edu/pub/moore/bulk-mailer/bulk-mailer.tar",
		`a/b; url*=us-ascii'en-us'This%20is%20%2A%2A%2Afun%2A%2A%2A`:                                             "This is ***fun***",
		`a/b; url*0*=us-ascii'en'This%20is%20even%20more%20; url*1*=%2A%2A%2Afun%2A%2A%2A%20; url*2="isn't it!"`: "This is even more ***fun*** isn't it!",
		`a/b; url*=iso-8859-1''%E9t%E9`:   "été",
		`a/b; url*=utf-8''%C3%A9`:         "é",
		`a/b; url*1=b; url*0=a`:           "ab",
		`a/b; url*0=a; url*2=c`:           "a",
		`a/b; url*=no%20charset`:          "no charset",
		`a/b; url*=utf-8''50%`:            "50%",
		`a/b; url=plain; url*=utf-8''%41`: "plain",
		`a/b; urls*=utf-8''x`:             "",
		`a/b; url*0*=''%`:                 "%",
	} {
		_, params := ParseType(value)
		if got := params.Get("url"); got != want {
			t.Errorf("%s: %q, want %q", value, got, want)
		}
	}
}
