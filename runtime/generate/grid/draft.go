package grid

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/amount"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// place is where a line is printed in its document, so that pieces of a table
// found in any order come into the printed one.
type place struct {
	page int
	y    float64
}

// draft gathers the rows of one table before they are understood.
type draft struct {
	table  Table
	header []string
	lines  []line

	heading, passage string // of the piece at hand
}

// line is one row as printed, parts joined.
type line struct {
	cells []string
	text  string
	order int
	name  string
	parts int // parts still missing
	place place

	heading, passage string
	refs             []Ref
}

func newDraft(h rag.Hit) *draft {
	return &draft{
		header: slices.Clone(h.Header),
		table: Table{Document: h.Document, Title: h.Title, Heading: h.Heading, Passage: h.Passage,
			Evidence: h.Evidence(), Key: -1, Name: -1},
	}
}

// columns takes over the names that another piece has for columns without one.
func (d *draft) columns(header []string) {
	for i, h := range header {
		if i < len(d.header) && strings.TrimSpace(d.header[i]) == "" {
			d.header[i] = h
		}
	}
}

// part says which piece of the table the next lines come from.
func (d *draft) part(h rag.Hit) { d.heading, d.passage = h.Heading, h.Passage }

// add takes a unit in; parts of one row become one line.
func (d *draft) add(u rag.Unit, ref Ref) {
	if u.Parts > 0 {
		for i := range d.lines {
			if l := &d.lines[i]; l.name == u.Name && l.passage == d.passage {
				l.cells = overlay(l.cells, u.Cells)
				l.text += " | " + u.Text
				l.refs = append(l.refs, ref)
				l.parts--
				return
			}
		}
	}
	d.lines = append(d.lines, line{cells: slices.Clone(u.Cells), text: u.Text, order: u.Order, name: u.Name,
		parts: max(0, u.Parts-1), refs: []Ref{ref}, place: place{u.Place.Page, u.Place.Box.Y0}, heading: d.heading, passage: d.passage})
}

// overlay joins the cells of two parts of a row. A part of a table cut into bands
// of columns has its own columns filled and the others empty; a part of a cell
// over the window goes on with that cell.
func overlay(have, more []string) []string {
	if len(have) != len(more) {
		return append(have, more...)
	}
	for i, c := range more {
		if c != "" {
			have[i] = strings.TrimSpace(have[i] + " " + c)
		}
	}
	return have
}

// form reports whether the lines are labelled values side by side, not rows of
// data: at least half of them hold a "label: value" cell, or begin with a label
// that papers use.
func (d *draft) form() bool {
	labelled := 0
	for _, l := range d.lines {
		if d.bare() && len(l.cells) > 1 && !Blank(l.cells[1]) && english.Label(l.cells[0]) {
			labelled++
			continue
		}
		if slices.ContainsFunc(l.cells, func(c string) bool {
			name, _, ok := strings.Cut(c, ":")
			return ok && len(strings.Fields(name)) <= 4 && strings.ContainsFunc(name, isLetter)
		}) {
			labelled++
		}
	}
	return labelled > 0 && labelled*2 >= len(d.lines) || d.slips()
}

// bare reports whether no header stands over the lines.
func (d *draft) bare() bool {
	return !slices.ContainsFunc(d.header, func(h string) bool { return strings.TrimSpace(h) != "" })
}

// slips reports whether the lines are a label and one figure each, without a
// header over them: the totals at the foot of an invoice.
func (d *draft) slips() bool {
	if !d.bare() {
		return false
	}
	for _, l := range d.lines {
		if len(l.cells) != 2 || !strings.ContainsFunc(l.cells[0], isLetter) || coded(l.cells[0]) {
			return false
		}
		if _, ok := amount.Parse(l.cells[1], false); !ok {
			return false
		}
	}
	return len(d.lines) > 0
}

// suspect says why the extraction of the table cannot be trusted: a header that
// holds values, or, without a header, a first row unlike all others.
func (t *Table) suspect() {
	named := false
	for _, c := range t.Columns {
		name, value, ok := strings.Cut(c.Name, ":")
		if ok && strings.TrimSpace(name) != "" && strings.TrimSpace(value) != "" {
			t.Doubts = append(t.Doubts, fmt.Sprintf("the header says %q, which is a value", c.Name))
			return
		}
		named = named || c.Name != ""
	}
	if named || len(t.Rows) < 3 {
		return
	}
	odd := 0
	for i, c := range t.Columns {
		first := t.Rows[0].Cell(i)
		_, number := c.Amount(first)
		if (c.Kind == Codes && !coded(first) || (c.Kind == Amounts || c.Kind == Serial) && !number || c.Kind == Dates && !dated(first)) && !Blank(first) {
			odd++
		}
	}
	if odd >= 2 {
		t.Doubts = append(t.Doubts, "its first row is unlike the others: the header may be part of it")
	}
}

// finish tells rows, totals, headings and repeats apart.
func (d *draft) finish() Table {
	t := &d.table
	slices.SortStableFunc(d.lines, func(a, b line) int {
		if a.passage == b.passage {
			return cmp.Compare(a.order, b.order)
		}
		return cmp.Or(cmp.Compare(a.place.page, b.place.page), cmp.Compare(a.place.y, b.place.y))
	})
	d.adoptHeader()
	sections := d.sections()
	if sections != nil {
		t.Heading = shared(t.Sections) // what all pieces say, not what one does
	}
	for _, h := range d.header {
		t.Columns = append(t.Columns, Column{Name: strings.TrimSpace(h)})
	}
	var rows []Row
	for _, l := range d.lines {
		if l.parts > 0 {
			t.Lost++
			continue
		}
		if len(t.Columns) > 0 && len(l.cells) != len(t.Columns) && len(l.cells) > 0 {
			t.Doubts = append(t.Doubts, fmt.Sprintf("row %q has %d cells under %d columns", l.text, len(l.cells), len(t.Columns)))
		}
		if len(l.cells) == 0 {
			l.cells = strings.Split(l.text, " | ")
		}
		if !same(l.cells, d.header) {
			r := Row{Cells: l.cells, Refs: l.refs}
			r.Group = sections[subject(l.heading)]
			rows = append(rows, r)
		}
	}
	t.understand(rows)
	t.suspect()
	return *t
}

// adoptHeader takes the first line for the header where none was recognised and
// it reads like one: words alone, over at least two lines with figures.
func (d *draft) adoptHeader() {
	if !d.bare() || len(d.lines) < 3 {
		return
	}
	d.header = nil
	first := d.lines[0].cells
	if len(first) < 2 || slices.ContainsFunc(first, func(c string) bool { return Blank(c) || strings.ContainsAny(c, "0123456789") }) {
		return
	}
	figures := 0
	for _, l := range d.lines[1:] {
		if slices.ContainsFunc(l.cells, func(c string) bool { return strings.ContainsAny(c, "0123456789") }) {
			figures++
		}
	}
	if figures >= 2 {
		d.header = first
		d.lines = d.lines[1:]
	}
}

// same reports whether a row repeats the header, as after a page break.
func same(cells, header []string) bool {
	if len(header) == 0 || len(cells) != len(header) {
		return false
	}
	fold := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), "")) }
	for i := range cells {
		if fold(cells[i]) != fold(header[i]) {
			return false
		}
	}
	return true
}
