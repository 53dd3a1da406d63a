package extract

import (
	"cmp"
	"fmt"
	"slices"
	"unicode"

	"github.com/hardgate-dev/hardgate/runtime/extract/layout"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// maxLevel is the deepest level of heading.
const maxLevel = 6

// builder assembles a document from analysed pages, in order.
type builder struct {
	total    int // pages of the file
	images   int // pages whose text could not be read from their images
	lost     []rag.Problem
	pages    []rag.Page
	problems []rag.Problem
	sizes    map[float64]int // glyphs by size
	headings []ranked
	outline  contents
	open     *openTable // of the last page

	recognised map[int]*recognised // by page
}

// ranked is a heading whose level is not known yet.
type ranked struct {
	heading *rag.Heading
	rank    layout.Rank
	given   int // level by the file's tags or outline, 0 when neither names it
}

func newBuilder() *builder {
	return &builder{sizes: map[float64]int{}, recognised: map[int]*recognised{}}
}

// body is the size in which most of the document so far is set.
func (b *builder) body() float64 {
	best, n := 0.0, 0
	for size, k := range b.sizes {
		if k > n || k == n && size < best {
			best, n = size, k
		}
	}
	return best
}

// add analyses a page and puts it behind the others.
func (b *builder) add(p *layout.Page) {
	a := p.Analyse()
	page := rag.Page{Number: p.Number, Width: p.Frame.Width, Height: p.Frame.Height}
	page.Lines = lines(p.Frame, a)
	b.judge(p, a)
	pieces := b.continued(p, &page, a.Pieces)
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
			b.open.between = append(b.open.between, pieces[i].Line.Text())
		}
		rank, n, ok := layout.HeadingAt(pieces, i, b.body())
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
	b.pages = append(b.pages, page)
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

// document finishes the document: levels, title, and whether anything is left.
func (b *builder) document(info string) (rag.Document, error) {
	if !b.hasText() {
		return rag.Document{}, b.nothing()
	}
	b.level()
	joinStrips(b.pages)
	b.place()
	slices.SortStableFunc(b.problems, func(p, q rag.Problem) int { return cmp.Compare(p.Page, q.Page) })
	title := info
	if junk(title) {
		title = ""
		if len(b.headings) > 0 {
			title = b.headings[0].heading.Text
		}
	}
	return rag.Document{Title: title, Pages: b.pages, Problems: b.problems}, nil
}

func (b *builder) hasText() bool {
	for _, p := range b.pages {
		for _, l := range p.Lines {
			for _, r := range l.Text {
				if r != unicode.ReplacementChar && !unicode.IsSpace(r) {
					return true
				}
			}
		}
	}
	return false
}

// nothing says why no text was found.
func (b *builder) nothing() error {
	switch {
	case len(b.lost) > 0 && b.lost[0].Reason == PageTrapped:
		return &Error{Reason: Trapped, Page: b.lost[0].Page, Detail: b.lost[0].Detail + "; print the file to a new PDF"}
	case len(b.lost) > 0 && b.lost[0].Reason == PageTimeout:
		return &Error{Reason: Timeout, Page: b.lost[0].Page, Detail: b.lost[0].Detail + "; print the file to a new PDF"}
	case len(b.lost) > 0 && b.lost[0].Reason == OCRFailed:
		return &Error{Reason: OCRFailed, Page: b.lost[0].Page, Detail: b.lost[0].Detail + "; recognise the text first, and store the result"}
	case len(b.lost) > 0:
		return &Error{Reason: Damaged, Page: b.lost[0].Page, Detail: b.lost[0].Detail + "; store it again from its source"}
	case b.images > 0:
		return &Error{Reason: NeedsOCR, Detail: fmt.Sprintf("%d of %d pages are images and no page has text; set extraction.ocr to Tesseract, or recognise the text first", b.images, b.total)}
	}
	return &Error{Reason: Empty, Detail: fmt.Sprintf("no text on any of %d pages; exclude it", b.total)}
}
