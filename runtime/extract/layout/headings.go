package layout

import (
	"math"
	"regexp"
	"strings"
	"unicode"
)

// What tells a heading from a line of text.
const (
	headingSize   = 1.08 // of the body size: headings are set larger …
	headingWords  = 14   // … are short …
	headingGapEm  = 0.4  // … or, when only bold, stand off by this much whitespace
	headingLeast  = 0.95 // of the body size: smaller bold lines are notes
	wrapGapEm     = 0.75 // whitespace between the lines of one heading at most
	headingLetter = 2    // letters a heading has at least
)

var numbered = regexp.MustCompile(`^(\d{1,2}(\.\d{1,2}){0,4}\.?|[A-Z]\.|[IVX]{1,5}\.|(?i:chapter|section|part|annex|appendix|article) \S+)\s`)

func half(size float64) float64 { return math.Round(size*2) / 2 }

// Rank orders headings of a document: larger ones come first, then fewer
// levels of numbering, then bold ones.
type Rank struct {
	Size  float64 // to half a point
	Depth int     // levels of numbering, 0 for none
	Plain bool    // not bold
}

// Less reports whether r is a higher rank than s.
func (r Rank) Less(s Rank) bool {
	switch {
	case r.Size != s.Size:
		return r.Size > s.Size
	case r.Depth != s.Depth:
		return r.Depth < s.Depth
	}
	return !r.Plain && s.Plain
}

// Compare is negative when r is a higher rank than s, positive when it is a lower one.
func (r Rank) Compare(s Rank) int {
	switch {
	case r.Less(s):
		return -1
	case s.Less(r):
		return 1
	}
	return 0
}

// RankOf is the rank that a line has as a heading.
func RankOf(l *Line) Rank {
	return Rank{Size: half(l.Size), Depth: depth(l.Text()), Plain: !l.Bold}
}

// HeadingAt reports whether the piece at i is a heading, its rank, and how
// many pieces it goes on over: a long heading wraps. What the file's tags call a
// heading is one however it looks.
func HeadingAt(pieces []Piece, i int, body float64) (rank Rank, n int, ok bool) {
	l := pieces[i].Line
	if l == nil || l.Level == 0 && (l.Turn != Rightward || !titled(l, pieces, i, body)) {
		return Rank{}, 0, false
	}
	rank = RankOf(l)
	words := len(l.Words)
	for n = 1; i+n < len(pieces); n++ {
		m := pieces[i+n].Line
		if m == nil || half(m.Size) != rank.Size || m.Bold != l.Bold || m.Turn != l.Turn || m.Level != l.Level || depth(m.Text()) > 0 {
			break
		}
		gap := m.Box.Y0 - pieces[i+n-1].Line.Box.Y1
		if words += len(m.Words); words > headingWords || gap > wrapGapEm*m.Size || gap < -m.Size {
			break
		}
	}
	return rank, n, true
}

// titled judges one line: its size, weight, length and how it stands.
func titled(l *Line, pieces []Piece, i int, body float64) bool {
	text := l.Text()
	if len(l.Words) > headingWords || l.Size < headingLeast*body || sentence(text) || letters(text) < headingLetter {
		return false
	}
	if half(l.Size) >= half(headingSize*body) && l.Size >= headingSize*body {
		return true
	}
	if !l.Bold || pair(text) {
		return false
	}
	return depth(text) > 0 || standsOff(l, pieces, i)
}

// standsOff reports whether whitespace or the page's edge separates the line from the text before it.
func standsOff(l *Line, pieces []Piece, i int) bool {
	if i == 0 || pieces[i-1].Table != nil {
		return true
	}
	above := pieces[i-1].Line
	gap := l.Box.Y0 - above.Box.Y1
	return gap > headingGapEm*l.Size || gap < -l.Size // below zero: it tops another column
}

func sentence(text string) bool {
	return strings.HasSuffix(text, ".") && !numbered.MatchString(text+" ") || strings.HasSuffix(text, ",") || strings.HasSuffix(text, ";")
}

// pair reports whether the line is a name with a value, "Invoice No: 12".
func pair(text string) bool {
	name, value, ok := strings.Cut(text, ":")
	return ok && strings.TrimSpace(value) != "" && !numbered.MatchString(name+" ")
}

func letters(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

// depth is how many levels of numbering a heading bears: 2 for "1.2 Leave".
func depth(text string) int {
	m := numbered.FindString(text + " ")
	if m == "" {
		return 0
	}
	return 1 + strings.Count(strings.TrimSuffix(strings.TrimSpace(m), "."), ".")
}
