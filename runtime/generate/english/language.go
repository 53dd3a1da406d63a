package english

import (
	"strings"
	"unicode"
)

// foreign are function words of other languages that English does not have.
var foreign = set(`der die das und ist wie viele wer welche welcher wieviel für nicht ein eine einen dem den von zum zur sind
 le les des est qui que quel quelle quels combien pour dans sur avec une du aux sont où
 el los las cuántos cuántas cuál cuáles qué quién cuánto es en del para con por una son
 il gli quanti quante quale quali che sono nel della dello dei per
 quantos quantas qual são os um uma do da dos das
 het een hoeveel wat wie zijn van voor
 kitne kya hai ka ki ke mein kaun`)

// Foreign reports whether a question is not in English: most of its letters are
// not Latin, or function words of another language outnumber the English ones.
func Foreign(text string) bool {
	latin, letters := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
			if unicode.Is(unicode.Latin, r) {
				latin++
			}
		}
	}
	if letters > 0 && latin*2 < letters {
		return true
	}
	own, other := 0, 0
	for _, w := range strings.Fields(strings.ToLower(text)) {
		w = strings.Trim(w, ".,?!¿¡:;'’\"")
		switch {
		case stop[w]:
			own++
		case foreign[w]:
			other++
		}
	}
	return other >= 2 && other > own
}
