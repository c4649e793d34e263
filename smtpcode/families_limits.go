package smtpcode

// limitFamilies are wordings in other languages than English of too much in too
// short a time, of servers that are overloaded or out of room, and of commands
// they do not take. The words are the plain ones of each language.
var limitFamilies = []family{
	{id: "fast/de", condition: "ip-throttled", subjects: []string{"zu viele e-mails", "zu viele emails", "zu viele mails", "zu viele nachrichten"}, source: webdeErrors,
		states: []string{"in zu kurzer zeit", "in kurzer zeit", "eingeliefert", "pro stunde"}},
	{id: "overload/de", condition: "service-unavailable", subjects: []string{"überlast", "überlastung", "überlastsituation", "wartungsarbeiten"}, either: true, source: webdeErrors,
		states: []string{"verweigert", "abgelehnt", "nicht möglich", "temporär", "vorübergehend"}},
	{id: "spf-other/de", condition: "spf-fail", subjects: []string{"anderen e-mail-server", "anderen mailserver", "anderen server", "nicht berechtigt", "nicht autorisiert", "nicht erlaubt"}, either: true, source: webdeErrors,
		states: []string{"spf", "spf-eintrag", "spf-eintrags"}},
	{id: "command/de", condition: "protocol-error", subjects: []string{"befehl", "befehle", "kommando", "parameter"}, either: true, source: inGerman + reply500,
		states: []string{"syntaxfehler", "nicht erkannt", "nicht implementiert", "unbekannter"}},

	{id: "fast/fr", condition: "ip-throttled", subjects: []string{"trop de messages", "trop d'e-mails", "trop d'emails", "trop de mails", "trop de courriels"}, source: inFrench + manyMails,
		states: []string{"en peu de temps", "en trop peu de temps", "par heure", "envoyés", "reçus de"}},
	{id: "overload/fr", condition: "service-unavailable", subjects: []string{"serveur", "service"}, either: true, source: inFrench + reply421,
		states: []string{"erreur interne", "surchargé", "en maintenance", "maintenance en cours"}},
	{id: "password/fr", condition: "login-failed", subjects: []string{"mot de passe"}, source: "www.arobase.org/sos/erreurs-codes.htm",
		states: []string{"incorrect", "erroné", "expiré", "invalide", "transition nécessaire"}},
	{id: "late/fr", condition: "message-expired", subjects: []string{"délai de remise", "délai de livraison", "délai d'acheminement", "délai de distribution"}, source: inFrench + expiredName,
		states: []string{"dépassé", "expiré"}},

	{id: "fast/es", condition: "ip-throttled", subjects: []string{"demasiados mensajes", "demasiados correos", "demasiados emails"}, source: inSpanish + manyMails,
		states: []string{"en poco tiempo", "por hora", "enviados", "desde su ip"}},
	{id: "overload/es", condition: "service-unavailable", subjects: []string{"servidor", "servicio"}, either: true, source: inSpanish + reply421,
		states: []string{"error interno", "en mantenimiento", "sobrecarga"}},
	{id: "command/es", condition: "protocol-error", subjects: []string{"comando", "parámetros", "argumentos"}, either: true, source: inSpanish + reply500,
		states: []string{"error de sintaxis", "no reconocido", "no implementado"}},
	{id: "late/es", condition: "message-expired", subjects: []string{"plazo de entrega", "tiempo de entrega"}, either: true, source: inSpanish + expiredName,
		states: []string{"agotado", "expirado", "vencido", "superado"}},

	{id: "fast/it", condition: "ip-throttled", subjects: []string{"troppi messaggi", "troppe email", "troppe e-mail", "troppe mail"}, source: inItalian + manyMails,
		states: []string{"in poco tempo", "all'ora", "inviati", "inviate"}},
	{id: "overload/it", condition: "service-unavailable", subjects: []string{"server", "servizio"}, either: true, source: inItalian + reply421,
		states: []string{"errore interno", "in manutenzione", "sovraccarico"}},
	{id: "command/it", condition: "protocol-error", subjects: []string{"comando", "parametri", "argomenti"}, either: true, source: inItalian + reply500,
		states: []string{"errore di sintassi", "non riconosciuto", "non implementato"}},

	{id: "fast/pt", condition: "ip-throttled", subjects: []string{"muitas mensagens", "muitos e-mails", "muitos emails"}, source: inPortuguese + manyMails,
		states: []string{"em pouco tempo", "por hora", "curto período", "enviados"}},
	{id: "overload/pt", condition: "service-unavailable", subjects: []string{"servidor", "serviço"}, either: true, source: inPortuguese + reply421,
		states: []string{"erro interno", "em manutenção", "sobrecarga", "sobrecarregado"}},
	{id: "command/pt", condition: "protocol-error", subjects: []string{"comando", "parâmetros", "argumentos"}, either: true, source: inPortuguese + reply500,
		states: []string{"erro de sintaxe", "não reconhecido", "não implementado"}},

	{id: "fast/nl", condition: "ip-throttled", subjects: []string{"te veel berichten", "te veel e-mails", "te veel mails"}, source: inDutch + manyMails,
		states: []string{"in korte tijd", "per uur", "verzonden", "verstuurd"}},
	{id: "overload/nl", condition: "service-unavailable", subjects: []string{"serverfout", "serverstoring", "interne fout", "overbelast", "onderhoud"}, either: true, source: dutchErrors,
		states: []string{"opdracht", "server", "mailserver", "dienst", "provider"}},
	{id: "system-full/nl", condition: "insufficient-resources", subjects: []string{"onvoldoende", "te weinig"}, source: dutchErrors,
		states: []string{"systeemopslag", "schijfruimte", "systeembronnen", "geheugen"}},
	{id: "command/nl", condition: "protocol-error", subjects: []string{"syntaxisfout", "syntaxfout", "onbekende", "onbekend"}, source: dutchErrors,
		states: []string{"opdracht", "opdrachtargumenten", "commando", "parameters", "argumenten"}},

	{id: "limit/pl", condition: "mailbox-full", subjects: []string{"konto adresata", "konto", "skrzynka", "osiągnęło", "osiągnęła", "przekroczyło", "przekroczyła"}, source: polishBounces,
		states: []string{"limit miejsca", "limit pojemności"}},
	{id: "late/pl", condition: "message-expired", subjects: []string{"upłynął", "minął", "przekroczono"}, source: polishBounces,
		states: []string{"limit czasu na dostarczenie", "czas na dostarczenie", "limit czasu dostarczenia", "czas dostarczenia"}},
	{id: "fast/pl", condition: "ip-throttled", subjects: []string{"zbyt wiele", "zbyt dużo", "za dużo"}, source: inPolish + manyMails,
		states: []string{"wiadomości w krótkim czasie", "wiadomości na godzinę", "wiadomości w ciągu"}},

	{id: "fast/ru", condition: "ip-throttled", subjects: []string{"слишком много"}, source: inRussian + manyMails,
		states: []string{"писем", "сообщений"}},
	{id: "overload/ru", condition: "service-unavailable", subjects: []string{"внутренняя ошибка", "технические работы"}, either: true, source: inRussian + reply421,
		states: []string{"сервера", "сервере", "сервер"}},
	{id: "system-full/ru", condition: "insufficient-resources", subjects: []string{"недостаточно места", "нет места"}, source: inRussian + "RFC 3463 section 3.4, X.3.1",
		states: []string{"на диске", "на сервере"}},
}

// Where the wordings stand, and what they say.
const (
	webdeErrors   = "postmaster.web.de/de/fehlermeldungen"
	dutchErrors   = "forum.lasso-concepten.nl/t/foutmeldingen-bij-e-mail/154"
	polishBounces = "pl.godaddy.com/help/co-to-znaczy-ze-poczta-zostala-odbita-3568"
	manyMails     = "IANA registry, X.7.28"
	reply421      = "RFC 5321 section 4.2.3, reply 421"
	reply500      = "RFC 5321 section 4.2.3, replies 500 to 504"
	expiredName   = "RFC 3463 section 3.5, X.4.7"
)
