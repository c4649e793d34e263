package dsn

// The words by which a text for people is read, in lower case. Each serves
// every format that has no rule of its own.

// returnedLines begin the copy of the returned message: a line that is one of
// them once hyphens, stars, colons and blanks at its ends are gone, or that
// begins with one that ends in "*". Nothing behind them is about the failure.
var returnedLines = []string{
	"below this line is a copy*", "this is a copy of*", "here is a copy of*", "enclosed is a copy of the*", "included is a copy of*", "below is a copy of*", "a copy of the original message*",
	"the header of the original*", "the headers of the*", "header of the original message*", "headers of the original*", "original message headers*", "original headers*", "message headers follow*",
	"message header follows*", "message header*", "original message", "original message follows*", "original message:*", "the original message follows*", "begin original message*", "original mail", "original mail info", "original e-mail",
	"original message header*", "unsent message follows*", "unsent message below*", "returned message", "returned message follows*", "returned mail follows*", "returned mail", "bounced e-mail", "bounced email", "bounced message",
	"undelivered message follows*", "undelivered message", "the undelivered message follows*", "your original message*", "start of returned message*", "text of your message*", "text of the message*", "first part of the message*",
	"rejected message*", "failed message*", "copy of the message*", "copy of your message*", "message follows*", "the body of the message*", "included message*", "content of the message*", "message text follows*",
	"ursprüngliche nachricht", "originalnachricht", "kopie ihrer nachricht*", "es folgt eine kopie*", "es folgt der header*", "kopf der original*", "message d'origine", "message original", "mensaje original", "mensagem original", "messaggio originale",
	"oorspronkelijk bericht", "元のメール", "元のメッセージ", "オリジナルメッセージ", "исходное сообщение*", "копия сообщения*", "это копия*",
}

// introductions come before a list of failed addresses.
var introductions = []string{
	"following address", "following recipient", "these recipients", "following destination", "following mailbox", "following e-mail address", "following email address", "following user", "recipients or groups",
	"address(es) failed", "addresses had", "address had", "not delivered to", "not be delivered to", "undeliverable to", "undelivered to", "to which the message has not yet been delivered", "list of recipients", "failed recipients", "failed addresses",
	"recipient(s) could not", "did not reach", "delivery failed for", "delivery to these", "recipients was rejected", "could not deliver", "unable to deliver", "couldn't deliver", "address failed", "addresses failed", "unreachable recipient",
	"failure reasons", "affected recipients", "undeliverable recipient", "message that you sent", "permanent fatal error", "transient non-fatal error", "transient fatal error", "had delivery",
	"folgende adresse", "folgenden adresse", "folgende empfänger", "folgenden empfänger", "nicht zugestellt werden", "konnte nicht zugestellt", "destinataires suivants", "destinataire suivant", "adresse suivante", "adresses suivantes", "n'a pas pu être", "n'a pu être",
	"siguientes destinatarios", "siguiente destinatario", "siguiente dirección", "no se pudo entregar", "no se ha podido", "seguintes destinatários", "não pôde ser entregue", "seguente destinatario", "seguenti destinatari", "non è stato possibile",
	"volgende ontvanger", "volgende adres", "kon niet worden", "получател", "не может быть доставлено", "не удалось доставить", "メールアドレスへの送信に失敗", "以下のメールアドレス", "宛先", "届けられません", "配信できません", "送信できません", "送達できません", "以下的收件人", "无法投递", "無法傳送",
	"wurde nicht zugestellt", "nicht zugestellt an", "n'a pas été remis", "n'a pas été délivré", "no se entregó a", "no ha sido entregado", "non è stato recapitato", "niet bezorgd aan", "não foi entregue a", "pas pu délivrer", "pas pu remettre",
}

