package pdfium

import "strings"

// Bounds of what is read of a file's outline.
const (
	maxEntries = 5000
	maxNesting = 32 // levels, of the tags too
)

// Entry is one entry of a file's outline: what readers show as its contents.
type Entry struct {
	Title string
	Page  int // counted from 1, 0 when it leads to none
	Level int // from 1
}

// Outline is the file's outline in its order, empty for none; cut says that it
// holds more entries or levels than are read.
func (d *Document) Outline() (entries []Entry, cut bool, err error) {
	o := outline{doc: d}
	o.children(0, 1)
	return o.entries, o.cut, d.in.err
}

type outline struct {
	doc     *Document
	entries []Entry
	cut     bool
}

// children reads the entries below one; the count bounds outlines that lead back to themselves.
func (o *outline) children(parent uint64, level int) {
	in := o.doc.in
	b := in.call("FPDFBookmark_GetFirstChild", o.doc.handle, parent)
	for b != 0 && in.err == nil {
		if len(o.entries) == maxEntries || level > maxNesting {
			o.cut = true
			return
		}
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
		o.children(b, level+1)
		b = in.call("FPDFBookmark_GetNextSibling", o.doc.handle, b)
	}
}
