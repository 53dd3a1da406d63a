// Package wordpiece turns text into the token ids of an uncased BERT model,
// exactly as Hugging Face's tokenizers do for every Unicode code point.
//
// In: a tokenizer.json (WordPiece, BertNormalizer, BertPreTokenizer) and text.
// Out: ids between [CLS] and [SEP]. It never cuts a text off and never pads,
// whatever the file says: all-MiniLM-L6-v2's asks for both at 128. Names of
// special tokens that are written in a text stay text, so that a document
// cannot smuggle in a [SEP].
package wordpiece

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
)

// Tokenizer is safe for concurrent use.
type Tokenizer struct {
	first     map[string]int32 // pieces that may begin a word
	next      map[string]int32 // pieces that go on with it, without their "##"
	longFirst int              // bytes of the longest key
	longNext  int
	maxRunes  int // a longer word is unknown as a whole

	unknown, start, end int32
}

type file struct {
	Normalizer struct {
		Type          string `json:"type"`
		CleanText     bool   `json:"clean_text"`
		HandleChinese bool   `json:"handle_chinese_chars"`
		StripAccents  *bool  `json:"strip_accents"` // null follows lowercase
		Lowercase     bool   `json:"lowercase"`
	} `json:"normalizer"`
	PreTokenizer struct {
		Type string `json:"type"`
	} `json:"pre_tokenizer"`
	Model struct {
		Type     string           `json:"type"` // left out by older writers
		Unknown  string           `json:"unk_token"`
		Prefix   string           `json:"continuing_subword_prefix"`
		MaxRunes int              `json:"max_input_chars_per_word"`
		Vocab    map[string]int32 `json:"vocab"`
	} `json:"model"`
}

// Load reads a tokenizer.json.
func Load(path string) (*Tokenizer, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read tokenizer: %w", err)
	}
	t, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("tokenizer %q: %w", path, err)
	}
	return t, nil
}

// Parse refuses every configuration that it does not reproduce.
func Parse(data []byte) (*Tokenizer, error) {
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, err
	}
	if err := f.supported(); err != nil {
		return nil, err
	}
	t := &Tokenizer{
		first:    make(map[string]int32, len(f.Model.Vocab)),
		next:     make(map[string]int32, len(f.Model.Vocab)/4),
		maxRunes: f.Model.MaxRunes,
	}
	for piece, id := range f.Model.Vocab {
		if rest, ok := strings.CutPrefix(piece, f.Model.Prefix); ok {
			t.next[rest] = id
			t.longNext = max(t.longNext, len(rest))
		}
		t.first[piece] = id
		t.longFirst = max(t.longFirst, len(piece))
	}
	for name, id := range map[string]*int32{f.Model.Unknown: &t.unknown, "[CLS]": &t.start, "[SEP]": &t.end} {
		v, ok := f.Model.Vocab[name]
		if !ok {
			return nil, fmt.Errorf("vocabulary lacks %q", name)
		}
		*id = v
	}
	return t, nil
}

func (f *file) supported() error {
	n := f.Normalizer
	switch {
	case f.Model.Type != "" && f.Model.Type != "WordPiece":
		return fmt.Errorf("model %q is not WordPiece", f.Model.Type)
	case f.Model.Prefix == "" || f.Model.MaxRunes <= 0:
		return errors.New("continuing_subword_prefix and max_input_chars_per_word must be set")
	case n.Type != "BertNormalizer":
		return fmt.Errorf("normalizer %q is not BertNormalizer", n.Type)
	case !n.CleanText || !n.HandleChinese || !n.Lowercase || (n.StripAccents != nil && !*n.StripAccents):
		return errors.New("only the uncased normalizer is supported: clean_text, handle_chinese_chars, lowercase, strip_accents")
	case f.PreTokenizer.Type != "BertPreTokenizer":
		return fmt.Errorf("pre_tokenizer %q is not BertPreTokenizer", f.PreTokenizer.Type)
	}
	return nil
}

// Encode returns [CLS], the pieces of the text, [SEP].
func (t *Tokenizer) Encode(text string) []int32 {
	ids := make([]int32, 1, 16+len(text)/4) // English takes about a piece for each 4.5 bytes
	ids[0] = t.start
	return t.add(ids, text)
}

// Pair returns [CLS], the pieces of a, [SEP], the pieces of b, [SEP], and how
// many of these are b's, the last [SEP] included: the part of token type 1.
func (t *Tokenizer) Pair(a, b string) (ids []int32, second int) {
	ids = make([]int32, 1, 16+(len(a)+len(b))/4)
	ids[0] = t.start
	ids = t.add(ids, a)
	first := len(ids)
	ids = t.add(ids, b)
	return ids, len(ids) - first
}

// Size is one more than the highest id: the length of the vocabulary.
func (t *Tokenizer) Size() int {
	highest := int32(-1)
	for _, id := range t.first { // has all pieces, those with a prefix too
		highest = max(highest, id)
	}
	return int(highest) + 1
}

// add appends the pieces of a text, and [SEP].
func (t *Tokenizer) add(ids []int32, text string) []int32 {
	s := splitter{overrides: overrides, yield: func(word []byte, runes int) { ids = t.pieces(ids, word, runes) }}
	s.text(text)
	return append(ids, t.end)
}

// Count is len(Encode(text)): what the model's window has to hold.
func (t *Tokenizer) Count(text string) int {
	n := 2
	var ids []int32
	s := splitter{overrides: overrides, yield: func(word []byte, runes int) {
		ids = t.pieces(ids[:0], word, runes)
		n += len(ids)
	}}
	s.text(text)
	return n
}

// pieces appends the word's pieces: greedily the longest one each time, or
// unknown for the whole word where any part of it is not in the vocabulary.
func (t *Tokenizer) pieces(ids []int32, word []byte, runes int) []int32 {
	if runes > t.maxRunes {
		return append(ids, t.unknown)
	}
	begin := len(ids)
	vocab, longest := t.first, t.longFirst
	for len(word) > 0 {
		id, n := match(vocab, word[:min(len(word), longest)], word)
		if n == 0 {
			return append(ids[:begin], t.unknown)
		}
		ids = append(ids, id)
		word = word[n:]
		vocab, longest = t.next, t.longNext
	}
	return ids
}

// match finds the longest prefix of head, which is itself a prefix of word, that
// is in the vocabulary and ends on a rune's boundary; 0 bytes when there is none.
func match(vocab map[string]int32, head, word []byte) (id int32, n int) {
	for n = len(head); n > 0; n-- {
		if n < len(word) && word[n]&0xC0 == 0x80 {
			continue
		}
		if id, ok := vocab[string(head[:n])]; ok {
			return id, n
		}
	}
	return 0, 0
}
