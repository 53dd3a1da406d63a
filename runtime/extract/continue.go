package extract

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/extract/layout"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// openTable is the last table so far: the next page may go on with it.
type openTable struct {
	table   *rag.Table
	layout  *layout.Table
	page    int      // the last page on which it stands
	between []string // lines after it that do not say that it goes on
}

// goesOn finds lines that may stand between the pages of one table.
var goesOn = regexp.MustCompile(`(?i)\b(continue[sd]?|contd?\b|carried (over|forward)|brought forward|[cb]/f\b|page \d+)`)

const (
	goesOnWords = 8    // a line of more is a sentence, which says nothing of the table
	footPart    = 0.75 // of the page's height: footnotes stand below
)

// passes notes a line behind the table, before or on the next page.
func (o *openTable) passes(l *layout.Line) {
	if text := l.Text(); !goesOn.MatchString(text) || strings.Count(text, " ") >= goesOnWords {
		o.between = append(o.between, text)
	}
}

// below notes a line under the table on its page: footnotes stand there wherever
// the page ends.
func (o *openTable) below(p *layout.Page, l *layout.Line) {
	if _, height := p.Frame.Size(); l.Base > footPart*height && o.layout.Noted(l) {
		return
	}
	o.passes(l)
}

// continued joins what a page begins with to the table on which the page before
// ended, and returns the pieces that are left.
func (b *builder) continued(p *layout.Page, page *rag.Page, pieces []layout.Piece) []layout.Piece {
	o := b.open
	b.open = nil
	if o == nil || o.page != p.Number-1 {
		return pieces
	}
	if i := o.tagged(pieces); i >= 0 {
		return b.join(o, p, pieces, i)
	}
	adopted := false
	for i := 0; i < len(pieces) && !o.foreign(b.pages); {
		switch piece := pieces[i]; {
		case piece.Table != nil:
			return b.join(o, p, pieces, i)
		case o.adopt(p, piece.Line):
			pieces, adopted = slices.Delete(slices.Clone(pieces), i, i+1), true
		case adopted:
			return b.still(o, p, pieces, i)
		default:
			if n := o.lead(p, pieces[i:]); n > 0 {
				return b.join(o, p, slices.Delete(slices.Clone(pieces), i, i+n), i)
			}
			o.passes(piece.Line)
			i++
		}
	}
	if adopted {
		b.still(o, p, pieces, len(pieces))
	}
	return pieces
}

// still leaves the table open for the next page where no other one follows it.
func (b *builder) still(o *openTable, p *layout.Page, pieces []layout.Piece, i int) []layout.Piece {
	if onlyLines(pieces[i:]) {
		b.open = &openTable{table: o.table, layout: o.layout, page: p.Number}
	}
	return pieces
}

// tagged is the piece that the file's tags call a part of the open table, -1 for none.
func (o *openTable) tagged(pieces []layout.Piece) int {
	if o.layout.Tag == "" {
		return -1
	}
	return slices.IndexFunc(pieces, func(p layout.Piece) bool { return p.Table != nil && p.Table.Tag == o.layout.Tag })
}

// join tries to join the table at pieces[i].
func (b *builder) join(o *openTable, p *layout.Page, pieces []layout.Piece, i int) []layout.Piece {
	next := pieces[i].Table
	rows, cut, ok := o.layout.Continues(next, len(o.between) > 0)
	if !ok {
		return pieces
	}
	if cut {
		o.rest(p, &rows[0])
		rows = rows[1:]
	}
	o.extend(p, rows)
	o.layout = o.layout.Latest(next, rows)
	return b.still(o, p, slices.Delete(slices.Clone(pieces), i, i+1), i)
}

// rest adds to the last row what the page's end cut off.
func (o *openTable) rest(p *layout.Page, row *layout.Row) {
	end := o.layout.Rows[len(o.layout.Rows)-1:]
	end[0].Rest(row)
	whole := newRows(p.Frame, p.Number, end, o.layout.RightToLeft)[0]
	last := &o.table.Rows[len(o.table.Rows)-1]
	for k := range last.Cells {
		last.Cells[k].Text = whole.Cells[k].Text
	}
}

func onlyLines(pieces []layout.Piece) bool {
	return !slices.ContainsFunc(pieces, func(p layout.Piece) bool { return p.Table != nil })
}

// adopt takes a line as a row of the table; a repeated header gives no row.
func (o *openTable) adopt(p *layout.Page, l *layout.Line) bool {
	row, ok := o.layout.Adopt(l)
	if ok && !o.layout.Repeats(&row) {
		o.extend(p, []layout.Row{row})
	}
	return ok
}

// lead takes the lines above a table that goes on with this one, rows that have
// too few cells to look like rows there, and returns how many they are.
func (o *openTable) lead(p *layout.Page, pieces []layout.Piece) int {
	n := slices.IndexFunc(pieces, func(p layout.Piece) bool { return p.Table != nil })
	if n < 1 || len(o.between) > 0 {
		return 0
	}
	lines := make([]*layout.Line, n)
	for i := range lines {
		lines[i] = pieces[i].Line
	}
	rows, cut, ok := o.layout.Leads(lines, pieces[n].Table)
	if !ok {
		return 0
	}
	if cut {
		o.rest(p, &rows[0])
		rows = rows[1:]
	}
	o.extend(p, rows)
	return n
}

// extend appends rows that stand on another page.
func (o *openTable) extend(p *layout.Page, rows []layout.Row) {
	o.layout.Rows = append(o.layout.Rows, rows...)
	o.layout.Trim()
	o.table.Rows = append(o.table.Rows, newRows(p.Frame, p.Number, rows, o.layout.RightToLeft)...)
	o.page = p.Number
}

// foreign reports whether a line between the pages speaks against one table:
// it neither says that the table goes on, nor stood above the table already.
func (o *openTable) foreign(pages []rag.Page) bool {
	for _, text := range o.between {
		if !goesOn.MatchString(text) && !stood(pages, o.table.Page, text) {
			return true
		}
	}
	return false
}

func stood(pages []rag.Page, number int, text string) bool {
	for _, p := range pages {
		if p.Number == number {
			return slices.ContainsFunc(p.Lines, func(l rag.Line) bool { return l.Text == text })
		}
	}
	return false
}
