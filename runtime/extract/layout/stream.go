package layout

import (
	"math"
	"slices"
	"sort"
)

// Where lines of text without rulings may be a table. Distances are in ems of
// the line below, unless said otherwise.
const (
	regionGap      = 1.9 // whitespace between two lines of a region
	regionGapMin   = 12  // points; … but at least this
	alignedGap     = 4   // … if the line is aligned with the region's last table line
	alignedGapMin  = 24  // points
	alignedPieces  = 3   // fragments that such a line needs, or lines above it
	centredLines   = 3   // such a line may stand after the first of its row
	anewGap        = 0.8 // whitespace above the first line of another table, at least …
	anewFactor     = 1.6 // … and wider than below it
	proseWidth     = 0.62
	proseWords     = 6 // a single fragment wider than proseWidth of the region, of more words, is prose and ends it
	looseGap       = 1 // ems; spaces of a line of text are not stretched further …
	looseLook      = 3 // lines below it: a caption may have several
	looseWords     = 8 // … that has so many words
	singleLines    = 3 // so many lines of one fragment may stand between table lines
	wrapPitch      = 1.65
	wrapLines      = 4    // wrapped lines that may follow the last table line
	wrapLook       = 8    // table lines above whose columns a wrapped line may continue
	wrapSize       = 0.3  // points of difference in size
	interleave     = 0.95 // ems between baselines: lines of one text stand further apart
	alignTolerance = 1.5  // points between two left or right edges
	bandGap        = 1.2  // a shaded band's unshaded neighbour is at most this far
	bandRows       = 2    // so many unshaded rows may stand beside a band
	pitchSpare     = 0.1
	bandTail       = 0.45
	bandLook       = 4 // lines of the last band that a further row may be aligned with: the very last may be a wrapped one
	bandIndent     = 5 // points; wrapped lines of such a neighbour are indented
)

// stream finds tables whose columns are not ruled among the free lines of
// text. A frame, if given, limits the search to a ruled box.
func (f *finder) stream(fr *frame) []*Table {
	if fr != nil {
		rows := f.framed(fr)
		if len(rows) < 2 {
			return nil
		}
		if t := f.columns(rows, fr); t != nil {
			return []*Table{t}
		}
		return nil
	}
	var out []*Table
	for _, rows := range areas(f.free(), f.em, 0) {
		for _, r := range regions(rows) {
			for _, part := range f.partition(rows[r[0]:r[1]]) {
				if t := f.columns(part, nil); t != nil {
					out = append(out, t)
				}
			}
		}
	}
	return out
}

// Where a region is a block of pairs above a table: the head of an invoice above
// its items.
const (
	denseColumns = 4   // a table of fewer columns cannot be told from the pairs
	denseShare   = 0.6 // of the columns that most rows fill: fewer is a row of few fragments
	denseRows    = 2   // so many rows make the table: a header and an item
	headRows     = 3   // so many rows of few fragments are no header, even without a rule below
)

// dense is how many fragments a row of the table has at least, 2 where the rows
// do not tell.
func dense(rows []textRow) int {
	var counts []int
	for i := range rows {
		if n := len(rows[i].fragments); n >= 2 {
			counts = append(counts, n)
		}
	}
	sort.Sort(sort.Reverse(sort.IntSlice(counts)))
	if len(counts) < denseRows || counts[denseRows-1] < denseColumns {
		return 2
	}
	return max(2, int(math.Ceil(denseShare*float64(counts[denseRows-1]))))
}

// partition cuts the rows of few fragments off the top of a region, if a rule
// stands below them or they are too many for a header.
func (f *finder) partition(rows []textRow) [][]textRow {
	least, first := dense(rows), 0
	for first < len(rows) && len(rows[first].fragments) < least {
		first++
	}
	if least == 2 || first == 0 || first == len(rows) {
		return [][]textRow{rows}
	}
	left, right := rows[first].left(), rows[first].right()
	ruled := false
	for _, r := range f.across {
		over := math.Min(r.To, right) - math.Max(r.From, left)
		if r.At > rows[first-1].base && r.At < rows[first].base && over > ruleAcross*(right-left) {
			ruled = true
		}
	}
	if !ruled && first < headRows {
		return [][]textRow{rows}
	}
	return [][]textRow{rows[:first], rows[first:]}
}

