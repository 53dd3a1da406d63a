// Package arithmetic decides whether the numbers of an answer are accounted for.
//
// The text of an answer and the texts that it cites enter; the numbers that
// stand in none of them, and that no shown calculation yields, leave. A shown
// calculation counts if it holds exactly and if each of its operands is
// accounted for itself: "3 h 15 min × $65 = $211.25" rests on the waiting time
// and on the rate, so that an uncited rate is no better than a wrong product.
//
// Nothing goes through floating point. What cannot be read as a calculation
// proves nothing, and its numbers then have to be printed somewhere. The package
// does not judge whether a calculation is the right one to make.
package arithmetic

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Problem is a number, or a calculation, that is not accounted for.
type Problem struct {
	Printed string // as the answer has it
	Detail  string // for a person to read
}

// Sources are what an answer may take its numbers from.
type Sources struct {
	Texts   []string // cited rows and sentences with their headings, and the question
	Counted int      // rows that were counted by citing each, where the question asks how many; 0 = none
}

// Check returns what is wrong with the numbers of a text, in its order.
func Check(text string, from Sources) []Problem {
	known := newEvidence(from)
	tokens := scan(text)
	equations := solve(tokens, known)
	var problems []Problem
	seen := map[string]bool{}
	add := func(p Problem) {
		if !seen[p.Printed] {
			seen[p.Printed] = true
			problems = append(problems, p)
		}
	}
	constant := map[int]bool{}
	for _, e := range equations {
		switch {
		case e.holds:
			for _, i := range e.constants {
				constant[i] = true
			}
		case e.operated():
			shown := e.printed(tokens, text)
			add(Problem{shown, fmt.Sprintf("%s does not hold: %s", shown, e.why)})
		}
	}
	for i, t := range tokens {
		if t.kind != number || t.word || t.ordinal || constant[i] || known.has(t.quantity) {
			continue
		}
		add(Problem{t.printed, fmt.Sprintf("%s stands in nothing that is cited, and is the result of no calculation shown", t.printed)})
	}
	return problems
}

// evidence is every quantity that is accounted for.
type evidence struct {
	quantities []quantity
	folded     string // all texts, for identifiers
}

func newEvidence(from Sources) *evidence {
	e := &evidence{}
	var all []string
	for _, text := range from.Texts {
		all = append(all, fold(plain(text)))
		for _, t := range scan(text) {
			if t.kind == number {
				e.learn(t.quantity)
			}
		}
	}
	e.folded = strings.Join(all, "\n")
	if from.Counted > 0 {
		e.add(quantity{value: big.NewRat(int64(from.Counted), 1), printed: fmt.Sprint(from.Counted)})
	}
	return e
}

func (e *evidence) add(q quantity) { e.quantities = append(e.quantities, q) }

// learn adds a quantity of a source, and what is printed inside it: a date's
// year, and the long digits of an identifier ("load 88231" is load CT-88231).
func (e *evidence) learn(q quantity) {
	e.add(q)
	if q.date.year > 0 {
		e.add(quantity{value: big.NewRat(int64(q.date.year), 1), digits: true})
	}
	if q.id == "" {
		return
	}
	for _, run := range longDigits.FindAllString(q.id, -1) {
		if v, ok := new(big.Rat).SetString(run); ok {
			e.add(quantity{value: v, digits: true})
		}
	}
}

var longDigits = regexp.MustCompile(`\d{4,}`)

// has reports whether a quantity is accounted for.
func (e *evidence) has(q quantity) bool {
	if q.id != "" && e.names(q.id) {
		return true
	}
	if q.id != "" && len(q.ends) == 0 {
		return false
	}
	for _, end := range q.ends { // "10-20": a range whose ends are printed apart
		if !e.has(end) {
			return false
		}
	}
	if len(q.ends) > 0 {
		return true
	}
	for _, k := range e.quantities {
		if q.same(k) {
			return true
		}
	}
	return false
}

// names reports whether an identifier stands in a source, whole: CT-8823 is no
// part of CT-88231.
func (e *evidence) names(id string) bool {
	for from := 0; ; {
		at := strings.Index(e.folded[from:], id)
		if at < 0 {
			return false
		}
		at += from
		if !alphanumeric(e.folded, at-1) && !goesOn(e.folded, at+len(id)) {
			return true
		}
		from = at + 1
	}
}

// alphanumeric reports a letter or digit at byte i; any byte above ASCII counts.
func alphanumeric(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	c := s[i]
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= utf8.RuneSelf
}

// goesOn reports whether a name that ends before byte i has more to it, as
// CT-88231 has in CT-88231-B.
func goesOn(s string, i int) bool {
	return alphanumeric(s, i) || i < len(s) && s[i] == '-' && alphanumeric(s, i+1)
}

func fold(s string) string { return strings.ToLower(s) }
