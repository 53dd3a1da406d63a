package chunk

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// names are the passage names that a document has used.
type names map[string]bool

// pageLike keeps headings such as "P1" from taking a page's name.
var pageLike = regexp.MustCompile(`^p\d+$`)

// slug names the text under a heading: lower case, letters, digits and the marks
// that scripts write vowels with are kept, everything else is one hyphen. A
// repeat gets -2.
func (n names) slug(heading string) string {
	fields := strings.FieldsFunc(strings.ToLower(heading), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	base := strings.Join(fields, "-")
	if base == "" {
		base = "section"
	}
	name := base
	for i := 2; n[name] || pageLike.MatchString(name); i++ {
		name = base + "-" + strconv.Itoa(i)
	}
	n[name] = true
	return name
}

func pageName(page int) string { return fmt.Sprintf("p%d", page) }

func tableName(page, number int) string { return fmt.Sprintf("p%d.t%d", page, number) }

func rowName(passage string, row int) string { return fmt.Sprintf("%s.r%d", passage, row) }

func sentenceName(passage string, k int) string { return fmt.Sprintf("%s.s%d", passage, k) }
