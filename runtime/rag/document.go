// Package rag holds the nouns that the pipeline's stages hand to each other.
//
// Data flows one way: Object → Document → Chunk → (stored point) and Question →
// Retrieved → PromptContext → Answer. Every noun knows its origin, down to the
// page and the box on it, so that an answer can be traced back to what was
// printed. The package imports the standard library alone and does no work.
package rag

import (
	"encoding/json"
	"fmt"
	"time"
)

// Box is a rectangle on a page, in points, with the origin at the top left of
// the page as displayed (rotation and crop box applied). In JSON it is
// [x0,y0,x1,y1].
type Box struct{ X0, Y0, X1, Y1 float64 }

// MarshalJSON writes [x0,y0,x1,y1], rounded to a hundredth of a point.
func (b Box) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "[%.2f,%.2f,%.2f,%.2f]", b.X0, b.Y0, b.X1, b.Y1), nil
}

// UnmarshalJSON reads [x0,y0,x1,y1].
func (b *Box) UnmarshalJSON(data []byte) error {
	var v [4]float64
	if err := json.Unmarshal(data, &v); err != nil {
		return fmt.Errorf("box: %w", err)
	}
	*b = Box{v[0], v[1], v[2], v[3]}
	return nil
}

// IsZero reports whether the box is unknown (text that was never laid out).
func (b Box) IsZero() bool { return b == Box{} }

// Union returns the smallest box that holds both; a zero box adds nothing.
func (b Box) Union(c Box) Box {
	if b.IsZero() {
		return c
	}
	if c.IsZero() {
		return b
	}
	return Box{min(b.X0, c.X0), min(b.Y0, c.Y0), max(b.X1, c.X1), max(b.Y1, c.Y1)}
}

// Place is where something is printed. Pages count from 1.
type Place struct {
	Page int `json:"page"`
	Box  Box `json:"box"`
}

// Object is one entry of a source listing. Version changes whenever the bytes
// do (S3 ETag or version id, or a content hash for a directory).
type Object struct {
	Key      string // relative to the source's prefix, slashes
	Version  string
	Size     int64 // bytes
	Modified time.Time
}

// Line is one line of text as printed. A document without pages (Markdown, HTML,
// a word processor's) has a paragraph in a line, a zero box, and page 1.
type Line struct {
	Text string `json:"text"`
	Box  Box    `json:"box"`
	// Begins says that markup or a blank line begins a paragraph here; false where nothing tells.
	Begins bool `json:"begins,omitempty"`
	// Confidence of recognised text, over 0 and up to 1: that of the least certain word. Nil: the text was stored as text.
	Confidence *float64 `json:"confidence,omitempty"`
}

// Heading is a line that titles what follows it. Level counts from 1.
type Heading struct {
	Text  string `json:"text"`
	Level int    `json:"level"`
	Box   Box    `json:"box"`
}

// Cell is one cell of a table row. A cell that spans columns is repeated empty
// for the further ones, so that every row of a table has as many cells as the
// table has columns.
type Cell struct {
	Text string `json:"text"`
	Box  Box    `json:"box"` // zero where the cell stands on another page than its row: a sheet printed in strips
	// Value is the number that Text shows, 12 for "12 %". Nil: it shows none, or nothing
	// in the document tells a decimal comma from a thousands separator.
	Value *float64 `json:"value,omitempty"`
}

// Row is one row of a table; Page is where it is printed (a table may go on
// over several pages).
type Row struct {
	Place
	Cells      []Cell
	Confidence *float64 // as Line.Confidence
}

// Kinds of table, by how its grid was found.
const (
	Ruled   = "Ruled"   // drawn rulings or shading
	Aligned = "Aligned" // column positions alone
)

// Table is a grid of cells. The first Header rows name the columns (0 when none
// could be recognised). Number counts from 1 among the tables that start on the page.
type Table struct {
	Place
	Number int
	Kind   string
	Header int
	Rows   []Row
}

// Block is one piece of a page in reading order: exactly one field is set.
type Block struct {
	Line    *Line
	Heading *Heading
	Table   *Table
}

// Page is one page. Lines holds every line of text, that of tables included;
// Blocks holds the same content in reading order, with each line either in
// prose, as a heading, or inside a table. A table stands in the Blocks of the
// page on which it starts.
type Page struct {
	Number        int
	Width, Height float64 // points, as displayed
	Lines         []Line
	Blocks        []Block
}

// Problem is something about a document that a person should know: text that
// could not be read, a limit that was reached. Page 0 means the whole document.
type Problem struct {
	Page   int    `json:"page,omitempty"`
	Reason string `json:"reason"` // CamelCase, e.g. NeedsOCR
	Detail string `json:"detail"`
}

// Document is one extracted file. Evidence ids name it "ID" or "ID-Revision".
type Document struct {
	ID       string
	Revision string
	Key      string // object key relative to the prefix
	Version  string // object version
	SHA256   string // of the file's bytes, hex
	Title    string // metadata, PDF info, first heading or file name, in that order; "" when none
	Metadata map[string]any
	Pages    []Page
	Problems []Problem
}

// Name is the document part of an evidence id: id[-revision].
func (d Document) Name() string { return JoinRevision(d.ID, d.Revision) }

// JoinRevision returns id-revision, or id when there is no revision.
func JoinRevision(id, revision string) string {
	if revision == "" {
		return id
	}
	return id + "-" + revision
}
