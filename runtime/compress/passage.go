package compress

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// passage is the prose of one passage, over all its hits.
type passage struct {
	evidence string
	heading  string // what its sentences are read under, "" when it is not told from the text
	hits     int
	units    []candidate
}

// candidate is one unit with where it stands and what speaks for it.
type candidate struct {
	rag.Unit
	hit, index int
	exempt     bool // structure or a named identifier: kept whatever it scores
	named      bool // stands in a passage, or says itself, what the question names by its identifier
	score      float64
	keep       bool
}

// add appends the units of hit i. ids are the question's identifiers, folded.
func (p *passage) add(i int, h rag.Hit, question string, ids []string) {
	p.hits++
	whole := h.Scores.Pinned > 0 || titled(h, question)
	structured := fields(h.Units)
	for n, u := range h.Units {
		p.units = append(p.units, candidate{
			Unit: u, hit: i, index: n,
			exempt: u.Kind == rag.RowUnit || structured[n] || names(u.Text, ids),
			named:  whole || names(u.Text, ids),
		})
	}
}

// choose marks what is kept within budget characters. A passage that speaks of
// what was asked is kept whole where it fits: the sentence beside the one that
// meets the question holds its condition or its limit. Of the others, and of those
// that are too long: the best sentence always, then what is exempt, in order, then
// the rest from the best down to the threshold. A sentence that does not fit is
// skipped. It returns a flag when something worth keeping did not fit.
func (p *passage) choose(budget int, threshold float64) *rag.Flag {
	if p.bears(threshold) && p.chars() <= budget {
		for i := range p.units {
			p.units[i].keep = true
		}
		return nil
	}
	var flag *rag.Flag
	spent, missed := 0, 0
	for rank, i := range p.ranked() {
		u := &p.units[i]
		need := utf8.RuneCountInString(u.Text) + 1 // its line break
		if u.Kind == rag.RowUnit {                 // already paid for, from the table budget
			u.keep = true
			continue
		}
		switch {
		case rank == 0 && need > budget:
			flag = &rag.Flag{Reason: ContextOverBudget, Detail: fmt.Sprintf(
				"%s: its best sentence has %d characters, its share is %d", p.evidence, need, budget)}
		case rank == 0:
		case !u.exempt && u.score < threshold:
			continue
		case spent+need > budget:
			missed++
			continue
		}
		u.keep = true
		spent += need
	}
	if missed > 0 && flag == nil {
		flag = &rag.Flag{Reason: ContextTrimmed, Detail: fmt.Sprintf(
			"%s: %d relevant sentences did not fit %d characters", p.evidence, missed, budget)}
	}
	return flag
}

// bears reports whether the passage speaks of what was asked: one of its sentences
// reaches the threshold, or what the question names stands in it.
func (p *passage) bears(threshold float64) bool {
	return slices.ContainsFunc(p.units, func(u candidate) bool {
		return u.Kind != rag.RowUnit && (u.named || !u.exempt && u.score >= threshold)
	})
}

// chars is what the sentences take of the budget; rows have one of their own.
func (p *passage) chars() int {
	n := 0
	for _, u := range p.units {
		if u.Kind != rag.RowUnit {
			n += utf8.RuneCountInString(u.Text) + 1 // its line break
		}
	}
	return n
}

// ranked orders the units: the best sentence (or, with no sentence, the first
// unit), the exempt ones as printed, the others by score. Ties as printed.
func (p *passage) ranked() []int {
	order := make([]int, len(p.units))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool {
		x, y := p.units[order[a]], p.units[order[b]]
		if x.exempt != y.exempt {
			return x.exempt
		}
		return !x.exempt && x.score > y.score
	})
	for at, i := range order {
		if !p.units[i].exempt { // the first that is ranked by score is the best
			copy(order[1:at+1], order[:at])
			order[0] = i
			break
		}
	}
	return order
}

// restore writes the kept units back into their hits, as printed.
func (p *passage) restore(hits []rag.Hit) {
	for _, u := range p.units {
		if u.index == 0 {
			hits[u.hit].Units = nil
		}
		if u.keep {
			hits[u.hit].Units = append(hits[u.hit].Units, u.Unit)
		}
	}
	for i := range hits {
		us := hits[i].Units
		if hits[i].Table || len(us) == 0 {
			continue
		}
		sort.SliceStable(us, func(a, b int) bool { return us[a].Order < us[b].Order })
	}
}

// formLines is how many "label: value" lines make a form, whose lines mean
// nothing apart from each other (the same bound as for rows in plain text).
const formLines = 3

// fields marks the lines of a form: an invoice's head is structure, not prose.
func fields(units []rag.Unit) []bool {
	out := make([]bool, len(units))
	n := 0
	for i, u := range units {
		label, value, ok := strings.Cut(u.Text, ":")
		out[i] = ok && strings.TrimSpace(value) != "" && len(strings.Fields(label)) <= 4
		if out[i] {
			n++
		}
	}
	if n < formLines {
		return make([]bool, len(units))
	}
	return out
}

// fewest is how many digits a word has that may name a paper.
const fewest = 3

// titled reports whether a word of the question with digits stands in the hit's
// title: whatever there is on INV-7719 belongs to a question about it, even where
// retrieval looks for no identifiers.
func titled(h rag.Hit, question string) bool {
	title := words(h.Title)
	return slices.ContainsFunc(words(question), func(w string) bool {
		digits := 0
		for _, r := range w {
			if unicode.IsDigit(r) {
				digits++
			}
		}
		return digits >= fewest && slices.Contains(title, w)
	})
}

// words are the folded words of a text, joiners kept.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '/'
	})
}

// names reports whether text holds one of the folded identifiers.
func names(text string, ids []string) bool {
	if len(ids) == 0 {
		return false
	}
	folded := strings.ToLower(text)
	for _, id := range ids {
		if strings.Contains(folded, strings.ToLower(id)) {
			return true
		}
	}
	return false
}
