package model

import (
	"unicode"
	"unicode/utf8"
)

// Floor is the fewest tokens that a model can make of the texts: one for each run
// of letters and one for each run of digits. The common byte-pair vocabularies
// split there before they merge, and SentencePiece by its defaults does too, so no
// token holds two words, or a word and a number. A server that reports fewer has
// not read everything; punctuation and longer words make the real count higher, so
// a small cut stays below notice.
func Floor(texts ...string) int {
	n := 0
	for _, text := range texts {
		inLetters, inDigits := false, false
		for _, r := range text {
			letter := unicode.IsLetter(r) || unicode.IsMark(r)
			digit := unicode.IsDigit(r)
			if letter && !inLetters || digit && !inDigits {
				n++
			}
			inLetters, inDigits = letter, digit
		}
	}
	return n
}

// overhead are the tokens of roles, tags and block boundaries in one request.
const overhead = 200

// Ceiling is an estimate from above, for what a call may cost: a token for every
// two letters or blanks, where prose takes more letters a token, and one for every
// digit, sign and byte outside ASCII, which some vocabularies do not merge.
func Ceiling(texts ...string) int {
	halves := 0
	for _, text := range texts {
		for _, r := range text {
			switch {
			case r >= utf8.RuneSelf:
				halves += 2 * utf8.RuneLen(r)
			case unicode.IsLetter(r) || r == ' ':
				halves++
			default:
				halves += 2
			}
		}
	}
	return (halves+1)/2 + overhead
}
