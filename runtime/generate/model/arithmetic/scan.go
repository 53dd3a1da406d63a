package arithmetic

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

type kind int

const (
	number   kind = iota
	operator      // + - × ÷
	equals
	opening
	closing
	word
	stop // ends whatever calculation stands before it
)

// token is one piece of a text.
type token struct {
	kind kind
	quantity
	op         byte // + - * /
	word       bool // a number in words: may be calculated with, claims nothing
	ordinal    bool // a list item's "1."
	approx     bool // ≈
	start, end int  // in the plain text
}

// markup is taken out before a text is read: emphasis and TeX, which models
// write around calculations, and the typesetter's blanks and hyphens.
var markup = strings.NewReplacer(
	"**", "", "__", "", "`", "", `\times`, "×", `\cdot`, "×", `\div`, "÷", `\approx`, "≈", `\$`, "$", `\%`, "%", `\*`, "*",
	`\(`, " ", `\)`, " ", `\[`, " ", `\]`, " ", "$$", " ",
	"\u00a0", " ", "\u202f", " ", "\u2009", " ", "\u2007", " ", "\u2010", "-", "\u2011", "-", "\u2019", "'",
	"½", ".5", "¼", ".25", "¾", ".75",
)

var (
	texText = regexp.MustCompile(`\\text\{([^}]*)\}`)
	// Digits that a typesetter's blank groups by three, which plain would part.
	spaced = regexp.MustCompile(`\d{1,3}(?:[\x{00a0}\x{202f}\x{2009}\x{2007}]\d{3})+`)
)

// plain takes the markup out.
func plain(text string) string {
	text = spaced.ReplaceAllStringFunc(text, func(s string) string {
		return strings.Map(func(r rune) rune {
			if r < utf8.RuneSelf {
				return r
			}
			return -1
		}, s)
	})
	return markup.Replace(texText.ReplaceAllString(text, "$1"))
}

// scanner reads a plain text from left to right.
type scanner struct {
	text   string
	at     int
	tokens []token
}

// item is the number before an item of a list, which claims nothing.
var item = regexp.MustCompile(`^[ \t>#]*(?:[-*+][ \t]+)?\(?(\d{1,2})[.)][ \t]`)

func scan(text string) []token {
	s := &scanner{text: plain(text)}
	for s.at < len(s.text) {
		if s.lineStart() && s.item() {
			continue
		}
		if s.quantity() || s.sign() {
			continue
		}
		s.other()
	}
	return s.tokens
}

func (s *scanner) rest() string { return s.text[s.at:] }

func (s *scanner) lineStart() bool { return s.at == 0 || s.text[s.at-1] == '\n' }

// item skips a list marker.
func (s *scanner) item() bool {
	line, _, _ := strings.Cut(s.rest(), "\n")
	if m := item.FindStringIndex(line); m != nil {
		s.push(token{kind: stop}, m[1])
		return true
	}
	trimmed := strings.TrimLeft(line, " \t")
	for _, bullet := range []string{"- ", "* ", "+ ", "– ", "• "} {
		if strings.HasPrefix(trimmed, bullet) {
			s.push(token{kind: stop}, len(line)-len(trimmed)+len(bullet))
			return true
		}
	}
	return false
}

func (s *scanner) push(t token, length int) {
	t.start, t.end = s.at, s.at+length
	s.at += length
	if t.kind == number {
		t.printed = strings.TrimSpace(s.text[t.start:t.end])
	}
	s.tokens = append(s.tokens, t)
}

// operators by how they are written; those of letters and ambiguous marks are
// handled where they stand.
var operators = map[rune]byte{'×': '*', '·': '*', '⋅': '*', '∗': '*', '÷': '/', '+': '+', '−': '-'}

// sign reads an operator, an equals sign or a parenthesis.
func (s *scanner) sign() bool {
	r, size := utf8.DecodeRuneInString(s.rest())
	before, after := s.around(size)
	switch {
	case operators[r] != 0:
		s.push(token{kind: operator, op: operators[r]}, size)
	case r == '*' && (after == ' ' || calculable(after)):
		s.push(token{kind: operator, op: '*'}, size)
	case (r == '-' || r == '–') && before == ' ' && after == ' ':
		s.push(token{kind: operator, op: '-'}, size)
	case r == '/' && calculable(first(strings.TrimLeft(s.text[s.at+size:], " "))):
		s.push(token{kind: operator, op: '/'}, size)
	case r == '=' && after == '>':
		s.push(token{kind: stop}, 2)
	case r == '=' || r == '≈':
		s.push(token{kind: equals, approx: r == '≈'}, size)
	case r == '(' || r == '[':
		s.push(token{kind: opening}, size)
	case r == ')' || r == ']':
		s.push(token{kind: closing}, size)
	default:
		return false
	}
	return true
}

func (s *scanner) around(size int) (before, after rune) {
	before, _ = utf8.DecodeLastRuneInString(s.text[:s.at])
	return before, first(s.text[s.at+size:])
}

func first(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// calculable reports whether an operand can begin so.
func calculable(r rune) bool { return unicode.IsDigit(r) || strings.ContainsRune("($€£₹¥", r) }

// spoken are the operators in words.
var spoken = map[string]token{
	"x": {kind: operator, op: '*'}, "times": {kind: operator, op: '*'}, "plus": {kind: operator, op: '+'},
	"minus": {kind: operator, op: '-'}, "equals": {kind: equals},
}

var letters = regexp.MustCompile(`^[\pL\pM']+`)

// other reads a word, or whatever stands there.
func (s *scanner) other() {
	if w := letters.FindString(s.rest()); w != "" {
		t, ok := spoken[fold(w)]
		if !ok {
			t = token{kind: word}
		}
		s.push(t, len(w))
		return
	}
	r, size := utf8.DecodeRuneInString(s.rest())
	switch {
	case r == '\n' && s.goesOn():
	case unicode.IsSpace(r) && r != '\n':
	case strings.ContainsRune(`"'_“”*#$€£₹¥%`, r):
	default:
		s.push(token{kind: stop}, size)
		return
	}
	s.at += size
}

// goesOn reports whether a calculation continues over the line's end.
func (s *scanner) goesOn() bool {
	next := first(strings.TrimLeft(s.rest(), "\n \t"))
	if strings.ContainsRune("=×÷≈−", next) {
		return true
	}
	if len(s.tokens) == 0 {
		return false
	}
	last := s.tokens[len(s.tokens)-1].kind
	return last == operator || last == equals
}
