package evaluate

import (
	"context"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// rowID names a table row throughout the corpus.
type rowID struct{ document, name string }

// rowOrder compares the order of table rows in the prompt with that of the
// stored document. Two witnesses are heard: the handles, and the text itself.
func (j *judge) rowOrder(ctx context.Context) error {
	rows := promptRows(j.ob.prompt, j.ob.hits[atPrompt])
	position := map[rowID]int{}
	for _, d := range documentsOf(rows) {
		chunks, err := j.corpus.chunksOf(ctx, []string{d})
		if err != nil {
			return err
		}
		for _, h := range chunks {
			for _, u := range h.Units {
				if id := (rowID{d, u.Name}); u.Kind == rag.RowUnit {
					if _, known := position[id]; !known {
						position[id] = len(position)
					}
				}
			}
		}
	}
	if a, b, wrong := disordered(rows, position); wrong {
		j.fail(StagePrompt, RowsReordered, "in the prompt row %s of %s stands before row %s", a.unit.Name, a.evidence, b.unit.Name)
	}
	return nil
}

// promptRow is one row as it stands in the prompt.
type promptRow struct {
	document, evidence string
	unit               rag.Unit
	offset             int // in the prompt's text; -1 where it can't be told apart
}

// promptRows lists the rows of a prompt in the order of its handles, or of its
// hits where it has none.
func promptRows(p rag.PromptContext, hits []rag.Hit) []promptRow {
	text := squash(p.Text)
	var out []promptRow
	seen := map[string]int{}
	add := func(h rag.Hit, u rag.Unit) {
		if u.Kind != rag.RowUnit {
			return
		}
		t := squash(u.Text)
		seen[t]++
		out = append(out, promptRow{h.Document, h.Evidence(), u, strings.Index(text, t)})
	}
	if len(p.Handles) == 0 {
		for _, h := range hits {
			for _, u := range h.Units {
				add(h, u)
			}
		}
	}
	for _, h := range p.Handles {
		if h.Hit < len(p.Hits) && h.Unit < len(p.Hits[h.Hit].Units) {
			add(p.Hits[h.Hit], p.Hits[h.Hit].Units[h.Unit])
		}
	}
	for i, r := range out {
		t := squash(r.unit.Text)
		if seen[t] > 1 || strings.LastIndex(text, t) != r.offset {
			out[i].offset = -1
		}
	}
	return out
}

func documentsOf(rows []promptRow) []string {
	names := make([]string, len(rows))
	for i, r := range rows {
		names[i] = r.document
	}
	return documents(names)
}

// disordered returns the first two rows of one passage whose order is not the document's.
func disordered(rows []promptRow, position map[rowID]int) (before, after promptRow, wrong bool) {
	last := map[string]promptRow{}
	for _, r := range rows {
		at, known := position[rowID{r.document, r.unit.Name}]
		if !known {
			continue
		}
		p, seen := last[r.evidence]
		if seen {
			if position[rowID{p.document, p.unit.Name}] > at {
				return p, r, true
			}
			if p.offset >= 0 && r.offset >= 0 && p.offset > r.offset {
				return r, p, true
			}
		}
		last[r.evidence] = r
	}
	return before, after, false
}
