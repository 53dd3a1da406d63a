package extract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
)

// One tagged table over all pages of a long register costs each page a look at all
// rows: the tags are given up once, with a problem, and the table is still found.
func TestTagsOfTooManyPages(t *testing.T) {
	const elsewhere = 20_001
	f := &pdftest.File{Catalog: "/MarkInfo << /Marked true >> /StructTreeRoot {tree}"}
	var want [][]string
	rows, parents := "", ""
	for i := range 2 {
		p := f.A4()
		p.Entries = fmt.Sprintf("/StructParents %d", i)
		var drawn [][]string
		for k := range 5 {
			drawn = append(drawn, []string{fmt.Sprintf("E%d%d", i, k), fmt.Sprintf("Name %d%d", i, k), fmt.Sprintf("9,%d%d0.50", i, k)})
		}
		want = append(want, drawn...)
		p.Raw("/TD << /MCID 0 >> BDC")
		grid(p, []float64{60, 160, 300}, 760-700*float64(i), 14, drawn)
		p.Raw("EMC")
		row, cell := fmt.Sprintf("row%d", i), fmt.Sprintf("cell%d", i)
		f.Add(row, fmt.Sprintf("<< /Type /StructElem /S /TR /P {table} /K [{%s}] >>", cell), nil)
		f.Add(cell, fmt.Sprintf("<< /Type /StructElem /S /TD /P {%s} /Pg {page %d} /K 0 >>", row, i), nil)
		rows += "{" + row + "} "
		parents += fmt.Sprintf("%d [{%s}] ", i, cell)
	}
	f.Add("empty", "<< /Type /StructElem /S /TR /P {table} >>", nil)
	f.Add("table", "<< /Type /StructElem /S /Table /P {tree} /K ["+rows+strings.Repeat("{empty} ", elsewhere)+"] >>", nil)
	f.Add("tree", "<< /Type /StructTreeRoot /K [{table}] /ParentTree << /Nums ["+parents+"] >> >>", nil)
	d := apply(t, f)
	var capped []int
	for _, p := range d.Problems {
		if p.Reason == extract.PageCapped {
			capped = append(capped, p.Page)
		}
	}
	if diff := cmp.Diff([]int{1}, capped); diff != "" {
		t.Errorf("pages that say so (-want +got):\n%s\n%v", diff, d.Problems)
	}
	ts := tables(d)
	if len(ts) != 1 {
		t.Fatalf("%d tables, want 1:\n%s", len(ts), extract.Text(d))
	}
	if diff := cmp.Diff(want, texts(ts[0].Rows)); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
}
