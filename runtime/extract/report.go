package extract

import (
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
	for _, row := range t.Rows {
		out.Rows = append(out.Rows, row.Cells)
		out.Pages = append(out.Pages, row.Page)
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
