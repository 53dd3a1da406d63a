// Package match reads a question against one table: which words name columns,
// which are values of rows, which refer to the document. Every word must be
// accounted for; what is left in Rest is something the table does not speak of,
// and then the table does not answer the question.
package match

import (
	"github.com/hardgate-dev/hardgate/runtime/generate/ask"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
	"github.com/hardgate-dev/hardgate/runtime/generate/period"
)

// Reading is a question as one table understands it.
type Reading struct {
	Question *ask.Question
	Table    *grid.Table
	Context  *Context

	Where   []Condition
	Columns []int // columns named for certain, in the question's order
	Loose   []int // columns among which a word does not decide
	Pay     []int // columns that a general word for pay may mean, when none is named
	People  bool  // the question's rows are people, and so are the table's
	Rows    bool  // a word of the question means the table's rows
	Of      []int // columns that the counted noun names
	Label   *grid.Summary
	Taxes   []*grid.Summary // printed taxes that a general word for tax means
	Rest    []english.Token // words that nothing accounts for
	Fit     int             // words that name the document
	Clash   string          // why the table cannot be meant, although its words fit
	Unclear string          // why the reading is a guess

	used []use
}

// use says what accounts for a token.
type use int

const (
	open use = iota
	idle
	byContext
	byValue
	byColumn
	byRow
	byTopic
)

// Condition restricts rows by one column. Values are alternatives; Bounds must
// all hold.
type Condition struct {
	Column int
	Values []string // cell texts, folded
	Shown  string   // as the document prints them
	Bounds []ask.Bound
	Exact  bool // the question says the whole cell
	Head   bool // the question says what the cell ends with: "managers" for "Finance Mgr"
	Said   int  // how many values the question says
}

// Context is what surrounds a document's tables in the prompt.
type Context struct {
	Strong   []english.Token // document name, title, heading, passage
	Weak     []english.Token // sentences of the document
	Labelled []english.Token // labelled values of the document
	Periods  []period.Period // of the strong words; of the weak, if those have none
}

// Read reads q against t.
func Read(q *ask.Question, t *grid.Table, c *Context) *Reading {
	r := &Reading{Question: q, Table: t, Context: c, used: make([]use, len(q.Tokens))}
	for i, role := range q.Roles {
		if role != ask.Open {
			r.used[i] = idle
		}
	}
	r.document()
	r.periods()
	r.values()
	r.noun()
	r.label()
	r.taxes()
	r.takeHome()
	r.columns()
	r.bounds()
	r.joints()
	r.remainder()
	return r
}

// document accounts for the words that name the document: those before a word
// such as "register", and any that only its name has.
func (r *Reading) document() {
	q := r.Question
	for i, t := range q.Tokens {
		if !Paper(t.Stem) || r.used[i] != open && r.used[i] != idle {
			continue
		}
		if !generic(t.Stem) && !Has(r.Context.Strong, t) && !Has(r.Context.Weak, t) {
			continue
		}
		r.used[i] = byContext
		if Has(r.Context.Strong, t) {
			r.Fit++
		}
		for j := i - 1; j >= 0; j-- {
			w := q.Tokens[j]
			if q.Roles[j] == ask.Period || r.used[j] == idle && !english.Filler(w.Fold) {
				continue
			}
			if r.used[j] != open || w.Kind != english.Word || !r.names(w) {
				break
			}
			if cell := r.parts(w); cell != "" && Has(r.Context.Strong, w) {
				if !generic(t.Stem) { // "open invoices" of a list of invoices
					break
				}
				r.Unclear = "“" + cell + "” may name the document or some of its rows"
			}
			r.used[j] = byContext
		}
	}
	for i, t := range q.Tokens {
		if r.used[i] == open && t.Kind == english.Code && !r.inCells(t) {
			if fit := r.Context.Names(t); fit > 0 {
				r.used[i] = byContext
				r.Fit += fit
			}
		}
	}
}

// names reports whether a word before "register" names this document: its own
// words do, or it speaks of what the table holds ("salary register").
func (r *Reading) names(w english.Token) bool {
	if Has(r.Context.Strong, w) {
		r.Fit++
		return true
	}
	concept := english.Concept(w.Stem)
	if concept == "pay" {
		return r.paying()
	}
	for _, c := range r.Table.Columns {
		if Has(c.Words, w) {
			return true
		}
	}
	return false
}

// periods accounts for the months and years: by the document's own, or by a
// column of the table. One that neither has means another document.
func (r *Reading) periods() {
	for _, p := range r.Question.Periods {
		switch {
		case r.covered(p.Period):
			r.Fit += 2
		case r.dated(p):
		default:
			r.Clash = "nothing here is dated " + p.String()
		}
	}
}

// covered reports whether the document is about the period asked for.
func (r *Reading) covered(p period.Period) bool {
	for _, own := range r.Context.Periods {
		if p.Covers(own) {
			return true
		}
	}
	return false
}

// Has reports whether one of the words is w, or of its family.
func Has(words []english.Token, w english.Token) bool {
	for _, c := range words {
		if c.Stem == w.Stem || c.Kind == english.Word && w.Kind == english.Word && c.Root == w.Root {
			return true
		}
	}
	return false
}

// remainder collects what nothing accounts for.
func (r *Reading) remainder() {
	for i, t := range r.Question.Tokens {
		if r.used[i] == open {
			r.Rest = append(r.Rest, t)
		}
	}
}

// parts returns the cell that a word says in full, if some rows have it and others
// have not.
func (r *Reading) parts(w english.Token) string {
	for column, c := range r.Table.Columns {
		if c.Kind != grid.Text {
			continue
		}
		n, cell := 0, ""
		for _, row := range r.Table.Rows {
			if words := english.Tokens(row.Cell(column)); len(words) == 1 && words[0].Stem == w.Stem {
				n, cell = n+1, row.Cell(column)
			}
		}
		if n > 0 && n < len(r.Table.Rows) {
			return cell
		}
	}
	return ""
}

// inCells reports whether a code is a value of the table.
func (r *Reading) inCells(t english.Token) bool {
	for _, row := range r.Table.Rows {
		for _, c := range row.Cells {
			if Has(english.Tokens(c), t) {
				return true
			}
		}
	}
	return false
}
