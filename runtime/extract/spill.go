package extract

import "github.com/hardgate-dev/hardgate/runtime/rag"

// A sheet wider than its paper is printed in strips: first all pages of the
// columns that fit, then all pages of the further ones. What joins the strips
// is where the rows stand: the same number of them, at the same height, the
// same number of pages on.
const (
	spillRows   = 3       // fewer rows may stand alike by chance
	spillDrift  = 2.0     // points between the two parts of one row
	spillSlack  = 10.0    // points by which a margin may be narrower on the right
	sureRows    = 10      // rows that stand alike under names of their own do not by chance: the paper need not be full
	sparseShare = 1.0 / 3 // of the rows have text in further columns at least: those of other sheets stand at such heights too
	proseSlack  = 0.05    // of the measure: a line that ends this close to it fills it
	proseBlanks = 5       // a line of fewer words is none of prose
	proseShare  = 0.3     // of the lines that fill it are prose, not a column
)

// joinStrips puts the strips of wide sheets together. The cells that come from
// another page have no box: their row stands where its first cells do. Sheets
// printed "over, then down" have their further rows on the pages after their last
// strip: those are put below.
func joinStrips(pages []rag.Page) {
	widened := map[*rag.Table]*strip{} // the last strip of each table that has several
	var further *sheets
	for i := range pages {
		for k := 0; k < len(pages[i].Blocks); k++ {
			t := pages[i].Blocks[k].Table
			if t == nil || further != nil && further.taken[t.Page] || !lastOn(pages, t) {
				continue
			}
			last := &strip{box: t.Box, to: t.Rows[len(t.Rows)-1].Page}
			single := last.to == t.Page
			plan := []dealt{{columns: len(t.Rows[0].Cells)}}
			for next := nextStrip(pages, t, last); next != nil; next = nextStrip(pages, t, last) {
				next.widen(t)
				next.drop(pages)
				next.widths = append(last.widths, next.columns)
				plan = append(plan, dealt{columns: next.columns + next.lead, lead: next.lead})
				last = next
			}
			if last.columns == 0 {
				continue
			}
			widened[t] = last
			if single {
				if further == nil {
					further = newSheets(pages)
				}
				further.follow(t, last.to+1, plan)
			}
		}
	}
	if further != nil {
		further.clear(pages, widened)
	}
	joinSheets(pages, widened)
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
