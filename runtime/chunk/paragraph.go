package chunk

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

const (
	// shortLine is the share of the widest line under which a line was ended on
	// purpose: an address, a name, a paragraph's last line.
	shortLine = 0.7
	// narrowest is the share of the page's width that counts as a line at least,
	// so that on a form of short lines all of them are short.
	narrowest = 0.35
	// wideGap is the distance between two lines, in line heights, that parts paragraphs.
	wideGap = 0.8

	// A line of rowNumbers numbers among rowLines alike is a table's row whose
	// table was not recognised; rowGap other lines may stand between two of them.
	rowNumbers = 4
	rowLines   = 3
	rowGap     = 1
)

// paragraph is what its lines say when joined; spans tell which bytes came from where.
type paragraph struct {
	text  string
	spans []span
	item  bool // of a list, or a labelled value: kept as one unit
	row   bool
	group int // paragraphs of one list share it
}

type span struct {
	start, end int
	place      rag.Place
	confidence *float64
}

// place is where the bytes start to end are printed: the lines on the first one's page.
func (p paragraph) place(start, end int) rag.Place {
	var out rag.Place
	for _, s := range p.spans {
		if s.end <= start || s.start >= end {
			continue
		}
		if out.Page == 0 {
			out.Page = s.place.Page
		}
		if s.place.Page == out.Page {
			out.Box = out.Box.Union(s.place.Box)
		}
	}
	return out
}

// confidence is the least of the lines that the bytes start to end come from, nil
// where all of them were stored as text.
func (p paragraph) confidence(start, end int) *float64 {
	var out *float64
	for _, s := range p.spans {
		if s.end > start && s.start < end && s.confidence != nil && (out == nil || *s.confidence < *out) {
			out = s.confidence
		}
	}
	return out
}

// add joins a line: words broken at the line's end are mended, codes and words
// that carry their own hyphen keep it.
func (p *paragraph) add(l line) {
	text := l.text
	if p.text != "" {
		first, _ := utf8.DecodeRuneInString(text)
		last, size := utf8.DecodeLastRuneInString(p.text)
		before, _ := utf8.DecodeLastRuneInString(p.text[:len(p.text)-size])
		broken := (last == '-' || last == '‐' || last == '\u00AD') && unicode.IsLetter(before)
		switch {
		case broken && unicode.IsLower(first):
			p.text = p.text[:len(p.text)-size]
			p.spans[len(p.spans)-1].end = len(p.text)
		case (broken || last == '-' || last == '/') && (unicode.IsLetter(before) || unicode.IsDigit(before)) && (unicode.IsLetter(first) || unicode.IsDigit(first)):
		default:
			p.text += " "
		}
	}
	start := len(p.text)
	p.text += text
	p.spans = append(p.spans, span{start: start, end: len(p.text), place: l.place, confidence: l.confidence})
}

// paragraphs groups lines that belong to one another.
func paragraphs(lines []line) []paragraph {
	rows := rowLike(lines)
	var out []paragraph
	group := 0
	for i, l := range lines {
		if i > 0 && !rows[i] && !rows[i-1] && !parted(lines[i-1], l, out[len(out)-1].item) {
			out[len(out)-1].add(l)
			continue
		}
		p := paragraph{row: rows[i], item: !rows[i] && (listItem.MatchString(l.text) || label.MatchString(l.text))}
		if n := len(out); n > 0 && (out[n-1].item != p.item || out[n-1].row != p.row || !p.item && !p.row) {
			group++
		}
		p.group = group
		p.add(l)
		out = append(out, p)
	}
	return out
}

var (
	// listItem begins with a bullet, or a number or letter with its point or bracket, or a clause's number.
	listItem = regexp.MustCompile(`^(?:[•‣◦▪●○■□➢✓*·–—-]\s+|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5}|[IVX]{1,5})[.)]\s+|\d{1,3}(?:\.\d{1,3})+\.?\s+\p{Lu})`)
	// label is "Invoice No: …": a few words, a colon, perhaps a value.
	label = regexp.MustCompile(`^[\p{L}\p{N}][^:.!?;]{0,38}:(?:\s|$)`)
)

// parted reports whether b begins something new after a.
func parted(a, b line, item bool) bool {
	if b.begins || listItem.MatchString(b.text) {
		return true
	}
	if a.place.Page == b.place.Page && !a.place.Box.IsZero() && !b.place.Box.IsZero() {
		height := a.place.Box.Y1 - a.place.Box.Y0
		if gap := b.place.Box.Y0 - a.place.Box.Y1; gap > wideGap*height {
			return true
		}
	}
	first, _ := utf8.DecodeRuneInString(b.text)
	if unicode.IsLower(first) {
		return false
	}
	if label.MatchString(b.text) {
		return true
	}
	if strings.HasSuffix(a.text, ":") { // a label waits for its value
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(a.text)
	if strings.ContainsRune(",-/&(", last) {
		return false
	}
	return a.short || item && label.MatchString(a.text) && !strings.HasSuffix(a.text, ".") && runes(a.text) < 60
}

// rowLike marks the lines that are rows of an unrecognised table.
func rowLike(lines []line) []bool {
	rows := make([]bool, len(lines))
	var stretch []int
	settle := func() {
		if len(stretch) >= rowLines {
			for _, i := range stretch {
				rows[i] = true
			}
		}
		stretch = stretch[:0]
	}
	for i, l := range lines {
		if numbers(l.text) < rowNumbers {
			continue
		}
		if n := len(stretch); n > 0 && i-stretch[n-1] > 1+rowGap {
			settle()
		}
		stretch = append(stretch, i)
	}
	settle()
	return rows
}

// numbers counts the words that hold a digit.
func numbers(text string) int {
	n := 0
	for word := range strings.FieldsSeq(text) {
		if strings.ContainsFunc(word, unicode.IsDigit) {
			n++
		}
	}
	return n
}

// margin is how far a full line reaches on the page: in points, or in characters
// where the lines have no boxes.
func margin(p rag.Page) float64 {
	widest := 0.0
	boxed := true
	for _, block := range p.Blocks {
		if block.Line != nil {
			widest = max(widest, extent(*block.Line))
			boxed = boxed && !block.Line.Box.IsZero()
		}
	}
	if boxed {
		return max(widest, narrowest*p.Width)
	}
	return widest
}

func extent(l rag.Line) float64 {
	if l.Box.IsZero() {
		return float64(runes(l.Text))
	}
	return l.Box.X1 - l.Box.X0
}
