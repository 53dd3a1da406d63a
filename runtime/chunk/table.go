package chunk

import (
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// separator stands between the cells of a row, as in rag.Unit.
const separator = " | "

// band is a chunk without units, for some of a table's columns: usually all.
type band struct {
	rag.Chunk
	from, to int
}

// table appends a table's pieces: whole rows under a repeated header. count is
// its number among the page's tables, for an extraction that didn't number it.
func (b *builder) table(page, count int, t rag.Table) {
	if t.Number > 0 {
		count = t.Number
	}
	base := b.chunk()
	base.Table = true
	if b.section.heading != nil {
		base.Aliases = append([]string{base.Passage}, base.Aliases...)
	}
	base.Passage = tableName(page, count)
	head, body := t.Rows[:min(t.Header, len(t.Rows))], t.Rows[min(t.Header, len(t.Rows)):]
	bands := b.bands(base, columns(head, body), width(t.Rows))
	if bands == nil || blank(body) { // a header that can't be repeated, or heads nothing, is text like any other
		bands, body = b.bands(base, nil, width(t.Rows)), t.Rows
	}
	units := make([][]rag.Unit, len(bands))
	for m, r := range body {
		if blank(body[m : m+1]) {
			continue
		}
		if r.Page == 0 {
			r.Page = page
		}
		u := rag.Unit{Name: rowName(base.Passage, m+1), Kind: rag.RowUnit, Place: r.Place, Order: m, Confidence: r.Confidence}
		for i, parts := range b.row(bands, u, texts(r)) {
			units[i] = append(units[i], parts...)
		}
	}
	piece := 0
	for i := range bands {
		piece = b.rows(bands[i].Chunk, units[i], piece)
	}
}

// rows packs whole rows under one header.
func (b *builder) rows(ch rag.Chunk, units []rag.Unit, piece int) int {
	for len(units) > 0 {
		n := 1
		for n < len(units) {
			ch.Units = units[:n+1]
			if !b.fits(ch) {
				break
			}
			n++
		}
		ch.Units = units[:n:n]
		b.emit(ch, piece)
		piece++
		units = units[n:]
	}
	return piece
}

// row makes the units of one row, for each band of columns. Only what is over
// the window is cut: between cells, and within a cell that alone is too long.
func (b *builder) row(bands []band, u rag.Unit, cells []string) [][]rag.Unit {
	out := make([][]rag.Unit, len(bands))
	total := 0
	for i, band := range bands {
		out[i] = b.cells(band, u, cells)
		total += len(out[i])
	}
	if total < 2 {
		return out
	}
	part := 0
	for _, units := range out {
		for k := range units {
			part++
			units[k].Part, units[k].Parts = part, total
		}
	}
	return out
}

// cells cuts a band's columns of a row into units that fit under its header.
func (b *builder) cells(band band, u rag.Unit, cells []string) []rag.Unit {
	fit := func(text string) bool {
		ch := band.Chunk
		ch.Units = []rag.Unit{{Text: text}}
		return b.inWindow(ch)
	}
	add := func(units []rag.Unit, text string, cells []string) []rag.Unit {
		u.Text, u.Cells = text, cells
		return append(units, u)
	}
	var out []rag.Unit
	for from, to := band.from, min(band.to, len(cells)); from < to; {
		n := to
		for n > from+1 && !fit(strings.Join(cells[from:n], separator)) {
			n--
		}
		text := strings.Join(cells[from:n], separator)
		switch {
		case strings.Join(cells[from:n], "") == "": // nothing in these columns
		case fit(text):
			out = add(out, text, only(cells, from, n))
		default: // one cell over the window
			for _, text := range cut(cells[from], fit) {
				part := make([]string, len(cells))
				part[from] = text
				out = add(out, text, part)
			}
		}
		from = n
	}
	if len(out) == 0 { // so that each band shows every row, and none of its names is lost
		out = add(out, "", make([]string, len(cells)))
	}
	return out
}

// bands divides the columns so that title, heading and header leave a quarter of
// the window to the rows. Each band's header has the names of its own columns and
// empty ones for the rest. It is nil where one name alone is too long.
func (b *builder) bands(base rag.Chunk, header []string, width int) []band {
	limit := b.options.Window - b.options.Window/4
	under := func(from, to int) band {
		ch := base
		if header != nil {
			ch.Header = only(header, from, to)
		}
		return band{ch, from, to}
	}
	fit := func(from, to int) bool { return b.counter.Count(under(from, to).Search()) <= limit }
	var out []band
	for from := 0; from < width; {
		to := width
		for to > from && !fit(from, to) {
			to--
		}
		if to == from {
			return nil
		}
		out = append(out, under(from, to))
		from = to
	}
	return out
}

// only keeps the columns from to to; the others are empty.
func only(cells []string, from, to int) []string {
	out := make([]string, len(cells))
	copy(out[from:to], cells[from:to])
	return out
}

// width is the number of columns.
func width(rows []rag.Row) int {
	n := 0
	for _, r := range rows {
		n = max(n, len(r.Cells))
	}
	return n
}

// columns names each column by the cells of the header rows above it, from the
// top down. A cell that spans columns names all that it covers.
func columns(head, body []rag.Row) []string {
	if len(head) == 0 {
		return nil
	}
	names := make([][]string, width(append(head[:len(head):len(head)], body...)))
	for i, r := range head {
		var spanning rag.Cell
		for k, c := range r.Cells {
			if text := clean(c.Text); text != "" {
				spanning = c
			} else if i < len(head)-1 && covers(spanning, k, head[i+1:], body) {
				c = spanning
			}
			if text := clean(c.Text); text != "" {
				names[k] = append(names[k], text)
			}
		}
	}
	out := make([]string, len(names))
	for k, parts := range names {
		out[k] = strings.Join(parts, " ")
	}
	return out
}

// covers reports whether a header cell reaches over the middle of column k, as
// the first row below shows it that has something there.
func covers(c rag.Cell, k int, below ...[]rag.Row) bool {
	for _, rows := range below {
		for _, r := range rows {
			if k < len(r.Cells) && clean(r.Cells[k].Text) != "" {
				box := r.Cells[k].Box
				middle := (box.X0 + box.X1) / 2
				return !c.Box.IsZero() && !box.IsZero() && c.Box.X0 < middle && middle < c.Box.X1
			}
		}
	}
	return false
}

func blank(rows []rag.Row) bool {
	for _, r := range rows {
		if strings.Join(texts(r), "") != "" {
			return false
		}
	}
	return true
}

func texts(r rag.Row) []string {
	out := make([]string, len(r.Cells))
	for i, c := range r.Cells {
		out[i] = clean(c.Text)
	}
	return out
}
