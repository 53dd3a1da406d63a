package lexical

import (
	"fmt"

	"github.com/kljensen/snowball/english"
)

// English is the language whose words can be stemmed and whose stop words are
// known; "" is
// none: every word counts, as it is written.
const English = "en"

// analyser reduces a language's words. Codes, amounts and words with other
// letters are left alone: their spelling is their meaning.
type analyser struct{ language string }

func newAnalyser(language string) (analyser, error) {
	if language != "" && language != English {
		return analyser{}, fmt.Errorf("lexical: language is %q, must be %q or empty", language, English)
	}
	return analyser{language}, nil
}

// reduce returns the word with its terms stemmed, and false for a stop word.
func (a analyser) reduce(w word) (word, bool) {
	if a.language == "" || w.code || w.text == "" {
		return w, true
	}
	if english.IsStopWord(w.text) {
		return w, false
	}
	out := w
	out.terms, out.parts = stems(w.terms), stems(w.parts)
	return out, true
}

func stems(terms []string) []string {
	out := make([]string, len(terms))
	for i, t := range terms {
		out[i] = t
		if latin(t) {
			out[i] = english.Stem(t, false)
		}
	}
	return out
}

// latin reports whether a term is of a to z alone.
func latin(t string) bool {
	for i := range len(t) {
		if t[i] < 'a' || t[i] > 'z' {
			return false
		}
	}
	return t != ""
}
