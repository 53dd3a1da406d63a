package layout

import "github.com/hardgate-dev/hardgate/runtime/rag"

// How lines of text that belong to one row of a table are told from rows.
// Distances are between baselines; the pitch is the median distance between
// consecutive full lines.
const (
	fullShare   = 0.6  // of the columns filled make a line a full one
	keyedShare  = 0.5  // … or this share, with the first column filled
	closeLine   = 0.8  // of the pitch: a partial line this close belongs to a neighbour
	centredLine = 0.85 // of the pitch: a full line this close below a waiting partial one
	keylessLine = 0.93 // of the pitch: a line without its first column, text only
	keylessEm   = 1.75 // … and at most this far, ems
	wrapSpace   = 0.2  // ems; the narrowest space before the word that did not fit
	tightPitch  = 1.35 // ems; below it every line is close, so being keyless has to do
	nearerBelow = 0.9  // of the distance above: the line belongs to the row below
	partedRows  = 3    // so many rows that wrap, for each that does not, tell how far apart rows stand
	rulesNeeded = 3    // rules between lines decide alone from this many …
	rulesShare  = 0.3  // … and this share of the lines, or where nearly all …
	rulesSingle = 0.9  // … of what they part holds one full line at most
	ruledStep   = 0.9  // of the distance across a rule: full lines this far apart are rows without one
)

// record is a line of text laid out over a table's columns, later a row.
type record struct {
	cells       []Cell
	top, bottom float64
	base        float64
	filled      int
	bold        bool // all of it
	boldKey     bool // its first cell
}

func newRecord(columns int, l *Line) record {
	return record{cells: make([]Cell, columns), base: l.Base, top: l.Base - ascent*l.Size, bottom: l.Base + descent*l.Size}
}

func (r *record) put(k int, text string, box rag.Box, glyphs []int) {
	if r.cells[k].Text == "" {
		r.filled++
	}
	r.cells[k].put(text, box, glyphs)
}

// join adds a further line to the record.
func (r *record) join(s *record) {
	for k := range s.cells {
		if s.cells[k].Text == "" {
			continue
		}
		if r.cells[k].Text == "" {
			r.filled++
		}
		r.cells[k].append(&s.cells[k])
	}
	r.bottom, r.base = s.bottom, s.base
}

// full reports whether the line holds enough cells to be a row of its own.
func (r *record) full() bool {
	n := float64(len(r.cells))
	return float64(r.filled) >= fullShare*n ||
		r.filled >= 2 && r.cells[0].Text != "" && float64(r.filled) >= keyedShare*n
}

// textual reports whether no cell is a number.
func (r *record) textual() bool {
	for i := range r.cells {
		if s := r.cells[i].Text; s != "" && numeric(s) {
			return false
		}
	}
	return true
}

// wrapper joins wrapped lines into rows.
type wrapper struct {
	lines   []record
	gap     []float64 // baseline distance to the line before
	rule    []bool    // a rule is drawn between this line and the one before
	ruled   bool      // rules alone decide
	pitch   float64   // between rows; 0 when too few full lines tell
	step    float64   // the median distance across a rule
	em      float64
	right   []float64 // where the columns' text ends
	bottom  bool      // partial lines begin rows
	out     []record
	waiting bool // the last row is partial and nearer to the line below it
}

// unwrap joins the lines of a table with so many columns into rows.
func unwrap(lines []record, columns int, em float64, ruleBetween func(a, b *record) bool) []record {
	w := wrapper{lines: lines, gap: make([]float64, len(lines)), rule: make([]bool, len(lines)), em: em, right: rightEnds(lines, columns)}
	var steps []float64
	rules := 0
	for i := 1; i < len(lines); i++ {
		w.gap[i] = lines[i].base - lines[i-1].base
		if w.rule[i] = ruleBetween(&lines[i-1], &lines[i]); w.rule[i] {
			rules++
			steps = append(steps, w.gap[i])
		}
	}
	w.measure()
	if len(steps) > 0 {
		w.step = median(steps)
	}
	w.titles()
	w.ruled = rules >= rulesNeeded && (float64(rules) >= rulesShare*float64(len(lines)) || w.single() >= rulesSingle)
	if !w.ruled && len(lines) > 0 {
		if at := w.spacing(); at > 0 {
			return w.apart(at)
		}
	}
	w.bottom = !w.ruled && w.atBottom()
	for i := range lines {
		w.add(i, columns)
	}
	return labelled(w.out)
}

// titles parts the names of groups from the rows around them: bold lines with
// text in the first column alone, above a row whose name is not bold and below one,
// however close. Where there are such, or where it is wider than its column, the one
// below the bold names of the columns is one too.
func (w *wrapper) titles() {
	above, seen := -1, false // above is the last line with a name
	var doubtful []int
	for i := range w.lines[:max(0, len(w.lines)-1)] {
		r, below := &w.lines[i], &w.lines[i+1]
		if above >= 0 && r.bold && r.filled == 1 && r.cells[0].Text != "" && below.filled > 1 && below.cells[0].Text != "" && !below.boldKey {
			switch {
			case !w.lines[above].boldKey:
				w.rule[i], w.rule[i+1], seen = true, true, true
			case w.lines[above].bold && r.cells[0].Spans > 1:
				w.rule[i], w.rule[i+1] = true, true
			case w.lines[above].bold:
				doubtful = append(doubtful, i)
			}
		}
		if r.cells[0].Text != "" {
			above = i
		}
	}
	for _, i := range doubtful {
		w.rule[i], w.rule[i+1] = w.rule[i] || seen, w.rule[i+1] || seen
	}
}

