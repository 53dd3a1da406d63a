package chunk

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// builder walks one document.
type builder struct {
	*Chunker
	document string
	title    string // as repeated in every chunk
	names    names
	chunks   []rag.Chunk

	section section
	lines   []line    // prose of the section since the last heading or table
	untold  []section // whose headings stand in no chunk because they equal the title
	above   []line    // what stands over the title, until the first section has text
}

// section is the passage that prose goes to at the moment.
type section struct {
	passage string    // "" before the first text
	heading *line     // nil under no heading
	level   int       // of the heading
	above   []section // headings of higher rank that have no text of their own, the highest first
	shown   string    // the headings as repeated in every chunk
	units   int       // numbered so far
	pieces  int
	used    bool // something carries the heading already
}

// names are the passages above, by which the section can be asked for too.
func (s section) names() []string {
	var out []string
	for _, a := range s.above {
		out = append(out, a.passage)
	}
	return out
}

// chain is the headings above, and those given, in one line.
func (s section) chain(more ...string) string {
	var texts []string
	for _, a := range s.above {
		texts = append(texts, a.heading.text)
	}
	return strings.Join(append(texts, more...), ": ")
}

// line is a line of prose, its spaces made single.
type line struct {
	text  string
	place rag.Place
	short bool // ends well before the margin

	begins     bool     // a paragraph, as markup says
	confidence *float64 // of recognised text
}

func (b *builder) page(p rag.Page) {
	if b.section.heading == nil {
		b.section = section{passage: pageName(p.Number)}
	}
	margin := margin(p)
	tables := 0
	for _, block := range p.Blocks {
		switch {
		case block.Heading != nil:
			if text := clean(block.Heading.Text); text != "" {
				b.open(line{text: text, place: rag.Place{Page: p.Number, Box: block.Heading.Box}}, block.Heading.Level)
			}
		case block.Line != nil:
			if text := clean(block.Line.Text); text != "" {
				b.lines = append(b.lines, line{
					text:  text,
					place: rag.Place{Page: p.Number, Box: block.Line.Box},
					short: extent(*block.Line) < shortLine*margin,

					begins: block.Line.Begins, confidence: block.Line.Confidence,
				})
			}
		case block.Table != nil:
			b.flush()
			tables++
			b.table(p.Number, tables, *block.Table)
		}
	}
	if b.section.heading == nil {
		b.flush() // passages of a page end with it
	}
}

// open begins the section under a heading. A heading that goes before it without
// a text of its own, and ranks higher, is its context: repeated with it.
func (b *builder) open(h line, level int) {
	if h.text == b.title && b.letterhead() {
		b.above, b.lines = b.lines, nil
	}
	b.flush()
	last := b.section
	above := slices.DeleteFunc(slices.Clone(last.above), func(s section) bool { return s.level >= level })
	if last.bare() && last.level < level && last.heading.text != b.title {
		above = append(above, last)
	} else {
		b.close()
	}
	b.section = section{passage: b.names.slug(h.text), heading: &h, level: level, above: above}
	b.repeat(b.section.chain(h.text), b.shorten(h.text))
}

// letterhead reports whether the lines read so far are all that the document has
// yet, and few: a running head, a letterhead. Over the title they are no section,
// and go with the first one; under Recursive, text under no heading is a passage.
func (b *builder) letterhead() bool {
	if b.options.Strategy != Headings || len(b.chunks) > 0 || b.section.heading != nil {
		return false
	}
	var texts []string
	for _, l := range b.lines {
		texts = append(texts, l.text)
	}
	return b.counter.Count(strings.Join(texts, " ")) <= b.options.Window/4
}

// repeat shows the headings in every chunk of the section, or, where they take
// more than their share of the window, less; then the section begins with them.
func (b *builder) repeat(whole, less string) {
	s := &b.section
	if s.shown = whole; b.shorten(whole) == whole {
		return
	}
	s.shown = less
	for _, a := range s.above {
		b.lines = append(b.lines, *a.heading)
	}
	b.lines = append(b.lines, *s.heading)
}

func (s section) bare() bool { return s.heading != nil && !s.used }

// close ends the section. A heading that nothing stands under is still text of
// the document, so it becomes a chunk; the title's own is in every chunk.
func (b *builder) close() {
	b.flush()
	s := &b.section
	switch {
	case !s.bare():
	case s.heading.text == b.title:
		b.untold = append(b.untold, *s)
	default:
		if b.repeat(s.chain(), ""); len(b.lines) == 0 {
			b.lines = []line{*s.heading}
		}
		b.flush()
	}
}

// keepTitle saves a document that consists of its title alone, and what stands
// over a title that no text follows.
func (b *builder) keepTitle() {
	b.lines, b.above = b.above, nil
	b.flush()
	if len(b.chunks) > 0 || len(b.untold) == 0 {
		return
	}
	b.title = ""
	b.section = section{passage: b.untold[0].passage}
	b.lines = []line{*b.untold[0].heading}
	b.flush()
}

// chunk is a piece of the current section, yet without units.
func (b *builder) chunk() rag.Chunk {
	return rag.Chunk{
		Document: b.document,
		Title:    b.title,
		Passage:  b.section.passage,
		Aliases:  b.section.names(),
		Heading:  b.section.shown,
	}
}

// emit appends a piece; its place is that of its units on the first one's page.
func (b *builder) emit(ch rag.Chunk, piece int) {
	ch.Piece = piece
	ch.Place.Page = ch.Units[0].Place.Page
	for _, u := range ch.Units {
		if u.Place.Page == ch.Place.Page {
			ch.Place.Box = ch.Place.Box.Union(u.Place.Box)
		}
	}
	b.chunks = append(b.chunks, ch)
	b.section.used = true
}

// shorten cuts a text that is repeated in many chunks to a quarter of the window.
func (b *builder) shorten(text string) string {
	limit := b.options.Window / 4
	if b.counter.Count(text) <= limit {
		return text
	}
	head := cut(text, func(s string) bool { return b.counter.Count(s+"…") <= limit })[0]
	return head + "…"
}

// clean makes spaces single.
func clean(text string) string { return strings.Join(strings.Fields(text), " ") }

func runes(text string) int { return utf8.RuneCountInString(text) }
