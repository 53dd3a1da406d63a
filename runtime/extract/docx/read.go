package docx

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hardgate-dev/hardgate/runtime/extract/scroll"
)

// Reasons of problems.
const (
	TrackedChanges = "TrackedChanges" // text that a tracked change deletes
	TableSkipped   = "TableSkipped"   // a table of too many cells, read as text
)

// reader walks the body.
type reader struct {
	scroll  *scroll.Scroll
	look    look
	boxes   []*node // text boxes of the paragraph that is being read
	deleted int     // characters
}

func (r *reader) blocks(n *node) {
	for _, c := range n.children {
		switch c.name {
		case "p":
			r.paragraph(c)
		case "tbl":
			r.table(c)
		case "sdt":
			if content := c.child("sdtContent"); content != nil {
				r.blocks(content)
			}
		case "ins", "moveTo", "customXml", "smartTag":
			r.blocks(c)
		}
	}
}

func (r *reader) paragraph(n *node) {
	props := n.child("pPr")
	text := r.text(n)
	boxes := r.boxes
	r.boxes = nil
	if strings.TrimSpace(text) != "" {
		text = r.look.mark(props) + text
		if level := r.look.heading(props); level > 0 {
			r.scroll.Heading(level, text)
		} else {
			for line := range strings.SplitSeq(text, "\n") {
				r.scroll.Paragraph(line)
			}
		}
	}
	for _, b := range boxes {
		r.blocks(b)
	}
}

// text is what a paragraph says; text boxes anchored in it are kept for later.
func (r *reader) text(n *node) string {
	var b strings.Builder
	r.gather(&b, n)
	return b.String()
}

func (r *reader) gather(b *strings.Builder, n *node) {
	for _, c := range n.children {
		switch c.name {
		case "t":
			b.WriteString(c.content())
		case "tab", "ptab":
			if n.name != "tabs" { // a tab stop is none
				b.WriteByte('\t')
			}
		case "br", "cr":
			b.WriteByte('\n')
		case "noBreakHyphen":
			b.WriteByte('-')
		case "sym":
			b.WriteString(symbol(c))
		case "footnoteReference", "endnoteReference":
			fmt.Fprintf(b, "[%s]", c.attr("id"))
		case "del", "moveFrom":
			r.deleted += utf8.RuneCountInString(c.content())
		case "txbxContent":
			r.boxes = append(r.boxes, c)
		case "pPr", "rPr", "Fallback", "instrText", "delText": // properties; what older programs show; a field's code
		default:
			r.gather(b, c)
		}
	}
}

// symbol is a character of a symbol font, which is at its code in the private
// area; only what has the same meaning everywhere can be read.
func symbol(n *node) string {
	code, err := strconv.ParseUint(n.attr("char"), 16, 16)
	if err != nil {
		return string(utf8.RuneError)
	}
	switch code & 0xFF {
	case 0xB7, 0xA7, 0x6C, 0x6E, 0x76: // what Symbol and Wingdings draw as bullets
		return "•"
	case 0xFC, 0xFE:
		return "✓"
	}
	return string(utf8.RuneError)
}

// table reads a table. Its first rows name the columns where they are marked to
// repeat on every page; else a first row of names does.
func (r *reader) table(n *node) {
	rows := r.rows(n)
	header := 0
	for header < len(rows) && rows[header].child("trPr", "tblHeader").on() {
		header++
	}
	if header == 0 {
		header = -1
	}
	cells, err := r.cells(rows)
	var grid [][]string
	if err == nil {
		grid, err = scroll.Grid(cells)
	}
	if err != nil {
		r.scroll.Problem(TableSkipped, fmt.Sprintf("a table that takes more than %d cells was read as text", scroll.MaxCells))
		for _, row := range rows {
			r.scroll.Paragraph(r.inside(row))
		}
		return
	}
	r.scroll.Table(grid, header)
}

// cells lays out rows. A cell that is merged with the one above makes that one higher.
func (r *reader) cells(rows []*node) ([][]scroll.Cell, error) {
	out := make([][]scroll.Cell, len(rows))
	before := 0
	merged := map[int][2]int{} // by column: row and position of the cell that goes on downward
	for i, row := range rows {
		at := number(row.child("trPr", "gridBefore"), 0)
		if before += at; before > scroll.MaxCells { // rows without anything but what they leave out
			return nil, scroll.ErrTooManyCells
		}
		out[i] = make([]scroll.Cell, at)
		for _, c := range columns(row) {
			props := c.child("tcPr")
			width := max(number(props.child("gridSpan"), 1), 1)
			merge := props.child("vMerge")
			if from, ok := merged[at]; ok && merge != nil && merge.attr("val") != "restart" {
				out[from[0]][from[1]].Rows++
				at += width
				continue
			}
			delete(merged, at)
			if merge != nil {
				merged[at] = [2]int{i, len(out[i])}
			}
			out[i] = append(out[i], scroll.Cell{Text: r.inside(c), Columns: width, Rows: 1})
			at += width
		}
	}
	return out, nil
}

// columns are a row's cells, those in content controls too.
func columns(row *node) []*node {
	var out []*node
	for _, c := range row.children {
		switch c.name {
		case "tc":
			out = append(out, c)
		case "sdt":
			if content := c.child("sdtContent"); content != nil {
				out = append(out, columns(content)...)
			}
		}
	}
	return out
}

// inside is all text in a cell: its paragraphs, and those of tables in it.
func (r *reader) inside(n *node) string {
	var parts []string
	for _, p := range n.descendants("p") {
		text := r.text(p)
		if mark := r.look.mark(p.child("pPr")); text != "" {
			text = mark + text
		}
		parts = append(parts, text)
	}
	for _, b := range r.boxes {
		parts = append(parts, b.content())
	}
	r.boxes = nil
	return strings.Join(parts, "\n")
}

// notes adds foot- or endnotes, each under the number that stands where it is referred to.
func (r *reader) notes(root *node) {
	if root == nil {
		return
	}
	for _, n := range root.children {
		if kind := n.attr("type"); kind != "" && kind != "normal" { // the line above notes
			continue
		}
		if text := strings.TrimSpace(r.inside(n)); text != "" {
			r.scroll.Paragraph(fmt.Sprintf("[%s] %s", n.attr("id"), text))
		}
	}
}

func (r *reader) rows(n *node) []*node {
	var out []*node
	for _, c := range n.children {
		switch c.name {
		case "tr":
			if c.child("trPr", "del") != nil {
				r.deleted += utf8.RuneCountInString(c.content())
				continue
			}
			out = append(out, c)
		case "sdt", "ins", "customXml":
			inner := c
			if content := c.child("sdtContent"); content != nil {
				inner = content
			}
			out = append(out, r.rows(inner)...)
		}
	}
	return out
}

// number is the value of a count, or what stands for none.
func number(n *node, none int) int {
	v, err := strconv.Atoi(n.attr("val"))
	if err != nil || v < 0 {
		return none
	}
	return min(v, 1024)
}
