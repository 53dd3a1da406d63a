package layout

import (
	"slices"
	"strings"
	"unicode"
)

// Rows set apart by more than their own lines are: every program that pads its
// cells prints them so, however the cells are aligned in their row, because the
// tallest cell reaches from edge to edge.
const (
	spacedJump   = 1.1  // a distance this much wider than the next narrower one may part rows
	spacedEm     = 0.1  // … and at least so much, ems
	spacedSingle = 0.9  // of the rows of several lines fill some column once: it never wraps
	spacedEach   = 0.8  // of them fill a column on each line: it holds one value a line …
	spacedRows   = 0.5  // … and more such columns than this share are rows, not wrapped cells
	spacedFew    = 0.25 // … where every column wraps somewhere, more than this
	spacedAlike  = 3    // so many lines of one row that look like the line before them are rows
	spacedLeast  = 3    // rows in all …
	spacedAlone  = 8    // … if only one of them has several lines
	spacedFull   = 0.5  // of their further lines are full and like the line before them: more are rows; or unlike: wrapped cells
	namedColumns = 2    // whose first value looks like those below tell it from the rest of a name
	spacedStart  = 0.75 // of the rows begin with their key or fill half the columns
)

// spacing returns the distance between baselines from which on a line begins a
// row; 0 where the distances do not tell. Of those that make sense of the lines it
// is the one that puts the fewest lines that look like rows into one, and of these
// the widest: narrower ones part the lines of cells centred in their rows.
func (w *wrapper) spacing() float64 {
	gaps := slices.Clone(w.gap[min(1, len(w.gap)):])
	slices.Sort(gaps)
	w.named()
	best, least := 0.0, len(w.lines)
	for i := len(gaps) - 1; i > 0; i-- {
		if gaps[i] < spacedJump*gaps[i-1] || gaps[i]-gaps[i-1] < spacedEm*w.em {
			continue
		}
		at := (gaps[i] + gaps[i-1]) / 2
		if like, ok := w.parts(at); ok && like < least {
			best, least = at, like
		}
	}
	return best
}

// named parts the names of the columns from the first row, however close: a full
// line above a full one, some of whose values look like those below.
func (w *wrapper) named() {
	if len(w.lines) < spacedLeast || !w.lines[0].full() || !w.lines[1].full() || w.rule[1] {
		return
	}
	seen := 0
	for k := range w.lines[0].cells {
		name, first := w.lines[0].cells[k].Text, w.lines[1].cells[k].Text
		if !hasDigit(first) {
			continue
		}
		if name == "" || shape(name) == shape(first) {
			return
		}
		like, filled := 0, 0
		for i := 2; i < len(w.lines); i++ {
			if s := w.lines[i].cells[k].Text; s != "" {
				filled++
				if shape(s) == shape(first) {
					like++
				}
			}
		}
		if 2*like > filled {
			seen++
		}
	}
	w.rule[1] = seen >= namedColumns
}

// parts reports whether lines further apart than a distance make rows: those of
// several lines wrap some columns only. It counts the lines that look like rows of
// their own all the same.
func (w *wrapper) parts(at float64) (like int, ok bool) {
	nc := len(w.lines[0].cells)
	single, each := make([]int, nc), make([]int, nc)
	rows, several, starts := 0, 0, 0
	alike, unlike, further := 0, 0, 0
	for i := 0; i < len(w.lines); {
		j := i + 1
		for j < len(w.lines) && w.gap[j] < at && !w.rule[j] {
			j++
		}
		rows++
		filled := w.filledIn(i, j)
		if filled[0] > 0 || 2*positive(filled) >= nc {
			starts++
		}
		if j-i > 1 {
			several++
			further += j - i - 1
			yes, surely, no := w.alike(i, j)
			if yes >= spacedAlike {
				return 0, false
			}
			alike, like, unlike = alike+yes, like+surely, unlike+no
			for k, n := range filled {
				if n == 1 {
					single[k]++
				}
				if n == j-i {
					each[k]++
				}
			}
		}
		i = j
	}
	if several == 0 || rows < spacedLeast || several == 1 && rows < spacedAlone || float64(starts) < spacedStart*float64(rows) {
		return 0, false
	}
	switch {
	case float64(alike) >= spacedFull*float64(further):
		return 0, false
	case float64(unlike) > spacedFull*float64(further):
		return like, true
	}
	never, always := false, 0
	for k := range nc {
		never = never || k > 0 && float64(single[k]) >= spacedSingle*float64(several)
		if float64(each[k]) >= spacedEach*float64(several) {
			always++
		}
	}
	return like, float64(always) <= spacedRows*float64(nc) && (never || float64(always) <= spacedFew*float64(nc))
}

func positive(counts []int) int {
	n := 0
	for _, k := range counts {
		if k > 0 {
			n++
		}
	}
	return n
}

// apart makes rows of the lines that stand further apart than a distance.
func (w *wrapper) apart(at float64) []record {
	for i := range w.lines {
		if i > 0 && w.gap[i] < at && !w.rule[i] {
			w.out[len(w.out)-1].join(&w.lines[i])
			continue
		}
		w.out = append(w.out, w.lines[i])
	}
	return w.out
}

// alike counts the lines of [from, to) after the first full one that fill most
// columns, as rows do: those whose values look like those of the full line before,
// surely where values with digits show it, and those whose values do not.
func (w *wrapper) alike(from, to int) (like, surely, unlike int) {
	last := -1
	for i := from; i < to; i++ {
		if !w.lines[i].full() {
			continue
		}
		if last >= 0 {
			same, other := w.lines[i].compare(&w.lines[last])
			switch {
			case same < other:
				unlike++
			case same > 0:
				surely++
				like++
			default:
				like++
			}
		}
		last = i
	}
	return like, surely, unlike
}

// compare counts the columns in which the values of both lines, those with
// digits, have the same shape, and the other ones. Of a wrapped date or number one
// line is not like the other.
func (r *record) compare(s *record) (same, other int) {
	for k := range r.cells {
		a, b := r.cells[k].Text, s.cells[k].Text
		switch {
		case !says(a) || !says(b) || !hasDigit(a) && !hasDigit(b):
		case shape(a) == shape(b):
			same++
		default:
			other++
		}
	}
	return same, other
}

// says reports whether a text has a letter or a digit: a dot or a dash stands for nothing.
func says(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) >= 0
}

// shape is a text's pattern: numbers become 9, words a, signs of amounts nothing.
func shape(s string) string {
	var b strings.Builder
	var last rune
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			r = '9'
		case unicode.IsLetter(r):
			r = 'a'
		case strings.ContainsRune("-−()$€£%", r) && last != '9':
			continue
		case strings.ContainsRune(",.'’ \u00a0\u202f", r) && last == '9':
			continue // within a number, or behind one
		}
		if r != last {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// filledIn counts, for each column, the lines [from, to) that fill it.
func (w *wrapper) filledIn(from, to int) []int {
	out := make([]int, len(w.lines[0].cells))
	for i := from; i < to; i++ {
		for k := range w.lines[i].cells {
			if w.lines[i].cells[k].Text != "" {
				out[k]++
			}
		}
	}
	return out
}
