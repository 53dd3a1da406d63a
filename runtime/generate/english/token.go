// Package english reads questions and printed words in English: tokens, stems,
// abbreviations, and which words mean the same in registers, invoices and
// policies. Text goes in, tokens come out. It knows no other language, and
// Foreign says when a question is in one.
package english

import (
	"strings"
	"unicode"
)

// Kind says what a token is.
type Kind int

// Kinds of token.
const (
	Word   Kind = iota // letters
	Number             // 30,000 or 12% or ₹75,000
	Code               // letters and digits, or digits joined by / and -: ST001, STL/2025-26/003
)

// Token is one word of a text.
type Token struct {
	Text  string // as written
	Fold  string // lower case, possessive removed
	Stem  string // singular, abbreviations spelt out: for what a cell or a header says
	Root  string // stemmed further: for what a sentence is about
	Kind  Kind
	Start int // byte offset of Text
}

// Capital reports whether the token is written with a capital first letter.
func (t Token) Capital() bool {
	for _, r := range t.Text {
		return unicode.IsUpper(r)
	}
	return false
}

// Tokens cuts text into tokens. Joiners inside a code stay ("STL/2025-26/003");
// words joined by a hyphen, slash or underscore are separate tokens.
func Tokens(text string) []Token {
	var out []Token
	start := -1
	flush := func(end int) {
		if start >= 0 {
			out = append(out, pieces(text[start:end], start)...)
			start = -1
		}
	}
	for i, r := range text {
		if unicode.IsSpace(r) || strings.ContainsRune("?!;:\"“”()[]{}|<>=*_", r) {
			flush(i)
		} else if start < 0 {
			start = i
		}
	}
	flush(len(text))
	return out
}

// pieces makes tokens of one run without spaces.
func pieces(run string, offset int) []Token {
	trimmed := strings.TrimLeft(run, "'‘’,.-–—/&#")
	offset += len(run) - len(trimmed)
	run = strings.TrimRight(trimmed, "'‘’,.-–—/&")
	if run == "" {
		return nil
	}
	digits, letters := census(run)
	switch {
	case digits == 0:
		return words(run, offset)
	case number(run):
		return []Token{literal(run, Number, offset)}
	case letters > 0 && splits(run):
		return words(run, offset)
	default:
		return []Token{literal(run, Code, offset)}
	}
}

// literal is a token that has no other form.
func literal(text string, kind Kind, offset int) Token {
	fold := unpossessive(strings.ToLower(text))
	return Token{Text: text, Fold: fold, Stem: fold, Root: fold, Kind: kind, Start: offset}
}

// splits reports whether a mixed run is words and numbers joined, such as
// April-2025 or 30-day, rather than one code such as AX-42.
func splits(run string) bool {
	parts := strings.FieldsFunc(run, joiner)
	if len(parts) < 2 || strings.Contains(run, "/") {
		return false
	}
	for _, p := range parts {
		d, l := census(p)
		if d > 0 && l > 0 {
			return false
		}
		if l > 0 && strings.ToUpper(p) == p {
			return false // INV-7719
		}
	}
	return true
}

func words(run string, offset int) []Token {
	var out []Token
	start := 0
	cut := func(end int) {
		if w := strings.Trim(run[start:end], "'‘’."); w != "" {
			fold := unpossessive(strings.ToLower(w))
			kind := Word
			if d, l := census(w); l == 0 && d > 0 {
				kind = Number
			}
			out = append(out, Token{Text: w, Fold: fold, Stem: Stem(fold), Root: Root(fold), Kind: kind, Start: offset + start})
		}
	}
	for i, r := range run {
		if joiner(r) || r == ',' || r == '&' && len(run) > 3 {
			cut(i)
			start = i + len(string(r))
		}
	}
	cut(len(run))
	return out
}

func joiner(r rune) bool { return strings.ContainsRune("-–—/", r) }

func unpossessive(w string) string {
	for _, s := range []string{"'s", "’s", "‘s"} {
		w = strings.TrimSuffix(w, s)
	}
	return strings.ReplaceAll(strings.ReplaceAll(w, "’", ""), "'", "")
}

func census(s string) (digits, letters int) {
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
	}
	return digits, letters
}

// number reports whether a run is an amount: digits, separators, currency, %.
func number(run string) bool {
	s := strings.TrimSuffix(run, "%")
	for _, sign := range []string{"₹", "$", "€", "£", "Rs.", "Rs", "INR", "USD", "EUR", "GBP"} {
		s = strings.TrimPrefix(s, sign)
	}
	s = strings.TrimSuffix(s, "/-")
	if s == "" || !unicode.IsDigit(rune(s[0])) {
		return false
	}
	return strings.Trim(s, "0123456789.,") == ""
}

// Stems returns the canonical stems of a text's tokens.
func Stems(text string) []string {
	tokens := Tokens(text)
	out := make([]string, len(tokens))
	for i, t := range tokens {
		out[i] = t.Stem
	}
	return out
}
