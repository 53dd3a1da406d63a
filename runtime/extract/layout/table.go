package layout

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Table is a grid of text. Every row has as many cells as the table has columns.
type Table struct {
	Box    rag.Box
	Ruled  bool      // its grid was drawn or tagged; else its columns were found by alignment
	Tag    string    // of the file that names it, the same on each page; "" for none
	Edges  []float64 // where the columns begin, and where the last one ends
	Rows   []Row
	Header int // leading rows that name the columns
	Lost   int // visible glyphs taken from the page whose text is in no cell
	// RightToLeft says that the first column is the last of each row's cells:
	// those stand as printed, from the left.
	RightToLeft bool

	lines   []Line // its text line by line
	glyphs  []int
	em      float64
	over    []int    // rows of the next pages that its cells reach into by its tags, by column; nil for none
	named   bool     // its tags name the columns
	shifted bool     // it goes on with a table that stands in another place
	bare    []extent // columns left out: one empty cell each
	sought  bool     // text alone tells some of its columns, drawn or not as its rows may be
	noted   bool     // the last line below it was a footnote
	repeats bool     // a further page printed the names of its columns again
}

// Lines returns the table's text line by line, as printed.
func (t *Table) Lines() []Line { return t.lines }

// Columns is the number of columns.
func (t *Table) Columns() int { return len(t.Edges) - 1 }

// Row is one row of a table.
type Row struct {
	Box   rag.Box
	Cells []Cell
	tag   string // of the file that names it, the same on each page; "" for none
}

// filled counts the cells with text.
func (r *Row) filled() int {
	n := 0
	for i := range r.Cells {
		if r.Cells[i].Text != "" {
			n++
		}
	}
	return n
}

// Cell is one cell. Text holds a line break where the print does until the
// table is finished, then one flowing line.
type Cell struct {
	Text   string
	Box    rag.Box
	Spans  int // columns covered; 0 for the further columns of a spanning cell
	Bold   bool
	above  bool // a cell of the row above reaches into this one
	glyphs []int
}

// put adds a piece of a line to the cell.
func (c *Cell) put(text string, box rag.Box, glyphs []int) {
	if c.Text != "" {
		c.Text += " "
	}
	c.add(text, box, glyphs)
}

// append adds a further line to the cell.
func (c *Cell) append(d *Cell) {
	if c.Text != "" {
		c.Text += "\n"
	}
	c.add(d.Text, d.Box, d.glyphs)
}

func (c *Cell) add(text string, box rag.Box, glyphs []int) {
	c.Text += text
	c.Box = c.Box.Union(box)
	c.glyphs = append(c.glyphs, glyphs...)
}

