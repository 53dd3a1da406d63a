package extract

import (
	"fmt"

	"github.com/hardgate-dev/hardgate/runtime/extract/layout"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// builder turns analysed pages into the parts of a document, in order.
type builder struct {
	part  func(Part) error // what is done with them
	end   Ending
	sizes map[float64]int // glyphs by size
	prose map[float64]int // characters of running text by size
	// titles is the size of the largest heading by the file's tags, 0 for none.
	titles float64

	headings []ranked // of the page in hand
	outline  contents
	open     *openTable // of the last page
	pages    []rag.Page // the one on which open begins
	kept     *keptTable // of open, what the document has already

	recognised map[int]*Recognition // by page, of pages not built yet
}

// ranked is a heading whose level is not known yet.
type ranked struct {
	heading *rag.Heading
	rank    layout.Rank
	given   int // level by the file's tags or outline, 0 when neither names it
}

func newBuilder(part func(Part) error) *builder {
	return &builder{part: part, sizes: map[float64]int{}, prose: map[float64]int{}, recognised: map[int]*Recognition{}}
}

// sees takes into account how a page is printed before it is laid out.
func (b *builder) sees(p *layout.Page) {
	p.Sizes(b.sizes)
	b.titles = max(b.titles, p.Titles)
}

// style is how the document so far is printed, for a page of it.
func (b *builder) style(p *layout.Page) layout.Style {
	s := layout.Style{Body: layout.BodyOf(b.prose, b.sizes)}
	if p.Structured {
		s.Tagged = b.titles
	}
	return s
}

// add analyses a page and hands it on.
func (b *builder) add(p *layout.Page) error {
	a := p.Analyse()
	page := rag.Page{Number: p.Number, Width: p.Frame.Width, Height: p.Frame.Height}
	page.Lines = lines(p.Frame, a)
	b.judge(p, a)
	pieces := b.continued(p, &page, a.Pieces)
	layout.Prose(pieces, b.prose)
	style := b.style(p)
	number := 0
	for i := 0; i < len(pieces); i++ {
		if t := pieces[i].Table; t != nil {
			number++
			table := newTable(p.Frame, p.Number, number, t)
			page.Blocks = append(page.Blocks, rag.Block{Table: table})
			b.open = &openTable{table: table, layout: t, page: p.Number}
			continue
		}
		if b.open != nil {
			b.open.below(p, pieces[i].Line)
		}
		rank, n, ok := layout.HeadingAt(pieces, i, style)
		rank, n, given, ok := b.named(p.Number, pieces, i, rank, n, ok)
		if !ok {
			l := newLine(p.Frame, pieces[i].Line)
			page.Blocks = append(page.Blocks, rag.Block{Line: &l})
			continue
		}
		h := newHeading(p.Frame, pieces[i:i+n])
		page.Blocks = append(page.Blocks, rag.Block{Heading: h})
		b.headings = append(b.headings, ranked{h, rank, given})
		i += n - 1
	}
	return b.ship(page)
}

// judge records what the analysis left out or could not place.
func (b *builder) judge(p *layout.Page, a layout.Analysis) {
	if n := p.Counts.Hidden; n > 0 {
		b.problem(p.Number, HiddenText, fmt.Sprintf("%d glyphs are painted so that nobody sees them", n))
	}
	if n := p.Counts.Specks; n > 0 {
		b.problem(p.Number, HiddenText, fmt.Sprintf("%d glyphs too small to be read were left out", n))
	}
	if a.Crowded {
		b.problem(p.Number, TableSkipped, "the page has too many rulings to look for ruled tables")
	}
	for _, piece := range a.Pieces {
		if piece.Table != nil && piece.Table.Lost > 0 {
			b.problem(p.Number, TextMisplaced, fmt.Sprintf("%d characters of a table are in no cell", piece.Table.Lost))
		}
	}
}
