// Package chunk cuts documents into the pieces that are embedded and stored.
//
// In: an extracted document. Out: its chunks in document order, each a piece of
// one named passage, made of whole sentences or whole table rows, and never over
// the encoder's window as the encoder's own tokenizer counts it. No text of a
// page is lost; only a title over a quarter of the window is repeated cut off,
// ending in "…".
//
// Passages: text under a heading is named by the heading's slug, a table
// p<page>.t<n>, other text p<page>; under Headings, the few words over a document's
// title go with its first section. What can't be kept whole comes in parts of
// one name, which are cut between clauses, else words, else characters; a row's
// are cut between cells. The Cells of a part have the row's full length, empty
// for what other parts hold, so that cells of one name join column by column.
package chunk

import (
	"context"
	"errors"
	"fmt"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Strategies.
const (
	// Recursive fills pieces up to the size, and lets them overlap.
	Recursive = "Recursive"
	// Headings keeps a section whole where it fits, and else cuts it between
	// paragraphs or lists; nothing overlaps.
	Headings = "Headings"
)

// minWindow leaves a quarter of the window, 8 wordpieces, to each of title,
// heading, table header and text.
const minWindow = 32

// Options bound a piece.
type Options struct {
	Strategy string // Recursive or Headings
	Size     int    // characters (runes) of a piece's body: units and header
	Overlap  int    // characters of whole sentences that a piece may repeat from the one before; Recursive only
	Window   int    // wordpieces of everything that is embedded: title, heading, header, units
}

// Counter counts wordpieces as the encoder does, special tokens included.
type Counter interface{ Count(text string) int }

// Chunker is safe for concurrent use if its Counter is.
type Chunker struct {
	options Options
	counter Counter
}

// New refuses bounds that no text could be cut to.
func New(o Options, counter Counter) (*Chunker, error) {
	switch {
	case o.Strategy != Recursive && o.Strategy != Headings:
		return nil, fmt.Errorf("chunk: strategy %q is neither %s nor %s", o.Strategy, Recursive, Headings)
	case o.Size <= 0:
		return nil, fmt.Errorf("chunk: size is %d characters, must be positive", o.Size)
	case o.Overlap < 0 || o.Overlap >= o.Size:
		return nil, fmt.Errorf("chunk: overlap is %d characters, must be less than the size, %d", o.Overlap, o.Size)
	case o.Window < minWindow:
		return nil, fmt.Errorf("chunk: window is %d wordpieces, must be at least %d", o.Window, minWindow)
	case counter == nil:
		return nil, errors.New("chunk: no counter")
	}
	return &Chunker{options: o, counter: counter}, nil
}

// Apply returns the document's chunks; IDs and Fields are left for the caller.
func (c *Chunker) Apply(ctx context.Context, doc rag.Document) ([]rag.Chunk, error) {
	b := &builder{Chunker: c, document: doc.Name(), names: names{}}
	b.title = b.shorten(clean(doc.Title))
	for _, page := range doc.Pages {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("chunk document %q: %w", b.document, err)
		}
		b.page(page)
	}
	b.close()
	b.keepTitle()
	pieces := map[string]int{}
	for _, ch := range b.chunks {
		pieces[ch.Passage]++
	}
	for i := range b.chunks {
		ch := &b.chunks[i]
		ch.Ordinal, ch.Pieces = i, pieces[ch.Passage]
		if n := c.counter.Count(ch.Search()); n > c.options.Window {
			return nil, fmt.Errorf("chunk document %q: passage %s has a piece of %d wordpieces, the window is %d", b.document, ch.Passage, n, c.options.Window)
		}
	}
	return b.chunks, nil
}

// fits reports whether a piece keeps both bounds.
func (c *Chunker) fits(ch rag.Chunk) bool {
	return runes(ch.Body()) <= c.options.Size && c.inWindow(ch)
}

func (c *Chunker) inWindow(ch rag.Chunk) bool {
	return c.counter.Count(ch.Search()) <= c.options.Window
}
