package flow

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// EntitiesLost flags identifiers of a retrieved table that a later stage dropped.
const EntitiesLost = "EntitiesLost"

// maxNamed bounds how many lost identifiers a flag spells out.
const maxNamed = 12

// Surviving watches a stage for identifiers of table rows that enter it and do
// not leave it in the same table. A loss is flagged even when the answer happens
// to be right: a table without some of its rows is a broken table.
func Surviving(s Stage[rag.Retrieved, rag.Retrieved]) Stage[rag.Retrieved, rag.Retrieved] {
	return Func[rag.Retrieved, rag.Retrieved](func(ctx context.Context, in rag.Retrieved) (rag.Retrieved, error) {
		before := tables(in.Hits)
		out, err := s.Apply(ctx, in)
		if err != nil {
			return out, err
		}
		after := map[string]string{}
		for _, t := range tables(out.Hits) {
			after[t.evidence] += t.text + "\n"
		}
		flags := slices.Clone(out.Flags)
		for _, t := range before {
			var lost []string
			n := 0
			for _, id := range t.ids {
				if !holds(t.text, id) {
					continue // it stands in the title alone, which is no row
				}
				n++
				if !holds(after[t.evidence], id) {
					lost = append(lost, id)
				}
			}
			if len(lost) > 0 {
				flags = append(flags, rag.Flag{Reason: EntitiesLost, Detail: fmt.Sprintf("%s lost %d of %d: %s", t.evidence, len(lost), n, some(lost))})
			}
		}
		out.Flags = flags
		return out, nil
	})
}

// table is what is followed of one, taken before the stage has its hands on it.
type table struct {
	evidence string
	ids      []string
	text     string // lower case
}

func tables(hits []rag.Hit) []table {
	var out []table
	for _, h := range hits {
		if h.Table {
			out = append(out, table{h.Evidence(), slices.Clone(h.IDs), strings.ToLower(h.Body())})
		}
	}
	return out
}

// holds reports whether an identifier stands in a text as a word of its own: the
// row of ST0010 does not hold ST001, nor STL/003/a the code STL/003.
func holds(text, id string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], id)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(id)
		if !joined(lastRunes(text[:start])) && !joined(firstRunes(text[end:])) {
			return true
		}
		at = end
	}
}

// joined reports whether a word goes on with these two characters, the nearer
// first: a letter or digit, or a sign that joins one.
func joined(near, next rune) bool {
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	return word(near) || strings.ContainsRune("/-._", near) && word(next)
}

func firstRunes(s string) (near, next rune) {
	near, n := utf8.DecodeRuneInString(s)
	next, _ = utf8.DecodeRuneInString(s[n:])
	return near, next
}

func lastRunes(s string) (near, next rune) {
	near, n := utf8.DecodeLastRuneInString(s)
	next, _ = utf8.DecodeLastRuneInString(s[:len(s)-n])
	return near, next
}

func some(ids []string) string {
	if len(ids) <= maxNamed {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:maxNamed], ", "), len(ids)-maxNamed)
}
