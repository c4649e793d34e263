package smtpcode

import (
	"encoding/json"
	"testing"
)

// ianaRegistry is the table "Enumerated Status Codes" of IANA's registry "SMTP
// Enhanced Status Codes", typed from IANA's own files: code, sample text,
// associated basic status code ("Not given" is "" here), reference.
var ianaRegistry = [][4]string{
	{"X.0.0", "Other undefined Status", "Any", "RFC 3463"},
	{"X.1.0", "Other address status", "", "RFC 3463"},
	{"X.1.1", "Bad destination mailbox address", "451, 550", "RFC 3463"},
	{"X.1.2", "Bad destination system address", "", "RFC 3463"},
	{"X.1.3", "Bad destination mailbox address syntax", "501", "RFC 3463"},
	{"X.1.4", "Destination mailbox address ambiguous", "", "RFC 3463"},
	{"X.1.5", "Destination address valid", "250", "RFC 3463"},
	{"X.1.6", "Destination mailbox has moved, No forwarding address", "", "RFC 3463"},
	{"X.1.7", "Bad sender's mailbox address syntax", "", "RFC 3463"},
	{"X.1.8", "Bad sender's system address", "451, 501", "RFC 3463"},
	{"X.1.9", "Message relayed to non-compliant mailer", "", "RFC 3886"},
	{"X.1.10", "Recipient address has null MX", "556", "RFC 7505; RFC 7504"},
	{"X.2.0", "Other or undefined mailbox status", "", "RFC 3463"},
	{"X.2.1", "Mailbox disabled, not accepting messages", "", "RFC 3463"},
	{"X.2.2", "Mailbox full", "552", "RFC 3463"},
	{"X.2.3", "Message length exceeds administrative limit", "552", "RFC 3463"},
	{"X.2.4", "Mailing list expansion problem", "450, 452", "RFC 3463"},
	{"X.3.0", "Other or undefined mail system status", "221, 250, 421, 451, 550, 554", "RFC 3463"},
	{"X.3.1", "Mail system full", "452", "RFC 3463"},
	{"X.3.2", "System not accepting network messages", "453, 521", "RFC 3463; RFC 7504"},
	{"X.3.3", "System not capable of selected features", "", "RFC 3463"},
	{"X.3.4", "Message too big for system", "552, 554", "RFC 3463"},
	{"X.3.5", "System incorrectly configured", "", "RFC 3463"},
	{"X.3.6", "Requested priority was changed", "250 or 251", "RFC 6710"},
	{"X.4.0", "Other or undefined network or routing status", "", "RFC 3463"},
	{"X.4.1", "No answer from host", "451", "RFC 3463"},
	{"X.4.2", "Bad connection", "421", "RFC 3463"},
	{"X.4.3", "Directory server failure", "451, 550", "RFC 3463"},
	{"X.4.4", "Unable to route", "", "RFC 3463"},
	{"X.4.5", "Mail system congestion", "451", "RFC 3463"},
	{"X.4.6", "Routing loop detected", "", "RFC 3463"},
	{"X.4.7", "Delivery time expired", "", "RFC 3463"},
	{"X.5.0", "Other or undefined protocol status", "220, 250, 251, 252, 253, 451, 452, 454, 458, 459, 501, 502, 503, 554", "RFC 3463"},
	{"X.5.1", "Invalid command", "430, 500, 501, 503, 530, 550, 554, 555", "RFC 3463"},
	{"X.5.2", "Syntax error", "500, 501, 502, 550, 555", "RFC 3463"},
	{"X.5.3", "Too many recipients", "451", "RFC 3463"},
	{"X.5.4", "Invalid command arguments", "451, 501, 502, 503, 504, 550, 555", "RFC 3463"},
	{"X.5.5", "Wrong protocol version", "", "RFC 3463"},
	{"X.5.6", "Authentication Exchange line is too long", "500", "RFC 4954"},
	{"X.6.0", "Other or undefined media error", "", "RFC 3463"},
	{"X.6.1", "Media not supported", "", "RFC 3463"},
	{"X.6.2", "Conversion required and prohibited", "", "RFC 3463"},
	{"X.6.3", "Conversion required but not supported", "554", "RFC 3463"},
	{"X.6.4", "Conversion with loss performed", "250", "RFC 3463"},
	{"X.6.5", "Conversion Failed", "", "RFC 3463"},
	{"X.6.6", "Message content not available", "554", "RFC 4468"},
	{"X.6.7", "Non-ASCII addresses not permitted for that sender/recipient", "553, 550", "RFC 6531"},
	{"X.6.8", "UTF-8 string reply is required, but not permitted by the SMTP client", "252, 553, 550", "RFC 6531"},
	{"X.6.9", "UTF-8 header message cannot be transferred to one or more recipients, so the message must be rejected", "550", "RFC 6531"},
	{"X.6.10", "", "", "RFC 6531"}, // deprecated, a duplicate of X.6.8
	{"X.7.0", "Other or undefined security status", "220, 235, 450, 454, 500, 501, 503, 504, 530, 535, 550", "RFC 3463"},
	{"X.7.1", "Delivery not authorized, message refused", "451, 454, 502, 503, 533, 550, 551", "RFC 3463"},
	{"X.7.2", "Mailing list expansion prohibited", "550", "RFC 3463"},
	{"X.7.3", "Security conversion required but not possible", "", "RFC 3463"},
	{"X.7.4", "Security features not supported", "504", "RFC 3463"},
	{"X.7.5", "Cryptographic failure", "", "RFC 3463"},
	{"X.7.6", "Cryptographic algorithm not supported", "", "RFC 3463"},
	{"X.7.7", "Message integrity failure", "", "RFC 3463"},
	{"X.7.8", "Authentication credentials invalid", "535, 554", "RFC 4954"},
	{"X.7.9", "Authentication mechanism is too weak", "534", "RFC 4954"},
	{"X.7.10", "Encryption Needed", "523", "RFC 5248"},
	{"X.7.11", "Encryption required for requested authentication mechanism", "524, 538", "RFC 4954"},
	{"X.7.12", "A password transition is needed", "422, 432", "RFC 4954"},
	{"X.7.13", "User Account Disabled", "525", "RFC 5248"},
	{"X.7.14", "Trust relationship required", "535, 554", "RFC 5248"},
	{"X.7.15", "Priority Level is too low", "450, 550 (other 4XX or 5XX codes are allowed)", "RFC 6710"},
	{"X.7.16", "Message is too big for the specified priority", "552 (other 4XX or 5XX codes are allowed)", "RFC 6710"},
	{"X.7.17", "Mailbox owner has changed", "5XX", "RFC 7293"},
	{"X.7.18", "Domain owner has changed", "5XX", "RFC 7293"},
	{"X.7.19", "RRVS test cannot be completed", "5XX", "RFC 7293"},
	{"X.7.20", "No passing DKIM signature found", "550", "RFC 7372; RFC 6376"},
	{"X.7.21", "No acceptable DKIM signature found", "550", "RFC 7372; RFC 6376"},
	{"X.7.22", "No valid author-matched DKIM signature found", "550", "RFC 7372; RFC 6376"},
	{"X.7.23", "SPF validation failed", "550", "RFC 7372; RFC 7208"},
	{"X.7.24", "SPF validation error", "451/550", "RFC 7372; RFC 7208"},
	{"X.7.25", "Reverse DNS validation failed", "550", "RFC 7372 section 3.3"},
	{"X.7.26", "Multiple authentication checks failed", "550", "RFC 7372"},
	{"X.7.27", "Sender address has null MX", "550", "RFC 7505"},
	{"X.7.28", "Mail flood detected", "", "draft-levine-mailbomb-header"}, // the registry prints "." for the code
	{"X.7.29", "ARC validation failure", "550", "RFC 8617"},
	{"X.7.30", "REQUIRETLS support required", "550", "RFC 8689"},
}

