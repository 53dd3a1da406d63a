package extract

import (
	"github.com/hardgate-dev/hardgate/runtime/extract/number"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// fillValues gives the cells that show an amount its value. Whether decimals
// stand after a comma or a point is decided by the column, else by the rest of
// its table, else by the other tables of the document.
func fillValues(pages []rag.Page) {
	var tables []*rag.Table
	document := number.Unknown
	for i := range pages {
		for _, b := range pages[i].Blocks {
			if b.Table != nil {
				tables = append(tables, b.Table)
				document = document.And(evidence(b.Table))
			}
		}
	}
	for _, t := range tables {
		fillTable(t, document)
	}
}

// evidence is what the columns of a table say together.
func evidence(t *rag.Table) number.Style {
	out := number.Unknown
	for k := range columns(t) {
		out = out.And(number.Evidence(column(t, k)))
	}
	return out
}

func fillTable(t *rag.Table, document number.Style) {
	whole := evidence(t).Or(document)
	for k := range columns(t) {
		style := number.Evidence(column(t, k)).Or(whole)
		for i := t.Header; i < len(t.Rows); i++ {
			if k < len(t.Rows[i].Cells) {
				c := &t.Rows[i].Cells[k]
				c.Value = number.Value(c.Text, style)
			}
		}
	}
}

func columns(t *rag.Table) int {
	n := 0
	for i := range t.Rows {
		n = max(n, len(t.Rows[i].Cells))
	}
	return n
}

// column is the text of a column's cells, without its names.
func column(t *rag.Table, k int) []string {
	var out []string
	for i := t.Header; i < len(t.Rows); i++ {
		if k < len(t.Rows[i].Cells) {
			out = append(out, t.Rows[i].Cells[k].Text)
		}
	}
	return out
}
