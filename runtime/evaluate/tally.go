package evaluate

import (
	"math"
	"slices"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// tallyMode sums up a mode, as a whole and by class.
func tallyMode(mode rag.Mode, questions []QuestionCard) ModeCard {
	card := ModeCard{Mode: mode, Tally: tally(questions), PerClass: map[string]Tally{}}
	classes := map[string][]QuestionCard{}
	for _, q := range questions {
		classes[q.Class] = append(classes[q.Class], q)
	}
	for class, qs := range classes {
		card.PerClass[class] = tally(qs)
	}
	return card
}

// fused is how the store fused for the questions; nil where it was not asked to.
func fused(questions []QuestionCard, k int) *Fusion {
	var sent []int
	for _, q := range questions {
		sent = append(sent, q.rrf...)
	}
	if len(sent) == 0 {
		return nil
	}
	slices.Sort(sent)
	return &Fusion{Method: "RRF", K: k, Sent: slices.Compact(sent)}
}

// tally sums up questions.
func tally(questions []QuestionCard) Tally {
	t := Tally{Questions: len(questions)}
	var survived, of, cited, required int
	var latencies []float64
	for _, q := range questions {
		t.Passed += count(q.Passed)
		t.ConfidentlyWrong += count(q.ConfidentlyWrong)
		t.HandOffs.Expected += count(q.handOff)
		t.HandOffs.Correct += count(q.handOff && q.Status == rag.NeedsHuman)
		t.Forbidden += len(q.Forbidden)
		t.Ineligible += len(q.Ineligible)
		t.Degraded += count(q.degraded)
		if q.Survival != nil {
			survived, of = survived+q.Survival.survived(), of+q.Survival.Of
		}
		cited, required = cited+q.cited, required+q.required
		latencies = append(latencies, q.LatencyMillis)
		t.Tokens.Input += q.Tokens.Input
		t.Tokens.Output += q.Tokens.Output
		t.CostUSD += q.CostUSD
	}
	if t.Questions > 0 {
		t.Accuracy = float64(t.Passed) / float64(t.Questions)
	}
	t.ConfidentlyWrongUpper95 = upper95(t.ConfidentlyWrong, t.Questions)
	t.Survival, t.Citations = ratio(survived, of), ratio(cited, required)
	t.Recall, t.Completeness = coverage(questions)
	t.LatencyMillis = Latency{P50: percentile(latencies, 0.50), P95: percentile(latencies, 0.95)}
	return t
}

// coverage averages recall@k and completeness@k over the questions that require
// evidence and of which none is known to be missing.
func coverage(questions []QuestionCard) (recall, completeness map[string]float64) {
	n := 0.0
	for _, q := range questions {
		if !q.complete {
			continue
		}
		if n++; recall == nil {
			recall, completeness = map[string]float64{}, map[string]float64{}
		}
		for k, v := range q.Recall {
			recall[k] += v
		}
		for k, whole := range q.Completeness {
			completeness[k] += float64(count(whole))
		}
	}
	for k := range recall {
		recall[k] /= n
		completeness[k] /= n
	}
	return recall, completeness
}

// percentile is by nearest rank.
func percentile(v []float64, p float64) float64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Sorted(slices.Values(v))
	return v[max(0, int(math.Ceil(p*float64(len(v))))-1)]
}

// ratio is nil where there is nothing to relate to.
func ratio(n, of int) *float64 {
	if of == 0 {
		return nil
	}
	r := float64(n) / float64(of)
	return &r
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
