package retrieve

import (
	"slices"
	"strings"
	"unicode"
)

// numberLeast is how many digits a number of the question has at least to stand for
// the code that it is a part of, as 88231 does for CT-88231. Years, dates and most
// amounts have fewer, and a longer amount is a part of no code.
const numberLeast = 5

// numbers are the terms of a question that may be parts of codes. People leave the
// letters out; what is stored is the code, so a number is no identifier by itself.
func numbers(terms []string) []string {
	var out []string
	for _, t := range terms {
		digits := strings.IndexFunc(t, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
		if digits && len([]rune(t)) >= numberLeast && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// held counts the identifiers and numbers of the question that a chunk holds, a
// number where one of the chunk's identifiers has it as a whole part: 8823 and
// 88231 are parts of different codes.
func (s *search) held(in []string) int {
	n := 0
	for _, id := range s.ids {
		if slices.Contains(in, id) {
			n++
		}
	}
	for _, number := range s.numbers {
		if slices.ContainsFunc(in, func(id string) bool { return slices.Contains(parts(id), number) }) {
			n++
		}
	}
	return n
}

// parts are what the joiners of an identifier hold together.
func parts(id string) []string {
	return strings.FieldsFunc(id, func(r rune) bool { return strings.ContainsRune("/-._", r) })
}