func TestEveryRegisteredCodeIsAsIANAHasIt(t *testing.T) {
	for _, entry := range ianaRegistry {
		status, err := ParseStatus("5" + entry[0][1:])
		if err != nil {
			t.Fatal(err)
		}
		got, ok := status.Registered()
		if !ok {
			t.Errorf("%s is registered", entry[0])
			continue
		}
		if got.Name != entry[1] || got.Codes != entry[2] || got.Reference != entry[3] {
			t.Errorf("%s: got %q, %q, %q; registered are %q", entry[0], got.Name, got.Codes, got.Reference, entry[1:])
		}
		if got.Description == "" {
			t.Errorf("%s says nothing", entry[0])
		}
	}
	if len(registry) != len(ianaRegistry) {
		t.Errorf("the table has %d codes, the registry %d", len(registry), len(ianaRegistry))
	}
}

func TestUnregisteredCodesHaveNoEntry(t *testing.T) {
	for _, s := range []Status{{}, {5, 1, 11}, {5, 4, 8}, {5, 7, 31}, {5, 8, 0}, {4, 4, 316}} {
		if entry, ok := s.Registered(); ok {
			t.Errorf("%v is not registered: %+v", s, entry)
		}
	}
}

func TestRegisteredIsJSONLikeTheRest(t *testing.T) {
	entry, _ := Status{5, 7, 26}.Registered()
	got, err := json.Marshal(entry)
	if err != nil {
		t.Fatal(err)
	}
	var keys map[string]string
	if err := json.Unmarshal(got, &keys); err != nil {
		t.Fatal(err)
	}
	if len(keys) != 4 || keys["name"] != "Multiple authentication checks failed" || keys["codes"] != "550" || keys["description"] == "" || keys["reference"] != "RFC 7372" {
		t.Errorf("%s", got)
	}
}

// Where no words tell more, a registered code alone means what its RFC says.
func TestARegisteredCodeAloneSaysWhatItsRFCSays(t *testing.T) {
	tests := []struct {
		reply string
		want  Condition
		owner Party
	}{
		{"432 4.7.12 refused", "client-not-authenticated", SenderAdmin},
		{"550 5.7.18 refused", "recipient-moved", Sender},
		{"550 5.7.27 refused", "sender-address-rejected", SenderAdmin},
		{"550 5.7.28 refused", "spam-content", Filter},
		{"550 5.7.29 refused", "arc-fail", SenderAdmin},
		{"550 5.7.30 refused", "requiretls-unsupported", Sender},
	}
	for _, test := range tests {
		d := Diagnose(remote("mail.example.net", test.reply))
		if d.Condition != test.want || d.Owners[0] != test.owner {
			t.Errorf("%s: %s, %v; want %s, %v", test.reply, d.Condition, d.Owners, test.want, test.owner)
		}
	}
}
