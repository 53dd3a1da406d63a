// Package render writes a scorecard for people and for machines: a text table,
// Markdown, JUnit's XML and JSON. It decides nothing: what passed and why is
// read from the scorecard.
package render

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/evaluate"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Options choose what is written beside the verdict.
type Options struct {
	Reference []Reference // rows under each table of modes
	Grids     bool        // every survival plot in full, not only those with a cliff (text)
}

// Reference is somebody else's result, for comparison: a row under the modes'
// table. Figures are by column; a column without one stays empty.
type Reference struct {
	Label   string
	Figures map[string]string
}

// Columns of the table of modes, in order. The first is the mode or the label.
const (
	ColumnPassed           = "passed"
	ColumnAccuracy         = "accuracy"
	ColumnConfidentlyWrong = "confidently wrong"
	ColumnHandOffs         = "hand-offs"
	ColumnComplete         = "complete"
	ColumnSurvival         = "survival"
	ColumnCitations        = "citations"
	ColumnDegraded         = "degraded"
	ColumnLatency          = "p50/p95 ms"
	ColumnCost             = "cost"
)

func columns() []string {
	return []string{
		ColumnPassed, ColumnAccuracy, ColumnConfidentlyWrong, ColumnHandOffs, ColumnComplete,
		ColumnSurvival, ColumnCitations, ColumnDegraded, ColumnLatency, ColumnCost,
	}
}

// JSON writes the scorecard in schema hardgate.eval/v1.
func JSON(w io.Writer, s *evaluate.Scorecard) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return fmt.Errorf("write scorecard: %w", err)
	}
	return nil
}

// modeRows are the table of modes with its references, without the header.
func modeRows(set evaluate.SetCard, refs []Reference) [][]string {
	var out [][]string
	for _, m := range set.Modes {
		name := string(m.Mode)
		if m.Gate {
			name += " (gate)"
		}
		if m.Fusion != nil {
			name += fmt.Sprintf(", %s k = %d", m.Fusion.Method, m.Fusion.K)
		}
		if m.Trivial {
			name += " (trivial)"
		}
		out = append(out, []string{
			name,
			fmt.Sprintf("%d/%d", m.Passed, m.Questions),
			fmt.Sprintf("%.2f", m.Accuracy),
			fmt.Sprintf("%d (≤ %.3f)", m.ConfidentlyWrong, m.ConfidentlyWrongUpper95),
			fmt.Sprintf("%d/%d", m.HandOffs.Correct, m.HandOffs.Expected),
			atCutoffs(m.Completeness),
			share(m.Survival),
			share(m.Citations),
			strconv.Itoa(m.Degraded),
			fmt.Sprintf("%g/%g", m.LatencyMillis.P50, m.LatencyMillis.P95),
			fmt.Sprintf("$%.4g", m.CostUSD),
		})
	}
	for _, o := range set.Omitted {
		name := string(o.Mode)
		if o.Variant != "" {
			name += ", " + o.Variant
		}
		out = append(out, append([]string{name + " (not finished)"}, make([]string, len(columns()))...))
	}
	for _, r := range refs {
		row := []string{r.Label}
		for _, c := range columns() {
			row = append(row, r.Figures[c])
		}
		out = append(out, row)
	}
	return out
}

// share writes a figure that may not apply.
func share(f *float64) string {
	if f == nil {
		return "–"
	}
	return fmt.Sprintf("%.2f", *f)
}

// coverage is the report's cell: how many of the required evidences were found
// and, where there is but one, its rank. Where the first cutoff has fewer than
// all hits have, it says both.
func coverage(q evaluate.QuestionCard) string {
	if len(q.Evidence) == 0 {
		return "–"
	}
	found, rank := 0, 0
	for _, e := range q.Evidence {
		if e.Rank != nil {
			found++
			rank = *e.Rank
		}
	}
	of := len(q.Evidence)
	cell := fmt.Sprintf("%d/%d", found, of)
	if k, within := atFirst(q); within < found {
		cell = fmt.Sprintf("%d/%d at %s, %d/%d in all", within, of, k, found, of)
	}
	if of == 1 && found == 1 {
		return fmt.Sprintf("%s, rank %d", cell, rank)
	}
	return cell
}

// atFirst is how many evidences the smallest cutoff took in.
func atFirst(q evaluate.QuestionCard) (k string, found int) {
	for c := range q.Recall {
		if k == "" || number(c) < number(k) {
			k = c
		}
	}
	if k == "" {
		return k, len(q.Evidence)
	}
	return k, int(math.Round(q.Recall[k] * float64(len(q.Evidence))))
}

// survival is how many entities reached the prompt.
func survival(q evaluate.QuestionCard) string {
	if q.Survival == nil {
		return "–"
	}
	return fmt.Sprintf("%d/%d", q.Survival.Prompt, q.Survival.Of)
}

// gateMode is the corpus' own mode, which decides.
func gateMode(set evaluate.SetCard) rag.Mode {
	if len(set.Modes) == 0 {
		return ""
	}
	return set.Modes[0].Mode
}

func verdict(passed bool) string {
	if passed {
		return "PASSED"
	}
	return "FAILED"
}

// saidMost is how much of an answer is quoted, characters.
const saidMost = 300

// said quotes the answer where a fact is missing of it: who mends the key or the
// corpus has to see what was said instead. It stands on what is printed here alone,
// since a condition or receipt is read by more people, and is kept.
func said(q *evaluate.QuestionCard, f evaluate.Failure) string {
	if q == nil || f.Reason != evaluate.FactMissing {
		return ""
	}
	text := []rune(strings.Join(strings.Fields(q.Answer), " "))
	if len(text) > saidMost {
		text = append(text[:saidMost-1], '…')
	}
	return fmt.Sprintf("; it says %q", string(text))
}

// asked is the card of a failure's question in the corpus' own mode, nil of a
// failure that is the whole set's.
func asked(s *evaluate.Scorecard, f evaluate.Failure) *evaluate.QuestionCard {
	for i := range s.Sets {
		set := &s.Sets[i]
		for j := range set.Questions {
			if q := &set.Questions[j]; set.Name == f.Set && q.Name == f.Question && q.Mode == gateMode(*set) {
				return q
			}
		}
	}
	return nil
}

// again says for which questions, in any mode, a model server failed once; "" for none.
func again(set evaluate.SetCard) string {
	var names []string
	for _, q := range set.Questions {
		if q.AskedAgain() {
			names = append(names, fmt.Sprintf("%s (%s)", q.Name, q.Mode))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("asked again, since the model server failed once: %d of %d: %s", len(names), len(set.Questions), strings.Join(names, ", "))
}
