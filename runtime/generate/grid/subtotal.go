package grid

import (
	"math/big"
	"slices"
)

// subtotals finds rows that are not called totals and yet add up the rows above
// them, as "Q1" does under January to March. One that does so in columns that do
// not run alike, over three rows or more, is a summary; of any other, equality may
// be chance, and it stays a row that is marked.
func (t *Table) subtotals() {
	var rows []Row
	var summaries []Summary
	next, starts := 0, []int{0}
	for i, r := range t.Rows {
		for next < len(t.Summaries) && t.Summaries[next].After <= i {
			s := t.Summaries[next]
			s.After = len(rows)
			summaries, starts, next = append(summaries, s), append(starts, len(rows)), next+1
		}
		if i > 0 && r.Group != t.Rows[i-1].Group {
			starts = append(starts, len(rows))
		}
		adds, certain := t.addsUp(r, rows, starts)
		if certain {
			summaries = append(summaries, Summary{Label: r.Label(), Cells: r.Cells, Refs: r.Refs, Group: r.Group, After: len(rows), Unnamed: true})
			starts = append(starts, len(rows))
			continue
		}
		r.Adds = adds
		rows = append(rows, r)
	}
	for _, s := range t.Summaries[next:] {
		s.After = len(rows)
		summaries = append(summaries, s)
	}
	t.Rows, t.Summaries = rows, summaries
}

// addsUp reports whether a row adds up the rows above it since one of the starts,
// and whether that is no chance. Rows above that add up others count once.
func (t *Table) addsUp(r Row, above []Row, starts []int) (adds, certain bool) {
	if t.identified(r) {
		return false, false
	}
	starts = slices.Clone(starts)
	for i, a := range above {
		if a.Adds {
			starts = append(starts, i+1)
		}
	}
	slices.Sort(starts)
	for _, s := range slices.Compact(starts) {
		part := slices.DeleteFunc(slices.Clone(above[s:]), func(a Row) bool { return a.Adds })
		if len(part) < 2 || !t.alone(r, part) {
			continue
		}
		if columns, ok := t.equals(r, part); ok {
			return true, len(part) >= 3 && independent(columns)
		}
	}
	return false, false
}

// alone reports whether a row says nothing beside its label and its figures that
// the rows above it do not all say.
func (t *Table) alone(r Row, part []Row) bool {
	label := false
	for i, c := range t.Columns {
		if s := r.Cell(i); !Blank(s) && c.Kind != Amounts && c.Kind != Percent {
			if label && slices.ContainsFunc(part, func(p Row) bool { return p.Cell(i) != s }) {
				return false
			}
			label = true
		}
	}
	return true
}

// equals reports whether a row is the sum of others in every column of amounts,
// one of which is not zero, and returns the figures of the columns that are not.
func (t *Table) equals(r Row, part []Row) (columns [][]*big.Rat, ok bool) {
	for i, c := range t.Columns {
		if c.Kind != Amounts {
			continue
		}
		sum, figures := new(big.Rat), []*big.Rat{}
		for _, p := range part {
			v, ok := c.figure(p.Cell(i))
			if !ok {
				return nil, false
			}
			sum.Add(sum, v)
			figures = append(figures, v)
		}
		own, ok := c.figure(r.Cell(i))
		if !ok || own.Cmp(sum) != 0 {
			return nil, false
		}
		if own.Sign() != 0 {
			columns = append(columns, figures)
		}
	}
	return columns, len(columns) > 0
}

// figure reads a cell, a blank one as nothing.
func (c Column) figure(cell string) (*big.Rat, bool) {
	if Blank(cell) {
		return new(big.Rat), true
	}
	a, ok := c.Amount(cell)
	return a.Value, ok
}

// independent reports whether two columns are not in proportion: where an amount
// is a quantity times one price, both add up by the same chance.
func independent(columns [][]*big.Rat) bool {
	for _, c := range columns[min(1, len(columns)):] {
		for i := range c {
			for k := range i {
				a, b := new(big.Rat).Mul(c[i], columns[0][k]), new(big.Rat).Mul(c[k], columns[0][i])
				if a.Cmp(b) != 0 {
					return true
				}
			}
		}
	}
	return false
}

// Label is what a row is called by: its first cell that is not blank.
func (r Row) Label() string {
	for i := range r.Cells {
		if s := r.Cell(i); !Blank(s) {
			return s
		}
	}
	return ""
}
