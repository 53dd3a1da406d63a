package compress

import (
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// tableAware cuts tables to their own budget first, then prose to its own. It
// owns in: the hits are already a copy.
func (c *Compressor) tableAware(ctx context.Context, in rag.Retrieved) (rag.Retrieved, error) {
	if c.opts.MaxContextChars <= 0 || c.opts.MaxTableChars <= 0 {
		return rag.Retrieved{}, fmt.Errorf("compression budgets must be positive: %d characters of prose, %d of tables",
			c.opts.MaxContextChars, c.opts.MaxTableChars)
	}
	c.cutTables(&in)
	if err := c.trimProse(ctx, &in); err != nil {
		return rag.Retrieved{}, err
	}
	return in, nil
}

// cutTables keeps each table's rows, best-ranked table first, as far as the
// budget reaches; rows found in plain text count as a table of their passage.
// Several pieces of one table share one header.
func (c *Compressor) cutTables(in *rag.Retrieved) {
	left := c.opts.MaxTableChars
	type table struct{ document, passage string }
	cut := map[table]bool{} // a table once cut stays cut: no row after a gap
	charged := map[table]bool{}
	for i, h := range in.Hits {
		t := table{h.Document, h.Passage}
		if h.Table && !charged[t] {
			charged[t] = true
			left -= headerChars(h.Header)
		}
		var kept, lost []rag.Unit
		for _, u := range h.Units {
			need := utf8.RuneCountInString(u.Text) + 1 // its line break
			switch {
			case !h.Table && u.Kind != rag.RowUnit:
				kept = append(kept, u)
			case cut[t] || need > left:
				cut[t] = true
				lost = append(lost, u)
			default:
				kept = append(kept, u)
				left -= need
			}
		}
		if len(lost) == 0 {
			continue
		}
		all := rows(h.Units)
		in.Hits[i].Units = kept
		in.Hits[i].Lost += max(1, rows(lost)) // a row that lost a part is lost
		in.Flags = append(in.Flags, rag.Flag{Reason: TableIncomplete, Detail: fmt.Sprintf(
			"%s: %d of %d rows fit the table budget of %d characters", h.Evidence(), all-rows(lost), all+h.Lost, c.opts.MaxTableChars)})
	}
}

// rows counts the rows that begin among units: further parts of a row are not rows.
func rows(units []rag.Unit) int {
	n := 0
	for _, u := range units {
		if u.Kind == rag.RowUnit && u.Part <= 1 {
			n++
		}
	}
	return n
}

func headerChars(header []string) int {
	n := 0
	for _, h := range header {
		n += utf8.RuneCountInString(h) + 3 // " | "
	}
	return n
}

// trimProse scores every sentence in one call and trims each passage. A passage
// found in several pieces pools their shares.
func (c *Compressor) trimProse(ctx context.Context, in *rag.Retrieved) error {
	var passages []passage
	index := map[[2]string]int{}
	hits := 0
	for i, h := range in.Hits {
		if h.Table {
			continue
		}
		hits++
		k := [2]string{h.Document, h.Passage}
		n, ok := index[k]
		if !ok {
			n = len(passages)
			index[k] = n
			passages = append(passages, passage{evidence: h.Evidence(), heading: caption(h)})
		}
		passages[n].add(i, h, in.Question.Text, in.IDs)
	}
	if hits == 0 {
		return nil
	}
	if err := c.score(ctx, question(*in), passages); err != nil {
		return err
	}
	share := c.opts.MaxContextChars / hits
	for _, p := range passages {
		flag := p.choose(share*p.hits, c.opts.SentenceThreshold)
		if flag != nil {
			in.Flags = append(in.Flags, *flag)
		}
		p.restore(in.Hits)
	}
	in.Hits = filled(in.Hits)
	return nil
}

// filled drops the hits whose units are all gone and that lost no row of a table.
func filled(hits []rag.Hit) []rag.Hit {
	out := make([]rag.Hit, 0, len(hits))
	for _, h := range hits {
		if len(h.Units) > 0 || h.Lost > 0 {
			out = append(out, h)
		}
	}
	return out
}

// question is the text that sentences are compared with: as ranked, if it was
// changed for ranking.
func question(in rag.Retrieved) string {
	if in.Ranking != "" {
		return in.Ranking
	}
	return in.Question.Text
}
