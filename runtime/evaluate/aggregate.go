package evaluate

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Operations of an aggregate.
const (
	opSum           = "Sum"
	opDistinctCount = "DistinctCount"
)

// AggregateCard is what the extracted table says of an aggregate, and which of
// its rows or keys did not reach the prompt.
type AggregateCard struct {
	Op     string   `json:"op"`
	Column string   `json:"column"`
	Value  string   `json:"value"` // of the key
	Found  string   `json:"found"` // from the extracted table
	Rows   int      `json:"rows"`  // that the aggregate takes in
	LostAt *string  `json:"lostAt"`
	Lost   []string `json:"lost"`
}

// tableRow is one row of a stored table that an aggregate takes in.
type tableRow struct {
	id   rowID
	text string // of the cell in the aggregate's column
}

// aggregate recomputes the key's figure from the stored table, then asks for
// every addend, or a row of every key, in the prompt.
func (j *judge) aggregate(ctx context.Context) error {
	a := j.it.Expect.Aggregate
	chunks, err := j.corpus.chunksOf(ctx, documents(j.it.required))
	if err != nil {
		return err
	}
	chunks = filter(chunks, j.tableScope(chunks))
	rows := tableRows(chunks, a.Column, a.Where)
	card := &AggregateCard{Op: a.Op, Column: a.Column, Value: a.Value, Rows: len(rows), Lost: []string{}}
	j.card.Aggregate = card
	if len(rows) == 0 {
		j.fail(StageExtraction, AggregateMismatch, "no row of an extracted table with column %q is taken in by %s %v", a.Column, a.Op, a.Where)
		return nil
	}
	found, err := compute(a.Op, rows)
	if err != nil {
		j.fail(StageExtraction, AggregateMismatch, "%s of %s: %v", a.Op, a.Column, err)
		return nil
	}
	card.Found = strings.TrimSuffix(strings.TrimRight(found.FloatString(6), "0"), ".")
	if want, ok := amount(a.Value); !ok || want.Cmp(found) != 0 {
		j.fail(StageExtraction, AggregateMismatch, "the %d extracted rows give %s of %s = %s, the key says %s", len(rows), a.Op, a.Column, card.Found, a.Value)
	}
	j.reach(a.Op, rows, card)
	return nil
}

// tableScope keeps the required passages where any of them is a table, else all.
func (j *judge) tableScope(chunks []rag.Hit) func(rag.Hit) bool {
	named := func(h rag.Hit) bool { return h.Table && j.inPassages(h) }
	if slices.ContainsFunc(chunks, named) {
		return named
	}
	return func(rag.Hit) bool { return true }
}

// tableRows are the rows that an aggregate takes in: those of tables that have
// the column, that meet every condition, and that are neither a total, nor a
// repeated header, nor blank in the column. Pieces may overlap; a row counts once.
func tableRows(chunks []rag.Hit, column string, where map[string]string) []tableRow {
	var out []tableRow
	seen := map[rowID]bool{}
	for _, h := range chunks {
		at := columnOf(h.Header, column)
		if at < 0 {
			continue
		}
		for _, u := range wholeRows(h.Units) {
			id := rowID{h.Document, u.Name}
			if seen[id] || at >= len(u.Cells) || isTotal(u.Cells) || !meets(u.Cells, h.Header, where) {
				continue
			}
			cell := squash(u.Cells[at])
			if blank(cell) || normal(cell) == normal(column) {
				continue
			}
			seen[id] = true
			out = append(out, tableRow{id, cell})
		}
	}
	return out
}

// wholeRows joins rows that are stored in parts.
func wholeRows(units []rag.Unit) []rag.Unit {
	var out []rag.Unit
	for _, u := range units {
		if u.Kind != rag.RowUnit {
			continue
		}
		if n := len(out); n > 0 && out[n-1].Name == u.Name {
			if u.Part > out[n-1].Part {
				out[n-1].Cells = append(slices.Clone(out[n-1].Cells), u.Cells...)
				out[n-1].Part = u.Part
			}
			continue
		}
		out = append(out, u)
	}
	return out
}

func columnOf(header []string, column string) int {
	return slices.IndexFunc(header, func(h string) bool { return normal(h) == normal(column) })
}

func meets(cells, header []string, where map[string]string) bool {
	for column, want := range where {
		at := columnOf(header, column)
		if at < 0 || at >= len(cells) || normal(cells[at]) != normal(want) {
			return false
		}
	}
	return true
}

// isTotal reports a row that sums up others: its first words say so.
func isTotal(cells []string) bool {
	for _, c := range cells {
		if blank(c) {
			continue
		}
		words := strings.FieldsFunc(normal(c), func(r rune) bool { return !unicode.IsLetter(r) })
		for len(words) > 0 && slices.Contains([]string{"grand", "sub", "net", "overall"}, words[0]) {
			words = words[1:]
		}
		return len(words) > 0 && slices.Contains([]string{"total", "totals", "subtotal", "sum"}, words[0])
	}
	return true
}

// blank reports a cell that holds nothing: empty, or a dash.
func blank(cell string) bool { return strings.Trim(cell, " \t\n-–—") == "" }

// compute adds the amounts up, or counts the distinct keys.
func compute(op string, rows []tableRow) (*big.Rat, error) {
	if op == opDistinctCount {
		return new(big.Rat).SetInt64(int64(len(keys(rows)))), nil
	}
	sum := new(big.Rat)
	for _, r := range rows {
		v, ok := amount(r.text)
		if !ok {
			return nil, fmt.Errorf("row %s of %s has %q there, which can't be added up: name a column of numbers, or leave the row out by where", r.id.name, r.id.document, r.text)
		}
		sum.Add(sum, v)
	}
	return sum, nil
}

func keys(rows []tableRow) map[string]string {
	out := map[string]string{}
	for _, r := range rows {
		if k := normal(r.text); out[k] == "" {
			out[k] = r.text
		}
	}
	return out
}

// reach finds the first stage that hasn't got every addend's row, or a row of every key.
func (j *judge) reach(op string, rows []tableRow, card *AggregateCard) {
	for at := atGather; at < stages; at++ {
		lost := missing(op, rows, j.ob.hits[at])
		if len(lost) == 0 {
			continue
		}
		stage := stageOf(at)
		if at == atGather {
			stage = StageRetrieval
		}
		card.LostAt, card.Lost = &stage, lost
		if op == opDistinctCount {
			j.fail(stage, KeysLost, "%s lost %d of %d keys of %s: %s", stage, len(lost), len(keys(rows)), card.Column, listed(lost))
		} else {
			j.fail(stage, AddendsLost, "%s lost %d of %d addends of %s: rows %s", stage, len(lost), len(rows), card.Column, listed(lost))
		}
		return
	}
}

// missing names the addends' rows, or the keys, that hits don't hold.
func missing(op string, rows []tableRow, hits []rag.Hit) []string {
	held := map[rowID]string{}
	for _, h := range hits {
		for _, u := range h.Units {
			id := rowID{h.Document, u.Name}
			held[id] += " " + squash(u.Text)
		}
	}
	var lost []string
	present := map[string]bool{}
	for _, r := range rows {
		reached := strings.Contains(held[r.id], r.text)
		if reached {
			present[normal(r.text)] = true
		} else if op == opSum {
			lost = append(lost, r.id.name)
		}
	}
	if op == opDistinctCount {
		for k, text := range keys(rows) {
			if !present[k] {
				lost = append(lost, text)
			}
		}
		slices.Sort(lost)
	}
	return lost
}
