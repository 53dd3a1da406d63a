package extract

import (
	"cmp"
	"fmt"
	"slices"
	"unicode"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// maxLevel is the deepest level of heading.
const maxLevel = 6

// Assembly makes a document of what Read hands on: the second half of Apply, which
// needs all pages and no file. The zero value is ready.
type Assembly struct {
	pages      []rag.Page
	headings   []ranked
	table      *rag.Table           // the last one so far
	recognised map[int]*Recognition // by page
}

// Add puts a part behind those before it. It never fails.
func (a *Assembly) Add(p Part) error {
	if c := p.Carried; c != nil && a.table != nil {
		last := a.table.Rows[len(a.table.Rows)-1]
		for i, text := range c.Last {
			last.Cells[i].Text = text
		}
		a.table.Rows = append(a.table.Rows, c.Rows...)
	}
	a.pages = append(a.pages, p.Page)
	for _, b := range p.Page.Blocks {
		if b.Table != nil {
			a.table = b.Table
		}
	}
	for _, h := range p.Headings {
		a.headings = append(a.headings, ranked{p.Page.Blocks[h.Block].Heading, h.Rank, h.Given})
	}
	if p.Recognised != nil {
		if a.recognised == nil {
			a.recognised = map[int]*Recognition{}
		}
		a.recognised[p.Page.Number] = p.Recognised
	}
	return nil
}

// Document finishes the document of a file: levels, title, values, and whether
// anything is left.
func (a *Assembly) Document(f File, end Ending) (rag.Document, error) {
	doc, err := a.read(end)
	if err != nil {
		return rag.Document{}, err
	}
	if doc.SHA256, err = f.sum(); err != nil {
		return rag.Document{}, err
	}
	doc.Key, doc.Version = f.Object.Key, f.Object.Version
	fillValues(doc.Pages)
	if doc.Title == "" {
		doc.Title = titleOfFile(f.Object.Key)
	}
	return doc, nil
}

func (a *Assembly) read(end Ending) (rag.Document, error) {
	if end.Whole != nil {
		return *end.Whole, nil
	}
	if !a.hasText() {
		return rag.Document{}, end.nothing()
	}
	a.level()
	joinStrips(a.pages)
	a.place()
	slices.SortStableFunc(end.Problems, func(p, q rag.Problem) int { return cmp.Compare(p.Page, q.Page) })
	title := end.Title
	if junk(title) {
		title = ""
		if len(a.headings) > 0 {
			title = a.headings[0].heading.Text
		}
	}
	return rag.Document{Title: title, Pages: a.pages, Problems: end.Problems}, nil
}

func (a *Assembly) hasText() bool {
	for _, p := range a.pages {
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
func (e *Ending) nothing() error {
	switch {
	case len(e.Lost) > 0 && e.Lost[0].Reason == PageTrapped:
		return &Error{Reason: Trapped, Page: e.Lost[0].Page, Detail: e.Lost[0].Detail}
	case len(e.Lost) > 0 && e.Lost[0].Reason == PageTimeout:
		return &Error{Reason: Timeout, Page: e.Lost[0].Page, Detail: e.Lost[0].Detail + "; print the file to a new PDF"}
	case len(e.Lost) > 0 && e.Lost[0].Reason == OCRFailed:
		return &Error{Reason: OCRFailed, Page: e.Lost[0].Page, Detail: e.Lost[0].Detail + "; recognise the text first, and store the result"}
	case len(e.Lost) > 0:
		return &Error{Reason: Damaged, Page: e.Lost[0].Page, Detail: e.Lost[0].Detail + "; store it again from its source"}
	case e.Images > 0:
		return &Error{Reason: NeedsOCR, Detail: fmt.Sprintf("%d of %d pages are images and no page has text; set extraction.ocr to Tesseract, or recognise the text first", e.Images, e.Total)}
	}
	return &Error{Reason: Empty, Detail: fmt.Sprintf("no text on any of %d pages; exclude it", e.Total)}
}
