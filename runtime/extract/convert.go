package extract

import (
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/extract/layout"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// lines returns all lines of a page: running headers, then tables and prose in
// reading order, then running footers.
func lines(f layout.Frame, a layout.Analysis) []rag.Line {
	_, height := f.Size()
	var out, foot []rag.Line
	for i := range a.Running {
		l := newLine(f, &a.Running[i])
		if a.Running[i].Base < height/2 {
			out = append(out, l)
		} else {
			foot = append(foot, l)
		}
	}
	for _, p := range a.Pieces {
		if p.Line != nil {
			out = append(out, newLine(f, p.Line))
			continue
		}
		ls := p.Table.Lines()
		for i := range ls {
			out = append(out, newLine(f, &ls[i]))
		}
	}
	return append(out, foot...)
}

func newLine(f layout.Frame, l *layout.Line) rag.Line {
	return rag.Line{Text: l.Text(), Box: f.Display(l.Box)}
}

// newHeading joins the lines of a heading.
func newHeading(f layout.Frame, pieces []layout.Piece) *rag.Heading {
	h := &rag.Heading{}
	texts := make([]string, len(pieces))
	for i, p := range pieces {
		texts[i] = p.Line.Text()
		h.Box = h.Box.Union(f.Display(p.Line.Box))
	}
	h.Text = strings.Join(texts, " ")
	return h
}

func newTable(f layout.Frame, page, number int, t *layout.Table) *rag.Table {
	out := &rag.Table{Place: rag.Place{Page: page, Box: f.Display(t.Box)}, Number: number, Kind: rag.Aligned, Header: t.Header}
	if t.Ruled {
		out.Kind = rag.Ruled
	}
	out.Rows = newRows(f, page, t.Rows, t.RightToLeft)
	return out
}

// newRows converts rows. A table that is read from the right has its columns
// turned around: a row begins with its key.
func newRows(f layout.Frame, page int, rows []layout.Row, rtl bool) []rag.Row {
	out := make([]rag.Row, len(rows))
	for i := range rows {
		r := rag.Row{Place: rag.Place{Page: page, Box: f.Display(rows[i].Box)}}
		for _, c := range rows[i].Cells {
			r.Cells = append(r.Cells, rag.Cell{Text: c.Text, Box: f.Display(c.Box)})
		}
		if rtl {
			turnAround(r.Cells)
		}
		out[i] = r
	}
	return out
}

// turnAround reverses cells; one that spans columns keeps its text in the first of them.
func turnAround(cells []rag.Cell) {
	slices.Reverse(cells)
	for k, first := 1, 0; k < len(cells); k++ {
		if cells[k].Box.IsZero() || cells[k].Box != cells[first].Box {
			first = k
			continue
		}
		if cells[first].Text == "" {
			cells[first].Text, cells[k].Text = cells[k].Text, ""
		}
	}
}
