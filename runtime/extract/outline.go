package extract

import (
	"slices"
	"strings"
	"unicode"

	"github.com/hardgate-dev/hardgate/runtime/extract/layout"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdfium"
)

// maxTitleLines is how many lines a heading that the outline names may take.
const maxTitleLines = 3

// contents are the entries of a file's outline by page.
type contents map[int][]titleOf

type titleOf struct {
	text  string // letters and digits alone, in lower case
	level int
}

func newContents(entries []pdfium.Entry) contents {
	out := contents{}
	for _, e := range entries {
		if s := core(e.Title); s != "" {
			out[e.Page] = append(out[e.Page], titleOf{s, e.Level})
		}
	}
	return out
}

// core is what of a title must agree: outlines leave out or change blanks,
// punctuation and dashes.
func core(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// level is that of the entry which a text on a page is, 0 for none. The outline
// may leave the number of a heading out.
func (c contents) level(page int, text string) int {
	if len(c[page]) == 0 {
		return 0
	}
	s := core(text)
	bare := strings.TrimLeftFunc(s, unicode.IsDigit)
	for _, e := range c[page] {
		if e.text == s || bare != "" && e.text == bare {
			return e.level
		}
	}
	return 0
}

// named completes what the look of the line at i says by the file's own tags and
// outline: a line that is an entry's title is a heading whatever it looks like.
func (b *builder) named(page int, pieces []layout.Piece, i int, rank layout.Rank, n int, ok bool) (layout.Rank, int, int, bool) {
	l := pieces[i].Line
	if ok && l.Level > 0 {
		return rank, n, l.Level, true
	}
	if l.Item() {
		return rank, n, 0, ok // of a list of contents, maybe
	}
	text := ""
	for k := i; k < len(pieces) && k < i+max(n, maxTitleLines) && pieces[k].Line != nil; k++ {
		text += " " + pieces[k].Line.Text()
		if level := b.outline.level(page, text); level > 0 && (!ok || k+1-i >= n) {
			return layout.RankOf(l), k + 1 - i, level, true
		}
	}
	return rank, n, 0, ok
}

// level numbers the headings: by tags and outline where these name them, the
// others like those of the same look, else by rank from 1.
func (a *Assembly) level() {
	var ranks []layout.Rank
	given := map[layout.Rank]map[int]int{}
	for _, h := range a.headings {
		if !slices.Contains(ranks, h.rank) {
			ranks = append(ranks, h.rank)
			given[h.rank] = map[int]int{}
		}
		if h.given > 0 {
			given[h.rank][h.given]++
		}
	}
	slices.SortFunc(ranks, layout.Rank.Compare)
	for _, h := range a.headings {
		level := h.given
		if level == 0 {
			level = most(given[h.rank])
		}
		if level == 0 {
			level = slices.Index(ranks, h.rank) + 1
		}
		h.heading.Level = min(level, maxLevel)
	}
}

// most is the level that was given most often, the higher one of two; 0 for none.
func most(count map[int]int) int {
	best := 0
	for level, n := range count {
		if best == 0 || n > count[best] || n == count[best] && level < best {
			best = level
		}
	}
	return best
}
