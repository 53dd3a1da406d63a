package pdftest

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf16"
)

// Object is a further object of a file. Its body, and what else is written as it
// is, may name objects: {name} stands for a reference to the object of that
// name, {page 0} for one to the first page.
type Object struct {
	Name   string
	Body   string // "<< … >>"; of a stream its dictionary's entries alone
	Stream []byte // nil for none
}

// Add adds an object to the file.
func (f *File) Add(name, body string, stream []byte) {
	f.objects = append(f.objects, Object{Name: name, Body: body, Stream: stream})
}

// Font makes the font of an object known to the page under a name.
func (p *Page) Font(name, object string) { p.fonts += fmt.Sprintf("/%s {%s} ", name, object) }

// Layer makes the layer (optional content) of an object known to the page under a name.
func (p *Page) Layer(name, object string) { p.layers += fmt.Sprintf("/%s {%s} ", name, object) }

// Note puts the annotation of an object on the page.
func (p *Page) Note(object string) { p.notes += fmt.Sprintf("{%s} ", object) }

// Coded writes a line in a font of which nothing is known but codes, two bytes each.
func (p *Page) Coded(x, y, size float64, font string, codes ...int) {
	fmt.Fprintf(&p.ops, "BT /%s %.2f Tf %.2f %.2f Td <", font, size, x, p.Height-y)
	for _, c := range codes {
		fmt.Fprintf(&p.ops, "%04X", c)
	}
	p.ops.WriteString("> Tj ET\n")
}

// Unicode adds a font that is not embedded and says by itself which text its
// codes mean; each glyph is half an em wide, what advances names is wider or narrower.
func (f *File) Unicode(name string, codes map[int]string, advances map[int]int) {
	var m bytes.Buffer
	m.WriteString("/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Test def /CMapType 2 def\n1 begincodespacerange <0000> <FFFF> endcodespacerange\n")
	for code := range 0x10000 {
		text, ok := codes[code]
		if !ok {
			continue
		}
		fmt.Fprintf(&m, "1 beginbfchar <%04X> <", code)
		for _, u := range utf16.Encode([]rune(text)) {
			fmt.Fprintf(&m, "%04X", u)
		}
		m.WriteString("> endbfchar\n")
	}
	m.WriteString("endcmap end end")
	widths := ""
	for code := range 0x10000 {
		if w, ok := advances[code]; ok {
			widths += fmt.Sprintf("%d [%d] ", code, w)
		}
	}
	f.Add(name+"-map", "", m.Bytes())
	f.Add(name+"-about", "<< /Type /FontDescriptor /FontName /Test /Flags 4 /FontBBox [0 -200 1000 800] /Ascent 800 /Descent -200 /CapHeight 700 /ItalicAngle 0 /StemV 80 >>", nil)
	f.Add(name+"-glyphs", fmt.Sprintf("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Test /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /DW 500 /W [%s] /FontDescriptor {%s-about} >>", widths, name), nil)
	f.Add(name, fmt.Sprintf("<< /Type /Font /Subtype /Type0 /BaseFont /Test /Encoding /Identity-H /DescendantFonts [{%s-glyphs}] /ToUnicode {%s-map} >>", name, name), nil)
}

// numbers maps the names of objects and pages to references.
func (f *File) numbers(first int) *strings.Replacer {
	var pairs []string
	for i := range f.Pages {
		pairs = append(pairs, fmt.Sprintf("{page %d}", i), fmt.Sprintf("%d 0 R", firstPage+2*i))
	}
	for i, o := range f.objects {
		pairs = append(pairs, "{"+o.Name+"}", fmt.Sprintf("%d 0 R", first+i))
	}
	return strings.NewReplacer(pairs...)
}
