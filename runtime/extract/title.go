package extract

import (
	"regexp"
	"strings"
	"unicode"
)

// junkTitle finds what programs write as a title when nobody gave one.
var junkTitle = regexp.MustCompile(`(?i)^(untitled.*|\(?anonymous\)?|unspecified|document\d*|book\d*|sheet\d*|microsoft (word|excel|powerpoint)\b.*|.*\.(docx?|xlsx?|pptx?|pdf|odt|ods|qxd|indd|rtf|txt|html?|tmp|tex|dvi|ps)|[\da-f]{16,})$`)

// junk reports whether a title in a file's information says nothing.
func junk(title string) bool {
	title = strings.TrimSpace(title)
	return strings.IndexFunc(title, unicode.IsLetter) < 0 || junkTitle.MatchString(title)
}
