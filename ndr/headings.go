package ndr

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

type headingRole uint8

const (
	failedTo      headingRole = iota + 1 // opens the user part of a failure
	delayedTo                            // opens the user part of a delay
	diagnostic                           // opens the administrators' part
	generating                           // label: wrote the report
	receiving                            // label: was handed the message
	originals                            // opens the quoted header
	undeliverable                        // subject prefix of a failure
)

type headingMatch uint8

const (
	startsWith headingMatch = iota
	endsWith                // the source gives the end only
	contains
)

// A heading is one string of the two-section layout, in lower case and without
// accents: see fold. What a table like this does not hold is read from
// structure: see twosection.go.
type heading struct {
	role   headingRole
	lang   string
	match  headingMatch
	text   string
	source string
}

// Sources: "real" a report of the shared bounce corpus or of public bounce
// collections; "parser" a string other parsers look for; "docs" Microsoft's
// translated documentation, which need not be the product's string.
// Of two that match a line the first counts: es stands before pt, whose known
// ends it shares.
var headings = []heading{
	{failedTo, "en", startsWith, "delivery has failed to these recipients", "real; 2007 ends in 'or distribution lists'"},
	{failedTo, "en", contains, "rejected your message to the following", "real: remote-refusal form"},
	{delayedTo, "en", startsWith, "delivery is delayed to these recipients", "real"},
	{diagnostic, "en", startsWith, "diagnostic information for administrators", "real"},
	{generating, "en", startsWith, "generating server", "real"},
	{receiving, "en", startsWith, "receiving server", "real"},
	{originals, "en", startsWith, "original message headers", "real"},
	{undeliverable, "en", startsWith, "undeliverable", "real"},

	{failedTo, "fr", startsWith, "echec de la remise pour ces destinataires ou groupes", "real"},
	{diagnostic, "fr", startsWith, "informations de diagnostic pour les administrateurs", "real"},
	{generating, "fr", startsWith, "serveur de generation", "real"},
	{originals, "fr", startsWith, "en-tetes de message d'origine", "real"},
	{undeliverable, "fr", startsWith, "non remis", "real"},

	{failedTo, "it", startsWith, "il recapito non e riuscito per i seguenti destinatari o gruppi", "real"},
	{diagnostic, "it", startsWith, "informazioni di diagnostica per gli amministratori", "real"},
	{generating, "it", startsWith, "server di generazione", "real"},
	{originals, "it", startsWith, "intestazioni originali del messaggio", "real"},
	{undeliverable, "it", startsWith, "non recapitabile", "real"},
	{undeliverable, "it", startsWith, "impossibile recapitare", "parser"},

	{failedTo, "ru", startsWith, "не удалось выполнить доставку следующим получателям или группам", "parser"},
	{diagnostic, "ru", startsWith, "диагностические сведения для администраторов", "parser"},
	{generating, "ru", startsWith, "формирующии сервер", "parser"},
	{undeliverable, "ru", startsWith, "не удается доставить", "parser"},

	{failedTo, "nl", startsWith, "uw bericht kan niet worden bezorgd bij de volgende geadresseerden of groepen", "parser"},
	{diagnostic, "nl", startsWith, "diagnostische gegevens voor beheerders", "parser"},
	{generating, "nl", startsWith, "bronserver", "parser"},
	{originals, "nl", startsWith, "oorspronkelijke berichtkoppen", "parser"},
	{undeliverable, "nl", startsWith, "onbestelbaar", "parser"},

	{diagnostic, "es", startsWith, "informacion de diagnostico para administradores", "docs"},
	{generating, "es", startsWith, "servidor de generacion", "docs"},
	{originals, "es", startsWith, "encabezados del mensaje original", "docs"},
	{undeliverable, "es", startsWith, "no se puede entregar", "docs"},

	{failedTo, "pt", startsWith, "falha na entrega a estes destinat", "parser: prefix"},
	{diagnostic, "pt", endsWith, "stico para administradores", "parser: end"},
	{generating, "pt", startsWith, "servidor de origem", "parser"},
	{originals, "pt", endsWith, "alhos originais da mensagem", "parser: end"},
	{undeliverable, "pt", startsWith, "nao e possivel entregar", "parser"},

	{diagnostic, "sv", startsWith, "diagnostisk information f", "parser: prefix"},
	{generating, "sv", startsWith, "genererande server", "parser"},
	{originals, "sv", startsWith, "ursprungshuvuden", "parser"},
	{undeliverable, "sv", startsWith, "olevererbart", "parser"},

	{failedTo, "de", startsWith, "fehler bei der nachrichtenzustellung", "parser: prefix"},
	{diagnostic, "de", startsWith, "diagnoseinformationen fur administratoren", "parser"},
	{generating, "de", startsWith, "generierender server", "parser"},
	{originals, "de", startsWith, "ursprungliche nachrichtenkopfzeilen", "docs"},
	{undeliverable, "de", startsWith, "unzustellbar", "parser"},

	{undeliverable, "fi", startsWith, "ei voitu toimittaa", "parser"},
	{undeliverable, "da", startsWith, "kan ikke leveres", "parser: also Norwegian"},
	{undeliverable, "hu", startsWith, "kezbesithetetlen", "parser"},
	{undeliverable, "pl", startsWith, "nie mozna dostarczyc", "parser"},
	{undeliverable, "cs", startsWith, "zpravu nelze dorucit", "parser"},
	{undeliverable, "is", startsWith, "ekki hægt að afhenda", "parser"},
	{undeliverable, "ko", startsWith, "배달되지 않음", "parser"},
	{undeliverable, "zh", startsWith, "未送达", "parser"},
}

// maxHeading is how long a line may be to be looked up as a heading.
const maxHeading = 300

// matchHeading looks a line up among the headings of the given roles. Case and
// accents do not count: re-encoding often loses them.
func matchHeading(text string, roles ...headingRole) *heading {
	if len(text) == 0 || len(text) > maxHeading {
		return nil
	}
	folded := fold(text)
	for i := range headings {
		h := &headings[i]
		for _, role := range roles {
			if h.role == role && h.matches(folded) {
				return h
			}
		}
	}
	return nil
}

func (h *heading) matches(folded string) bool {
	switch h.match {
	case endsWith:
		return strings.HasSuffix(strings.TrimRight(folded, ": "), h.text)
	case contains:
		return strings.Contains(folded, h.text)
	}
	return strings.HasPrefix(folded, h.text)
}

// fold brings text to lower case without accents and with plain apostrophes.
func fold(s string) string {
	ascii := true
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			ascii = false
			break
		}
	}
	if ascii {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r == '’' || r == '‘' || r == '`' || r == '´':
			b.WriteByte('\'')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return norm.NFC.String(b.String())
}