// single is the share of the groups between rules that hold one full line at most.
func (w *wrapper) single() float64 {
	groups, single, full := 0, 0, 0
	for i := range w.lines {
		if w.lines[i].full() {
			full++
		}
		if i+1 == len(w.lines) || w.rule[i+1] {
			groups++
			if full <= 1 {
				single++
			}
			full = 0
		}
	}
	return float64(single) / float64(groups)
}

// measure finds the pitch: how far apart full lines stand. Where nearly every
// row wraps, it is how far a row stands off from the rest of the one above, if
// that is further than the rest itself from its row.
func (w *wrapper) measure() {
	var pitches, after, rests []float64
	for i := 1; i < len(w.lines); i++ {
		switch full, above := w.lines[i].full(), w.lines[i-1].full(); {
		case full && above:
			pitches = append(pitches, w.gap[i])
		case full:
			after = append(after, w.gap[i])
		case above:
			rests = append(rests, w.gap[i])
		}
	}
	if len(pitches) > 0 {
		w.pitch = median(pitches)
	}
	if n := len(after); n >= partedRows && n > len(pitches)*partedRows && len(rests) > 0 && median(rests) < closeLine*median(after) {
		w.pitch = median(after)
	}
}

// labelled gives a label that is centred beside two rows, on a line of its own
// between them, to the first of the two.
func labelled(rows []record) []record {
	for i := 1; i+1 < len(rows); i++ {
		if rows[i].labels(&rows[i-1]) && rows[i].labels(&rows[i+1]) {
			bottom, base := rows[i-1].bottom, rows[i-1].base
			rows[i-1].join(&rows[i])
			rows[i-1].bottom, rows[i-1].base = bottom, base
			rows = append(rows[:i], rows[i+1:]...)
		}
	}
	return rows
}

// labels reports whether r fills leading columns alone, and s just all others.
func (r *record) labels(s *record) bool {
	n := 0
	for n < len(r.cells) && r.cells[n].Text != "" && s.cells[n].Text == "" {
		n++
	}
	return n > 0 && n == r.filled && s.filled == len(s.cells)-n && s.filled > n
}

func (w *wrapper) add(i, columns int) {
	r := &w.lines[i]
	if len(w.out) > 0 && w.continues(i, columns) {
		w.out[len(w.out)-1].join(r)
		return
	}
	w.out = append(w.out, *r)
	w.waiting = !r.full() && i+1 < len(w.lines) && w.pitch > 0 && w.gap[i+1] < closeLine*w.pitch
}

// continues reports whether line i belongs to the row before it.
func (w *wrapper) continues(i, columns int) bool {
	r, last, gap := &w.lines[i], &w.out[len(w.out)-1], w.gap[i]
	if w.rule[i] {
		return false
	}
	full := r.full()
	if w.bottom && gap < keylessEm*w.em {
		return w.lines[i-1].cells[0].Text == "" && !w.lines[i-1].full()
	}
	var yes bool
	switch {
	case w.ruled: // unless both are full and as far apart as rows are: a rule left out
		yes = !full || !last.full() || gap < ruledStep*w.step
	case full:
		yes = w.waiting && w.pitch > 0 && gap < centredLine*w.pitch
	case r.cells[0].Text == "" && gap < keylessEm*w.em && w.wraps(i):
		yes = true
	case r.cells[0].Text == "" && r.textual() && gap < keylessEm*w.em &&
		(w.pitch == 0 || gap < keylessLine*w.pitch || w.pitch < tightPitch*w.em):
		yes = w.waiting || columns <= 2 || last.covers(r)
	default:
		yes = w.pitch > 0 && gap < closeLine*w.pitch
	}
	return yes && (full || !w.nearer(i))
}

// nearer reports whether line i is nearer to the row below than to the one above.
func (w *wrapper) nearer(i int) bool {
	return i+1 < len(w.lines) && !w.rule[i+1] && w.lines[i+1].full() && w.pitch > 0 && w.gap[i+1] < nearerBelow*w.gap[i]
}

// wraps reports whether line i is what did not fit on the line before: in each of
// its columns that line has text, which the first word would have carried over
// the column's end.
func (w *wrapper) wraps(i int) bool {
	for k := range w.lines[i].cells {
		c, above := &w.lines[i].cells[k], &w.lines[i-1].cells[k]
		if c.Text == "" {
			continue
		}
		if above.Text == "" || c.Spans > 1 || above.Spans > 1 || numeric(c.Text) && numeric(above.Text) {
			return false
		}
		if !w.overflows(above, c, k) {
			return false
		}
	}
	return true
}

// rightEnds are the x at which the columns' longest lines end.
func rightEnds(lines []record, columns int) []float64 {
	out := make([]float64, columns)
	for i := range lines {
		for k := range lines[i].cells {
			if c := &lines[i].cells[k]; c.Text != "" && c.Spans <= 1 {
				out[k] = max(out[k], c.Box.X1)
			}
		}
	}
	return out
}

// covers reports whether every column that s fills is filled in r.
func (r *record) covers(s *record) bool {
	for k := range s.cells {
		if s.cells[k].Text != "" && r.cells[k].Text == "" {
			return false
		}
	}
	return true
}
