package pdftest

import (
	"fmt"
	"strings"
)

// Tag is an element of the tree in which a file says what its content is.
type Tag struct {
	Kind       string // Table, TR, TH, TD, H1, P
	Attributes string // /O /Table /ColSpan 2
	Kids       []*Tag
	marks      []mark
}

// mark is a piece of marked content.
type mark struct{ page, id int }

// Marked draws content that belongs to a tag on a page, counted from 0.
func (f *File) Marked(tag *Tag, page int, draw func(*Page)) {
	p := f.Pages[page]
	m := mark{page, p.marked}
	p.marked++
	tag.marks = append(tag.marks, m)
	p.Raw(fmt.Sprintf("/%s << /MCID %d >> BDC", tag.Kind, m.id))
	draw(p)
	p.Raw("EMC")
}

// Tags writes the tree after all its content is drawn.
func (f *File) Tags(roots ...*Tag) {
	owners := make([]map[int]string, len(f.Pages))
	for i := range owners {
		owners[i] = map[int]string{}
	}
	f.Catalog += "/MarkInfo << /Marked true >> /StructTreeRoot {tags}"
	kids := ""
	for i, t := range roots {
		kids += f.tag(t, fmt.Sprintf("tag%d", i), "tags", owners)
	}
	var parents strings.Builder
	for i, p := range f.Pages {
		p.Entries += fmt.Sprintf("/StructParents %d", i)
		fmt.Fprintf(&parents, "%d [", i)
		for id := range p.marked {
			fmt.Fprintf(&parents, "{%s} ", owners[i][id])
		}
		parents.WriteString("] ")
	}
	f.Add("tags", fmt.Sprintf("<< /Type /StructTreeRoot /K [%s] /ParentTree << /Nums [%s] >> >>", kids, parents.String()), nil)
}

// tag writes an element and what is below it, and returns its reference.
func (f *File) tag(t *Tag, name, parent string, owners []map[int]string) string {
	kids := ""
	for i, k := range t.Kids {
		kids += f.tag(k, fmt.Sprintf("%s-%d", name, i), name, owners)
	}
	for _, m := range t.marks {
		owners[m.page][m.id] = name
		kids += fmt.Sprintf("<< /Type /MCR /Pg {page %d} /MCID %d >> ", m.page, m.id)
	}
	attributes := ""
	if t.Attributes != "" {
		attributes = "/A << " + t.Attributes + " >>"
	}
	f.Add(name, fmt.Sprintf("<< /Type /StructElem /S /%s /P {%s} /K [%s] %s >>", t.Kind, parent, kids, attributes), nil)
	return "{" + name + "} "
}
