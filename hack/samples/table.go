package main

import "strings"

// Rules says what is drawn around the cells of a table.
type Rules int

// Kinds of table.
const (
	Grid    Rules = iota // every cell boxed
	Aligned              // nothing: columns are told by their positions
	Lines                // a rule under the header and above each summary
	Banded               // every second row shaded, nothing ruled
)

// Column of a table.
type Column struct {
	Name  string
	Width float64 // points
	Align string  // L, R or C; the header follows it
}

// Row of a table. A summary row (total, sub-total) adds up other rows: it is
// printed, but is no record of its own. A picture can be read by people alone.
type Row struct {
	Cells   []string
	Summary bool
	Picture bool
}

// Table is a header and rows. It goes on over pages, with its header repeated
// where Repeat says so.
type Table struct {
	Rules   Rules
	Repeat  bool
	Size    float64 // points of its text; 0 is one less than the body's
	Columns []Column
	Rows    []Row
}

// record makes an ordinary row.
func record(cells ...string) Row { return Row{Cells: cells} }

// summary makes a summary row.
func summary(cells ...string) Row { return Row{Cells: cells, Summary: true} }

func (t Table) names() []string {
	out := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		out[i] = c.Name
	}
	return out
}

func (t Table) lines() []string {
	out := []string{strings.Join(t.names(), " | ")}
	for _, r := range t.Rows {
		out = append(out, strings.Join(r.Cells, " | "))
	}
	return out
}

func (t Table) draw(p *press) {
	if t.Size == 0 {
		t.Size = p.look.Size - 1
	}
	t.row(p, t.names(), true, false)
	for i, r := range t.Rows {
		if p.need(t.height(p, r.Cells, r.Summary)) && t.Repeat {
			t.row(p, t.names(), true, false)
		}
		if r.Picture {
			t.picture(p, r.Cells)
			continue
		}
		t.row(p, r.Cells, r.Summary, t.Rules == Banded && i%2 == 1)
	}
	p.y += p.look.Size
}

// cellPad is the space between a cell's edge and its text, in points.
const cellPad = 3.5

func (t Table) cells(p *press, cells []string, bold bool) (wrapped [][]string, height float64) {
	style := ""
	if bold {
		style = "B"
	}
	p.font(style, t.Size)
	most := 1
	for i, c := range cells {
		w := p.wrap(c, t.Columns[i].Width-2*cellPad)
		wrapped = append(wrapped, w)
		most = max(most, len(w))
	}
	return wrapped, float64(most)*t.Size*1.2 + 2*cellPad
}

func (t Table) height(p *press, cells []string, bold bool) float64 {
	_, h := t.cells(p, cells, bold)
	return h
}

// row draws one row; bold marks the header and the summaries.
func (t Table) row(p *press, cells []string, bold, shaded bool) {
	wrapped, h := t.cells(p, cells, bold)
	x := marginX
	if shaded {
		p.pdf.SetFillColor(233, 238, 245)
		p.pdf.Rect(x, p.y, t.width(), h, "F")
	}
	if t.Rules == Lines && bold {
		p.pdf.Line(x, p.y, x+t.width(), p.y)
		p.pdf.Line(x, p.y+h, x+t.width(), p.y+h)
	}
	for i, c := range t.Columns {
		if t.Rules == Grid {
			p.pdf.Rect(x, p.y, c.Width, h, "D")
		}
		for j, l := range wrapped[i] {
			p.put(x+cellPad, p.y+cellPad+t.Size*(0.95+1.2*float64(j)), c.Width-2*cellPad, c.Align, l)
		}
		x += c.Width
	}
	p.y += h
}

func (t Table) width() float64 {
	var w float64
	for _, c := range t.Columns {
		w += c.Width
	}
	return w
}
