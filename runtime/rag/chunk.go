package rag

import "strings"

// UnitKind says what a Unit is.
type UnitKind string

// Kinds of unit.
const (
	Sentence UnitKind = "Sentence" // prose: may be ranked and trimmed
	RowUnit  UnitKind = "Row"      // a table row: never dropped, never reordered
)

// Unit is the smallest piece that can be kept, cited and counted: a sentence, or
// a table row. A row whose text is over the encoder's window comes in several
// chunks as parts of one name, Part counting from 1 of Parts (0 of 0: whole).
type Unit struct {
	Name  string   `json:"name"` // p1.t2.r3 for rows; <passage>.s4 for sentences, 4 counted through the passage
	Kind  UnitKind `json:"kind"`
	Text  string   `json:"text"`            // as printed; a row's cells are joined by " | "
	Cells []string `json:"cells,omitempty"` // a row's cells, in the columns of Chunk.Header where that is set
	Place Place    `json:"place"`
	Order int      `json:"order"` // position within the passage, from 0: restores document order, and joins overlapping pieces
	Part  int      `json:"part,omitempty"`
	Parts int      `json:"parts,omitempty"`
	// Confidence is the least of the unit's lines where text was recognised from an image, nil where it was stored as text.
	Confidence *float64 `json:"confidence,omitempty"`
}

// Chunk is what is embedded and stored: one piece of a passage of a document.
type Chunk struct {
	Document string   `json:"document"` // id[-revision]
	Title    string   `json:"title,omitempty"`
	Passage  string   `json:"passage"`           // heading slug, p<page>.t<n>, or p<page>
	Aliases  []string `json:"aliases,omitempty"` // other names of the passage: a table's heading
	Heading  string   `json:"heading,omitempty"`
	Piece    int      `json:"piece"` // from 0 of Pieces
	Pieces   int      `json:"pieces"`
	Ordinal  int      `json:"ordinal"` // position in the document, from 0: restores document order across passages
	Table    bool     `json:"table,omitempty"`
	Header   []string `json:"header,omitempty"` // a table's column names; repeated in every piece
	Units    []Unit   `json:"units"`
	IDs      []string `json:"ids,omitempty"` // id-like tokens, folded, sorted, unique
	Place    Place    `json:"place"`         // of the first unit's page

	// Fields are the user's payload (§documents.metadata): string, float64, bool or []any of them.
	Fields map[string]any `json:"-"`
}

// Evidence is the id by which people name the chunk's passage: document#passage.
func (c Chunk) Evidence() string { return c.Document + "#" + c.Passage }

// Names reports whether an evidence id, "document" or "document#passage", names this chunk.
func (c Chunk) Names(evidence string) bool {
	doc, passage, has := strings.Cut(evidence, "#")
	if doc != c.Document {
		return false
	}
	if !has || passage == c.Passage {
		return true
	}
	for _, a := range c.Aliases {
		if a == passage {
			return true
		}
	}
	return false
}

// Body is the text of the units, one a line, under the table's header if it has one.
func (c Chunk) Body() string {
	var b strings.Builder
	if len(c.Header) > 0 {
		b.WriteString(strings.Join(c.Header, " | "))
	}
	for _, u := range c.Units {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(u.Text)
	}
	return b.String()
}

// Columns identifies a table's column names, "" where it has none: tables of one
// document with the same columns may be parts of one.
func (c Chunk) Columns() string {
	if !c.Table || len(c.Header) == 0 {
		return ""
	}
	return strings.ToLower(strings.Join(strings.Fields(strings.Join(c.Header, " | ")), " "))
}

// Search is the text that is embedded and indexed: title, heading and body, as
// every retrieval channel sees the same fields.
func (c Chunk) Search() string {
	var parts []string
	for _, s := range []string{c.Title, c.Heading} {
		if s != "" && (len(parts) == 0 || parts[len(parts)-1] != s) {
			parts = append(parts, s)
		}
	}
	return strings.Join(append(parts, c.Body()), "\n")
}
