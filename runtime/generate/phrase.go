package generate

import (
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/ask"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/match"
	"github.com/hardgate-dev/hardgate/runtime/generate/period"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// place names the document for a reader: as the question does, else by its title.
func place(r *match.Reading) string {
	if ref := r.Reference(); ref != "" && strings.Contains(ref, " ") {
		return "the " + strings.TrimPrefix(strings.TrimPrefix(ref, "the "), "The ")
	}
	t := r.Table
	names := []string{t.Title, t.Heading, strings.ReplaceAll(t.Document, "_", " ")}
	for _, s := range names { // the name that says the period asked for tells two months apart
		if dates(s, r.Question.Periods) {
			return s
		}
	}
	for _, s := range names {
		if s != "" {
			return s
		}
	}
	return ""
}

// dates reports whether a name says one of the periods.
func dates(name string, asked []ask.Span) bool {
	for _, f := range period.Find(name) {
		for _, p := range asked {
			if p.Covers(f.Period) {
				return true
			}
		}
	}
	return false
}

// conditions says in words which rows were taken: " whose Department is Mill".
func conditions(r *match.Reading) string {
	var parts []string
	for _, c := range r.Where {
		verb := " is "
		if len(c.Bounds) > 0 {
			verb = " is " // "Gross is more than 30,000"
		}
		if label := r.Table.Columns[c.Column].Name; label != "" {
			parts = append(parts, label+verb+c.Shown)
		} else {
			parts = append(parts, "group"+verb+c.Shown)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " whose " + list(parts)
}

// noun is what the question calls what it counts, in the number that fits n.
func noun(r *match.Reading, n int) string {
	var words []string
	q := r.Question
	for i := q.Noun; i >= 0 && i < len(q.Tokens); i++ {
		t := q.Tokens[i]
		if t.Kind != english.Word || english.Filler(t.Fold) || q.Roles[i] != ask.Open {
			if len(words) > 0 {
				break
			}
			continue
		}
		words = append(words, t.Fold)
		if english.Concept(t.Stem) == "person" {
			words = words[len(words)-1:]
			break
		}
	}
	if len(words) == 0 {
		words = []string{"row"}
		if r.People {
			words = []string{"employee"}
		}
	}
	last := len(words) - 1
	words[last] = inflect(words[last], n)
	return strings.Join(words, " ")
}

// inflect puts an English noun into the number that fits n.
func inflect(word string, n int) string {
	one := english.Stem(word)
	if one == "person" || one == "staff" || one == "man" || one == "woman" {
		if n == 1 && one != "staff" {
			return one
		}
		return map[string]string{"person": "people", "staff": "staff", "man": "men", "woman": "women"}[one]
	}
	if n == 1 {
		if strings.HasPrefix(word, one) || strings.HasSuffix(one, "y") {
			return one
		}
		return word
	}
	switch {
	case word != one && strings.HasPrefix(word, one):
		return word
	case strings.HasSuffix(word, "s"):
		return word
	case strings.HasSuffix(word, "y") && !strings.HasSuffix(word, "ay") && !strings.HasSuffix(word, "ey"):
		return word[:len(word)-1] + "ies"
	}
	return word + "s"
}

func are(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// title names a chunk's document for a reader.
func title(c rag.Chunk) string {
	for _, s := range []string{c.Title, c.Heading} {
		if s != "" {
			return s
		}
	}
	return strings.ReplaceAll(c.Document, "_", " ")
}
