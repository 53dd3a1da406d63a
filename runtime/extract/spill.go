package extract

import (
	"math"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// A sheet wider than its paper is printed in strips: first all pages of the
// columns that fit, then all pages of the further ones. What joins the strips
// is where the rows stand: the same number of them, at the same height, the
// same number of pages on.
const (
	spillRows  = 3    // fewer rows may stand alike by chance
	spillDrift = 2.0  // points between the two parts of one row
	spillSlack = 10.0 // points by which a margin may be narrower on the right
)

// joinStrips puts the strips of wide sheets together. The cells that come from
// another page have no box: their row stands where its first cells do.
func joinStrips(pages []rag.Page) {
	for i := range pages {
		for k := 0; k < len(pages[i].Blocks); k++ {
			t := pages[i].Blocks[k].Table
			if t == nil || !lastOn(pages, t) {
				continue
			}
			last := t
			for next := strip(pages, t, last); next != nil; next = strip(pages, t, last) {
				widen(t, next)
				drop(pages, next)
				last = next
			}
		}
	}
}

// lastOn reports whether nothing follows a table on the pages where it stands,
// and nothing stands beside it on the further ones.
func lastOn(pages []rag.Page, t *rag.Table) bool {
	last := t.Rows[len(t.Rows)-1].Page
	for i := range pages {
		p := &pages[i]
		switch {
		case p.Number < t.Page || p.Number > last:
		case p.Number == t.Page && (len(p.Blocks) == 0 || p.Blocks[len(p.Blocks)-1].Table != t),
			p.Number > t.Page && len(p.Blocks) > 0:
			return false
		}
	}
	return true
}

// strip finds the table that holds the columns of t's rows after those of last,
// nil for none.
func strip(pages []rag.Page, t, last *rag.Table) *rag.Table {
	from := last.Rows[len(last.Rows)-1].Page + 1
	k := slices.IndexFunc(pages, func(p rag.Page) bool { return p.Number == from })
	if k < 0 || len(pages[k].Blocks) != 1 || pages[k].Blocks[0].Table == nil {
		return nil
	}
	next := pages[k].Blocks[0].Table
	if !lastOn(pages, next) || !sameRows(t, next) || repeats(t, next) {
		return nil
	}
	margin := math.Min(last.Box.X0, next.Box.X0) // as wide on the right, or wider
	if last.Box.X1+firstColumn(next) < pages[k].Width-margin-spillSlack {
		return nil // there was room for it
	}
	return next
}

// firstColumn is how much of the paper a table's first column takes.
func firstColumn(t *rag.Table) float64 {
	left, right := math.Inf(1), 0.0
	for _, r := range t.Rows {
		if b := r.Cells[0].Box; !b.IsZero() {
			left, right = math.Min(left, b.X0), math.Max(right, b.X1)
		}
	}
	return math.Max(right-left, 0)
}

// sameRows reports whether the rows of two tables stand at the same heights,
// the same number of pages apart.
func sameRows(a, b *rag.Table) bool {
	if len(a.Rows) != len(b.Rows) || len(a.Rows) < spillRows || a.Header != b.Header {
		return false
	}
	apart := b.Rows[0].Page - a.Rows[0].Page
	for i := range a.Rows {
		p, q := a.Rows[i], b.Rows[i]
		top, bottom := math.Abs(p.Box.Y0-q.Box.Y0), math.Abs(p.Box.Y1-q.Box.Y1)
		if q.Page-p.Page != apart || math.Min(top, bottom) > spillDrift {
			return false
		}
	}
	return true
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
	for i := range b.Rows {
		if s := b.Rows[i].Cells[0].Text; s != "" && strings.EqualFold(s, a.Rows[i].Cells[0].Text) {
			keys++
		}
	}
	return names*2 > len(b.Rows[0].Cells) || keys*2 > len(b.Rows)
}

// widen appends the cells of next to t's rows.
func widen(t, next *rag.Table) {
	for i := range t.Rows {
		for _, c := range next.Rows[i].Cells {
			c.Box = rag.Box{}
			t.Rows[i].Cells = append(t.Rows[i].Cells, c)
		}
	}
}

// drop takes a table out of its page's blocks.
func drop(pages []rag.Page, t *rag.Table) {
	for i := range pages {
		pages[i].Blocks = slices.DeleteFunc(pages[i].Blocks, func(b rag.Block) bool { return b.Table == t })
	}
}
