package extract

import (
	"path"
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

// junkName finds file names that say nothing: a scanner's, a browser's, a number.
var junkName = regexp.MustCompile(`(?i)^(scan(ned)?|img|image|dsc|doc(ument)?|file|page|print|output|download|copy|new|temp|tmp)?[\W_\d]*$`)

// titleOfFile is the name of a file as a title, "" where it says nothing. Codes
// keep their hyphens.
func titleOfFile(key string) string {
	name := path.Base(key)
	name = strings.TrimSuffix(name, path.Ext(name))
	name = strings.Join(strings.Fields(strings.ReplaceAll(name, "_", " ")), " ")
	if junk(name) || junkName.MatchString(name) {
		return ""
	}
	return name
}
