package extract

import (
	"regexp"
	"slices"

	"github.com/hardgate-dev/hardgate/runtime/extract/layout"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// openTable is the last table so far: the next page may go on with it.
type openTable struct {
	table   *rag.Table
	layout  *layout.Table
	page    int      // the last page on which it stands
	between []string // lines after it
}

// goesOn finds lines that may stand between the pages of one table.
var goesOn = regexp.MustCompile(`(?i)\b(continue[sd]?|contd?\b|carried (over|forward)|brought forward|[cb]/f\b|page \d+)`)

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
	if o.foreign(b.pages) {
		return pieces
	}
	for i := range pieces {
		if t := pieces[i].Table; t != nil {
			return b.join(o, p, pieces, i)
		}
		if rows, ok := o.adopt(pieces[i].Line); ok {
			o.extend(p, rows)
			pieces = slices.Delete(slices.Clone(pieces), i, i+1)
			return b.adoptMore(o, p, pieces, i)
		}
		o.between = append(o.between, pieces[i].Line.Text())
		if o.foreign(b.pages) {
			break
		}
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
	rows, cut, ok := o.layout.Continues(pieces[i].Table, len(o.between) > 0)
	if !ok {
		return pieces
	}
	if cut {
		o.layout.Rows[len(o.layout.Rows)-1].Rest(&rows[0])
		last := &o.table.Rows[len(o.table.Rows)-1]
		whole := newRows(p.Frame, p.Number, o.layout.Rows[len(o.layout.Rows)-1:], o.layout.RightToLeft)[0]
		for k := range last.Cells {
			last.Cells[k].Text = whole.Cells[k].Text
		}
		rows = rows[1:]
	}
	o.extend(p, rows)
	rest := slices.Delete(slices.Clone(pieces), i, i+1)
	if i == len(rest) || onlyLines(rest[i:]) {
		b.open = &openTable{table: o.table, layout: o.layout, page: p.Number}
	}
	return rest
}

// adoptMore goes on with single lines after the first one was taken as a row.
func (b *builder) adoptMore(o *openTable, p *layout.Page, pieces []layout.Piece, i int) []layout.Piece {
	for i < len(pieces) && pieces[i].Line != nil {
		rows, ok := o.adopt(pieces[i].Line)
		if !ok {
			break
		}
		o.extend(p, rows)
		pieces = slices.Delete(pieces, i, i+1)
	}
	if onlyLines(pieces[i:]) {
		b.open = &openTable{table: o.table, layout: o.layout, page: p.Number}
	}
	return pieces
}

func onlyLines(pieces []layout.Piece) bool {
	return !slices.ContainsFunc(pieces, func(p layout.Piece) bool { return p.Table != nil })
}

// adopt takes a line as a row of the table; a repeated header gives no row.
func (o *openTable) adopt(l *layout.Line) ([]layout.Row, bool) {
	row, ok := o.layout.Adopt(l)
	if !ok {
		return nil, false
	}
	if o.layout.Repeats(&row) {
		return nil, true
	}
	return []layout.Row{row}, true
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
