package render

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/hardgate-dev/hardgate/runtime/evaluate"
)

// Text writes the scorecard for a terminal: verdict, modes, questions, what
// failed, and the survival plots.
func Text(w io.Writer, s *evaluate.Scorecard, opt Options) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s  %s\nfreeze %s\ndocuments: %d of %d ingested, %d failed; %d chunks\n", s.Corpus, verdict(s.Passed), s.Freeze, s.Documents.Ingested, s.Documents.Total, s.Documents.Failed, s.Chunks)
	for _, k := range slices.Sorted(maps.Keys(s.Environment)) {
		fmt.Fprintf(&b, "%s: %s\n", k, s.Environment[k])
	}
	for _, set := range s.Sets {
		textSet(&b, set, opt)
	}
	if fs := s.Failures(); len(fs) > 0 {
		b.WriteString("\nFAILURES\n")
		for _, f := range fs {
			name := f.Set
			if f.Question != "" {
				name += "/" + f.Question
			}
			fmt.Fprintf(&b, "  %s: %s: %s: %s%s\n", name, f.Stage, f.Reason, f.Detail, said(asked(s, f), f))
		}
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write scorecard: %w", err)
	}
	return nil
}

func textSet(b *bytes.Buffer, set evaluate.SetCard, opt Options) {
	fmt.Fprintf(b, "\nGOLDEN SET %s  %s\n\n", set.Name, verdict(set.Passed))
	table(b, append([]string{"mode"}, columns()...), modeRows(set, opt.Reference))
	for _, o := range set.Omitted {
		fmt.Fprintf(b, "left out: %s\n", o.Error)
	}
	if told := again(set); told != "" {
		fmt.Fprintf(b, "%s\n", told)
	}
	if len(set.Stages) > 0 {
		b.WriteByte('\n')
	}
	for _, s := range set.Stages {
		fmt.Fprintf(b, "%s\n", s.Summary)
	}
	b.WriteByte('\n')
	var rows [][]string
	for _, q := range set.Questions {
		if q.Mode == gateMode(set) {
			rows = append(rows, []string{q.Name, q.Class, string(q.Status), coverage(q), survival(q), mark(q.Passed)})
		}
	}
	table(b, []string{"question", "class", "status", "evidence", "survival", "verdict"}, rows)
	for i := range set.Questions {
		q := &set.Questions[i]
		if q.Mode != gateMode(set) || q.Survival == nil || (q.Survival.FirstCliff == nil && !opt.Grids) {
			continue
		}
		fmt.Fprintf(b, "\nsurvival of %s\n", q.Name)
		writeGrid(b, q.Grid())
	}
}

// Grid writes a survival plot: entities × stages.
func Grid(w io.Writer, g evaluate.Grid) error {
	var b bytes.Buffer
	writeGrid(&b, g)
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write survival grid: %w", err)
	}
	return nil
}

func writeGrid(b *bytes.Buffer, g evaluate.Grid) {
	var rows [][]string
	for _, r := range g.Rows {
		row := []string{r.Entity}
		for _, p := range r.Present {
			row = append(row, map[bool]string{true: "●", false: "·"}[p])
		}
		rows = append(rows, row)
	}
	if len(g.Totals) > 0 {
		row := []string{"of " + strconv.Itoa(g.Of)}
		for _, t := range g.Totals {
			row = append(row, strconv.Itoa(t))
		}
		rows = append(rows, row)
	}
	table(b, append([]string{""}, g.Stages...), rows)
}

// table aligns columns; the header is in capitals.
func table(b *bytes.Buffer, header []string, rows [][]string) {
	var aligned bytes.Buffer
	// A buffer never refuses a write, so neither does the tab writer.
	t := tabwriter.NewWriter(&aligned, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.ToUpper(strings.Join(header, "\t")))
	for _, r := range rows {
		fmt.Fprintln(t, strings.Join(r, "\t"))
	}
	_ = t.Flush()
	for line := range strings.Lines(aligned.String()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
}

func mark(passed bool) string {
	if passed {
		return "ok"
	}
	return "FAIL"
}

// atCutoffs lists a share per k, by k.
func atCutoffs(shares map[string]float64) string {
	if len(shares) == 0 {
		return "–"
	}
	ks := slices.SortedFunc(maps.Keys(shares), func(a, b string) int { return number(a) - number(b) })
	var parts []string
	for _, k := range ks {
		parts = append(parts, fmt.Sprintf("%.2f@%s", shares[k], k))
	}
	return strings.Join(parts, " ")
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}
