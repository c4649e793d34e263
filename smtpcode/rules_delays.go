package smtpcode

// delayRules are wordings of greylisting and of refusals for now. That a server asks
// for another attempt is no reason: any words that give one stand above it.
// The name of greylisting is the one that encyclopedias of the language give.
var delayRules = []Rule{
	{ID: "de-greylist", Condition: "greylisted", Text: "graue liste", Source: inGerman + greylisting},
	{ID: "de-greylist-dative", Condition: "greylisted", Text: "grauen liste", Source: inGerman + greylisting},
	{ID: "de-greylist-bare", Condition: "greylisted", Text: "grauer liste", Source: inGerman + greylisting},
	{ID: "fr-greylist", Condition: "greylisted", Text: "liste grise", Source: inFrench + greylisting},
	{ID: "es-greylist", Condition: "greylisted", Text: "lista gris", Source: inSpanish + greylisting},
	{ID: "es-greylists", Condition: "greylisted", Text: "listas grises", Source: inSpanish + greylisting},
	{ID: "it-greylist", Condition: "greylisted", Text: "lista grigia", Source: inItalian + greylisting},
	{ID: "pt-greylist", Condition: "greylisted", Text: "lista cinza", Source: inPortuguese + greylisting},
	{ID: "pt-pt-greylist", Condition: "greylisted", Text: "lista cinzenta", Source: inPortuguese + greylisting},
	{ID: "nl-greylist", Condition: "greylisted", Text: "grijze lijst", Source: inDutch + greylisting},
	{ID: "pl-greylist", Condition: "greylisted", Text: "szara lista", Source: inPolish + greylisting},
	{ID: "pl-greylist-locative", Condition: "greylisted", Text: "szarej liście", Source: inPolish + greylisting},
	{ID: "ru-greylist", Condition: "greylisted", Text: "серый список", Source: inRussian + greylisting},
	{ID: "ru-greylist-locative", Condition: "greylisted", Text: "сером списке", Source: inRussian + greylisting},
	{ID: "ru-greylisting", Condition: "greylisted", Text: "грейлистинг", Source: inRussian + greylisting},
	{ID: "ja-greylist", Condition: "greylisted", Text: "グレーリスト", Source: inJapanese + greylisting},
	{ID: "ja-greylist-i", Condition: "greylisted", Text: "グレイリスト", Source: inJapanese + greylisting},
	{ID: "zh-greylist", Condition: "greylisted", Text: "灰名单", Source: inChinese + greylisting},
	{ID: "zh-tw-greylist", Condition: "greylisted", Text: "灰名單", Source: inChinese + greylisting},

	{ID: "try-later", Condition: "deferred", Text: "try later", Vague: true, Source: retryLater},
	{ID: "de-later", Condition: "deferred", Text: "es später erneut", Vague: true, Source: inGerman + retryLater},
	{ID: "de-later-again", Condition: "deferred", Text: "es später noch einmal", Vague: true, Source: inGerman + retryLater},
	{ID: "de-later-short", Condition: "deferred", Text: "später erneut versuchen", Vague: true, Source: inGerman + retryLater},
	{ID: "fr-later", Condition: "deferred", Text: "réessayer plus tard", Vague: true, Source: inFrench + retryLater},
	{ID: "fr-later-you", Condition: "deferred", Text: "réessayez plus tard", Vague: true, Source: inFrench + retryLater},
	{ID: "fr-later-essayer", Condition: "deferred", Text: "essayer plus tard", Vague: true, Source: inFrench + retryLater},
	{ID: "es-later", Condition: "deferred", Text: "inténtelo más tarde", Vague: true, Source: inSpanish + retryLater},
	{ID: "es-later-again", Condition: "deferred", Text: "de nuevo más tarde", Vague: true, Source: inSpanish + retryLater},
	{ID: "it-later", Condition: "deferred", Text: "riprovare più tardi", Vague: true, Source: inItalian + retryLater},
	{ID: "it-later-you", Condition: "deferred", Text: "riprova più tardi", Vague: true, Source: inItalian + retryLater},
	{ID: "pt-later", Condition: "deferred", Text: "novamente mais tarde", Vague: true, Source: inPortuguese + retryLater},
	{ID: "pt-later-tente", Condition: "deferred", Text: "tente mais tarde", Vague: true, Source: inPortuguese + retryLater},
	{ID: "nl-later", Condition: "deferred", Text: "later opnieuw", Vague: true, Source: inDutch + retryLater},
	{ID: "nl-later-again", Condition: "deferred", Text: "later nog eens", Vague: true, Source: inDutch + retryLater},
	{ID: "pl-later", Condition: "deferred", Text: "spróbuj ponownie później", Vague: true, Source: inPolish + retryLater},
	{ID: "pl-later-short", Condition: "deferred", Text: "spróbuj później", Vague: true, Source: inPolish + retryLater},
	{ID: "ru-later", Condition: "deferred", Text: "попробуйте позже", Vague: true, Source: inRussian + retryLater},
	{ID: "ru-later-repeat", Condition: "deferred", Text: "повторите попытку позже", Vague: true, Source: inRussian + retryLater},
	{ID: "ja-later", Condition: "deferred", Text: "後でもう一度", Vague: true, Source: inJapanese + retryLater},
	{ID: "ja-later-a-while", Condition: "deferred", Text: "しばらくしてから", Vague: true, Source: inJapanese + retryLater},
	{ID: "zh-later", Condition: "deferred", Text: "稍后再试", Vague: true, Source: inChinese + retryLater},
	{ID: "zh-later-retry", Condition: "deferred", Text: "稍后重试", Vague: true, Source: inChinese + retryLater},

	{ID: "slow-down", Condition: "ip-throttled", Text: "slow down", Bare: true, Source: "RFC 5321 section 4.5.4.1; IANA registry, X.7.28"},
}

// What the wordings of delays say, and where that is defined.
const (
	greylisting  = "RFC 6647 section 1, its name"
	retryLater   = "RFC 5321 section 4.2.1, 4yz: the client is encouraged to try again later"
	inGerman     = "German: "
	inFrench     = "French: "
	inSpanish    = "Spanish: "
	inItalian    = "Italian: "
	inPortuguese = "Portuguese: "
	inDutch      = "Dutch: "
	inPolish     = "Polish: "
	inRussian    = "Russian: "
	inJapanese   = "Japanese: "
	inChinese    = "Chinese: "
)
