package layout

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A word wider than its column is broken wherever the column ends, without a
// hyphen: "Тел" and "ефон", "16607700,9" and "4". Such a line leaves less room
// than the letter that follows needs.
const (
	insetGrain  = 0.5  // points to which the distance of text from its border is measured
	insetLeast  = 3    // cells that share it
	exactEm     = 0.04 // a line that leaves less room fits: its column was made as wide as the word
	roomSlack   = 0.2  // points; rounding of widths
	brokenRest  = 4    // letters: a longer rest is a word of its own unless the page shows them joined
	codesLeast  = 4    // broken numbers of documents that tell
	letterRest  = 1    // letters of a rest that is one in a column without borders, too
	borderSpace = 6.0  // points between a border and the text at most, where nothing else is known
)

// cutDecimals finds an amount whose decimals go on on the next line.
var cutDecimals = regexp.MustCompile(`\d[.,]\d*\n\d{1,3}$`)

// cutDate finds a date whose digits go on on the next line.
var cutDate = regexp.MustCompile(`^(\d{4}[-./]\d{1,2}[-./]\d\n\d|\d{4}[-./]\d\n\d[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](\d\n\d{3}|\d{2}\n\d{2}|\d{3}\n\d))$`)

// cutCode finds the number of a document, with letters, whose last digits stand on the next line.
var cutCode = regexp.MustCompile(`^[\p{L}\d./-]*\p{L}[\p{L}\d./-]*\d\n\d{1,3}$`)

// cutAddress finds an e-mail address or one of a site that goes on on the next line.
var cutAddress = regexp.MustCompile(`^([^\s@]+@|https?://|www\.)[^\s@]*\n[\p{Ll}\d]\S*$`)

// cutGroups finds an amount broken where a space groups its thousands.
var cutGroups = regexp.MustCompile(`^-?\d{1,3}( \d{3})*\n\d{3}( \d{3})*[.,]\d{1,3}$`)

// mend joins the words and amounts that narrow columns broke.
func (t *Table) mend(gs glyphs) {
	t.mendCodes()
	t.mendCounters()
	var known *vocabulary
	inset := -1.0
	for r := range t.Rows {
		for k := range t.Rows[r].Cells {
			c := &t.Rows[r].Cells[k]
			if !mendable(c.Text) {
				continue
			}
			if known == nil {
				known, inset = gs.vocabulary(), t.inset(gs)
			}
			c.mend(gs, t.room(c, k, inset), t.Ruled, known)
		}
	}
}

// mendCodes joins the numbers of documents that one column broke in most rows: their
// beginnings come again, and only with their ends do they all differ.
func (t *Table) mendCodes() {
	for k := range t.Columns() {
		begins, whole, filled, broken := map[string]bool{}, map[string]bool{}, 0, 0
		for r := range t.Rows {
			s := t.Rows[r].Cells[k].Text
			if s != "" {
				filled++
			}
			if !cutCode.MatchString(s) {
				continue
			}
			broken++
			begin, _, _ := strings.Cut(s, "\n")
			begins[begin], whole[s] = true, true
		}
		if broken < codesLeast || 2*broken < filled || len(whole) < broken || 2*len(begins) > len(whole) {
			continue
		}
		for r := range t.Rows {
			if c := &t.Rows[r].Cells[k]; cutCode.MatchString(c.Text) {
				c.Text = strings.Replace(c.Text, "\n", "", 1)
			}
		}
	}
}

// cutCounter finds a number that goes on on the next line.
var cutCounter = regexp.MustCompile(`^\d+\n\d+$`)

// mendCounters joins the numbers of rows that are counted, where the column had no
// room for their last digits: joined, each is one more than that of the row above.
func (t *Table) mendCounters() {
	last := 0
	for r := range t.Rows {
		c := &t.Rows[r].Cells[0]
		whole := strings.Replace(c.Text, "\n", "", 1)
		n, err := strconv.Atoi(whole)
		if err != nil {
			last = 0
			continue
		}
		if cutCounter.MatchString(c.Text) && n == last+1 && last > 0 {
			c.Text = whole
		}
		last = n
	}
}

// mendable reports whether some line of a text may break a word or an amount:
// the next begins with a small letter or a digit.
func mendable(text string) bool {
	for {
		i := strings.IndexByte(text, '\n')
		if i <= 0 {
			return false
		}
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		after, _ := utf8.DecodeRuneInString(text[i+1:])
		if unicode.IsLower(after) && unicode.IsLetter(before) || unicode.IsDigit(after) && strings.ContainsRune("0123456789.,", before) {
			return true
		}
		text = text[i+1:]
	}
}

