package layout

import "testing"

func TestGatheredLines(t *testing.T) {
	gs := typed(typed(nil, 10, 50, 10, "Gross"), 10, 70, 10, "Net")
	m := &gathered{gs: gs}
	whole := m.lines(all(gs))
	if again := m.lines(all(gs)); len(whole) != 2 || &again[0] != &whole[0] {
		t.Errorf("%d lines, gathered again for the same glyphs", len(whole))
	}
	if rest := m.lines(all(gs)[5:]); len(rest) != 1 || rest[0].Text() != "Net" {
		t.Errorf("other glyphs have the lines of those asked for before: %v", rest)
	}
	if whole = m.lines(all(gs)); len(whole) != cap(whole) {
		t.Error("what a caller appends would be seen by the next")
	}
}
