package chunk

import (
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// longItem is the length, in characters, from which a list item is cut into its sentences.
const longItem = 400

// unit is a rag.Unit with the paragraph or list that it belongs to.
type unit struct {
	rag.Unit
	group int
}

// flush packs the lines read so far into pieces of the current section.
func (b *builder) flush() {
	lines := b.lines
	b.lines = nil
	if len(lines) == 0 {
		return
	}
	if len(b.above) > 0 {
		lines, b.above = slices.Concat(b.above, lines), nil
	}
	s := &b.section
	var units []unit
	for _, p := range paragraphs(lines) {
		for _, u := range split(p) {
			u.Name, u.Order = sentenceName(s.passage, s.units+1), s.units
			s.units++
			units = append(units, b.parts(u)...)
		}
	}
	b.pack(units)
}

// split cuts a paragraph into its sentences; rows and list items stay whole.
func split(p paragraph) []unit {
	kind := rag.Sentence
	ends := []int{len(p.text)}
	switch {
	case p.row:
		kind = rag.RowUnit
	case !listItem.MatchString(p.text) || runes(p.text) > longItem:
		ends = sentences(p.text)
	}
	var out []unit
	start := 0
	for _, end := range ends {
		out = append(out, unit{
			Unit:  rag.Unit{Kind: kind, Text: strings.TrimSpace(p.text[start:end]), Place: p.place(start, end), Confidence: p.confidence(start, end)},
			group: p.group,
		})
		start = end
	}
	return out
}

// parts cuts a sentence that no piece could hold; a row only when it is over the window.
func (b *builder) parts(u unit) []unit {
	alone := func(text string) bool {
		ch := b.chunk()
		ch.Units = []rag.Unit{{Text: text}}
		if u.Kind == rag.RowUnit {
			return b.inWindow(ch)
		}
		return b.fits(ch)
	}
	if alone(u.Text) {
		return []unit{u}
	}
	texts := cut(u.Text, alone)
	out := make([]unit, len(texts))
	for i, text := range texts {
		out[i] = u
		out[i].Text = text
		if len(texts) > 1 {
			out[i].Part, out[i].Parts = i+1, len(texts)
		}
	}
	return out
}

// pack fills pieces with as many units as fit.
func (b *builder) pack(units []unit) {
	var piece []unit
	for _, u := range units {
		if len(piece) > 0 && !b.fits(b.with(append(piece, u))) {
			piece = b.turn(piece, u)
		}
		piece = append(piece, u)
	}
	b.end(piece)
}

// turn ends a piece before u and returns the units that the next one begins with.
func (b *builder) turn(piece []unit, u unit) []unit {
	if b.options.Strategy == Headings {
		if k := groupStart(piece, u); k > 0 && b.fits(b.with(append(piece[k:len(piece):len(piece)], u))) {
			b.end(piece[:k])
			return append([]unit(nil), piece[k:]...)
		}
		b.end(piece)
		return nil
	}
	b.end(piece)
	tail := len(piece)
	for length := 0; tail > 1 && piece[tail-1].Parts == 0; tail-- {
		length += runes(piece[tail-1].Text) + 1
		if length > b.options.Overlap {
			break
		}
	}
	next := append([]unit(nil), piece[tail:]...)
	for len(next) > 0 && !b.fits(b.with(append(next, u))) {
		next = next[1:]
	}
	return next
}

// groupStart is where the paragraph or list that u goes on with begins in the piece; 0 when it doesn't.
func groupStart(piece []unit, u unit) int {
	k := len(piece)
	for k > 0 && piece[k-1].group == u.group {
		k--
	}
	if k == len(piece) {
		return 0
	}
	return k
}

func (b *builder) end(piece []unit) {
	b.emit(b.with(piece), b.section.pieces)
	b.section.pieces++
}

// with is the current section's chunk of these units.
func (b *builder) with(units []unit) rag.Chunk {
	ch := b.chunk()
	ch.Units = make([]rag.Unit, len(units))
	for i, u := range units {
		ch.Units[i] = u.Unit
	}
	return ch
}
