package layout

import (
	"strings"
	"unicode"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// What tells a row of column names from a row of data.
const (
	maxHeader     = 3       // rows: more levels of names are not seen in practice
	digitShare    = 0.8     // of a column's cells bear digits: its name stands out by having none
	contrastShare = 0.5     // of such columns must show that contrast
	namesNumeric  = 1.0 / 3 // of a header's cells may look like numbers (Q1, 2025)
	shadeCover    = 0.6     // of a row's width is shaded
	bandsSeen     = 4       // rows below a shaded one that tell bands from names
	captionSlack  = 1       // columns that a caption's cell may leave out
)

// recogniseHeader counts the leading rows that name the columns. A full-width
// caption above them is given back to the page; names that wrap over several
// lines of an unruled table become one row.
func (f *finder) recogniseHeader(t *Table) {
	if t.named {
		return
	}
	for t.captioned() && f.names(t, 1) {
		f.release(t)
	}
	for t.Header < maxHeader && t.Header < len(t.Rows)-1 && f.names(t, t.Header) {
		t.Header++
	}
	if !t.Ruled && t.Header > 1 {
		t.foldHeader()
	}
}

// captioned reports whether the first row is one cell over (nearly) all columns.
func (t *Table) captioned() bool {
	if len(t.Rows) < 3 || t.Columns() < 3 || t.Rows[0].filled() != 1 {
		return false
	}
	for _, c := range t.Rows[0].Cells {
		if c.Text != "" {
			return c.Spans >= t.Columns()-captionSlack
		}
	}
	return false
}

// release gives the first row back to the page as prose.
func (f *finder) release(t *Table) {
	for _, i := range f.drop(t, 0, 1) {
		f.taken[i] = false
	}
	f.stale = true
}

// drop takes rows [from, to) out of a table and returns their glyphs.
func (f *finder) drop(t *Table, from, to int) []int {
	out := map[int]bool{}
	for i := from; i < to; i++ {
		for _, c := range t.Rows[i].Cells {
			for _, g := range c.glyphs {
				out[g] = true
			}
		}
	}
	var kept, dropped []int
	for _, i := range t.glyphs {
		if out[i] {
			dropped = append(dropped, i)
		} else {
			kept = append(kept, i)
		}
	}
	t.glyphs = kept
	t.Rows = append(append([]Row(nil), t.Rows[:from]...), t.Rows[to:]...)
	t.Box = rag.Box{}
	for i := range t.Rows {
		t.Box = t.Box.Union(t.Rows[i].Box)
	}
	t.lines = f.gs.allLines(t.glyphs)
	return dropped
}

// splitAtHeader splits an unruled table in two where its names come again
// below a single line, the title of the second; nil when they don't.
func (f *finder) splitAtHeader(t *Table) *Table {
	if t.Ruled || t.Header != 1 {
		return nil
	}
	for i := t.Header + 1; i+1 < len(t.Rows); i++ {
		if t.Rows[i-1].filled() != 1 || !sameText(&t.Rows[0], &t.Rows[i]) {
			continue
		}
		second := &Table{Edges: t.Edges, Header: 1, em: t.em}
		second.Rows = append(second.Rows, t.Rows[i:]...)
		second.glyphs = f.drop(t, i, len(t.Rows))
		for _, g := range f.drop(t, i-1, i) { // the title
			f.taken[g] = false
		}
		for k := range second.Rows {
			second.Box = second.Box.Union(second.Rows[k].Box)
		}
		second.lines = f.gs.allLines(second.glyphs)
		return second
	}
	return nil
}

// names reports whether row i, all before it being names, names columns too.
func (f *finder) names(t *Table, i int) bool {
	row := &t.Rows[i]
	if row.filled() < 2 || i+1 >= len(t.Rows) {
		return false
	}
	if f.styled(t, i) {
		return true
	}
	numbers := 0
	for k := range row.Cells {
		if s := row.Cells[k].Text; s != "" && numeric(s) {
			numbers++
		}
	}
	if float64(numbers) > namesNumeric*float64(row.filled()) {
		return false
	}
	return t.contrasts(i) || i == 0 && numbers == 0 && f.underlined(t)
}

// styled reports whether the row is bold or shaded where the rows below are not.
func (f *finder) styled(t *Table, i int) bool {
	plain := func(set func(*Row) bool) bool { // most rows further below
		n := 0
		for k := i + 1; k < len(t.Rows); k++ {
			if !set(&t.Rows[k]) {
				n++
			}
		}
		return n*2 > len(t.Rows)-i-1
	}
	if t.Rows[i].bold() && plain((*Row).bold) {
		return true
	}
	if !f.shaded(&t.Rows[i]) || numericRow(&t.Rows[i]) {
		return false
	}
	if f.shaded(&t.Rows[i+1]) {
		return f.banded(t, i+1)
	}
	return i == 0 || !f.banded(t, i)
}

// banded reports whether from row i on every other row is shaded, i one of them:
// below names its shade says nothing.
func (f *finder) banded(t *Table, i int) bool {
	if i+bandsSeen >= len(t.Rows) {
		return false
	}
	for k := 1; k <= bandsSeen; k++ {
		if f.shaded(&t.Rows[i+k]) != (k%2 == 0) {
			return false
		}
	}
	return true
}

func (r *Row) bold() bool {
	for i := range r.Cells {
		if r.Cells[i].Text != "" && !r.Cells[i].Bold {
			return false
		}
	}
	return true
}

// numericRow reports whether any cell is an amount: shaded bands have them, names don't.
func numericRow(r *Row) bool {
	n := 0
	for i := range r.Cells {
		if r.Cells[i].Text != "" && numeric(r.Cells[i].Text) {
			n++
		}
	}
	return float64(n) > namesNumeric*float64(r.filled())
}

// shaded reports whether filled areas lie behind most of the row's width.
func (f *finder) shaded(r *Row) bool {
	y := (r.Box.Y0 + r.Box.Y1) / 2
	covered := 0.0
	for _, b := range f.fills {
		if b.Y0 <= y && y <= b.Y1 {
			covered += max(0, min(b.X1, r.Box.X1)-max(b.X0, r.Box.X0))
		}
	}
	return covered >= shadeCover*(r.Box.X1-r.Box.X0)
}

// contrasts reports whether the row has no digits in the columns whose other
// cells bear them.
func (t *Table) contrasts(i int) bool {
	columns, stands := 0, 0
	from := i + 1
	if rest := len(t.Rows) - maxHeader; rest > maxHeader { // enough rows to look past any further names
		from = max(from, maxHeader)
	}
	for k := range t.Columns() {
		filled, digits := 0, 0
		for r := from; r < len(t.Rows); r++ {
			if s := t.Rows[r].Cells[k].Text; s != "" {
				filled++
				if hasDigit(s) {
					digits++
				}
			}
		}
		if filled == 0 || float64(digits) < digitShare*float64(filled) {
			continue
		}
		s := t.Rows[i].Cells[k].Text
		if s == "" {
			continue
		}
		columns++
		if !hasDigit(s) && !numeric(s) {
			stands++
		}
	}
	if i > 0 && stands*2 <= columns { // below names, a value is missing as often as not
		return false
	}
	return stands > 0 && float64(stands) >= contrastShare*float64(columns)
}

// underlined reports whether a rule below the first row is the only one between rows.
func (f *finder) underlined(t *Table) bool {
	if t.Ruled {
		return false
	}
	ruled := func(i int) bool {
		a, b := t.Rows[i].Box, t.Rows[i+1].Box
		for _, r := range f.across {
			if r.At > a.Y0+(a.Y1-a.Y0)/2 && r.At < b.Y0+(b.Y1-b.Y0)/2 &&
				min(r.To, t.Box.X1)-max(r.From, t.Box.X0) > ruleAcross*(t.Box.X1-t.Box.X0) {
				return true
			}
		}
		return false
	}
	if !ruled(0) {
		return false
	}
	others := 0
	for i := 1; i+1 < len(t.Rows); i++ {
		if ruled(i) {
			others++
		}
	}
	return others <= 1 // a total may be ruled off too
}

// foldHeader joins header rows that are the wrapped lines of one.
func (t *Table) foldHeader() {
	for i := range t.Header {
		for _, c := range t.Rows[i].Cells {
			if c.Spans > 1 {
				return
			}
		}
	}
	head := t.Rows[0]
	for i := 1; i < t.Header; i++ {
		for k := range head.Cells {
			if d := &t.Rows[i].Cells[k]; d.Text != "" {
				head.Cells[k].append(d)
			}
		}
		head.Box = head.Box.Union(t.Rows[i].Box)
	}
	for k := range head.Cells {
		head.Cells[k].Text = flow(head.Cells[k].Text)
	}
	t.Rows = append([]Row{head}, t.Rows[t.Header:]...)
	t.Header = 1
}

func hasDigit(s string) bool { return strings.IndexFunc(s, unicode.IsDigit) >= 0 }
