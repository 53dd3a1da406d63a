package html

import (
	"fmt"
	"strconv"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/hardgate-dev/hardgate/runtime/extract/scroll"
)

// table reads a table of data; one that arranges the page is read as its text.
func (r *reader) table(n *html.Node) {
	rows, header := rows(n)
	if arranges(n, rows) {
		r.children(n)
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom == atom.Caption {
			r.children(c)
			r.flush()
		}
	}
	cells := make([][]scroll.Cell, len(rows))
	for i, row := range rows {
		for _, c := range row {
			cells[i] = append(cells[i], scroll.Cell{Text: content(c), Columns: number(c, "colspan"), Rows: number(c, "rowspan")})
		}
	}
	grid, err := scroll.Grid(cells)
	if err != nil {
		r.scroll.Problem(TableSkipped, fmt.Sprintf("a table that takes more than %d cells was read as text", scroll.MaxCells))
		r.children(n)
		return
	}
	r.scroll.Table(grid, header)
}

// rows are the cells of a table, those of its head first, as displayed; header
// counts the rows that name the columns, -1 where no cell is marked as a name.
func rows(n *html.Node) (out [][]*html.Node, header int) {
	var head, body, foot [][]*html.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		switch c.DataAtom {
		case atom.Thead:
			head = append(head, section(c)...)
		case atom.Tfoot:
			foot = append(foot, section(c)...)
		case atom.Tbody:
			body = append(body, section(c)...)
		}
	}
	out = append(append(head, body...), foot...)
	header = len(head)
	for header < len(out) && names(out[header]) {
		header++
	}
	if header == 0 {
		header = -1
	}
	return out, min(header, len(out))
}

func section(n *html.Node) [][]*html.Node {
	var out [][]*html.Node
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom != atom.Tr || hidden(c) {
			continue
		}
		var row []*html.Node
		for d := c.FirstChild; d != nil; d = d.NextSibling {
			if (d.DataAtom == atom.Td || d.DataAtom == atom.Th) && !hidden(d) {
				row = append(row, d)
			}
		}
		out = append(out, row)
	}
	return out
}

// names reports whether every cell of a row is marked as a name.
func names(row []*html.Node) bool {
	for _, c := range row {
		if c.DataAtom != atom.Th {
			return false
		}
	}
	return len(row) > 0
}

// arranges reports whether a table is there for the layout: it says so, holds
// headings or tables, or has no row of two cells.
func arranges(n *html.Node, rows [][]*html.Node) bool {
	if role := attribute(n, "role"); role == "presentation" || role == "none" {
		return true
	}
	wide := false
	for _, row := range rows {
		wide = wide || len(row) > 1
	}
	if !wide {
		return true
	}
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && (d.DataAtom == atom.Table || levels[d.DataAtom] > 0) {
			return true
		}
	}
	return false
}

func number(n *html.Node, name string) int {
	v, err := strconv.Atoi(attribute(n, name))
	if err != nil {
		return 1
	}
	return v
}
