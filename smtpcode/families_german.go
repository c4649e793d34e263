package smtpcode

// germanMailboxes are what a German sentence calls a recipient.
var germanMailboxes = []string{"benutzer", "empfänger", "empfängeradresse", "adresse", "e-mail-adresse", "emailadresse", "mailadresse", "postfach", "mailbox", "konto", "benutzerkonto"}

// germanFamilies are German wordings. Where no page is named, a standard says
// what is meant and the words are the plain ones of the language.
var germanFamilies = []family{
	{id: "no-recipient/de", condition: "recipient-not-found", subjects: germanMailboxes, source: mailFrBounces,
		states: []string{"unbekannt", "nicht bekannt", "existiert nicht", "nicht gefunden", "nicht vorhanden", "gelöscht", "aufgelöst"}},
	{id: "no-recipient-first/de", condition: "recipient-not-found", subjects: []string{"unbekannter", "unbekannte", "ungültiger", "ungültige", "kein", "kein solcher", "kein solches"}, source: mailFrBounces,
		states: []string{"benutzer", "empfänger", "empfängeradresse", "postfach", "e-mail-adresse", "postfach mit diesem namen"}},
	{id: "no-recipient-valid/de", condition: "recipient-not-found", subjects: []string{"empfänger", "empfängeradresse", "e-mail-adresse", "emailadresse"}, source: "www.schieb.de: Fehlermeldung E-Mail konnte nicht zugestellt werden",
		states: []string{"ungültig", "nicht gültig"}},
	{id: "knows-not/de", condition: "recipient-not-found", subjects: []string{"kennt die", "kennt den"}, source: "RFC 3463 section 3.2, X.1.1, in German",
		states: []string{"adresse nicht", "empfänger nicht", "benutzer nicht"}},
	{id: "sender-refused/de", condition: "sender-address-rejected", subjects: []string{"absender", "absenderadresse", "absenderdomain", "adresse des absenders", "domain des absenders"}, source: germanTypical,
		states: []string{"abgelehnt", "ungültig", "unbekannt", "existiert nicht", "nicht gefunden", "nicht akzeptiert"}},
	{id: "no-domain/de", condition: "recipient-domain-not-found", subjects: []string{"domain", "domäne", "empfängerdomain", "hostname", "host"}, source: germanTypical,
		states: []string{"existiert nicht", "nicht gefunden", "unbekannt", "nicht aufgelöst"}},
	{id: "full/de", condition: "mailbox-full", subjects: []string{"postfach", "mailbox", "posteingang", "briefkasten", "konto", "empfänger"}, source: mailFrBounces,
		states: []string{"voll", "überfüllt", "kein speicherplatz", "speichergrenze", "speicherlimit", "kein platz"}},
	{id: "quota/de", condition: "mailbox-full", subjects: []string{"speicherplatz", "quota", "speicherlimit", "speichervolumen", "kontingent", "speichergrenze"}, source: mailFrBounces,
		states: []string{"überschritten", "erschöpft", "aufgebraucht", "ausgeschöpft"}},
	{id: "disabled/de", condition: "mailbox-disabled", subjects: germanMailboxes, source: mailFrBounces,
		states: []string{"deaktiviert", "gesperrt", "abgeschaltet", "geschlossen", "nicht aktiv"}},
	{id: "inactive/de", condition: "mailbox-inactive", subjects: germanMailboxes, source: germanTypical,
		states: []string{"inaktiv"}},
	{id: "unavailable/de", condition: "mailbox-unavailable", vague: true, subjects: []string{"postfach", "mailbox"}, source: mailFrBounces,
		states: []string{"nicht verfügbar", "nicht erreichbar"}},
	{id: "client-listed/de", condition: "ip-blocked", subjects: []string{"ip", "ip-adresse", "mailserver", "auf einer", "auf der", "auf einer blacklist"}, source: "pga-it.de: Liste SMTP Fehlercodes",
		states: []string{"blacklist", "schwarzen liste", "sperrliste", "blockliste", "gelistet"}},
	{id: "client-blocked/de", condition: "ip-blocked", subjects: []string{"ip", "ip-adresse"}, source: "pga-it.de: Liste SMTP Fehlercodes",
		states: []string{"gesperrt", "blockiert"}},
	{id: "spam/de", condition: "spam-content", subjects: []string{"nachricht", "mail", "e-mail", "email"}, source: bytecampReplies,
		states: []string{"als spam", "spam erkannt", "spamverdacht", "als unerwünscht"}},
	{id: "virus/de", condition: "malware", subjects: []string{"virus", "schadsoftware", "schadcode"}, either: true, source: "Exim 4.96: doc/spec.txt, in German",
		states: []string{"gefunden", "erkannt", "entdeckt", "enthält"}},
	{id: "large/de", condition: "message-too-large", subjects: []string{"nachricht", "mail", "e-mail", "anhang", "größe"}, source: "www.schieb.de: Fehlermeldung E-Mail konnte nicht zugestellt werden",
		states: []string{"zu groß", "überschreitet die maximal", "überschreitet die zulässige", "überschreitet die maximale"}},
	{id: "attachment/de", condition: "attachment-refused", subjects: []string{"anhang", "anhänge", "dateianhang", "dateianhänge", "dateityp"}, source: "RFC 3463 section 3.8, X.7.0, in German",
		states: []string{"nicht erlaubt", "nicht zulässig", "verboten", "nicht angenommen", "nicht akzeptiert"}},
	{id: "no-answer/de", condition: "connection-timed-out", subjects: []string{"server", "zielserver", "mailserver", "host"}, source: germanTypical,
		states: []string{"antwortet nicht", "nicht erreichbar", "reagiert nicht"}},
	{id: "timeout/de", condition: "connection-timed-out", subjects: []string{"zeitüberschreitung"}, source: googleGerman,
		states: []string{"verbindung", "verbindungsaufbau"}},
	{id: "refused/de", condition: "connection-refused", subjects: []string{"verbindung", "verbindungsaufbau"}, source: "RFC 3463 section 3.5, X.4.1, in German",
		states: []string{"verweigert"}},
	{id: "expired/de", condition: "message-expired", subjects: []string{"nicht innerhalb", "nicht innerhalb von"}, source: "RFC 3463 section 3.5, X.4.7, in German",
		states: []string{"zugestellt"}},
	{id: "relay/de", condition: "relay-denied", subjects: []string{"relay", "relaying", "weiterleitung"}, source: mailFrBounces,
		states: []string{"verweigert", "nicht erlaubt", "nicht gestattet", "verboten"}},
	{id: "spf/de", condition: "spf-fail", subjects: []string{"spf", "spf-prüfung"}, source: "RFC 7208 section 8.4, in German",
		states: []string{"fehlgeschlagen", "nicht bestanden"}},
	{id: "reverse-dns/de", condition: "missing-reverse-dns", subjects: []string{"kein", "keinen", "fehlender", "ohne"}, source: bytecampReplies,
		states: []string{"reverse-dns", "reverse-dns-eintrag", "reversen dns-eintrag", "ptr-eintrag", "ptr-record"}},
	{id: "hourly/de", condition: "submission-quota", subjects: []string{"versandlimit", "sendelimit", "tageslimit", "sendekontingent"}, source: "RFC 3463 section 3.8, in German",
		states: []string{"erreicht", "überschritten"}},
	{id: "recipients/de", condition: "too-many-recipients", subjects: []string{"zu viele"}, source: "RFC 5321 section 4.5.3.1.10, in German",
		states: []string{"empfänger"}},
	{id: "connections/de", condition: "too-many-connections", subjects: []string{"zu viele"}, source: bytecampReplies,
		states: []string{"verbindungen"}},
	{id: "must-login/de", condition: "client-not-authenticated", subjects: []string{"authentifizierung", "anmeldung", "smtp-authentifizierung"}, source: googleGerman,
		states: []string{"erforderlich", "notwendig", "benötigt"}},
	{id: "login-failed/de", condition: "login-failed", subjects: []string{"authentifizierung", "anmeldung", "benutzername", "kennwort", "passwort"}, source: googleGerman,
		states: []string{"fehlgeschlagen", "falsch"}},
	{id: "by-recipient/de", condition: "sender-blocked-by-recipient", subjects: []string{"empfänger hat"}, source: "RFC 3463 section 3.8, X.7.1, in German",
		states: []string{"blockiert", "gesperrt"}},
	{id: "takes-none/de", condition: "recipient-refused", subjects: []string{"empfänger", "adresse"}, source: "RFC 5321 section 4.2.3, in German",
		states: []string{"nimmt keine", "akzeptiert keine"}},
	{id: "busy/de", condition: "service-unavailable", subjects: []string{"dienst", "service", "server"}, source: "www.tecchannel.de/a/so-funktioniert-e-mail,401772,4",
		states: []string{"nicht verfügbar", "überlastet"}},
	{id: "policy/de", condition: "policy-refusal", subjects: []string{"richtlinie", "richtlinien", "richtlinienverstoß"}, either: true, source: "RFC 3463 section 3.8, X.7.0, in German",
		states: []string{"abgelehnt", "verweigert"}},
}

// Pages that show German wordings.
const (
	mailFrBounces   = "mail.fr/de/hilfe/nachrichten/e-mail/mail_delivery_system_und_bounce_mails"
	bytecampReplies = "www.bytecamp.net/de/faq/email/zustellen.html"
	googleGerman    = "support.walkingtoweb.com/help/de-de: SMTP Fehler, Google's in German"
)