// flow joins the lines of a cell. A line that ends in a hyphen, a dash or a slash goes
// on without a space, so that a code broken by a narrow column stays one code.
func flow(text string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 && !continues(b.String(), line) {
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return b.String()
}

// brokenNumber finds a group of thousands that a narrow column has cut.
var brokenNumber = regexp.MustCompile(`\d[,.](\n\d{3}|\d\n\d\d|\d\d\n\d)([,.)%\n]|$)`)

func continues(before, after string) bool {
	if brokenNumber.MatchString(before + "\n" + after) {
		return true
	}
	end, size := utf8.DecodeLastRuneInString(before)
	if !strings.ContainsRune("-/‐–—", end) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(before[:len(before)-size])
	next, _ := utf8.DecodeRuneInString(after)
	alnum := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	return alnum(last) && alnum(next)
}

// finish flows the cells' text, marks bold cells, gathers the lines and counts
// what the cells lost of the glyphs that the table took.
func (t *Table) finish(gs glyphs) {
	t.lines = gs.allLines(t.glyphs)
	t.mend(gs)
	want, have := 0, 0
	for _, i := range t.glyphs {
		want += visible(gs[i].Text)
	}
	for r := range t.Rows {
		for c := range t.Rows[r].Cells {
			cell := &t.Rows[r].Cells[c]
			have += visible(cell.Text)
			cell.Text = flow(cell.Text)
			bold, n := 0, 0
			for _, i := range cell.glyphs {
				if gs[i].blank() {
					continue
				}
				n++
				if gs[i].Font != nil && gs[i].Font.Bold {
					bold++
				}
			}
			cell.Bold = bold*2 > n
		}
	}
	t.Lost = max(0, want-have)
	t.RightToLeft = t.rightToLeft()
	for i := range t.Rows {
		t.Box = t.Box.Union(t.Rows[i].Box)
	}
}

// labelWords bounds what is repeated as a label: longer texts are remarks on all the rows.
const labelWords = 12

// label repeats the text of cells that reach over several rows in each of
// them, so that a row can be read by itself. Column names stay as printed, and
// an amount stands once: it would be counted twice.
func (t *Table) label() {
	for i := t.Header + 1; i < len(t.Rows); i++ {
		for k := range t.Rows[i].Cells {
			c, over := &t.Rows[i].Cells[k], &t.Rows[i-1].Cells[k]
			if c.above && c.Text == "" && repeatable(over.Text) {
				c.Text, c.Box, c.Spans, c.Bold = over.Text, over.Box, over.Spans, over.Bold
			}
		}
	}
}

// rightToLeft reports whether most letters of the table run from right to left.
func (t *Table) rightToLeft() bool {
	rtl, all := 0, 0
	for r := range t.Rows {
		for k := range t.Rows[r].Cells {
			a, b := direction(t.Rows[r].Cells[k].Text)
			rtl, all = rtl+a, all+b
		}
	}
	return rtl*2 > all
}

// direction counts the letters that run from right to left, and all.
func direction(s string) (rtl, all int) {
	for _, r := range s {
		if !unicode.IsLetter(r) {
			continue
		}
		all++
		if isRTL(r) {
			rtl++
		}
	}
	return rtl, all
}

// visible counts the runes that are no spaces.
func visible(s string) int {
	n := 0
	for _, r := range s {
		if !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}

// numeric reports whether a cell holds an amount or stands for a missing one.
func numeric(s string) bool {
	switch s {
	case "-", "–", "—", "..", "...", "n/a", "N/A":
		return true
	}
	digits, letters := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
	}
	return digits > 0 && digits >= letters
}

// allLines returns glyphs of any direction as lines; boxes stay in the frame.
func (gs glyphs) allLines(idx []int) []Line { return (&gathered{gs: gs}).all(idx) }

// all is allLines, whose rightward lines may be those gathered last.
func (m *gathered) all(idx []int) []Line {
	gs := m.gs
	var by [Stacked + 2][]int // turns begin with Skewed, -1
	for _, i := range idx {
		by[gs[i].Turn+1] = append(by[gs[i].Turn+1], i)
	}
	out := m.lines(by[Rightward+1])
	for _, turn := range [...]Turn{Upward, Downward, Leftward} {
		out = append(out, gs.turned(by[turn+1], turn)...)
	}
	out = append(out, gs.skewed(by[Skewed+1])...)
	for _, run := range gs.columns(gs.stacks(by[Stacked+1])) {
		out = append(out, gs.column(run))
	}
	return out
}

// turned returns glyphs that run in another direction than the frame's as lines.
func (gs glyphs) turned(idx []int, turn Turn) []Line {
	if len(idx) == 0 {
		return nil
	}
	const far = 1e4 // any extent will do: the way there is undone on the way back
	f := Frame{Turn: turn, Width: far, Height: far}
	sub := make(glyphs, len(idx))
	local := make([]int, len(idx))
	for k, i := range idx {
		sub[k], local[k] = gs[i], k
	}
	out := f.glyphs(sub).lines(local)
	for i := range out {
		l := &out[i]
		l.Turn = turn
		l.Box = f.Display(l.Box)
		for k := range l.Words {
			w := &l.Words[k]
			w.Box = f.Display(w.Box)
			for m, j := range w.glyphs {
				w.glyphs[m] = idx[j]
			}
		}
	}
	return out
}

// cellText is the text of glyphs of any direction, one line a line.
func (gs glyphs) cellText(idx []int) string {
	ls := gs.allLines(idx)
	parts := make([]string, len(ls))
	for i := range ls {
		parts[i] = ls[i].Text()
	}
	return strings.Join(parts, "\n")
}
