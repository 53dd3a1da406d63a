package render

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/evaluate"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Markdown writes the scorecard as tables for a page or a pull request: modes,
// then evidence per question and mode, then what failed.
func Markdown(w io.Writer, s *evaluate.Scorecard, opt Options) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s: %s\n\nFreeze `%s`. Documents: %d of %d ingested, %d failed; %d chunks.\n", cell(s.Corpus), verdict(s.Passed), s.Freeze, s.Documents.Ingested, s.Documents.Total, s.Documents.Failed, s.Chunks)
	for _, set := range s.Sets {
		fmt.Fprintf(&b, "\n## %s: %s\n\n", cell(set.Name), verdict(set.Passed))
		grid(&b, append([]string{"mode"}, columns()...), modeRows(set, opt.Reference))
		for _, o := range set.Omitted {
			fmt.Fprintf(&b, "\nLeft out: %s\n", cell(o.Error))
		}
		if told := again(set); told != "" {
			fmt.Fprintf(&b, "\n%s\n", cell(told))
		}
		stages(&b, set)
		b.WriteByte('\n')
		questions(&b, set)
	}
	if fs := s.Failures(); len(fs) > 0 {
		b.WriteString("\n## Failures\n\n")
		var rows [][]string
		for _, f := range fs {
			rows = append(rows, []string{f.Set, f.Question, f.Stage, f.Reason, f.Detail + said(asked(s, f), f)})
		}
		grid(&b, []string{"set", "question", "stage", "reason", "detail"}, rows)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write scorecard: %w", err)
	}
	return nil
}

// stages has a row per variant that the corpus' own mode was held against.
func stages(b *bytes.Buffer, set evaluate.SetCard) {
	if len(set.Stages) == 0 {
		return
	}
	var rows [][]string
	for _, s := range set.Stages {
		var classes []string
		for _, c := range slices.Sorted(maps.Keys(s.PerClass)) {
			if p := s.PerClass[c]; p.Better+p.Worse > 0 {
				classes = append(classes, fmt.Sprintf("%s %+d of %d", c, p.Better-p.Worse, p.Questions))
			}
		}
		rows = append(rows, []string{s.Summary, strings.Join(classes, ", "), strings.Join(s.Better, ", "), strings.Join(s.Worse, ", ")})
	}
	b.WriteByte('\n')
	grid(b, []string{"what a stage is worth", "by class", "better", "worse"}, rows)
}

// questions has a row per question and, per mode, what evidence was found and
// whether the question passed. The modes stand from the plainest to the one that
// blends them, wherever the gate's is.
func questions(b *bytes.Buffer, set evaluate.SetCard) {
	header := []string{"question", "class"}
	var names []string
	cells := map[string][]string{}
	for m, mode := range plainestFirst(set.Modes) {
		name := string(mode.Mode)
		if mode.Gate {
			name += " (gate)"
		}
		header = append(header, name)
		for _, q := range set.Questions {
			if q.Mode != mode.Mode {
				continue
			}
			if !slices.Contains(names, q.Name) {
				names = append(names, q.Name)
				cells[q.Name] = append([]string{q.Name, q.Class}, make([]string, len(set.Modes))...)
			}
			cells[q.Name][2+m] = fmt.Sprintf("%s %s", coverage(q), mark(q.Passed))
		}
	}
	var rows [][]string
	for _, n := range names {
		rows = append(rows, cells[n])
	}
	grid(b, header, rows)
}

func plainestFirst(modes []evaluate.ModeCard) []evaluate.ModeCard {
	order := []rag.Mode{rag.None, rag.Lexical, rag.Dense, rag.Hybrid, rag.FullContext}
	return slices.SortedStableFunc(slices.Values(modes), func(a, b evaluate.ModeCard) int {
		return slices.Index(order, a.Mode) - slices.Index(order, b.Mode)
	})
}

func grid(b *bytes.Buffer, header []string, rows [][]string) {
	line := func(cells []string) {
		for _, c := range cells {
			b.WriteString("| " + cell(c) + " ")
		}
		b.WriteString("|\n")
	}
	line(header)
	b.WriteString(strings.Repeat("|---", len(header)) + "|\n")
	for _, r := range rows {
		line(r)
	}
}

// cell keeps text inside its cell and free of markup.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;", "`", "'").Replace(s)
}
