package layout

import (
	"math"
	"regexp"
	"sort"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// What a page's end and beginning leave beside a table that goes over it.
const (
	leadLines = 6    // more lines above a table are no rest of a row
	leadGap   = 1.5  // ems of the line between such lines, and to the table
	sameSize  = 0.05 // of the size of its text by which a line of the table may differ
	footSize  = 0.92 // of it: footnotes are set smaller
)

// noteMark finds the mark with which a footnote begins.
var noteMark = regexp.MustCompile(`^(\*{1,4}|[†‡§¶¹²³⁴⁵⁶⁷⁸⁹]|\(?\d{1,2}[.)]?\s|\(?[a-z][.)]\s|(?i:notes?|source|figures? in)\b)`)

// size is that of most of the table's text.
func (t *Table) size() float64 {
	sizes := make([]float64, len(t.lines))
	for i := range t.lines {
		sizes[i] = t.lines[i].Size
	}
	if len(sizes) == 0 {
		return t.em
	}
	return median(sizes)
}

// Noted reports whether a line is a footnote to the table: it begins with a mark,
// or goes on with one, in smaller print.
func (t *Table) Noted(l *Line) bool {
	if l.Turn != Rightward || l.Size > footSize*t.size() {
		t.noted = false
		return false
	}
	t.noted = t.noted || noteMark.MatchString(l.Text())
	return t.noted
}

// Leads lays out the lines that stand above next, the first table of a page that
// goes on with t, as its first rows: those that have text in too few columns to
// look like rows there. cut is true when the first one belongs to t's last row.
func (t *Table) Leads(lines []*Line, next *Table) (rows []Row, cut, ok bool) {
	_, repeated, fits := t.further(next, false)
	if !fits || len(lines) > leadLines || repeated > 0 || len(next.Edges) != len(t.Edges) {
		return nil, false, false
	}
	bottom := next.Box.Y0
	for i := len(lines) - 1; i >= 0; i-- {
		r := newTextRow(lines[i])
		if bottom-r.bottom > leadGap*r.size || r.bottom > bottom+wordSlack || math.Abs(r.size-next.size()) > sameSize*r.size {
			return nil, false, false
		}
		bottom = r.top
	}
	for _, l := range lines {
		row, inside := next.columnsOf(l)
		if !inside {
			return nil, false, false
		}
		last := &t.Rows[len(t.Rows)-1]
		if len(rows) > 0 {
			last = &rows[len(rows)-1]
		}
		switch wraps := row.goesOnWith(last) && t.keyed(); {
		case wraps && len(rows) > 0:
			last.Rest(&row)
		case wraps:
			rows, cut = append(rows, row), true
		case row.filled() < 2:
			return nil, false, false
		default:
			rows = append(rows, row)
		}
	}
	return rows, cut, true
}

// columnsOf lays a line out in the table's columns, if each of its words lies
// whole in one, and no column holds two pieces of it.
func (t *Table) columnsOf(l *Line) (Row, bool) {
	r := newTextRow(l)
	if l.Turn != Rightward || !t.holds(&r) {
		return Row{}, false
	}
	row := Row{Cells: make([]Cell, t.Columns()), Box: rag.Box{X0: t.Edges[0], Y0: r.top, X1: t.Edges[t.Columns()], Y1: r.bottom}}
	for _, fr := range r.fragments {
		for i, w := range fr.Words {
			c := &row.Cells[min(max(sort.SearchFloat64s(t.Edges, (w.Box.X0+w.Box.X1)/2)-1, 0), t.Columns()-1)]
			if i == 0 && c.Text != "" {
				return Row{}, false
			}
			c.put(w.Text, w.Box, w.glyphs)
			c.Spans = 1
		}
	}
	for k := range row.Cells {
		if c := &row.Cells[k]; c.Text == "" {
			c.Spans, c.Box = 1, rag.Box{X0: t.Edges[k], Y0: r.top, X1: t.Edges[k+1], Y1: r.bottom}
		}
	}
	return row, true
}

// goesOnWith reports whether a row without a key has no more than further lines
// of the last one's texts.
func (r *Row) goesOnWith(last *Row) bool {
	if r.Cells[0].Text != "" {
		return false
	}
	for k := range r.Cells {
		if s := r.Cells[k].Text; s != "" && (numeric(s) || last.Cells[k].Text == "") {
			return false
		}
	}
	return r.filled() > 0 && r.filled() <= last.filled()
}
