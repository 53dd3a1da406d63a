package layout

import (
	"math"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// What makes aligned lines of text a table.
const (
	tabularShare   = 0.4  // of the rows have several fragments
	proseColumns   = 3    // up to this many columns prose is suspected
	proseAverage   = 3.2  // words a fragment: more is prose
	longFragment   = 5    // words: a long fragment
	longShareFew   = 0.35 // share of long fragments in few columns that is prose …
	longShare      = 0.5  // … and in any number
	longNumbers    = 0.4  // share of numbers beside long fragments that is narrations and their amounts
	numbersShare   = 0.25 // share of numbers that speaks against prose
	wordsOnly      = 0.2  // below this share of numbers justified prose may line up by chance:
	wordsOnlyEm    = 1.1  // the separators must then be this wide …
	wordsOnlyRows  = 6    // … or stand over this many rows
	wordsOnlyLeast = 3
	listWords      = 3   // words of a list's item, on average: fewer is a numbered table
	longWord       = 8   // letters of a word where a script has no spaces
	countedLines   = 5   // lines that are counted at least …
	countedWords   = 6   // … and words of such a line, on average: fewer are numbered names
	amountColumns  = 3   // columns whose amounts may read as one fragment: a name and a year are fewer
	mainShare      = 0.7 // of a line that reaches over a column's edge lies in the column it belongs to
	pairRows       = 4   // two columns of words need this many filled rows
	ruleAcross     = 0.6
	ruleReach      = 0.3 // em above the lower baseline to which a rule between two lines may lie
)

// columns makes a table of rows of text, nil when they are none. A frame says
// that they stand in a ruled box.
func (f *finder) columns(rows []textRow, fr *frame) *Table {
	several := 0
	var sizes []float64
	box := rows[0].fragments[0].Box
	for i := range rows {
		sizes = append(sizes, rows[i].size)
		if len(rows[i].fragments) >= 2 && !rows[i].spread() {
			several++
		}
		for k := range rows[i].fragments {
			box = box.Union(rows[i].fragments[k].Box)
		}
	}
	if several < 2 || float64(several) < tabularShare*float64(len(rows)-wrappedLines(rows)) {
		return nil
	}
	em := median(sizes)
	seps := f.separators(rows, box, em)
	if len(seps) == 0 {
		return nil
	}
	lines := f.distribute(rows, seps)
	rtl := f.gs.rightToLeft(rows)
	if !plausible(rows, lines, seps, em, fr != nil, rtl) {
		return nil
	}
	turnColumns(lines, rtl)
	records := unwrap(lines, len(seps)+1, em, func(a, b *record) bool { return f.ruleBetween(a, b, box, em, fr) })
	turnColumns(records, rtl)
	return f.alignedTable(records, rows, seps, box, fr)
}

// rightToLeft reports whether most letters of some rows run from right to left:
// then the key of a row stands in its last column.
func (gs glyphs) rightToLeft(rows []textRow) bool {
	rtl, all := 0, 0
	for i := range rows {
		for _, k := range rows[i].glyphs() {
			a, b := direction(gs[k].Text)
			rtl, all = rtl+a, all+b
		}
	}
	return rtl*2 > all
}

// turnColumns turns the columns around, if they are to be.
func turnColumns(rs []record, turn bool) {
	for i := range rs {
		if turn {
			slices.Reverse(rs[i].cells)
		}
	}
}

// wrappedLines counts the lines of one fragment that go on under a fragment of a
// row above, not its first one, or stand between the lines of a row: they say
// nothing for or against a table.
func wrappedLines(rows []textRow) int {
	n, last := 0, -1
	for i := range rows {
		switch {
		case len(rows[i].fragments) >= alignedPieces:
			last = i
		case interleaved(rows, i):
			n++
		case last >= 0 && len(rows[i].fragments) == 1 && continuesColumn(rows[last:last+1], rows[last].left(), rows[i].left()) && inColumn(&rows[last], &rows[i]):
			n++
		}
	}
	return n
}

func (f *finder) alignedTable(records []record, rows []textRow, seps []float64, box rag.Box, fr *frame) *Table {
	t := &Table{Ruled: fr != nil, sought: true}
	t.Edges = append(append([]float64{box.X0}, seps...), box.X1)
	for _, r := range records {
		row := Row{Cells: r.cells}
		for k := range row.Cells {
			c := &row.Cells[k]
			if c.Text == "" && c.Spans == 0 {
				c.Spans = 1
			}
			row.Box = row.Box.Union(c.Box)
		}
		for k := range row.Cells {
			if row.Cells[k].Box.IsZero() {
				row.Cells[k].Box = rag.Box{X0: t.Edges[k], Y0: row.Box.Y0, X1: t.Edges[k+1], Y1: row.Box.Y1}
			}
		}
		t.Rows = append(t.Rows, row)
	}
	for i := range rows {
		f.take(t, rows[i].glyphs())
	}
	return t
}

// ruleBetween reports whether a rule is drawn between two lines of text.
func (f *finder) ruleBetween(a, b *record, box rag.Box, em float64, fr *frame) bool {
	low, high := a.base, b.base-ruleReach*em
	if fr != nil {
		for _, y := range fr.ys {
			if y > low && y < high {
				return true
			}
		}
	}
	k := sort.Search(len(f.across), func(i int) bool { return f.across[i].At > low })
	for ; k < len(f.across) && f.across[k].At < b.base-0.2*em; k++ {
		r := f.across[k]
		if math.Min(r.To, box.X1)-math.Max(r.From, box.X0) > ruleAcross*(box.X1-box.X0) {
			return true
		}
	}
	return false
}

// distribute lays rows of text out over columns.
func (f *finder) distribute(rows []textRow, seps []float64) []record {
	out := make([]record, len(rows))
	least := dense(rows)
	lefts := columnLefts(rows, seps)
	for i := range rows {
		r := &rows[i]
		rec := record{cells: make([]Cell, len(seps)+1), top: r.top, bottom: r.bottom, base: r.base}
		for k := range r.fragments {
			fr := &r.fragments[k]
			a, b := sort.SearchFloat64s(seps, fr.Box.X0), sort.SearchFloat64s(seps, fr.Box.X1)
			together := a < b && amounts(fr, seps)
			if a == b || (len(r.fragments) == 1 || len(r.fragments) < least) && !together { // a title, the name of a group or of a total stays whole
				if k := mainColumn(fr.Box, seps, a, b); k > a && fr.Box.X0 > lefts[a]+alignTolerance {
					a, b = k, k // the line of a cell that is centred
				}
				rec.put(a, fr.Text(), fr.Box, fragmentGlyphs(fr))
				rec.cells[a].Spans = max(rec.cells[a].Spans, b-a+1)
				continue
			}
			if run := fr.sole(f.gs); !together && run != nil && (run.left || run.right) { // too long for its column
				k := a
				switch {
				case run.left && run.right:
					k = sort.SearchFloat64s(seps, (fr.Box.X0+fr.Box.X1)/2)
				case run.right:
					k = b
				}
				rec.put(k, fr.Text(), fr.Box, fragmentGlyphs(fr))
				rec.cells[k].Spans = max(rec.cells[k].Spans, 1)
				continue
			}
			for _, w := range fr.Words {
				c := sort.SearchFloat64s(seps, (w.Box.X0+w.Box.X1)/2)
				rec.put(c, w.Text, w.Box, w.glyphs)
				rec.cells[c].Spans = max(rec.cells[c].Spans, 1)
			}
		}
		rec.bold = f.gs.bold(r.glyphs())
		rec.boldKey = rec.cells[0].Text != "" && f.gs.bold(rec.cells[0].glyphs)
		out[i] = rec
	}
	return out
}

// bold reports whether all visible glyphs are bold.
func (gs glyphs) bold(idx []int) bool {
	return !slices.ContainsFunc(idx, func(i int) bool { return !gs[i].blank() && (gs[i].Font == nil || !gs[i].Font.Bold) })
}

// columnLefts are the x at which the columns' text begins.
func columnLefts(rows []textRow, seps []float64) []float64 {
	out := make([]float64, len(seps)+1)
	for k := range out {
		out[k] = math.Inf(1)
	}
	for i := range rows {
		for k := range rows[i].fragments {
			b := rows[i].fragments[k].Box
			c := sort.SearchFloat64s(seps, b.X0)
			out[c] = math.Min(out[c], b.X0)
		}
	}
	return out
}

// mainColumn is the column from a to b in which most of a box lies, a if none has so much.
func mainColumn(box rag.Box, seps []float64, a, b int) int {
	for k := a; k <= b; k++ {
		from, to := box.X0, box.X1
		if k > 0 {
			from = math.Max(from, seps[k-1])
		}
		if k < len(seps) {
			to = math.Min(to, seps[k])
		}
		if to-from > mainShare*(box.X1-box.X0) {
			return k
		}
	}
	return a
}

// amounts reports whether a fragment is amounts that stand so close that they
// read as one, behind a name perhaps: each further column has just one of them.
func amounts(l *Line, seps []float64) bool {
	base := sort.SearchFloat64s(seps, l.Words[0].Box.X0)
	last, columns := base, 1
	for _, w := range l.Words {
		k := sort.SearchFloat64s(seps, (w.Box.X0+w.Box.X1)/2)
		if k > base && (k == last || !numeric(w.Text)) {
			return false
		}
		if k > last {
			columns++
		}
		last = k
	}
	return columns >= amountColumns
}

func fragmentGlyphs(l *Line) []int {
	var out []int
	for i := range l.Words {
		out = append(out, l.Words[i].glyphs...)
	}
	return out
}

// plausible rejects prose that is set in columns or lines up by chance.
func plausible(rows []textRow, lines []record, seps []float64, em float64, framed, rtl bool) bool {
	words, fragments, numbers, long := 0, 0, 0, 0
	for i := range rows {
		for k := range rows[i].fragments {
			fr := &rows[i].fragments[k]
			fragments++
			words += len(fr.Words)
			if numeric(fr.Text()) {
				numbers++
			}
			if len(fr.Words) >= longFragment {
				long++
			}
		}
	}
	n := float64(fragments)
	few := len(seps) < proseColumns
	if prosaic(lines, rtl) {
		return false
	}
	switch {
	case few && float64(words) > proseAverage*n && float64(numbers) < numbersShare*n:
		return false
	case few && float64(long) > longShareFew*n && float64(numbers) < longNumbers*n, float64(long) > longShare*n:
		return false
	}
	if !framed && float64(numbers) < wordsOnly*n {
		narrow := narrowGaps(rows, seps, em)
		if narrow*2 > len(seps) && len(rows) < wordsOnlyRows || len(rows) < wordsOnlyLeast {
			return false
		}
	}
	filled := 0
	for i := range lines {
		if lines[i].filled >= 2 {
			filled++
		}
	}
	switch {
	case filled < 2, filled < 3 && len(seps) < 2:
		return false
	case len(seps) == 1 && float64(numbers) < wordsOnly*n && filled < pairRows:
		return false
	}
	return true
}

// listMarker is what stands before the items of a list.
var listMarker = regexp.MustCompile(`^([-–—•●▪◦o*·○]|\[[0-9A-Za-z+]{1,8}\]|\(?([0-9]{1,2}|[A-Za-z]|[ivxIVX]{1,4})[.)]{1,2}|[0-9]{1,2}(\.[0-9]{1,2}){1,5}\.?|\p{Katakana}|[①-⑳])$`)

// listMarkerRTL is what stands behind the items of a list that runs from right to left.
var listMarkerRTL = regexp.MustCompile(`^[-–—]? ?\(?([0-9]{1,2}|[\x{0660}-\x{0669}]{1,2})[.)]? ?[-–—]?$`)

// listed reports whether the first column, or the last ones where the text runs
// from right to left, are the markers of a list and the rest its items. What goes
// on below an item says nothing.
func listed(lines []record, rtl bool) bool {
	last := len(lines[0].cells) - 1
	marked, others, words := 0, 0, 0
	markedRTL, othersRTL := 0, 0
	for i := range lines {
		cells := lines[i].cells
		if lines[i].filled < 2 {
			continue
		}
		switch s := cells[0].Text; {
		case s == "":
		case listMarker.MatchString(s):
			marked++
			words += max(len(strings.Fields(cells[1].Text)), utf8.RuneCountInString(cells[1].Text)/longWord)
		default:
			others++
		}
		end := cells[last].Text
		if last > 1 && (cells[last-1].Text == "-" || cells[last-1].Text == "–") {
			end = cells[last-1].Text + end
		}
		switch {
		case end == "":
		case rtl && listMarkerRTL.MatchString(end):
			markedRTL++
		default:
			othersRTL++
		}
	}
	return last == 1 && marked > others && float64(words) >= listWords*float64(marked) ||
		last <= 2 && markedRTL > othersRTL
}

// lineNumbers reports whether the first of two columns counts the lines of a
// text, as those of laws and standards are. Names that are counted are shorter.
func lineNumbers(lines []record) bool {
	if len(lines) < countedLines || len(lines[0].cells) != 2 {
		return false
	}
	last, counted, words := 0, 0, 0
	for i := range lines {
		n, err := strconv.Atoi(lines[i].cells[0].Text)
		if err != nil || counted > 0 && n != last+1 {
			return false
		}
		last = n
		counted++
		words += len(strings.Fields(lines[i].cells[1].Text))
	}
	return float64(words) >= countedWords*float64(counted)
}

// narrowGaps counts the separators beside which some row's fragments come close.
func narrowGaps(rows []textRow, seps []float64, em float64) int {
	n := 0
	for _, x := range seps {
		least := math.Inf(1)
		for i := range rows {
			fs := rows[i].fragments
			for k := 1; k < len(fs); k++ {
				if fs[k-1].Box.X1 <= x && fs[k].Box.X0 >= x {
					least = math.Min(least, fs[k].Box.X0-fs[k-1].Box.X1)
				}
			}
		}
		if least < wordsOnlyEm*em {
			n++
		}
	}
	return n
}
