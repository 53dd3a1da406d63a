package embedded

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/qdrant/go-client/qdrant"
)

// textIndex is an index for words: the slots of each token.
type textIndex struct {
	tokenizer tokenizer
	phrases   bool // the order of words is asked for
	tokens    *postings[string]
	texts     column[string] // the texts themselves, where phrases are asked for
}

// tokenizer cuts texts into tokens.
type tokenizer struct {
	kind          qdrant.TokenizerType
	lower         bool
	shortest, max int // runes; 0 = no bound
}

// newTextIndex refuses the languages' tokenizers, stemmers and stop words, which
// the project does not use.
func newTextIndex(params *qdrant.TextIndexParams) (*textIndex, error) {
	t := tokenizer{kind: qdrant.TokenizerType_Word, lower: true}
	if params != nil {
		if params.GetTokenizer() != qdrant.TokenizerType_Unknown {
			t.kind = params.GetTokenizer()
		}
		if params.Lowercase != nil {
			t.lower = params.GetLowercase()
		}
		t.shortest, t.max = int(params.GetMinTokenLen()), int(params.GetMaxTokenLen())
	}
	switch {
	case t.kind == qdrant.TokenizerType_Multilingual:
		return nil, unserved("the multilingual tokenizer")
	case params.GetStemmer() != nil:
		return nil, unserved("a text index with a stemmer")
	case params.GetStopwords() != nil:
		return nil, unserved("a text index with stop words")
	case params.GetAsciiFolding():
		return nil, unserved("a text index with ASCII folding")
	}
	return &textIndex{tokenizer: t, phrases: params.GetPhraseMatching(), tokens: newPostings[string](nil)}, nil
}

func (x *textIndex) add(slot uint32, texts []string) {
	var tokens []string
	for _, s := range texts {
		tokens = append(tokens, x.tokenizer.document(s)...)
	}
	x.tokens.add(slot, tokens)
	if x.phrases {
		x.texts.set(slot, texts)
	}
}

func (x *textIndex) remove(slot uint32) {
	x.tokens.remove(slot)
	if x.phrases {
		x.texts.set(slot, nil)
	}
}

// match is the predicate of a text, text-any or phrase match. ok is false for a
// phrase on an index without word order.
func (x *textIndex) match(m *matchTest) (p predicate, ok bool) {
	words := x.tokenizer.query(m.words)
	switch m.kind {
	case matchTextAny:
		return x.tokens.any(words), true
	case matchPhrase:
		if !x.phrases {
			return predicate{}, false
		}
		inOrder := predicate{check: func(slot uint32) bool {
			return x.texts.some(slot, func(s string) bool { return consecutive(x.tokenizer.document(s), words) })
		}}
		return all([]predicate{x.every(words), inOrder}), true
	}
	return x.every(words), true
}

// every holds where all the words are; no words match nothing.
func (x *textIndex) every(words []string) predicate {
	if len(words) == 0 {
		return never()
	}
	found := make([]*roaring.Bitmap, len(words))
	for i, w := range words {
		if found[i] = x.tokens.slots[w]; found[i] == nil {
			return never()
		}
	}
	return ofBitmap(roaring.FastAnd(found...))
}

// holds tests a text that stands in a payload, by this index's idea of words.
func (x *textIndex) holds(m *matchTest, s string) bool {
	have, want := x.tokenizer.document(s), x.tokenizer.query(m.words)
	if m.kind == matchPhrase {
		return len(want) > 0 && consecutive(have, want)
	}
	set := make(map[string]bool, len(have))
	for _, token := range have {
		set[token] = true
	}
	met := 0
	for _, w := range want {
		if set[w] {
			met++
		}
	}
	if m.kind == matchTextAny {
		return met > 0
	}
	return met > 0 && met == len(want)
}

// consecutive reports whether the words stand side by side in the tokens.
func consecutive(tokens, words []string) bool {
	for i := 0; i+len(words) <= len(tokens); i++ {
		j := 0
		for j < len(words) && tokens[i+j] == words[j] {
			j++
		}
		if j == len(words) {
			return true
		}
	}
	return false
}

// document lists a stored text's tokens, in order.
func (t tokenizer) document(s string) []string { return t.cut(s, t.prefixes) }

// query lists a question's tokens: a prefix tokenizer then takes the words whole.
func (t tokenizer) query(s string) []string {
	return t.cut(s, func(word string) []string { return []string{truncate(word, t.max)} })
}

func (t tokenizer) cut(s string, prefixed func(string) []string) []string {
	words := strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	if t.kind == qdrant.TokenizerType_Whitespace {
		words = strings.Fields(s)
	}
	var out []string
	for _, w := range words {
		if t.lower {
			w = strings.ToLower(w)
		}
		n := utf8.RuneCountInString(w)
		switch {
		case n < t.shortest:
		case t.kind == qdrant.TokenizerType_Prefix:
			out = append(out, prefixed(w)...)
		case t.max == 0 || n <= t.max:
			out = append(out, w)
		}
	}
	return out
}

// prefixes lists the beginnings of a word between the bounds.
func (t tokenizer) prefixes(word string) []string {
	var out []string
	n := 0
	for i := range word {
		if n >= max(t.shortest, 1) && (t.max == 0 || n <= t.max) {
			out = append(out, word[:i])
		}
		n++
	}
	if t.max == 0 || n <= t.max {
		out = append(out, word)
	}
	return out
}

func truncate(word string, most int) string {
	if most == 0 {
		return word
	}
	n := 0
	for i := range word {
		if n == most {
			return word[:i]
		}
		n++
	}
	return word
}
