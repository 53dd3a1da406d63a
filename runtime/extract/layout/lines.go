package layout

import (
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// fragmentGap is the gap, in ems of the smaller neighbour, at which a line
// falls into fragments: wider than any word space, narrower than a gutter.
const fragmentGap = 0.62

// fragmentFloor keeps the gap meaningful for tiny print, points.
const fragmentFloor = 4

// Line is one line of text. Boxes and baseline are in the page's frame.
type Line struct {
	Words []Word
	Box   rag.Box
	Base  float64
	Size  float64 // of most of its characters
	Bold  bool
	Level int // of the heading it is by the file's tags, 0 for none
	Turn  Turn
}

// Text is the line in logical order, words joined by spaces.
func (l *Line) Text() string {
	return strings.Join(logical(l.Words), " ")
}

// finish fills what follows from the words.
func (l *Line) finish() {
	bold, n, tagged := 0, 0, 0
	sizes := map[float64]int{}
	l.Box = l.Words[0].Box
	for i := range l.Words {
		w := &l.Words[i]
		l.Box = l.Box.Union(w.Box)
		n += len(w.Text)
		if w.Bold {
			bold += len(w.Text)
		}
		if w.Level > 0 {
			tagged += len(w.Text)
			l.Level = w.Level
		}
		sizes[math.Round(w.Size*10)/10] += len(w.Text)
	}
	best := -1
	for size, count := range sizes {
		if count > best || count == best && size > l.Size {
			best, l.Size = count, size
		}
	}
	l.Base = l.Words[0].Base
	l.Bold = bold*2 > n
	if tagged*2 <= n {
		l.Level = 0
	}
}

// lines groups glyphs, which must run rightward in their frame, into lines from top to bottom.
func (gs glyphs) lines(idx []int) []Line {
	var out []Line
	for _, c := range gs.clusters(idx) {
		if c.inked == 0 {
			continue
		}
		l := Line{Words: gs.words(c.glyphs)}
		if len(l.Words) == 0 {
			continue
		}
		l.finish()
		l.Base = c.base
		out = append(out, l)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Base < out[j].Base })
	return out
}

// gathered keeps the lines of the glyphs asked for last: the margins, the free
// lines and the prose of a page without tables are the same, and gathering
// lines is nearly half the work of a layout. They must not be changed.
type gathered struct {
	gs   glyphs
	idx  []int
	last []Line
}

func (m *gathered) lines(idx []int) []Line {
	if m.last == nil || !slices.Equal(m.idx, idx) {
		m.idx, m.last = idx, slices.Clip(m.gs.lines(idx))
	}
	return m.last
}

// fragments breaks a line at wide gaps, except those of justified text.
func (l *Line) fragments() []Line {
	var out []Line
	start := 0
	stretched := l.stretched()
	for i := 1; i <= len(l.Words); i++ {
		if i < len(l.Words) {
			a, b := &l.Words[i-1], &l.Words[i]
			if stretched[i] && !b.pitched || !b.enters && b.Box.X0-a.Box.X1 <= fragmentGap*math.Max(math.Min(a.Size, b.Size), fragmentFloor) {
				continue
			}
		}
		f := Line{Words: l.Words[start:i:i], Turn: l.Turn}
		f.finish()
		f.Base = l.Base
		out = append(out, f)
		start = i
	}
	return out
}

// Justified text: all spaces of a line are stretched alike, which those between
// the cells of a row are not.
const (
	justifiedGaps  = 2    // spaces that must agree …
	justifiedEm    = 0.06 // … to within this; two of them, to half of it
	justifiedMost  = 4.0  // em; no line is stretched further …
	justifiedPart  = 1.5  // … nor one that shares its row with others, in columns
	justifiedWords = 0.5  // of the words have letters and no digit
)

// stretched tells for each word whether the space before it is one of justified text.
func (l *Line) stretched() []bool {
	out := make([]bool, len(l.Words))
	gap := func(i int) float64 { return (l.Words[i].Box.X0 - l.Words[i-1].Box.X1) / math.Max(l.Size, 1) }
	for i := 1; i < len(l.Words); {
		least, most, j := gap(i), gap(i), i+1
		for ; j < len(l.Words); j++ {
			g := gap(j)
			if math.Max(most, g)-math.Min(least, g) > justifiedEm {
				break
			}
			least, most = math.Min(least, g), math.Max(most, g)
		}
		limit, tolerance := justifiedPart, justifiedEm
		if i == 1 && j == len(l.Words) {
			limit = justifiedMost
		}
		if j-i == justifiedGaps {
			tolerance /= 2
		}
		if j-i >= justifiedGaps && most-least <= tolerance && most <= limit && wordy(l.Words[i-1:j]) {
			for k := i; k < j; k++ {
				out[k] = true
			}
		}
		i = j
	}
	return out
}

// wordy reports whether most words are letters alone, and few come again: names
// of columns in pairs do.
func wordy(ws []Word) bool {
	n, different := 0, map[string]bool{}
	for i := range ws {
		different[ws[i].Text] = true
		if letters(ws[i].Text) > 0 && !hasDigit(ws[i].Text) {
			n++
		}
	}
	return float64(n) > justifiedWords*float64(len(ws)) && float64(len(different)) > justifiedWords*float64(len(ws))
}