// sentences name the failed address behind them, in the same line.
var sentences = []string{
	"unable to deliver message to", "unable to deliver your message to", "unable to deliver mail to", "error delivering your mail to", "could not be delivered to", "couldn't be delivered to", "cannot be delivered to", "can't be delivered to", "was not delivered to", "wasn't delivered to",
	"not delivered to", "could not deliver mail to", "could not deliver your message to", "couldn't deliver your message to", "could not deliver the message to", "did not reach the following recipient", "rejected recipient", "returned permanent errors", "returned temporary errors",
	"returned errors", "delivery failed:", "delivery failed to", "delivery failed for", "delivery to", "failed to deliver to", "failed to deliver message to", "failed to deliver your message to", "failed delivery to", "problem delivering your message to", "trouble delivering your message to", "undeliverable to",
	"not a member of this mailing list", "target mail address", "failed address", "failed recipient", "unknown user:", "invalid user", "user mailbox exceeds allowed size", "invalid final delivery userid", "attempts:", "unknown local user", "no such user", "recipient:", "recipient address:", "recipient address", "final recipient:", "intended recipients:", "intended recipient:",
	"bounced address", "email address:", "e-mail address:", "address: <", "mailbox of", "the mailbox for", "message to", "mail to", "sent to", "send to", "account", "inbox", "nachricht an", "an die adresse", "an den empfänger", "empfänger:", "destinataire :", "destinataire:", "destinatario:", "destinatário:", "adresse :",
	"получатель:", "宛先:", "宛先：", "收件人", "收件人:", "收件人：", "받는 사람", "받는사람",
	"zugestellt an:", "nicht zugestellt an", "remis à:", "remis à :", "no se entregó a:", "entregue a:", "recapitato a:", "bezorgd aan:",
	"konnte nicht an", "wurde nicht an", "nicht zugestellt werden an", "n'a pas été distribué à", "n'a pas pu être distribué à", "n'a pas été remis à", "no se ha entregado tu mensaje a", "no se ha podido entregar a", "entregar tu mensaje a", "não foi entregue para", "não foi entregue a", "entrega da sua mensagem para", "non è stato consegnato a", "recapito del messaggio a", "niet bezorgd bij", "niet worden bezorgd bij", "не доставлено получателю", "не было доставлено получателю", "meldingen til", "meddelandet till",
}

// failureWords make a text one about a delivery that failed or waits.
var failureWords = []string{
	"could not be delivered", "couldn't be delivered", "cannot be delivered", "can't be delivered", "was not delivered", "wasn't delivered", "not been delivered", "not be delivered", "unable to deliver", "not able to deliver", "wasn't able to deliver", "could not deliver", "couldn't deliver",
	"undeliverable", "undelivered", "delivery failed", "delivery has failed", "delivery failure", "failed permanently", "delivery error", "error delivering", "trouble delivering", "problem delivering", "problems delivering", "had delivery", "fatal error", "did not reach", "following addresses had", "failed to deliver",
	"delivery to the following", "delivery has been delayed", "message was rejected", "email you sent was rejected", "delivery of the email was stopped", "rejected your message", "bounce notification", "returned mail", "transcript of session follows", "returning message to sender", "user unknown", "unknown user", "mailbox full", "mailbox is full", "weren't able to post", "failed to be delivered",
	"over quota", "mailbox exceeds", "mailbox unavailable", "no such user", "does not exist", "no longer in use", "not accepted", "invalid address", "not a member", "permanent error", "delivery status notification",
	"unzustellbar", "nicht zugestellt", "konnte nicht", "non remis", "pas pu être", "n'a pas été remis", "non distribu", "échec", "no se pudo", "no se ha podido", "no entregado", "no pudo ser entregado", "não pôde", "não foi entregue", "non recapitabile", "non è stato possibile", "mancato recapito", "niet worden bezorgd", "niet bezorgd", "onbestelbaar",
	"kunde inte", "kunne ikke", "ei voitu", "nie można dostarczyć", "nelze doručit", "не может быть доставлено", "не удалось доставить", "не доставлено", "送信できません", "配信できません", "届けられません", "送信に失敗", "送達できません", "エラー通知", "无法投递", "退信", "無法傳送", "teslim edilemedi",
}

// delayWords say that delivery goes on being tried.
var delayWords = []string{
	"has been delayed", "not yet been delivered", "will be retried", "warning message only", "you do not need to resend", "delivery attempts will continue", "still trying", "will keep trying", "will continue to try", "will continue trying", "delivery is delayed", "delivery delayed",
	"message delayed", "subject: warning: could not send", "subject: warning--could not send", "subject: warning: message", "(delay)", "delayed mail", "could not send message for past", "noch nicht zugestellt", "verzögert", "retardé", "retrasad", "is delayed for more than", "temporary failure report", "delivery warning only", "gmail will retry for", "temporary problem delivering", "delivery incomplete",
}

