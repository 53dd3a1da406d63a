package extract

import (
	"math"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// strip is what further pages hold of a table's rows: more columns.
type strip struct {
	rows    map[int][]rag.Cell // by row of the table; rows without are blank here
	columns int
	lead    int // columns before them that t has too
	box     rag.Box
	need    float64 // width of its first column, points
	to      int     // its last page
	blocks  []rag.Block
	widths  []int // columns of the strips so far, this one included
}

// nextStrip finds the columns of t's rows after those of last, nil for none.
func nextStrip(pages []rag.Page, t *rag.Table, last *strip) *strip {
	from := last.to + 1
	k := slices.IndexFunc(pages, func(p rag.Page) bool { return p.Number == from })
	if k < 0 || len(pages[k].Blocks) == 0 {
		return nil
	}
	next := tableStrip(pages, k, t)
	if next == nil {
		next = lineStrip(pages, k, t)
	}
	if next == nil {
		return nil
	}
	margin := math.Min(last.box.X0, next.box.X0)       // as wide on the right, or wider
	sure := t.Header > 0 && len(next.rows) >= sureRows // columns may be wider than their text
	if !sure && last.box.X1+next.need < pages[k].Width-margin-spillSlack {
		return nil // there was room for it
	}
	return next
}

// tableStrip takes the table that begins page k, and is all there is on as many
// pages as t has, for a strip. Rows of it without more than their names are lines.
func tableStrip(pages []rag.Page, k int, t *rag.Table) *strip {
	next := pages[k].Blocks[0].Table
	if next == nil || (next.Header > 0) != (t.Header > 0) || len(next.Rows) != len(t.Rows) && next.Header == 0 {
		return nil // without names of its own it goes on with the rows
	}
	alike := len(next.Rows) == len(t.Rows) || next.Header == t.Header && float64(len(next.Rows)) >= sparseShare*float64(len(t.Rows))
	apart := next.Rows[0].Page - t.Rows[0].Page
	at := rowsAt(t, next, apart)
	if at == nil {
		return nil
	}
	lead := titles(t, next, at)
	if lead == 0 && (repeats(t, next) || !alike) {
		return nil
	}
	s := &strip{rows: map[int][]rag.Cell{}, columns: len(next.Rows[0].Cells) - lead, lead: lead, box: next.Box, need: width(next, lead)}
	for i, r := range at {
		s.rows[r] = next.Rows[i].Cells[lead:]
	}
	if s.to = s.gather(pages[k:], t, next, apart); s.to < next.Rows[len(next.Rows)-1].Page {
		return nil
	}
	t.Header = min(t.Header, next.Header) // names stand beside names
	return s
}

// gather collects the blocks of the strip's pages, as many as t has, and returns the
// last one on which there is nothing but the strip: the last ones may be missing.
func (s *strip) gather(pages []rag.Page, t, next *rag.Table, apart int) int {
	n := t.Rows[0].Page
	for i := 0; n <= t.Rows[len(t.Rows)-1].Page; i, n = i+1, n+1 {
		if i == len(pages) || pages[i].Number != n+apart || slices.ContainsFunc(pages[i].Blocks, func(b rag.Block) bool { return b.Table != next && !s.takes(t, next, b, n) }) {
			break
		}
		s.blocks = append(s.blocks, pages[i].Blocks...)
	}
	return n - 1 + apart
}

// takes reports whether a block beside a strip's table is a row that is too short
// to look like one, and takes it: of one further cell, or of what t has already.
func (s *strip) takes(t, next *rag.Table, b rag.Block, page int) bool {
	if b.Table != nil {
		return s.takesTable(t, next, b.Table, page)
	}
	text, box, ok := lineOf(b)
	if !ok {
		return false
	}
	if s.lead > 0 && text == line(next.Rows[0].Cells) {
		return true
	}
	r := rowAt(t.Rows, page, box)
	if r < 0 || s.rows[r] != nil {
		return false
	}
	if s.lead > 0 {
		return text == line(t.Rows[r].Cells[:s.lead])
	}
	k := columnAt(next, box)
	if k < 0 {
		return false
	}
	s.rows[r] = make([]rag.Cell, s.columns)
	s.rows[r][k].Text = text
	return true
}

// takesTable takes the rows of a further table of the strip, on a page under the
// same names: short rows may have parted the two.
func (s *strip) takesTable(t, next, further *rag.Table, page int) bool {
	if further.Header != next.Header || len(further.Rows[0].Cells) != len(next.Rows[0].Cells) || !sameCells(&further.Rows[0], &next.Rows[0]) {
		return false
	}
	for _, row := range further.Rows[further.Header:] {
		r := rowAt(t.Rows, page, row.Box)
		if row.Page != further.Page || r < 0 || s.rows[r] != nil || !leads(t.Rows[r].Cells, row.Cells[:s.lead]) {
			return false
		}
		s.rows[r] = row.Cells[s.lead:]
	}
	return true
}

// columnAt is the one column whose cells a box stands under, -1 for several or none.
func columnAt(t *rag.Table, box rag.Box) int {
	found := -1
	for k := range t.Rows[0].Cells {
		under := slices.ContainsFunc(t.Rows, func(r rag.Row) bool {
			c := r.Cells[k].Box
			return !c.IsZero() && c.X0 < box.X1 && c.X1 > box.X0
		})
		switch {
		case under && found >= 0:
			return -1
		case under:
			found = k
		}
	}
	return found
}

// line is the text of a row in one line.
func line(cells []rag.Cell) string {
	var b strings.Builder
	for _, c := range cells {
		if c.Text != "" && b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(c.Text)
	}
	return b.String()
}

// rowsAt finds the row of t beside each of next's, so many pages apart; nil unless
// the first ones stand alike and all others do.
func rowsAt(t, next *rag.Table, apart int) []int {
	out := make([]int, len(next.Rows))
	taken := make([]bool, len(t.Rows))
	for i := range next.Rows {
		r := rowAt(t.Rows, next.Rows[i].Page-apart, next.Rows[i].Box)
		if r < 0 || taken[r] || i == 0 && r != 0 {
			return nil
		}
		out[i], taken[r] = r, true
	}
	return out
}

// lineStrip takes pages of single lines, each at the height of one of t's rows,
// for a strip of one column.
func lineStrip(pages []rag.Page, k int, t *rag.Table) *strip {
	s := &strip{rows: map[int][]rag.Cell{}, columns: 1}
	first, name := t.Rows[0].Page, ""
	repeated := 0
	for n := first; n <= t.Rows[len(t.Rows)-1].Page; n++ {
		at := k + n - first
		if at >= len(pages) || pages[at].Number != pages[k].Number+n-first {
			return nil
		}
		for i, b := range pages[at].Blocks {
			text, box, ok := lineOf(b)
			if !ok {
				return nil
			}
			r := rowAt(t.Rows, n, box)
			switch {
			case n == first && i == 0:
				name = text
				if r != 0 {
					return nil
				}
			case r < 0 && i == 0 && text == name: // the name again, which t has once
				continue
			}
			if r < 0 || s.rows[r] != nil {
				return nil
			}
			if strings.EqualFold(text, t.Rows[r].Cells[0].Text) {
				repeated++
			}
			s.rows[r] = []rag.Cell{{Text: text}}
			s.box = s.box.Union(box)
		}
		s.blocks = append(s.blocks, pages[at].Blocks...)
	}
	s.need = s.box.X1 - s.box.X0
	s.to = pages[k].Number + t.Rows[len(t.Rows)-1].Page - first
	if len(s.rows) == 0 || s.prose() || repeated*2 > len(s.rows) {
		return nil
	}
	return s
}

// prose reports whether too many of the lines fill the measure from side to side.
func (s *strip) prose() bool {
	n, slack := 0, proseSlack*s.need
	for _, b := range s.blocks {
		if text, box, _ := lineOf(b); strings.Count(text, " ") >= proseBlanks && box.X0 < s.box.X0+slack && box.X1 > s.box.X1-slack {
			n++
		}
	}
	return float64(n) > proseShare*float64(len(s.blocks))
}

func lineOf(b rag.Block) (text string, box rag.Box, ok bool) {
	switch {
	case b.Line != nil:
		return b.Line.Text, b.Line.Box, true
	case b.Heading != nil:
		return b.Heading.Text, b.Heading.Box, true
	}
	return "", rag.Box{}, false
}

// rowAt finds the row of a page that stands at the height of a box, -1 for none.
func rowAt(rows []rag.Row, page int, box rag.Box) int {
	best, least := -1, spillDrift
	for i := range rows {
		r := &rows[i]
		if r.Page != page {
			continue
		}
		off := math.Min(math.Abs(r.Box.Y0-box.Y0), math.Abs(r.Box.Y1-box.Y1))
		if y := (box.Y0 + box.Y1) / 2; y > r.Box.Y0 && y < r.Box.Y1 {
			off = math.Min(off, spillDrift) // in a row that is higher than the text
		}
		if off < least || best < 0 && off <= least {
			best, least = i, off
		}
	}
	return best
}

// width is how much of the paper a table's column k takes.
func width(t *rag.Table, k int) float64 {
	left, right := math.Inf(1), 0.0
	for _, r := range t.Rows {
		if b := r.Cells[k].Box; !b.IsZero() {
			left, right = math.Min(left, b.X0), math.Max(right, b.X1)
		}
	}
	return math.Max(right-left, 0)
}

// titles counts the leading columns that a strip prints again, the names of the
// rows, where the further columns have other names. Row i of it stands beside
// row at[i] of t.
func titles(t, next *rag.Table, at []int) int {
	if t.Header == 0 {
		return 0
	}
	n := 0
	for n < len(next.Rows[0].Cells)-1 && n < len(t.Rows[0].Cells) {
		same := true
		for i, r := range at {
			same = same && t.Rows[r].Cells[n].Text == next.Rows[i].Cells[n].Text
		}
		if !same {
			break
		}
		n++
	}
	if n > 0 && slices.ContainsFunc(next.Rows[0].Cells[n:], func(c rag.Cell) bool { return named(t, c.Text) }) {
		return 0
	}
	return n
}

// named reports whether one of t's columns has a name.
func named(t *rag.Table, name string) bool {
	return name != "" && slices.ContainsFunc(t.Rows[0].Cells, func(c rag.Cell) bool { return strings.EqualFold(c.Text, name) })
}

// repeats reports whether the second table says again what the first one says:
// the names of its columns, or those of its rows. Then it is the next of a
// series of forms.
func repeats(a, b *rag.Table) bool {
	names, keys := 0, 0
	for _, c := range b.Rows[0].Cells {
		if c.Text != "" && slices.ContainsFunc(a.Rows[0].Cells, func(d rag.Cell) bool { return strings.EqualFold(c.Text, d.Text) }) {
			names++
		}
	}
	for i := range min(len(a.Rows), len(b.Rows)) {
		if s := b.Rows[i].Cells[0].Text; s != "" && strings.EqualFold(s, a.Rows[i].Cells[0].Text) {
			keys++
		}
	}
	return names*2 > len(b.Rows[0].Cells) || keys*2 > len(b.Rows)
}

// widen appends the strip's cells to t's rows.
func (s *strip) widen(t *rag.Table) {
	for i := range t.Rows {
		cells := s.rows[i]
		if cells == nil {
			cells = make([]rag.Cell, s.columns)
		}
		for _, c := range cells {
			c.Box = rag.Box{}
			t.Rows[i].Cells = append(t.Rows[i].Cells, c)
		}
	}
}

// drop takes the strip out of its pages' blocks.
func (s *strip) drop(pages []rag.Page) {
	for i := range pages {
		pages[i].Blocks = slices.DeleteFunc(pages[i].Blocks, func(b rag.Block) bool { return slices.Contains(s.blocks, b) })
	}
}

// joinSheets puts tables whose strips lie on the pages after another's last
// strip below it, where they have the same columns in the same strips.
func joinSheets(pages []rag.Page, widened map[*rag.Table]*strip) {
	var above *rag.Table
	for i := range pages {
		for k := 0; k < len(pages[i].Blocks); k++ {
			t := pages[i].Blocks[k].Table
			last := widened[t]
			if last == nil {
				continue
			}
			if above == nil || widened[above].to+1 != t.Page || len(pages[i].Blocks) > 1 ||
				!slices.Equal(widened[above].widths, last.widths) || len(above.Rows[0].Cells) != len(t.Rows[0].Cells) {
				above = t
				continue
			}
			rows, ok := t.Rows, t.Header == 0
			for len(rows) > 0 && len(t.Rows)-len(rows) < max(above.Header, 1) && sameCells(&above.Rows[len(t.Rows)-len(rows)], &rows[0]) {
				rows, ok = rows[1:], true
			}
			if !ok {
				above = t
				continue
			}
			above.Rows = append(above.Rows, rows...)
			widened[above] = last
			pages[i].Blocks = nil
		}
	}
}

func sameCells(a, b *rag.Row) bool {
	return slices.EqualFunc(a.Cells, b.Cells, func(c, d rag.Cell) bool { return c.Text == d.Text })
}
