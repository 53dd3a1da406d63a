// Package scrolltest shows documents without pages as tests compare them.
package scrolltest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Text writes a document's blocks one a line, then what is in its lines alone,
// then its problems. It fails where a block's text is in no line, or a table is ragged.
func Text(t testing.TB, d rag.Document) string {
	t.Helper()
	if len(d.Pages) == 0 {
		return ""
	}
	p := d.Pages[0]
	lines := map[string]int{}
	for _, l := range p.Lines {
		lines[l.Text]++
	}
	take := func(text string) {
		if lines[text]--; lines[text] < 0 {
			t.Errorf("%q is in a block and in no line", text)
		}
	}
	var b strings.Builder
	for _, block := range p.Blocks {
		switch {
		case block.Heading != nil:
			take(block.Heading.Text)
			fmt.Fprintf(&b, "%s %s\n", strings.Repeat("#", block.Heading.Level), block.Heading.Text)
		case block.Line != nil:
			take(block.Line.Text)
			fmt.Fprintf(&b, "%s\n", block.Line.Text)
		case block.Table != nil:
			fmt.Fprintf(&b, "[table %d, header %d]\n", block.Table.Number, block.Table.Header)
			for _, r := range block.Table.Rows {
				var cells, filled []string
				for _, c := range r.Cells {
					cells = append(cells, c.Text)
					if c.Text != "" {
						filled = append(filled, c.Text)
					}
				}
				if len(cells) != len(block.Table.Rows[0].Cells) {
					t.Errorf("a row of %d cells in a table of %d columns", len(cells), len(block.Table.Rows[0].Cells))
				}
				take(strings.Join(filled, " "))
				fmt.Fprintf(&b, "%s\n", strings.Join(cells, " | "))
			}
		}
	}
	for _, l := range p.Lines {
		if lines[l.Text] > 0 {
			fmt.Fprintf(&b, "(aside) %s\n", l.Text)
			lines[l.Text]--
		}
	}
	for _, q := range d.Problems {
		fmt.Fprintf(&b, "!%s %s\n", q.Reason, q.Detail)
	}
	return b.String()
}
