package extract

import (
	"github.com/hardgate-dev/hardgate/runtime/extract/layout"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Part is what one page adds to a document. It says no more than can be known
// without the pages after it: levels of headings, values of cells and the like are
// an Assembly's to find.
type Part struct {
	Page       rag.Page
	Headings   []Heading
	Carried    *Carried     // rows of the last table of the pages before; nil = none
	Recognised *Recognition // nil = the page's text was stored as text
}

// Heading says how a heading among a page's blocks ranks.
type Heading struct {
	Block int // its index
	Rank  layout.Rank
	Given int // level by the file's tags or outline, 0 when neither names it
}

// Carried is how a table goes on on a further page.
type Carried struct {
	Last []string // texts of the last row so far, of which the page had the rest; nil = it was whole
	Rows []rag.Row
}

// Ending is what is known of a file when all its pages are read.
type Ending struct {
	Title          string // in the file's information
	Total          int    // pages of the file
	Images         int    // pages whose text could not be read from their images
	Lost, Problems []rag.Problem
	Whole          *rag.Document // of a file without pages: all of it
}

// keptTable is what is kept of a table whose page was handed on: its last row,
// which the next page may complete, and then the rows that come to it.
type keptTable struct {
	table *rag.Table
	texts []string // of the row that was handed on
}

// ship hands a page on, and keeps of it what the next page may go on with.
func (b *builder) ship(page rag.Page) error {
	part := Part{Page: page, Carried: b.kept.carried(), Recognised: b.recognised[page.Number]}
	for _, h := range b.headings {
		for i := range page.Blocks {
			if page.Blocks[i].Heading == h.heading {
				part.Headings = append(part.Headings, Heading{Block: i, Rank: h.rank, Given: h.given})
			}
		}
	}
	b.headings = nil
	delete(b.recognised, page.Number)
	b.keep(page)
	return b.part(part)
}

// keep puts in place of the open table one of its last row alone.
func (b *builder) keep(page rag.Page) {
	b.kept = nil
	if b.open == nil {
		b.pages = nil
		return
	}
	t := *b.open.table
	if t.Page == page.Number {
		b.pages = []rag.Page{{Number: page.Number, Lines: page.Lines}}
	}
	last := t.Rows[len(t.Rows)-1]
	last.Cells = append([]rag.Cell(nil), last.Cells...)
	t.Rows = []rag.Row{last}
	b.open.table = &t
	b.kept = &keptTable{table: &t, texts: textsOf(last)}
}

// carried is what the page in hand added to the table, nil for nothing.
func (k *keptTable) carried() *Carried {
	if k == nil {
		return nil
	}
	c := &Carried{Rows: k.table.Rows[1:]}
	for i, cell := range k.table.Rows[0].Cells {
		if cell.Text != k.texts[i] {
			c.Last = textsOf(k.table.Rows[0])
		}
	}
	if c.Last == nil && len(c.Rows) == 0 {
		return nil
	}
	return c
}

func textsOf(r rag.Row) []string {
	out := make([]string, len(r.Cells))
	for i := range r.Cells {
		out[i] = r.Cells[i].Text
	}
	return out
}