// framed returns the lines inside a frame. Of bands shaded alternately the
// first or last row may be unshaded, and so may the names above them, so aligned
// neighbours are let in.
func (f *finder) framed(fr *frame) []textRow {
	rows := f.within(fr.box)
	if len(rows) == 0 {
		return nil
	}
	box := fr.box
	all := f.free()
	reach := pitch(rows) - ascent - descent // ems between two unshaded rows
	tallest := 0.0
	for i := 1; i < len(fr.ys); i++ {
		tallest = math.Max(tallest, fr.ys[i]-fr.ys[i-1])
	}
	for pass := range bandRows + maxHeader {
		for i := range all {
			r := &all[i]
			below, above := r.top-box.Y1, box.Y0-r.bottom
			fits := len(r.fragments) >= alignedPieces
			switch {
			case pass >= bandRows:
			case fits && below >= -wordSlack && below < math.Max(bandGap*r.size, (tallest-r.size)/2) && alignedAny(r, rows[max(0, len(rows)-bandLook):]):
				box.Y1 = r.bottom
			case box.Y1 > fr.box.Y1 && below >= -wordSlack && below < bandTail*r.size &&
				len(r.fragments) <= 2 && r.left() > rows[0].left()+bandIndent:
				box.Y1 = r.bottom
			}
			if fits && above >= -wordSlack && above < math.Max(bandGap, reach)*r.size && aligned(r, &rows[0]) {
				box.Y0 = r.top
			}
		}
	}
	if box != fr.box {
		rows = f.within(box)
	}
	return rows
}

// pitch is the distance of most neighbouring lines, in ems, with a little to spare.
func pitch(rows []textRow) float64 {
	var steps []float64
	for i := 1; i < len(rows); i++ {
		steps = append(steps, (rows[i].base-rows[i-1].base)/rows[i].size)
	}
	if len(steps) == 0 {
		return 0
	}
	sort.Float64s(steps)
	return steps[len(steps)/2] + pitchSpare
}

// alignedAny reports whether a line is aligned with one of several.
func alignedAny(r *textRow, rows []textRow) bool {
	for i := range rows {
		if aligned(r, &rows[i]) {
			return true
		}
	}
	return false
}

// aligned reports whether at least half of a's fragments, two or more, share a
// left, right or centre x with one of b's.
func aligned(a, b *textRow) bool {
	n := 0
	for i := range a.fragments {
		p := a.fragments[i].Box
		for j := range b.fragments {
			q := b.fragments[j].Box
			if math.Abs(p.X0-q.X0) < alignTolerance || math.Abs(p.X1-q.X1) < alignTolerance ||
				math.Abs(p.X0+p.X1-q.X0-q.X1)/2 < alignTolerance {
				n++
				break
			}
		}
	}
	return n >= 2 && n*2 >= len(a.fragments)
}

// regions returns runs [from, to) of rows that may be tables: rows of two or
// more fragments, with few single fragments between them.
func regions(rows []textRow) (out [][2]int) {
	end := 0
	for i := 0; i < len(rows); {
		if len(rows[i].fragments) < 2 || i+1 < len(rows) && (rows[i].titled(rows[i+1].size) || rows[i].loose(rows[i+1:min(len(rows), i+1+looseLook)])) {
			i++
			continue
		}
		last := lastTableRow(rows, i)
		if last > i {
			last = wrappedTail(rows, i, last)
			from := i
			if from > end && interleaved(rows, from-1) {
				from-- // the first row begins with it
			}
			end = last + 1
			out = append(out, [2]int{from, end})
		}
		i = last + 1
	}
	return out
}

// lastTableRow follows a region from its first row to its last of several fragments.
func lastTableRow(rows []textRow, first int) int {
	last, single := first, 0
	left, right := rows[first].left(), rows[first].right()
	for j := first + 1; j < len(rows); j++ {
		r := &rows[j]
		limit := math.Max(regionGap*r.size, regionGapMin)
		above := rows[max(first, last+1-bandLook) : last+1]
		if regionGoesOn(rows, above, j) {
			limit = math.Max(alignedGap*r.size, alignedGapMin)
		}
		if r.top-rows[j-1].bottom > limit || startsAnew(rows, j, above) {
			break
		}
		if r.titled(rows[last].size) || r.loose(above) {
			break
		}
		if len(r.fragments) >= 2 {
			last, single = j, 0
			left, right = math.Min(left, r.left()), math.Max(right, r.right())
			continue
		}
		if interleaved(rows, j) {
			continue // a line of a cell beside others, between theirs
		}
		if single < wrapLines && j > first && continuesColumn(rows[last:last+1], rows[last].left(), r.left()) && inColumn(&rows[last], r) {
			continue // a wrapped line
		}
		single++
		if r.size >= headingSize*rows[last].size {
			break // a heading
		}
		wide := r.right()-r.left() > proseWidth*(right-left) && len(r.fragments[0].Words) > proseWords
		if wide || single > singleLines {
			break
		}
	}
	return last
}

// titled reports whether the row is a heading above or below text of some size: its
// number and, further off than a word, its title.
func (r *textRow) titled(size float64) bool {
	return len(r.fragments) == 2 && r.size >= headingSize*size && numbered.MatchString(r.fragments[0].Text()+" ")
}

// loose reports whether the row is a line of text, a caption perhaps, some of whose
// spaces are stretched: no row beside it has gaps where it has, and it has words
// where they have theirs.
func (r *textRow) loose(beside []textRow) bool {
	words := 0
	for i := range r.fragments {
		words += len(r.fragments[i].Words)
		if i > 0 && r.fragments[i].Box.X0-r.fragments[i-1].Box.X1 > looseGap*r.size || numeric(r.fragments[i].Text()) {
			return false
		}
	}
	return len(r.fragments) > 1 && words >= looseWords && !alignedAny(r, beside) && slices.ContainsFunc(beside, r.bridges)
}

