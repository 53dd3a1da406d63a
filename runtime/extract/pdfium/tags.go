package pdfium

import (
	"strconv"

	"github.com/hardgate-dev/hardgate/runtime/extract/layout"
)

// Bounds of what is read of the tags of one page.
const (
	maxElements = 20_000
	// maxAbsent tagged pieces may stand between them that are of other pages: a table over
	// all pages has its rows there. Each page goes past all of them, 2 µs for one, so
	// that 400 pages of a register take 16 s, and 1,000 would take 100.
	maxAbsent = 20_000
	maxSpan   = 1000 // rows or columns that a cell says it covers
)

// tags finds the pieces of the page that the file marks as headings and as
// cells of tables.
func (r *reader) tags() {
	in := r.in
	if !r.doc.tagged {
		return
	}
	tree := in.call("FPDF_StructTree_GetForPage", r.handle)
	if tree == 0 || in.err != nil {
		return
	}
	t := tagged{in: in, levels: map[int]int{}, cells: map[int]int{}}
	for i := range signed(in.call("FPDF_StructTree_CountChildren", tree)) {
		if h := in.call("FPDF_StructTree_GetChildAtIndex", tree, uint64(i)); h != 0 {
			t.element(h, place{path: strconv.Itoa(i)})
		}
	}
	in.call("FPDF_StructTree_Close", tree)
	if t.full() { // half a table is worse than none
		if r.page.TagsScattered = t.absent > maxAbsent; r.page.TagsScattered {
			r.capped("tagged elements of other pages in its tables: tags are left out of account from here on, tables are found by their looks", maxAbsent)
		} else {
			r.capped("tagged elements", maxElements)
		}
		t.tables, t.cells = nil, nil
	}
	r.levels, r.cells = t.levels, t.cells
	r.page.Structured = t.seen > 0 && !t.full()
	for _, table := range t.tables {
		r.page.Tagged = append(r.page.Tagged, *table)
	}
}

// tagged collects what the tags say of marked content, by its id on the page.
type tagged struct {
	in           *instance
	seen, absent int
	levels       map[int]int // of headings
	cells        map[int]int // number of the table's cell
	number       int         // of the last cell
	tables       []*layout.Tagged
}

// place is where in the tree an element stands.
type place struct {
	path  string // child by child, the same on each page
	depth int
	level int // of the heading it is in, 0 for none
	table *layout.Tagged
	row   bool // it is a child of a row
	cell  int  // that it is in, 0 for none
}

func (t *tagged) full() bool { return t.seen > maxElements || t.absent > maxAbsent }

func (t *tagged) element(h uint64, at place) {
	if t.seen++; t.full() || t.in.err != nil || at.depth > maxNesting {
		return
	}
	in := t.in
	t.enter(h, in.wide(in.call("FPDF_StructElement_GetType", h, in.scratch, scratchBytes)), &at)
	path := at.path
	at.depth++
	for i := range signed(in.call("FPDF_StructElement_CountChildren", h)) {
		if t.full() || in.err != nil {
			return
		}
		at.path = path + "." + strconv.Itoa(i)
		if child := in.call("FPDF_StructElement_GetChildAtIndex", h, uint64(i)); child != 0 {
			t.element(child, at)
		} else if id := signed(in.call("FPDF_StructElement_GetChildMarkedContentID", h, uint64(i))); id >= 0 {
			t.mark(id, at)
		} else {
			t.missing(at)
		}
	}
}

// missing notes a child that has nothing on this page.
func (t *tagged) missing(at place) {
	t.absent++
	switch {
	case at.row:
		at.table.Put(layout.TaggedCell{})
	case at.table != nil && at.cell == 0:
		at.table.Parts = true
	}
}

func (t *tagged) mark(id int, at place) {
	if at.level > 0 {
		t.levels[id] = at.level
	}
	if at.cell > 0 {
		t.cells[id] = at.cell
	}
}

// enter notes what an element of a kind means for those below it.
func (t *tagged) enter(h uint64, kind string, at *place) {
	row := at.row
	at.row = false
	switch {
	case kind == "Table":
		if at.table != nil {
			at.table.Nests = true
		}
		at.table, at.cell = &layout.Tagged{Path: at.path}, 0
		t.tables = append(t.tables, at.table)
	case kind == "TR" && at.table != nil:
		at.table.Rows = append(at.table.Rows, layout.TaggedRow{Path: at.path})
		at.row = true
	case row && (kind == "TD" || kind == "TH"):
		t.number++
		at.cell = t.number
		c := layout.TaggedCell{Number: t.number, Header: kind == "TH"}
		c.Rows, c.Columns = t.spans(h)
		at.table.Put(c)
	default:
		if l := headingLevel(kind); l > 0 {
			at.level = l
		}
	}
}

// spans reads how many rows and columns a cell covers: 1 where it doesn't say.
func (t *tagged) spans(h uint64) (rows, columns int) {
	in := t.in
	rows, columns = 1, 1
	for i := range signed(in.call("FPDF_StructElement_GetAttributeCount", h)) {
		attr := in.call("FPDF_StructElement_GetAttributeAtIndex", h, uint64(i))
		if attr == 0 {
			continue
		}
		rows = max(rows, t.span(attr, "RowSpan"))
		columns = max(columns, t.span(attr, "ColSpan"))
	}
	return rows, columns
}

// span reads a number among an element's attributes, 0 for none.
func (t *tagged) span(attr uint64, name string) int {
	const at = 64 // of the scratch memory: the name lies before the result
	in := t.in
	in.memory.Write(uint32(in.scratch), append([]byte(name), 0))
	value := in.call("FPDF_StructElement_Attr_GetValue", attr, in.scratch)
	if value == 0 || !succeeded(in.call("FPDF_StructElement_Attr_GetNumberValue", value, in.scratch+at)) {
		return 0
	}
	if v := in.float32(at); v >= 1 && v <= maxSpan {
		return int(v)
	}
	return 0
}

// headingLevel is the level that a tag names, 0 for other tags.
func headingLevel(tag string) int {
	switch {
	case tag == "Title", tag == "H":
		return 1
	case len(tag) == 2 && tag[0] == 'H' && tag[1] >= '1' && tag[1] <= '6':
		return int(tag[1] - '0')
	}
	return 0
}
