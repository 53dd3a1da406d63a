package extract

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// ReportSchema names the format of a Report.
const ReportSchema = "hardgate.extract/v1"

// Report is what `hardgate extract -o json` prints. Boxes are in points, origin
// at the top left of the page as displayed.
type Report struct {
	Schema   string        `json:"schema"`
	Key      string        `json:"key,omitempty"`
	SHA256   string        `json:"sha256"`
	Title    string        `json:"title,omitempty"`
	Pages    []ReportPage  `json:"pages"`
	Problems []rag.Problem `json:"problems"`
	// Failure is set where the file could not be read; then there are no pages.
	Failure *ReportFailure `json:"failure,omitempty"`
}

// ReportFailure says why a file could not be read, among several that were asked for.
type ReportFailure struct {
	Reason  string `json:"reason"`
	Page    int    `json:"page,omitempty"`
	Detail  string `json:"detail"`
	Skipped bool   `json:"skipped,omitempty"` // of a type that is not read
}

// NewFailure returns the report of a file that could not be read.
func NewFailure(key string, data []byte, err error) Report {
	sum := sha256.Sum256(data)
	f := &ReportFailure{Reason: "ReadFailed", Detail: err.Error()}
	var e *Error
	if errors.As(err, &e) {
		f = &ReportFailure{Reason: e.Reason, Page: e.Page, Detail: e.Detail, Skipped: e.Skip}
	}
	return Report{Schema: ReportSchema, Key: key, SHA256: hex.EncodeToString(sum[:]), Pages: []ReportPage{}, Problems: []rag.Problem{}, Failure: f}
}

// ReportPage is one page.
type ReportPage struct {
	Number   int           `json:"number"`
	Width    float64       `json:"width"`
	Height   float64       `json:"height"`
	Lines    []rag.Line    `json:"lines"`
	Tables   []ReportTable `json:"tables"`
	Headings []rag.Heading `json:"headings"`
}

// ReportTable is one table, on the page where it starts. Pages holds the page of each row.
type ReportTable struct {
	Number int          `json:"number"`
	Box    rag.Box      `json:"box"`
	Kind   string       `json:"kind"`
	Header int          `json:"header"` // leading rows that name the columns
	Rows   [][]rag.Cell `json:"rows"`
	Pages  []int        `json:"pages"`
	// Confidence of each row, where any was recognised from a picture; null for those that were not.
	Confidence []*float64 `json:"confidence,omitempty"`
}

// NewReport returns a document's report.
func NewReport(d rag.Document) Report {
	r := Report{Schema: ReportSchema, Key: d.Key, SHA256: d.SHA256, Title: d.Title, Pages: []ReportPage{}, Problems: d.Problems}
	if r.Problems == nil {
		r.Problems = []rag.Problem{}
	}
	for _, p := range d.Pages {
		page := ReportPage{Number: p.Number, Width: p.Width, Height: p.Height, Lines: p.Lines, Tables: []ReportTable{}, Headings: []rag.Heading{}}
		if page.Lines == nil {
			page.Lines = []rag.Line{}
		}
		for _, b := range p.Blocks {
			switch {
			case b.Heading != nil:
				page.Headings = append(page.Headings, *b.Heading)
			case b.Table != nil:
				page.Tables = append(page.Tables, newReportTable(b.Table))
			}
		}
		r.Pages = append(r.Pages, page)
	}
	return r
}

func newReportTable(t *rag.Table) ReportTable {
	out := ReportTable{Number: t.Number, Box: t.Box, Kind: t.Kind, Header: t.Header}
	recognised := false
	for _, row := range t.Rows {
		out.Confidence = append(out.Confidence, row.Confidence)
		recognised = recognised || row.Confidence != nil
		out.Rows = append(out.Rows, row.Cells)
		out.Pages = append(out.Pages, row.Page)
	}
	if !recognised {
		out.Confidence = nil
	}
	return out
}

// Text renders a document for reading: blocks in order, cells joined by " | ",
// a form feed between pages.
func Text(d rag.Document) string {
	var b strings.Builder
	for i, p := range d.Pages {
		if i > 0 {
			b.WriteString("\f\n")
		}
		for _, block := range p.Blocks {
			switch {
			case block.Heading != nil:
				b.WriteString(strings.Repeat("#", block.Heading.Level) + " " + block.Heading.Text + "\n")
			case block.Line != nil:
				b.WriteString(block.Line.Text + "\n")
			case block.Table != nil:
				for _, row := range block.Table.Rows {
					cells := make([]string, len(row.Cells))
					for k := range row.Cells {
						cells[k] = row.Cells[k].Text
					}
					b.WriteString(strings.Join(cells, " | ") + "\n")
				}
			}
		}
	}
	return b.String()
}
