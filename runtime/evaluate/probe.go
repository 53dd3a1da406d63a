package evaluate

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Outcomes of a probe.
const (
	ProbePassed        = "passed"
	ProbeFailed        = "failed"
	ProbeNotApplicable = "not applicable" // the corpus has no such rule
)

// Probe is the question asked again with one fault, retrieval only.
type Probe struct {
	Name       string `json:"name"` // tenant, groups, before, after, or another claim's name
	Outcome    string `json:"outcome"`
	Candidates int    `json:"candidates"` // seen, over all channels
}

// probe asks with another tenant, without a shared group, and outside the
// validity. The candidates must all be eligible for that faulty question.
func (j *judge) probe(ctx context.Context) error {
	for _, f := range faults(j) {
		p := Probe{Name: f.name, Outcome: ProbeNotApplicable}
		if f.applies {
			got, err := j.asker.Retrieve(ctx, f.question)
			if err != nil {
				return err
			}
			found := sightings(got, got.Hits)
			bad, err := j.ineligible(ctx, f.question, found)
			if err != nil {
				return err
			}
			p.Outcome, p.Candidates = ProbePassed, len(found)
			if ok := j.filters(f.name, f.question, got); !ok || len(bad) > 0 {
				p.Outcome = ProbeFailed
			}
			j.report(f.name, bad)
		}
		j.card.Probes = append(j.card.Probes, p)
	}
	return nil
}

type fault struct {
	name     string
	applies  bool
	question rag.Question
}

// stranger is a claim's value that no document is for.
const stranger = "hardgate-probe-stranger"

// faults derives the faulty questions. Validity is probed on both sides, since
// each bound is a condition of its own: 1700 and 2200 are before and after
// anything that is stored, and inside what every store's dates can hold.
func faults(j *judge) []fault {
	rules := j.cfg.Settings.Eligibility
	searches := j.own != rag.None
	claims := []string{"tenant", "groups"}
	ruled := map[string]bool{}
	for _, r := range rules.Identity {
		ruled[r.Claim] = true
		if !slices.Contains(claims, r.Claim) {
			claims = append(claims, r.Claim)
		}
	}
	var out []fault
	for _, claim := range claims {
		q := j.ob.question
		q.Identity = pose(q.Identity, claim)
		out = append(out, fault{claim, searches && ruled[claim], q})
	}
	at := func(name string, year int, applies bool) {
		q := j.ob.question
		q.AsOf = time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		out = append(out, fault{name, searches && applies, q})
	}
	at("before", 1700, rules.Validity != nil)
	at("after", 2200, rules.Validity != nil && rules.Validity.To != "")
	return out
}

// pose is the identity with one claim replaced by a stranger's.
func pose(id rag.Identity, claim string) rag.Identity {
	id.Claims = maps.Clone(id.Claims)
	id.Claims[claim] = []string{stranger}
	switch claim {
	case "tenant":
		id.Tenant = stranger
	case "groups":
		id.Groups = []string{stranger}
	}
	return id
}
