// Package lexical turns text into BM25 sparse vectors and finds the identifiers in it.
//
// In: a passage or a question. Out: term indices (FNV-1a, 32 bits) with weights,
// the terms themselves, and the id-like tokens. The store multiplies document
// weights by IDF; nothing here knows how many documents there are.
//
// A word that is written together stays together: STL/2025-26/003, CT-88231 and
// 211.25 are one term each. Their parts are indexed too, at half weight, so that
// "88231" finds CT-88231 without CT-88232 coming along.
package lexical

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"iter"
	"slices"
)

// partWeight is what a part of a compound counts beside a whole word: enough to
// be found, and always ranked below a passage that has the part as its own word.
const partWeight = 0.5

// Options are BM25's parameters.
type Options struct {
	K1            float64 // how soon a repeated term stops counting; 1.2 is usual
	B             float64 // how much a long passage is held against it, 0 to 1; 0.75 is usual
	AverageLength int     // words in a usual passage; configured, since a measured one would change every stored weight
	Language      string  // stems words and leaves stop words out: "en", or "" for neither
}

// Encoder is safe for concurrent use.
type Encoder struct {
	options  Options
	analyser analyser
}

// New refuses parameters that BM25 has no meaning for.
func New(o Options) (*Encoder, error) {
	switch {
	case !(o.K1 >= 0):
		return nil, fmt.Errorf("lexical: K1 is %v, must be 0 or more", o.K1)
	case !(o.B >= 0 && o.B <= 1):
		return nil, fmt.Errorf("lexical: B is %v, must be between 0 and 1", o.B)
	case o.AverageLength <= 0:
		return nil, fmt.Errorf("lexical: AverageLength is %d, must be positive", o.AverageLength)
	}
	a, err := newAnalyser(o.Language)
	if err != nil {
		return nil, err
	}
	return &Encoder{o, a}, nil
}

// Sparse is a sparse vector: distinct indices, ascending, with their weights.
type Sparse struct {
	Indices    []uint32
	Values     []float32
	Collisions []Collision // within this text; the weights of both terms were added
}

// Document weighs the terms of a passage: tf·(k1+1) / (tf + k1·(1−b+b·len/average)),
// where a part of a compound counts partWeight towards tf and nothing towards len.
func (e *Encoder) Document(text string) Sparse {
	tf, length := e.frequencies(text)
	k1, b := e.options.K1, e.options.B
	norm := k1 * (1 - b + b*float64(length)/float64(e.options.AverageLength))
	for t, f := range tf {
		tf[t] = f * (k1 + 1) / (f + norm)
	}
	return sparse(tf)
}

// frequencies counts the terms of a passage, parts at their weight, and its words.
func (e *Encoder) frequencies(text string) (tf map[string]float64, length int) {
	tf = map[string]float64{}
	for w := range e.words(text) {
		length += w.length()
		for _, t := range w.terms {
			tf[t]++
		}
		for _, p := range w.parts {
			tf[p] += partWeight
		}
	}
	return tf, length
}

// Query weighs the distinct terms of a question: 1 each, partWeight for the parts
// of a hyphenated word. A code's parts are left out: whoever asks for CT-88231
// doesn't mean every CT.
func (e *Encoder) Query(text string) Sparse {
	return sparse(e.wanted(text))
}

// wanted are a question's terms with their weights.
func (e *Encoder) wanted(text string) map[string]float64 {
	weights := map[string]float64{}
	for w := range e.words(text) {
		for _, t := range w.terms {
			weights[t] = 1
		}
		if w.code {
			continue
		}
		for _, p := range w.parts {
			weights[p] = max(weights[p], partWeight)
		}
	}
	return weights
}

// Terms returns the distinct terms that Query weighs 1, in the order of the text.
func (e *Encoder) Terms(text string) []string {
	var out []string
	seen := map[string]bool{}
	for w := range e.words(text) {
		for _, t := range w.terms {
			if !seen[t] {
				seen[t] = true
				out = append(out, t)
			}
		}
	}
	return out
}

// words yields the words of a text that count, reduced.
func (e *Encoder) words(text string) iter.Seq[word] {
	return func(yield func(word) bool) {
		for w := range words(fold(text)) {
			if r, ok := e.analyser.reduce(w); ok && !yield(r) {
				return
			}
		}
	}
}

func sparse(weights map[string]float64) Sparse {
	type entry struct {
		index uint32
		term  string
	}
	entries := make([]entry, 0, len(weights))
	for t := range weights {
		entries = append(entries, entry{index(t), t})
	}
	slices.SortFunc(entries, func(a, b entry) int {
		// By term too, so that a sum of floats doesn't depend on the map's order.
		return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.term, b.term))
	})
	s := Sparse{Indices: make([]uint32, 0, len(entries)), Values: make([]float32, 0, len(entries))}
	first := "" // term of the last index
	for _, e := range entries {
		w := float32(weights[e.term])
		if n := len(s.Indices); n > 0 && s.Indices[n-1] == e.index {
			s.Values[n-1] += w
			s.Collisions = append(s.Collisions, Collision{first, e.term})
			continue
		}
		first = e.term
		s.Indices = append(s.Indices, e.index)
		s.Values = append(s.Values, w)
	}
	return s
}

func index(term string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(term)) // never fails
	return h.Sum32()
}
