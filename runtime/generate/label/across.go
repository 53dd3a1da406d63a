package label

import (
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// across reads rows that hold several labels, each with its value in the cell
// after it: "Invoice No: | A-17 | Date: | 14 January 2026".
func across(hit rag.Hit, h int, present map[int]bool) []Pair {
	var out []Pair
	for i, u := range hit.Units {
		if !present[i] || u.Kind != rag.RowUnit {
			continue
		}
		for c := 0; c+1 < len(u.Cells); c++ {
			if !labels(u.Cells, c) {
				continue
			}
			name := strings.TrimSpace(strings.TrimRight(strings.TrimSpace(u.Cells[c]), ":"))
			value := strings.Join(strings.Fields(u.Cells[c+1]), " ")
			out = append(out, Pair{Label: name, Words: english.Tokens(name), Value: value, Refs: []grid.Ref{{Hit: h, Unit: i}}, Hit: h})
			c++
		}
	}
	return out
}

// labels reports whether a cell is a label, a colon at its end or one that papers
// use, and the cell after it its value.
func labels(cells []string, column int) bool {
	if column+1 >= len(cells) {
		return false
	}
	name, value := strings.TrimSpace(cells[column]), strings.TrimSpace(cells[column+1])
	marked := strings.HasSuffix(name, ":") && strings.Count(name, ":") == 1
	return (marked || english.Label(name) && !english.Label(value)) && len(strings.Fields(name)) <= longest &&
		strings.ContainsFunc(name, func(r rune) bool { return r|32 >= 'a' && r|32 <= 'z' }) &&
		!grid.Blank(value) && !strings.HasSuffix(value, ":") && !strings.Contains(value, ": ")
}
