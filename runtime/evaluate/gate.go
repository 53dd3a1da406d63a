package evaluate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// strictest fills in the thresholds that a set leaves out.
func strictest(t settings.Thresholds) settings.Thresholds {
	whole, none := settings.Decimal(1), 0
	for _, share := range []**settings.Decimal{&t.Accuracy, &t.Completeness, &t.Survival, &t.Citations, &t.HandOffs} {
		if *share == nil {
			*share = &whole
		}
	}
	for _, most := range []**int{&t.ConfidentlyWrong, &t.Forbidden, &t.Degraded} {
		if *most == nil {
			*most = &none
		}
	}
	return t
}

// verdict lists why the gate stays shut: a requirement that the running
// configuration breaks, a threshold that the corpus' own mode misses, an
// ineligible candidate, a regression. A class is judged by the thresholds that
// are set for it, beside those of the set, whose part it is.
func (r *runner) verdict(s *set, card *SetCard) []Failure {
	out := unmet(s.Key.Requires, r.cfg.Settings)
	own := card.Modes[0]
	k := strconv.Itoa(r.topK)
	out = append(out, breaches("", own.Tally, strictest(s.Key.Thresholds), k, degradations(card.of(own.Mode), ""))...)
	for _, class := range slices.Sorted(maps.Keys(s.Key.PerClass)) {
		out = append(out, breaches(class, own.PerClass[class], s.Key.PerClass[class], k, degradations(card.of(own.Mode), class))...)
	}
	return append(out, r.regressions(s, card)...)
}

// maxNamed bounds how many questions a threshold's failure names.
const maxNamed = 5

// degradations names the questions of a class ("" = all) whose answers are
// degraded, by the reasons of their flags.
func degradations(questions []QuestionCard, class string) string {
	by := map[string][]string{}
	for _, q := range questions {
		if !q.degraded || class != "" && q.Class != class {
			continue
		}
		for _, f := range q.Degraded {
			if !slices.Contains(by[f.Reason], q.Name) {
				by[f.Reason] = append(by[f.Reason], q.Name)
			}
		}
	}
	var parts []string
	for _, reason := range slices.Sorted(maps.Keys(by)) {
		names, more := by[reason], ""
		if len(names) > maxNamed {
			names, more = names[:maxNamed], fmt.Sprintf(" and %d more", len(names)-maxNamed)
		}
		parts = append(parts, fmt.Sprintf("%s (%s%s)", reason, strings.Join(names, ", "), more))
	}
	return strings.Join(parts, "; ")
}

// breaches lists the thresholds that a tally misses; why says what degraded.
func breaches(class string, t Tally, l settings.Thresholds, k, why string) []Failure {
	scope := ""
	if class != "" {
		scope = " in class " + class
	}
	var out []Failure
	miss := func(format string, args ...any) {
		out = append(out, Failure{Stage: StageGate, Reason: ThresholdMissed, Detail: fmt.Sprintf(format, args...) + scope})
	}
	least := func(name string, got *float64, want *settings.Decimal) {
		const rounding = 1e-9
		if got != nil && want != nil && *got < float64(*want)-rounding {
			miss("%s %s, at least %s required", name, decimal(*got), decimal(float64(*want)))
		}
	}
	most := func(name string, got int, want *int) {
		if want != nil && got > *want {
			miss("%d %s, at most %d allowed", got, name, *want)
		}
	}
	none := 0
	least(fmt.Sprintf("%d of %d passed: accuracy", t.Passed, t.Questions), &t.Accuracy, l.Accuracy)
	if c, required := t.Completeness[k]; required {
		least("completeness@"+k, &c, l.Completeness)
	}
	least("survival", t.Survival, l.Survival)
	least("citations", t.Citations, l.Citations)
	least("correct hand-offs", ratio(t.HandOffs.Correct, t.HandOffs.Expected), l.HandOffs)
	most("confidently wrong", t.ConfidentlyWrong, l.ConfidentlyWrong)
	most("forbidden candidates", t.Forbidden, l.Forbidden)
	most("ineligible candidates", t.Ineligible, &none) // no key may allow one
	if l.Degraded != nil && t.Degraded > *l.Degraded {
		miss("%d degraded, at most %d allowed: %s", t.Degraded, *l.Degraded, why)
	}
	return out
}

// decimal writes a figure in two to four decimals.
func decimal(f float64) string {
	s := strconv.FormatFloat(f, 'f', 4, 64)
	for len(s) > 4 && s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	return s
}

// regressions are questions that the baseline passed and that fail now, under
// an unchanged key.
func (r *runner) regressions(s *set, card *SetCard) []Failure {
	before := r.cfg.Baseline.set(s.Name)
	if before == nil {
		return nil
	}
	var out []Failure
	for _, q := range card.Questions {
		if q.Mode != r.own || q.Passed {
			continue
		}
		if b := before.question(q.Name); b != nil && b.Passed && b.Hash == q.hash {
			f := q.Failures[0]
			out = append(out, Failure{Question: q.Name, Stage: StageGate, Reason: Regression, Detail: fmt.Sprintf("passed under %s and now fails: %s", cmp.Or(short(r.cfg.Baseline.Freeze), "the baseline"), f.Detail)})
		}
	}
	return out
}
