package wordpiece

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fate is what becomes of a code point.
type fate uint8

const (
	drop  fate = iota // leaves no trace: control, format, private use, combining marks
	space             // parts words
	word              // punctuation: a word of its own
	part              // of the word around it
)

// override replaces what Go's Unicode tables say of the code points lo to hi,
// where the reference was built with another version of Unicode.
type override struct {
	lo, hi rune
	fate   fate
	text   string // stands for the code point; "" = itself
}

// splitter cleans, folds and splits a text into words: no control characters,
// accents or capitals, with punctuation and ideographs as words of their own.
type splitter struct {
	overrides []override // ascending
	yield     func(word []byte, runes int)

	word    []byte
	runes   int
	scratch []byte
}

func (s *splitter) text(text string) {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			s.ascii(c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		s.rune(r, text[i:i+n])
		i += n
	}
	s.flush()
}

func (s *splitter) flush() {
	if len(s.word) > 0 {
		s.yield(s.word, s.runes)
		s.word, s.runes = s.word[:0], 0
	}
}

// ascii is the short way for what most text consists of.
func (s *splitter) ascii(c byte) {
	switch {
	case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
		s.word = append(s.word, c)
		s.runes++
	case c >= 'A' && c <= 'Z':
		s.word = append(s.word, c+('a'-'A'))
		s.runes++
	case c == ' ' || c == '\n' || c == '\t' || c == '\r':
		s.flush()
	case c < ' ' || c == 0x7F: // dropped; the letters around it join
	default: // all of ASCII's symbols count as punctuation
		s.flush()
		s.word = append(s.word, c)
		s.runes = 1
		s.flush()
	}
}

func (s *splitter) rune(r rune, text string) {
	if o := find(s.overrides, r); o != nil {
		if o.text != "" {
			text = o.text
		}
		s.put(o.fate, text)
		return
	}
	switch {
	case r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co):
		return
	case unicode.Is(unicode.White_Space, r):
		s.flush()
		return
	case ideograph(r):
		s.flush()
		defer s.flush()
	}
	if norm.NFD.QuickSpanString(text) == len(text) {
		s.fold(r)
		return
	}
	s.scratch = norm.NFD.AppendString(s.scratch[:0], text)
	for rest := s.scratch; len(rest) > 0; {
		d, n := utf8.DecodeRune(rest)
		s.fold(d)
		rest = rest[n:]
	}
}

// fold takes one code point of a canonical decomposition.
func (s *splitter) fold(r rune) {
	switch {
	case unicode.Is(unicode.Mn, r): // an accent
	case r == 'İ':
		s.put(part, "i\u0307") // full, not simple, lower case
	case unicode.Is(unicode.White_Space, r):
		s.flush()
	case unicode.Is(unicode.P, r):
		s.put(word, string(unicode.ToLower(r)))
	default:
		s.word = utf8.AppendRune(s.word, unicode.ToLower(r))
		s.runes++
	}
}

func (s *splitter) put(f fate, text string) {
	switch f {
	case space:
		s.flush()
	case word:
		s.flush()
		s.word = append(s.word, text...)
		s.runes = utf8.RuneCountInString(text)
		s.flush()
	case part:
		s.word = append(s.word, text...)
		s.runes += utf8.RuneCountInString(text)
	case drop:
	}
}

// find searches the table by halves.
func find(table []override, r rune) *override {
	if len(table) == 0 || r < table[0].lo {
		return nil
	}
	i, j := 0, len(table)
	for i < j {
		if h := int(uint(i+j) / 2); table[h].hi < r {
			i = h + 1
		} else {
			j = h
		}
	}
	if i < len(table) && table[i].lo <= r {
		return &table[i]
	}
	return nil
}

// ideograph holds the blocks that BERT's own tokenizer sets apart; hangul, kana
// and the later extensions are not among them. U+2B920 is the reference's
// number, where the block begins at U+2B820.
func ideograph(r rune) bool {
	switch {
	case r < 0x3400:
		return false
	case r <= 0x4DBF, r >= 0x4E00 && r <= 0x9FFF, r >= 0xF900 && r <= 0xFAFF,
		r >= 0x20000 && r <= 0x2A6DF, r >= 0x2A700 && r <= 0x2B73F, r >= 0x2B740 && r <= 0x2B81F,
		r >= 0x2B920 && r <= 0x2CEAF, r >= 0x2F800 && r <= 0x2FA1F:
		return true
	}
	return false
}
