package grid

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/amount"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/period"
)

// Kind is what a column holds.
type Kind int

// Kinds of column.
const (
	Text    Kind = iota
	Amounts      // numbers that can be added
	Percent      // numbers that cannot
	Serial       // 1, 2, 3 …
	Codes        // identifiers: ST001, a telephone number, an HSN code
	Dates
)

// Column is one column with what its cells are.
type Column struct {
	Name  string
	Kind  Kind
	Comma bool // decimals are written with a comma
	Words []english.Token
}

// Amount reads a cell of the column.
func (c Column) Amount(cell string) (amount.Amount, bool) { return amount.Parse(cell, c.Comma) }

// naming are header words that say that figures below are names, not amounts.
var naming = map[string]bool{"id": true, "code": true, "number": true, "hsn": true, "sac": true, "pin": true, "telephone": true,
	"mobile": true, "year": true, "account": true, "uan": true, "pan": true, "ifsc": true, "reference": true, "token": true, "sl": true, "sno": true, "#": true}

// classify says what a column's cells are. Blank cells say nothing.
func (c *Column) classify(cells []string) {
	c.Words = english.Tokens(c.Name)
	var filled []string
	for _, s := range cells {
		if !Blank(s) {
			filled = append(filled, s)
		}
	}
	c.Comma = amount.Comma(filled)
	numbers, percents, codes, dates := 0, 0, 0, 0
	for _, s := range filled {
		a, ok := amount.Parse(s, c.Comma)
		switch {
		case ok:
			numbers++
			if a.Unit == "%" {
				percents++
			}
		case dated(s):
			dates++
		case coded(s):
			codes++
		}
	}
	most := func(n int) bool { return n > 0 && n*5 >= len(filled)*4 } // four cells of five: one slip does not change a column
	switch {
	case most(dates):
		c.Kind = Dates
	case most(percents), most(numbers) && strings.Contains(c.Name, "%"):
		c.Kind = Percent
	case most(numbers) && c.names():
		c.Kind = Codes
		if counting(filled) {
			c.Kind = Serial
		}
	case most(numbers) && c.Name == "" && counting(filled):
		c.Kind = Serial
	case most(numbers):
		c.Kind = Amounts
	case most(codes):
		c.Kind = Codes
	default:
		c.Kind = Text
	}
}

// names reports whether the header says that the column names things. "No. of
// days" and "Number of hours" are amounts.
func (c *Column) names() bool {
	quantity := slices.ContainsFunc(c.Words, func(w english.Token) bool { return w.Fold == "of" })
	return !quantity && slices.ContainsFunc(c.Words, func(w english.Token) bool { return naming[w.Stem] || naming[w.Fold] }) || c.Name == "#"
}

// counting reports whether the cells run 1, 2, 3 …, with gaps at most.
func counting(cells []string) bool {
	last := 0
	for _, s := range cells {
		n := 0
		for _, r := range strings.TrimRight(s, ".)") {
			if r < '0' || r > '9' || n > 1<<20 {
				return false
			}
			n = n*10 + int(r-'0')
		}
		if n <= last {
			return false
		}
		last = n
	}
	return len(cells) > 0 && last < 3*len(cells)+3
}

var code = regexp.MustCompile(`^[A-Za-z]{0,6}[A-Za-z0-9]*[-/._]?[A-Za-z0-9/._-]*\d[A-Za-z0-9/._-]*$`)

// coded reports whether a cell is one identifier: no space, a digit in it.
func coded(s string) bool { return code.MatchString(strings.TrimSpace(s)) }

var slashed = regexp.MustCompile(`^\d{1,2}[/.\-]\d{1,2}[/.\-](\d{4}|\d{2})$`)

// dated reports whether a cell is one date.
func dated(s string) bool {
	s = strings.TrimSpace(s)
	if !strings.ContainsAny(s, "0123456789") {
		return false
	}
	if slashed.MatchString(s) {
		return true
	}
	f := period.Find(s)
	return len(f) == 1 && f[0].Start == 0 && f[0].End == len(s)
}
