package extract

import (
	"slices"
	"sort"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// sheets finds the further pages of sheets that are printed "over, then down".
// The first ones say how the columns are dealt out to pages: the names of most
// such sheets do not come again, and without them the pages may look like rows of
// each other.
type sheets struct {
	pages  map[int]*rag.Page
	tables map[int][]*rag.Table // by the pages on which they have rows
	taken  map[int]bool         // pages whose rows are another table's now
}

func newSheets(pages []rag.Page) *sheets {
	s := &sheets{pages: map[int]*rag.Page{}, tables: map[int][]*rag.Table{}, taken: map[int]bool{}}
	for i := range pages {
		s.pages[pages[i].Number] = &pages[i]
		for _, b := range pages[i].Blocks {
			if b.Table == nil {
				continue
			}
			for k, last := 0, 0; k < len(b.Table.Rows); k++ {
				if n := b.Table.Rows[k].Page; n != last {
					s.tables[n], last = append(s.tables[n], b.Table), n
				}
			}
		}
	}
	return s
}

// dealt is how many columns a page of a sheet has, and how many of them the
// first page has too.
type dealt struct{ columns, lead int }

// follow appends the rows of the groups of pages from a number on that deal out
// the columns in the same way.
func (s *sheets) follow(t *rag.Table, from int, plan []dealt) {
	for ; ; from += len(plan) {
		rows := s.group(from, plan)
		if rows == nil {
			return
		}
		for n := range plan {
			s.taken[from+n] = true
		}
		k := 0
		for k < max(t.Header, 1) && k < len(rows) && sameCells(&t.Rows[k], &rows[k]) { // the names again
			k++
		}
		t.Rows = append(t.Rows, rows[k:]...)
	}
}

// group joins the rows of as many pages as the plan has, nil where they are none of its kind.
func (s *sheets) group(from int, plan []dealt) []rag.Row {
	var out []rag.Row
	for i, d := range plan {
		rows := s.rows(from+i, d.columns)
		if rows == nil || len(rows) > len(out) && i > 0 {
			return nil
		}
		if i == 0 {
			out = rows
			continue
		}
		further := make([][]rag.Cell, len(out))
		for k := range rows {
			r := rowAt(out, from, rows[k].Box)
			if r < 0 || further[r] != nil || !leads(out[r].Cells, rows[k].Cells[:d.lead]) {
				return nil
			}
			further[r] = rows[k].Cells[d.lead:]
		}
		if len(rows)*2 < len(out) {
			return nil
		}
		for r := range out {
			out[r].Cells = append(out[r].Cells, placeless(further[r], d.columns-d.lead)...)
		}
	}
	return out
}

// leads reports whether a row begins with cells of these texts.
func leads(cells, lead []rag.Cell) bool {
	return slices.EqualFunc(cells[:len(lead)], lead, func(a, b rag.Cell) bool { return a.Text == b.Text })
}

// placeless are cells that stand on another page than their row, n empty ones for none.
func placeless(cells []rag.Cell, n int) []rag.Cell {
	out := make([]rag.Cell, n)
	for i := range cells {
		out[i].Text = cells[i].Text
	}
	return out
}

// rows are copies of all that is on a page, nil unless that is rows of so many columns.
func (s *sheets) rows(number, columns int) (out []rag.Row) {
	p := s.pages[number]
	if p == nil || s.taken[number] || slices.ContainsFunc(p.Blocks, func(b rag.Block) bool { return b.Table == nil }) {
		return nil
	}
	for _, t := range s.tables[number] {
		first := sort.Search(len(t.Rows), func(i int) bool { return t.Rows[i].Page >= number })
		for _, r := range t.Rows[first:] {
			if r.Page != number {
				break
			}
			r.Cells = slices.Clone(r.Cells)
			if len(out) > 0 && len(r.Cells) != len(out[0].Cells) {
				return nil
			}
			out = append(out, r)
		}
	}
	if len(out) > 0 && len(out[0].Cells) > columns { // rows below others that have more columns
		dropEmpty(out)
	}
	if len(out) == 0 || len(out[0].Cells) != columns {
		return nil
	}
	return out
}

// dropEmpty leaves out the columns without any text.
func dropEmpty(rows []rag.Row) {
	for k := len(rows[0].Cells) - 1; k >= 0; k-- {
		if slices.ContainsFunc(rows, func(r rag.Row) bool { return r.Cells[k].Text != "" }) {
			continue
		}
		for i := range rows {
			rows[i].Cells = slices.Delete(rows[i].Cells, k, k+1)
		}
	}
}

// clear takes the rows that were appended to others out of the tables in which they were.
func (s *sheets) clear(pages []rag.Page, widened map[*rag.Table]*strip) {
	if len(s.taken) == 0 {
		return
	}
	for i := range pages {
		pages[i].Blocks = slices.DeleteFunc(pages[i].Blocks, func(b rag.Block) bool {
			t := b.Table
			if t == nil || widened[t] != nil {
				return false
			}
			t.Rows = slices.DeleteFunc(t.Rows, func(r rag.Row) bool { return s.taken[r.Page] })
			return len(t.Rows) == 0
		})
	}
}