// bridges reports whether a fragment of the row reaches over a gap of another one.
func (r *textRow) bridges(s textRow) bool {
	for k := 1; k < len(s.fragments); k++ {
		for i := range r.fragments {
			if b := r.fragments[i].Box; b.X0 < s.fragments[k-1].Box.X1 && b.X1 > s.fragments[k].Box.X0 {
				return true
			}
		}
	}
	return false
}

// interleaved reports whether a line of one fragment stands closer to the lines of a
// row than lines of one text do: cells of few and of many lines centred beside each other.
func interleaved(rows []textRow, j int) bool {
	if len(rows[j].fragments) != 1 {
		return false
	}
	near := func(k int) bool {
		return k >= 0 && k < len(rows) && len(rows[k].fragments) >= alignedPieces && inColumn(&rows[k], &rows[j]) &&
			math.Abs(rows[k].base-rows[j].base) < interleave*rows[k].size
	}
	return near(j-1) || near(j+1)
}

// regionGoesOn reports whether the line at j, however far below, is aligned with the
// lines above it. Where cells are centred in their rows, a row may begin with a
// line of few fragments.
func regionGoesOn(rows, above []textRow, j int) bool {
	for k := j; k < min(len(rows), j+centredLines); k++ {
		if k > j && rows[k].base-rows[k-1].base > wrapPitch*rows[k].size {
			return false
		}
		if n := len(rows[k].fragments); n >= 2 && (n >= alignedPieces || len(above) >= alignedPieces) && alignedAny(&rows[k], above) {
			return true
		}
	}
	return false
}

// startsAnew reports whether the line at j begins another table: it stands off
// from the line above by more than its own lines stand apart, has another number
// of fragments, and they are not aligned with those above.
func startsAnew(rows []textRow, j int, last []textRow) bool {
	if j+1 >= len(rows) {
		return false
	}
	above, below := rows[j].top-rows[j-1].bottom, rows[j+1].top-rows[j].bottom
	return len(rows[j].fragments) > len(rows[j-1].fragments) && len(rows[j-1].fragments) > 1 &&
		above > anewGap*rows[j].size && above > anewFactor*below && !alignedAny(&rows[j], last)
}

// wrappedTail extends a region by the wrapped lines of its last row.
func wrappedTail(rows []textRow, first, last int) int {
	base := last
	for k := base + 1; k < len(rows) && k <= base+wrapLines; k++ {
		r := &rows[k]
		if interleaved(rows, k) {
			last = k
			continue
		}
		if last == k-1 && k == base+1 && restOfKey(rows[first:base+1], r) {
			last = k
			continue
		}
		if len(r.fragments) != 1 || r.base-rows[k-1].base > wrapPitch*r.size || math.Abs(r.size-rows[base].size) > wrapSize {
			break
		}
		if !continuesColumn(rows[max(first, base-wrapLook):base+1], rows[base].left(), r.left()) {
			break
		}
		if k == len(rows)-1 || rows[k+1].base-rows[k].base > wrapPitch*r.size || len(rows[k+1].fragments) == 1 {
			last = k
		}
	}
	return last
}

// restOfKey reports whether a line is the rest of the name of the last of several
// rows: under its first fragment, which had no room for it, and closer than rows stand.
func restOfKey(rows []textRow, r *textRow) bool {
	last := &rows[len(rows)-1]
	if len(r.fragments) != 1 || len(last.fragments) < 2 || math.Abs(r.left()-last.left()) > alignTolerance || r.right() >= last.fragments[1].Box.X0 || math.Abs(r.size-last.size) > wrapSize {
		return false
	}
	step, widest := math.Inf(1), 0.0
	for i := range rows {
		if i > 0 && len(rows[i].fragments) >= 2 && len(rows[i-1].fragments) >= 2 {
			step = math.Min(step, rows[i].base-rows[i-1].base)
		}
		if b := rows[i].fragments[0].Box; math.Abs(b.X0-last.left()) <= alignTolerance && b.X1 < last.fragments[1].Box.X0 {
			widest = math.Max(widest, b.X1)
		}
	}
	key := last.fragments[0].Box.X1
	return r.base-last.base < closeLine*step && !math.IsInf(step, 1) && key+wrapSpace*r.size+r.fragments[0].Words[0].Box.X1-r.left() >= widest
}

// inColumn reports whether a line lies under one fragment of a row, or beside all.
func inColumn(row, r *textRow) bool {
	n := 0
	for i := range row.fragments {
		if b := row.fragments[i].Box; b.X0 < r.right() && b.X1 > r.left() {
			n++
		}
	}
	return n <= 1
}

// continuesColumn reports whether a word right of the first column begins at x.
func continuesColumn(rows []textRow, first, x float64) bool {
	for i := range rows {
		for _, fr := range rows[i].fragments {
			for _, w := range fr.Words {
				if w.Box.X0 > first+1 && math.Abs(w.Box.X0-x) < alignTolerance {
					return true
				}
			}
		}
	}
	return false
}
