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
	taggedWords   = 60   // words of one heading by the file's tags
)

// What tells running text, whose size no heading's is: lines of many words that go
// on in the next ones. Code and tables, set smaller, may be most of a file.
const (
	bodyWords = 6
	bodyLines = 3   // headings wrap to fewer
	bodyShare = 20  // the largest size that has one part of so many of the running text
	bodyLeast = 300 // characters, else all glyphs are counted
)

var numbered = regexp.MustCompile(`^(\d{1,2}(\.\d{1,2}){0,4}\.?|[A-Z]\.|[IVX]{1,5}\.|(?i:chapter|section|part|annex|appendix|article) \S+)\s`)

// Item reports whether the line is an entry of a list, behind a bullet or a dash.
func (l *Line) Item() bool {
	marker, _, ok := strings.Cut(l.Text(), " ")
	return ok && (bullet.MatchString(marker) || marker != "" && strings.Contains("*-–—", marker))
}

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

// Style is what is known of a document's print.
type Style struct {
	Body float64 // size of its text
	// Tagged is the size of the largest heading that its tags name. Where they name
	// some, other lines are none, unless they are larger than all these: such as a
	// title that is only painted. 0 where there are no tags, or none of a heading.
	Tagged float64
}

// HeadingAt reports whether the piece at i is a heading, its rank, and how
// many pieces it goes on over: a long heading wraps. What the file's tags call a
// heading is one however it looks.
func HeadingAt(pieces []Piece, i int, s Style) (rank Rank, n int, ok bool) {
	l := pieces[i].Line
	if l == nil {
		return Rank{}, 0, false
	}
	text, words, most := l.Text(), len(l.Words), headingWords
	if l.Level > 0 {
		most = taggedWords
	}
	for n = 1; i+n < len(pieces) && pieces[i+n-1].Line.goesOn(pieces[i+n].Line); n++ {
		m := pieces[i+n].Line
		if words += len(m.Words); words > most {
			break
		}
		text += " " + m.Text()
	}
	if l.Level == 0 && (words > most || !s.titled(l, text, pieces, i)) {
		return Rank{}, 0, false
	}
	return RankOf(l), n, true
}

// goesOn reports whether the next line goes on with what this one says, by its looks.
func (l *Line) goesOn(next *Line) bool {
	if l == nil || next == nil || half(next.Size) != half(l.Size) || next.Bold != l.Bold || next.Turn != l.Turn || next.Level != l.Level || depth(next.Text()) > 0 {
		return false
	}
	gap := next.Box.Y0 - l.Box.Y1
	return gap <= wrapGapEm*l.Size && gap >= -l.Size
}

// titled judges the line at i, which with what goes on with it is text: its size,
// weight, length and how it stands.
func (s Style) titled(l *Line, text string, pieces []Piece, i int) bool {
	switch {
	case l.Turn != Rightward, l.Size < headingLeast*s.Body, sentence(text), l.Item(), letters(l.Text()) < headingLetter:
		return false
	case s.Tagged > 0 && half(l.Size) <= half(s.Tagged):
		return false
	case i > 0 && pieces[i-1].Line.goesOn(l):
		return false // of a paragraph that was judged as a whole
	case half(l.Size) >= half(headingSize*s.Body) && l.Size >= headingSize*s.Body:
		return true
	case !l.Bold, pair(l.Text()):
		return false
	}
	return depth(text) > 0 || standsOff(l, pieces, i)
}

// Prose adds a page's running text to a count of characters by size, to half a point.
func Prose(pieces []Piece, count map[float64]int) {
	for i := 0; i < len(pieces); {
		next, n := i+1, 0
		for ; next < len(pieces) && pieces[next-1].Line.goesOn(pieces[next].Line); next++ {
			if l := pieces[next-1].Line; len(l.Words) >= bodyWords {
				n += len(l.Text())
			}
		}
		if next-i >= bodyLines {
			count[half(pieces[i].Line.Size)] += n
		}
		i = next
	}
}

// BodyOf is the size of a document's text: by its running text where there is
// enough of it, else that of most glyphs. Both count by size, to half a point.
func BodyOf(prose, glyphs map[float64]int) float64 {
	all, best := 0, 0.0
	for _, n := range prose {
		all += n
	}
	if all < bodyLeast {
		return common(glyphs)
	}
	for size, n := range prose {
		if n*bodyShare >= all {
			best = max(best, size)
		}
	}
	return best
}

// common is the size that most glyphs have, the smaller one of two; 0 for none.
func common(count map[float64]int) float64 {
	best, n := 0.0, 0
	for size, k := range count {
		if k > n || k == n && size < best {
			best, n = size, k
		}
	}
	return best
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