// successWords say that the message arrived, handedOnWords that a system took it
// which reports no further, unless a server refused somebody.
var (
	successWords  = []string{"successfully delivered to the destination(s)", "successful mail delivery report", "your message has been delivered to the following", "had successful delivery notifications"}
	handedOnWords = []string{"but no delivery notification was sent by the destination", "relayed to non-dsn-aware mailer"}
)

// notRecipients end the text before an address that is not the failed one.
var notRecipients = []string{
	"please contact", "contact", "sent by", "from", "by", "send mail to", "please send mail to", "to the address", "write to", "reply to", "mailto:", "sender", "absender", "from:", "sender:", "return-path:", "reply-to:", "kontaktieren sie",
}

// reasonLabels stand before the reason in a line or paragraph of its own.
var reasonLabels = []string{
	"technical details:", "reason:", "error:", "because:", "for the following reason:", "technical details of permanent failure:", "technical details of temporary failure:", "the problem appears to be :", "additional information follows :", "delay reason:", "the error that the other server returned was:", "remote host said:", "error message below:",
	"diagnostic-code:", "diagnostic code:", "the reason was:", "the response was:", "the response from the remote server was:", "the error was:", "grund:", "raison :", "motivo:", "reject reason:", "reason for rejection:", "退信原因：", "退信原因:", "退信原因", "英文说明：", "英文说明:", "message:", "server message",
	"weil:", "parce que:", "parce que :", "porque:", "perché:", "omdat:", "因为:", "理由:", "理由：", "原因:", "原因：", "실패원인:", "실패원인 :", "실패 사유:", "motivo :", "причина:", "powód:", "důvod:", "orsak:", "årsak:", "årsag:", "syy:", "reden:", "causa:", "error during the last delivery attempt:",
}

// closingLines end the text about a recipient.
var closingLines = []string{
	"giving up on", "i'm not going to try again", "no action is required", "message will be retried", "this condition occurred", "for further assistance", "if you ", "please ", "this has been a permanent failure", "no further delivery attempts", "рекомендуем", "step:", "-----", "=====", "*****", "_____", "the attachment contains", "-------smtp command",
	"message will be deleted", "message could not be delivered for", "--- end transcript", "remote system:", "information about your message", "解决方案", "建议解决方案", "your message headers", "if the problem", "the following text was generated", "received:",
}

// filterLabels are what mail filters write before the subject of what passes
// them.
var filterLabels = []string{"[external]", "[ext]", "[extern]", "[externe]", "external:", "***spam***", "*****spam*****", "[spam]", "{spam?}", "[bulk]", "[suspicious]"}

// forwardLines begin a mail that a person forwards as text.
var forwardLines = []string{"begin forwarded message", "forwarded message", "weitergeleitete nachricht", "message transféré", "mensaje reenviado", "mensagem encaminhada", "messaggio inoltrato", "doorgestuurd bericht", "пересылаемое сообщение", "転送されたメッセージ", "anfang der weitergeleiteten nachricht"}

// fromFields and subjectFields are how mail programs name these fields where
// they put a header before what they quote.
var (
	fromFields    = []string{"from", "von", "de", "da", "van", "od", "от", "från", "fra", "差出人", "发件人", "寄件者", "보낸 사람"}
	subjectFields = []string{"subject", "betreff", "objet", "asunto", "assunto", "oggetto", "onderwerp", "temat", "předmět", "тема", "ämne", "emne", "件名", "主题", "主旨", "제목"}
)

// wroteWords stand in the line before a quotation.
var wroteWords = []string{" wrote:", " writes:", " schrieb", " a écrit", " escribió", " escreveu", " ha scritto", " schreef", " napisał", " написал", " пишет", " skrev", " kirjoitti"}

// deliveryPrograms are the programs that mail systems hand mail to, as they name
// themselves: mail.local and vacation of sendmail, procmail, maildrop, Cyrus.
var deliveryPrograms = []string{"mail.local", "procmail", "maildrop", "deliver", "vacation", "sh", "smrsh", "mail", "local", "binmail", "dmail", "tmail", "lmtpd"}

// reporterPhrases come before the name of the host that wrote the report.
var reporterPhrases = []string{"this is the qmail-send program at ", "this is the mail system at host ", "this is the mail server on ", "this is the postfix program at host ", "this is the dragonfly mail agent", "mailer program at ", "message from ", "this message was created automatically by the smtp relay on ", "generating server: ", "on the queue on "}
