package english

import (
	_ "embed"
	"strings"
)

// commonText holds the most frequent English words of three letters and more, as
// the vocabulary of BERT's encoder family orders them.
//
//go:embed common.txt
var commonText string

// common holds the roots of the frequent words.
var common = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(commonText) {
		m[w] = true
		m[Root(w)] = true
	}
	return m
}()

// Common reports whether a token is a word of everyday English. A rare word
// carries what a question is about; a common one may be said otherwise.
func Common(t Token) bool {
	return t.Kind == Word && (common[t.Fold] || common[t.Stem] || common[t.Root])
}