// inset is how far text stands from the borders of its cells: the least
// distance that several share; negative where none do.
func (t *Table) inset(gs glyphs) float64 {
	count := map[int]int{}
	for r := range t.Rows {
		for k := range t.Rows[r].Cells {
			c := &t.Rows[r].Cells[k]
			if len(c.glyphs) == 0 {
				continue
			}
			x0, x1 := math.Inf(1), math.Inf(-1)
			for _, i := range c.glyphs {
				if !gs[i].blank() {
					x0, x1 = math.Min(x0, gs[i].Box.X0), math.Max(x1, gs[i].Box.X1)
				}
			}
			count[int(math.Round((x0-c.Box.X0)/insetGrain))]++
			count[int(math.Round((c.Box.X1-x1)/insetGrain))]++
		}
	}
	best := -1
	for k, n := range count {
		if n >= insetLeast && k >= 0 && (best < 0 || k < best) {
			best = k
		}
	}
	return float64(best) * insetGrain
}

// room is how wide a line of the cell may be; 0 where that cannot be told.
func (t *Table) room(c *Cell, k int, inset float64) float64 {
	if t.Ruled {
		if inset < 0 {
			return 0
		}
		return c.Box.X1 - c.Box.X0 - 2*inset
	}
	widest := 0.0
	for r := range t.Rows {
		if d := &t.Rows[r].Cells[k]; d.Text != "" && d.Spans <= 1 {
			widest = math.Max(widest, d.Box.X1-d.Box.X0)
		}
	}
	return widest
}

func (c *Cell) mend(gs glyphs, room float64, ruled bool, known *vocabulary) {
	lines := gs.allLines(c.glyphs)
	texts := strings.Split(c.Text, "\n")
	if len(lines) != len(texts) {
		return
	}
	var b strings.Builder
	for i := range lines {
		if lines[i].Turn != Rightward || lines[i].Text() != texts[i] {
			return
		}
		b.WriteString(texts[i])
		if i+1 < len(lines) && !(room > 0 && lines[i].breaksInto(&lines[i+1], gs, room, ruled, known)) {
			b.WriteByte('\n')
		}
	}
	c.Text = b.String()
}

// breaksInto reports whether the last word of l goes on in m.
func (l *Line) breaksInto(m *Line, gs glyphs, room float64, ruled bool, known *vocabulary) bool {
	next := gs[m.Words[0].glyphs[0]].Box
	left := room - (l.Box.X1 - l.Box.X0)
	if left > next.X1-next.X0+roomSlack || left < -roomSlack-exactEm*l.Size {
		return false
	}
	word, rest := l.Words[len(l.Words)-1].Text, m.Words[0].Text
	if both := word + "\n" + m.Text(); cutDecimals.MatchString(both) || cutDate.MatchString(both) || len(l.Words) == 1 && cutAddress.MatchString(both) {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(word)
	after, _ := utf8.DecodeRuneInString(rest)
	stem := strings.TrimRightFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) })
	if known.all[word+stem] && !known.inner[stem] && unicode.IsLetter(before) && unicode.IsLower(after) {
		return true
	}
	alone := len(m.Words) == 1 && utf8.RuneCountInString(rest) <= letterRest // no word of its own
	if len(l.Words) > 1 || !unicode.IsLetter(before) || !unicode.IsLower(after) || !alone && (!ruled || left < exactEm*l.Size) {
		return false
	}
	return utf8.RuneCountInString(stem) <= brokenRest && !known.inner[stem]
}

// vocabulary is the words of a page: all of them, and those that do not begin a line or a cell.
type vocabulary struct{ all, inner map[string]bool }

func (gs glyphs) vocabulary() *vocabulary {
	v := &vocabulary{all: map[string]bool{}, inner: map[string]bool{}}
	for _, l := range gs.lines(gs.pick(Rightward, nil)) {
		for _, fr := range l.fragments() {
			for i, w := range fr.Words {
				text := strings.TrimFunc(w.Text, func(r rune) bool { return !unicode.IsLetter(r) })
				v.all[text] = true
				v.inner[text] = v.inner[text] || i > 0
			}
		}
	}
	return v
}

// brokenAmount reports whether the lines of a cell are one amount that its
// column broke: none leaves room for a further digit.
func brokenAmount(lines []Line, width float64) bool {
	for i := 1; i < len(lines); i++ {
		both := lines[i-1].Text() + "\n" + lines[i].Text()
		if !cutDecimals.MatchString(both) && !cutGroups.MatchString(both) && !brokenNumber.MatchString(both) {
			return false
		}
	}
	return len(lines) > 1 && !slices.ContainsFunc(lines[:len(lines)-1], func(l Line) bool {
		return l.Box.X1-l.Box.X0+l.Size+2*borderSpace < width && !cutGroups.MatchString(l.Text()+"\n"+lines[len(lines)-1].Text())
	})
}
