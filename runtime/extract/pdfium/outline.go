package pdfium

import "strings"

// Bounds of what is read of a file's outline and tags.
const (
	maxEntries  = 5000
	maxElements = 20_000 // tagged pieces of one page
	maxNesting  = 32     // levels of either
)

// Entry is one entry of a file's outline: what readers show as its contents.
type Entry struct {
	Title string
	Page  int // counted from 1, 0 when it leads to none
	Level int // from 1
}

// Outline is the file's outline in its order, empty for none.
func (d *Document) Outline() ([]Entry, error) {
	o := outline{doc: d}
	o.children(0, 1)
	return o.entries, d.in.err
}

type outline struct {
	doc     *Document
	entries []Entry
}

// children reads the entries below one; the count bounds outlines that lead back to themselves.
func (o *outline) children(parent uint64, level int) {
	in := o.doc.in
	b := in.call("FPDFBookmark_GetFirstChild", o.doc.handle, parent)
	for b != 0 && in.err == nil && len(o.entries) < maxEntries {
		e := Entry{Level: level}
		if n := in.call("FPDFBookmark_GetTitle", b, in.scratch, scratchBytes); n <= scratchBytes {
			e.Title = strings.Join(strings.Fields(in.wide(n)), " ")
		}
		dest := in.call("FPDFBookmark_GetDest", o.doc.handle, b)
		if dest == 0 {
			if action := in.call("FPDFBookmark_GetAction", b); action != 0 {
				dest = in.call("FPDFAction_GetDest", o.doc.handle, action)
			}
		}
		if dest != 0 {
			e.Page = signed(in.call("FPDFDest_GetDestPageIndex", o.doc.handle, dest)) + 1
		}
		o.entries = append(o.entries, e)
		if level < maxNesting {
			o.children(b, level+1)
		}
		b = in.call("FPDFBookmark_GetNextSibling", o.doc.handle, b)
	}
}

// tags finds the pieces of the page that the file marks as headings.
func (r *reader) tags() {
	in := r.in
	if !r.doc.tagged {
		return
	}
	tree := in.call("FPDF_StructTree_GetForPage", r.handle)
	if tree == 0 || in.err != nil {
		return
	}
	t := tagged{in: in, levels: map[int]int{}}
	for i := range signed(in.call("FPDF_StructTree_CountChildren", tree)) {
		t.element(in.call("FPDF_StructTree_GetChildAtIndex", tree, uint64(i)), 0, 0)
	}
	in.call("FPDF_StructTree_Close", tree)
	r.levels = t.levels
}

// tagged collects the levels of marked content.
type tagged struct {
	in     *instance
	seen   int
	levels map[int]int // by the content's id on the page
}

func (t *tagged) element(h uint64, level, depth int) {
	if t.seen++; h == 0 || t.in.err != nil || t.seen > maxElements || depth > maxNesting {
		return
	}
	in := t.in
	if l := headingLevel(in.wide(in.call("FPDF_StructElement_GetType", h, in.scratch, scratchBytes))); l > 0 {
		level = l
	}
	if level > 0 {
		for i := range signed(in.call("FPDF_StructElement_GetMarkedContentIdCount", h)) {
			if id := signed(in.call("FPDF_StructElement_GetMarkedContentIdAtIndex", h, uint64(i))); id >= 0 {
				t.levels[id] = level
			}
		}
	}
	for i := range signed(in.call("FPDF_StructElement_CountChildren", h)) {
		if t.seen > maxElements || in.err != nil {
			return
		}
		t.element(in.call("FPDF_StructElement_GetChildAtIndex", h, uint64(i)), level, depth+1)
	}
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
