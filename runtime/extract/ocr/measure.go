package ocr

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/hardgate-dev/hardgate/runtime/extract/layout"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Recognition gives boxes of ink, and no type sizes or baselines: both follow from
// which letters a word has. Heights are parts of the em, as in most text types.
const (
	capitals   = 0.72 // of capitals, ascenders and digits over the baseline
	lowercase  = 0.52 // of letters without
	descenders = 0.21 // below the baseline
	likeBody   = 0.2  // sizes within this part of the page's usual one are that size: ink is no exact measure
	spaceEm    = 0.25
	// bearing is the white that belongs to a letter on each side of its ink: without
	// it, two words of a column stand as far apart as two columns.
	bearing = 0.06
)

const (
	low  = "acemnorsuvwxz"
	deep = "gjpqy,;()[]{}|Q/ç"
	// marks have no height to measure by
	marks = ".:-–—'\"“”‘’·•*=~_^"
)

// shape is what the letters of a word say about its box.
func shape(text string) (over, below float64) {
	for _, r := range text {
		switch {
		case strings.ContainsRune(marks, r):
		case strings.ContainsRune(low, r):
			over = math.Max(over, lowercase)
		case strings.ContainsRune("gpqy", r):
			over = math.Max(over, lowercase)
		case unicode.IsLetter(r), unicode.IsDigit(r), r > unicode.MaxLatin1, strings.ContainsRune("()[]{}|/%&$#@!?", r):
			over = math.Max(over, capitals)
		}
		if strings.ContainsRune(deep, r) {
			below = descenders
		}
	}
	return over, below
}

// measure gives the words of each line their baseline and size.
func measure(lines [][]Word) []Word {
	var out []Word
	for _, line := range lines {
		var sizes, bases []float64
		for _, w := range line {
			over, below := shape(w.Text)
			if over == 0 {
				continue
			}
			size := (w.Box.Y1 - w.Box.Y0) / (over + below)
			sizes = append(sizes, size)
			bases = append(bases, w.Box.Y1-below*size)
		}
		size, base := median(sizes), median(bases)
		for _, w := range line {
			if w.Size, w.Base = size, base; size == 0 { // nothing but marks
				w.Size, w.Base = (w.Box.Y1-w.Box.Y0)/capitals, w.Box.Y1
			}
			out = append(out, w)
		}
	}
	even(out)
	return out
}

// even sets words of about the page's usual size in that size.
func even(words []Word) {
	var sizes []float64
	for _, w := range words {
		for range len(w.Text) {
			sizes = append(sizes, w.Size)
		}
	}
	body := median(sizes)
	for i := range words {
		if math.Abs(words[i].Size-body) < likeBody*body {
			words[i].Size = body
		}
	}
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return v[len(v)/2]
}

// glyphs spreads words over glyphs, as the layout wants them: each with its share
// of the box, all of a word in one object, and a space behind.
func glyphs(words []Word) []layout.Glyph {
	var out []layout.Glyph
	font := &layout.Font{}
	for i, w := range words {
		letters := []rune(w.Text)
		left, right := w.Box.X0-bearing*w.Size, w.Box.X1+bearing*w.Size
		step := (right - left) / float64(len(letters))
		add := func(r rune, x0, x1 float64) {
			out = append(out, layout.Glyph{
				Text: string(r), Rune: r, Font: font, Object: uint64(i + 1), Order: len(out), Size: w.Size, X: x0, Y: w.Base,
				Box: rag.Box{X0: x0, Y0: w.Base - 0.9*w.Size, X1: x1, Y1: w.Base + descenders*w.Size}, // as printed glyphs have them: from ascent to descent
			})
		}
		for k, r := range letters {
			x := left + float64(k)*step
			add(r, x, x+step)
		}
		add(' ', right, right+spaceEm*w.Size)
	}
	return out
}
