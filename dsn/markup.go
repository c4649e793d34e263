package dsn

import "strings"

// unmarked takes out of a pasted text what the places it went through put in:
// Markdown's links and code marks, HTML's tags and entities, the addresses that
// Outlook writes again behind addresses.
func unmarked(text string) string {
	if containsAny(text, codeMarked) {
		text = codeMarks.Replace(text)
	}
	if strings.Contains(text, "</") || strings.Contains(text, "<br") || strings.Contains(text, "<BR") {
		text = untagged(text)
	}
	if strings.Contains(text, "&lt;") || strings.Contains(text, "&gt;") || strings.Contains(text, "&#") || strings.Contains(text, "&quot;") || strings.Contains(text, "&amp;") {
		text = entities.Replace(text)
	}
	if strings.Contains(text, "](") {
		text = unlinked(text)
	}
	if strings.Contains(text, "**") {
		text = unbold(text)
	}
	for _, form := range [...]string{"[mailto:", "<mailto:"} {
		if strings.Contains(text, form) {
			text = saidOnce(text, form)
		}
	}
	return text
}

// codeMarks are code in Markdown, what it escapes in names, and the blank of no
// width.
var (
	codeMarks  = strings.NewReplacer("```", "", "`", "", "\u200b", "", `\_`, "_", `\.`, ".", `\-`, "-")
	codeMarked = []string{"`", "\u200b", `\_`, `\.`, `\-`}
)

var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#34;", `"`, "&#39;", "'", "&#x27;", "'", "&#64;", "@", "&nbsp;", " ", "&#160;", " ", "&#8203;", "", "&amp;", "&")

// tags are the HTML elements that a pasted text keeps; "<a@b.example>" and
// "<br.smith@b.example>" are none.
var tags = []string{"a", "b", "i", "p", "br", "em", "tt", "li", "ul", "ol", "td", "tr", "div", "pre", "span", "code", "font", "strong", "table", "tbody", "blockquote"}

// maxTag bounds a tag, so that a text of many "<" is read in linear time.
const maxTag = 400

func untagged(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for {
		i := strings.IndexByte(text, '<')
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i])
		text = text[i:]
		n := tagLength(text)
		if n == 0 {
			b.WriteByte('<')
			text = text[1:]
			continue
		}
		if name := strings.ToLower(text[1:min(3, n)]); name == "br" || strings.HasPrefix(name, "/p") {
			b.WriteByte('\n')
		}
		text = text[n:]
	}
}

// tagLength returns the length of the tag at the start of s, 0 for none.
func tagLength(s string) int {
	at := 1
	if at < len(s) && s[at] == '/' {
		at++
	}
	end := at
	for end < len(s) && end < at+11 && 'a' <= s[end]|0x20 && s[end]|0x20 <= 'z' {
		end++
	}
	if end == at || end == len(s) || !contains(tags, s[at:end]) || strings.IndexByte(" >/\n\t", s[end]) < 0 {
		return 0
	}
	return strings.IndexByte(s[:min(len(s), maxTag)], '>') + 1
}

// maxLink bounds the text of a link and its target.
const maxLink = 400

// unlinked leaves of "[text](target)" the text.
func unlinked(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for {
		i := strings.Index(text, "](")
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		open := strings.LastIndexByte(text[max(0, i-maxLink):i], '[')
		end := strings.IndexByte(text[i:min(len(text), i+maxLink)], ')')
		target := text[i+2:]
		if open < 0 || end < 0 || !hasPrefixFold(target, "mailto:") && !hasPrefixFold(target, "http") {
			b.WriteString(text[:i+2])
			text = target
			continue
		}
		open += max(0, i-maxLink)
		b.WriteString(text[:open])
		b.WriteString(text[open+1 : i])
		text = text[i+end+1:]
	}
}

// unbold leaves of Markdown's "**text**" the text. Lines drawn with more stars
// stay.
func unbold(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for {
		open := boldMark(text)
		if open < 0 {
			b.WriteString(text)
			return b.String()
		}
		inner := text[open+2:]
		if line := strings.IndexByte(inner, '\n'); line >= 0 {
			inner = inner[:line]
		}
		end := boldMark(inner[:min(len(inner), maxLink)])
		if end <= 0 || strings.IndexByte(" \t", inner[0]) >= 0 || strings.IndexByte(" \t", inner[end-1]) >= 0 {
			b.WriteString(text[:open+2])
			text = text[open+2:]
			continue
		}
		b.WriteString(text[:open])
		b.WriteString(inner[:end])
		text = text[open+2+end+2:]
	}
}

// boldMark returns where the first two stars stand that no third is next to;
// -1 is nowhere.
func boldMark(s string) int {
	for from := 0; ; {
		i := strings.Index(s[from:], "**")
		if i < 0 {
			return -1
		}
		at := from + i
		end := at
		for end < len(s) && s[end] == '*' {
			end++
		}
		if end-at == 2 {
			return at
		}
		from = end
	}
}

// saidOnce takes away "[mailto:a@b.example]" or "<mailto:a@b.example>" behind
// what it repeats. Where it stands alone it stays.
func saidOnce(text, form string) string {
	closing := byte(']')
	if form[0] == '<' {
		closing = '>'
	}
	var b strings.Builder
	b.Grow(len(text))
	for {
		i := strings.Index(text, form)
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		end := strings.IndexByte(text[i:min(len(text), i+maxLink)], closing)
		before := strings.TrimRight(text[:i], " ")
		if end < 0 || before == "" || strings.IndexByte("\n<:", before[len(before)-1]) >= 0 {
			b.WriteString(text[:i+len(form)])
			text = text[i+len(form):]
			continue
		}
		b.WriteString(before)
		text = text[i+end+1:]
	}
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
