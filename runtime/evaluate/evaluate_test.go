package evaluate

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

var update = flag.Bool("update", false, "rewrite golden files")

// bench is one evaluation that a test may harm before it runs.
type bench struct {
	lib  *library
	desk *desk
	cfg  Config
}

func newBench() *bench {
	l := newLibrary()
	at := time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC)
	return &bench{lib: l, desk: newDesk(l), cfg: Config{
		Corpus: "hr/payroll", Settings: configuration(), Sets: []Set{{"payroll", key()}},
		Environment: map[string]string{"hardgate": "test", "store": "memory"},
		Inputs:      Inputs{Code: "test", Source: "sha256:listing"}, Now: func() time.Time { return at },
	}}
}

func (b *bench) question(name string) *settings.GoldenQuestion {
	qs := b.cfg.Sets[0].Key.Questions
	return &qs[slices.IndexFunc(qs, func(q settings.GoldenQuestion) bool { return q.Name == name })]
}

func (b *bench) run(t *testing.T) *Scorecard {
	t.Helper()
	s, err := Run(context.Background(), b.cfg, b.desk, b.lib)
	if err != nil {
		t.Fatalf("Run: %v", err)
	}
	return s
}

func of(s *Scorecard, name string) *QuestionCard {
	for i := range s.Sets[0].Questions {
		if s.Sets[0].Questions[i].Name == name {
			return &s.Sets[0].Questions[i]
		}
	}
	return nil
}

func TestUnharmedPasses(t *testing.T) {
	s := newBench().run(t)
	if !s.Passed || len(s.Failures()) > 0 || s.Message(1000) != "" {
		t.Fatalf("passed %v, failures %+v", s.Passed, s.Failures())
	}
	m := s.Sets[0].Modes[0]
	if m.Passed != 7 || m.Accuracy != 1 || m.HandOffs != (HandOffs{1, 1}) || *m.Survival != 1 || *m.Citations != 1 || m.Completeness["3"] != 1 {
		t.Errorf("tally %+v", m)
	}
	var outcomes []string
	for _, p := range of(s, "pump-coverage").Probes {
		outcomes = append(outcomes, p.Name+" "+p.Outcome)
	}
	want := []string{"tenant passed", "groups passed", "before passed", "after passed"}
	if d := cmp.Diff(want, outcomes); d != "" {
		t.Errorf("probes (-want +got):\n%s", d)
	}
}

func TestFlowNeverSeesTheKey(t *testing.T) {
	b := newBench()
	b.run(t)
	for _, q := range b.desk.asked {
		data, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{"ST001", "274,000", "Leave_Policy", "twelve employees", "NeedsHuman"} {
			if strings.Contains(string(data), secret) {
				t.Errorf("question %q carries %q of its key", q.Text, secret)
			}
		}
		if q.Mode != "" {
			t.Errorf("question %q names mode %s: tenants name none", q.Text, q.Mode)
		}
	}
}

// TestDiagnosis harms one thing at a time; each must show as its own failure,
// first among the question's, at the stage that is to blame.
func TestDiagnosis(t *testing.T) {
	keepRows := func(n int) func([]rag.Hit) []rag.Hit {
		return func(hits []rag.Hit) []rag.Hit {
			for i := range hits {
				if hits[i].Table {
					hits[i].Units = hits[i].Units[:n]
				}
			}
			return hits
		}
	}
	dropDocument := func(name string) func([]rag.Hit) []rag.Hit {
		return func(hits []rag.Hit) []rag.Hit {
			return slices.DeleteFunc(hits, func(h rag.Hit) bool { return h.Document == name })
		}
	}
	cases := map[string]struct {
		reason        string
		harm          func(*bench)
		question      string
		stage, why    string
		detail        string
		notConfidents bool // the answer itself is not confidently wrong
	}{
		"missing object": {
			reason: "a document that was never in the source is not the ranker's fault",
			harm:   func(b *bench) { b.lib.remove("Hr_Contract-v1") }, question: "pump-coverage",
			stage: StageSource, why: NotInSource, detail: "Hr_Contract-v1#coverage",
		},
		"failed extraction": {
			reason: "the record's failure is the cause, with its own words",
			harm: func(b *bench) {
				b.question("pump-coverage").Expect.Evidence = []string{"Broken_Invoice"}
			}, question: "pump-coverage",
			stage: StageExtraction, why: ExtractionFailed, detail: "Truncated: no trailer",
		},
		"excluded object": {
			reason: "an object that is listed and has no record was kept out by configuration",
			harm: func(b *bench) {
				b.question("pump-coverage").Expect.Evidence = []string{"Excluded_Memo"}
			}, question: "pump-coverage",
			stage: StageIngestion, why: NotIngested, detail: "drafts/Excluded_Memo.pdf",
		},
		"failed fetch": {
			reason: "what could not be fetched was not ingested; nothing was extracted yet",
			harm: func(b *bench) {
				b.lib.remove("Hr_Contract-v1")
				b.lib.failed("docs/Hr_Contract-v1.pdf", "", rag.Failure{Stage: "fetch", Reason: "AccessDenied", Detail: "403"})
			}, question: "pump-coverage",
			stage: StageIngestion, why: NotIngested, detail: "AccessDenied: 403",
		},
		"other revision": {
			reason: "another revision never stands for the one that is required",
			harm: func(b *bench) {
				b.question("leave-today").Expect.Evidence = []string{"Leave_Policy-v3#annual-leave"}
			}, question: "leave-today",
			stage: StageSource, why: WrongRevision, detail: "not Leave_Policy-v3",
		},
		"unknown passage": {
			reason: "a passage that was not found in an ingested document names those that were",
			harm: func(b *bench) {
				b.question("leave-today").Expect.Evidence = []string{"Leave_Policy-v2#sick-leave"}
			}, question: "leave-today",
			stage: StageExtraction, why: ExtractionFailed, detail: "it has annual-leave",
		},
		"other tenant's": {
			reason: "eligibility names rule, value and claim",
			harm: func(b *bench) {
				b.question("pump-coverage").Expect = settings.Expect{Status: "Answered", Evidence: []string{"South_Contract-v1#coverage"}}
			}, question: "pump-coverage",
			stage: StageEligibility, why: Ineligible, detail: "identity rule: customer is south, which shares nothing with claim tenant [hr]",
		},
		"not yet valid": {
			reason: "validity names field and instant",
			harm: func(b *bench) {
				b.question("leave-2024").Expect = settings.Expect{Status: "Answered", Evidence: []string{"Leave_Policy-v2"}}
			}, question: "leave-2024",
			stage: StageEligibility, why: Ineligible, detail: "valid_from is 2025-01-01, asked as of 2024-06-01",
		},
		"below k": {
			reason: "a candidate that did not make the hits is named with its ranks",
			harm: func(b *bench) {
				b.question("leave-today").Expect.Evidence = append(b.question("leave-today").Expect.Evidence, "Canteen")
				b.desk.topK, b.cfg.Settings.Pipeline.Retrieval.TopK = 1, 1
			}, question: "leave-today",
			stage: StageRetrieval, why: NotRanked, detail: "below k = 1: rank",
		},
		"below the pool": {
			reason: "one that no channel returned has no rank",
			harm: func(b *bench) {
				b.question("leave-today").Expect.Evidence = append(b.question("leave-today").Expect.Evidence, "Canteen")
				b.desk.pool, b.cfg.Settings.Pipeline.Retrieval.Candidates = 1, 1
			}, question: "leave-today",
			stage: StageRetrieval, why: NotRanked, detail: "below the pool: among no channel's 1 candidates",
		},
		"table not among the hits": {
			reason: "a note of the same document satisfies the evidence; the table that holds the entities is what is missing",
			harm: func(b *bench) {
				b.desk.topK, b.cfg.Settings.Pipeline.Retrieval.TopK = 1, 1
				b.lib.addTo("Salary_Register_April_2025", "note", "How many employees are in the salary register of April 2025? See the table of the salary register.")
			}, question: "april-headcount",
			stage: StageRetrieval, why: EntitiesLost, detail: "(held by Salary_Register_April_2025#p1.t1, below k = 1: rank ",
		},
		"lost at rerank": {
			reason: "found, then dropped by the reranker",
			harm:   func(b *bench) { b.desk.rerank = dropDocument("Leave_Policy-v2") }, question: "leave-today",
			stage: StageRerank, why: LostInRerank, detail: "rank 1",
		},
		"lost at compression": {
			reason: "found, reranked, then dropped by compression",
			harm:   func(b *bench) { b.desk.compress = dropDocument("Leave_Policy-v2") }, question: "leave-today",
			stage: StageCompression, why: LostInCompress, detail: "rank 1",
		},
		"rows eaten": {
			reason: "the first cliff of the survival plot, with every lost id",
			harm:   func(b *bench) { b.desk.compress = keepRows(2) }, question: "april-headcount",
			stage: StageCompression, why: EntitiesLost,
			detail: "compression lost 10 of 12 entities: ST003, ST004, ST005, ST006, ST007, ST008, ST009, ST010, ST011, ST012",
		},
		"rows eaten and an answer that happens to be right": {
			reason: "a loss is a failure even under the right number",
			harm: func(b *bench) {
				b.desk.compress = keepRows(2)
				b.desk.reply = func(a *rag.Answer) { a.Text = "12 employees are listed. 274000. " + a.Text }
			}, question: "april-headcount",
			stage: StageCompression, why: EntitiesLost, detail: "10 of 12", notConfidents: true,
		},
		"rows hidden from extraction": {
			reason: "ids that were never extracted cannot be named, but are counted",
			harm: func(b *bench) {
				b.lib.remove("Salary_Register_April_2025")
				b.lib.table("Salary_Register_April_2025", "salary-register-april-2025", published(), employees()[:6], 5)
			}, question: "mill-gross",
			stage: StageExtraction, why: EntitiesLost, detail: "extraction lost 6 of 12 entities",
		},
		"rows never chunked": {
			reason: "extracted text has them, stored chunks don't",
			harm: func(b *bench) {
				for i := range b.lib.points {
					if p := &b.lib.points[i]; p.Table && p.Piece == 1 {
						p.Units = p.Units[:3]
					}
				}
			}, question: "april-headcount",
			stage: StageExtraction, why: AggregateMismatch, detail: "the 10 extracted rows give DistinctCount of Emp ID = 10",
		},
		"rows in score order": {
			reason: "all rows, none in its place: no deck of cards",
			harm: func(b *bench) {
				b.desk.compress = func(hits []rag.Hit) []rag.Hit {
					for i := range hits {
						hits[i].Units = slices.Clone(hits[i].Units)
						if hits[i].Table {
							slices.Reverse(hits[i].Units)
						}
					}
					return hits
				}
			}, question: "april-headcount",
			stage: StagePrompt, why: RowsReordered, detail: "row p1.t1.r13 of Salary_Register_April_2025#p1.t1 stands before row p1.t1.r12", notConfidents: true,
		},
		"an addend lost in the layout": {
			reason: "a sum without one of its addends is wrong whatever the answer says",
			harm: func(b *bench) {
				b.desk.layout = func(units []rag.Unit) []rag.Unit {
					return slices.DeleteFunc(units, func(u rag.Unit) bool { return u.Name == "p1.t1.r6" })
				}
			}, question: "mill-gross",
			stage: StagePrompt, why: EntitiesLost, detail: "prompt lost 1 of 12 entities: ST006",
		},
		"generator miscounts": {
			reason: "with everything in the prompt, and only then, it is the generator",
			harm: func(b *bench) {
				b.desk.reply = func(a *rag.Answer) { a.Text = strings.Replace(a.Text, "12 employees", "112 employees", 1) }
			}, question: "april-headcount",
			stage: StageGeneration, why: FactMissing, detail: `none of ["12 employees" "twelve employees"]`,
		},
		"generator declines": {
			reason: "declining what could be answered is wrong, not confidently so",
			harm: func(b *bench) {
				b.desk.reply = func(a *rag.Answer) { a.Status = rag.NeedsHuman }
			}, question: "leave-today",
			stage: StageGeneration, why: WrongStatus, detail: "status NEEDS_HUMAN, expected ANSWERED", notConfidents: true,
		},
		"generator answers what it must hand off": {
			reason: "the most dangerous failure",
			harm: func(b *bench) {
				b.desk.reply = func(a *rag.Answer) { a.Status, a.Text = rag.Answered, "The foreman. 12 employees, 274000, 24 days" }
			}, question: "night-shift",
			stage: StageGeneration, why: WrongStatus, detail: "status ANSWERED, expected NEEDS_HUMAN",
		},
		"no citation": {
			reason: "an answer must cite each required document",
			harm:   func(b *bench) { b.desk.reply = func(a *rag.Answer) { a.Citations = nil } }, question: "leave-today",
			stage: StageCitation, why: DocumentNotCited, detail: "Leave_Policy-v2",
		},
		"made-up citation": {
			reason: "a citation points at the prompt, word for word",
			harm: func(b *bench) {
				b.desk.reply = func(a *rag.Answer) {
					for i := range a.Citations {
						a.Citations[i].Units = slices.Clone(a.Citations[i].Units)
						a.Citations[i].Units[0].Text = "Leave is unlimited."
					}
				}
			}, question: "leave-today",
			stage: StageCitation, why: CitationNotInPrompt, detail: "was not in the prompt",
		},
		"declared missing, and there": {
			reason: "what is known to be missing must not turn up",
			harm: func(b *bench) {
				b.question("leave-today").Expect.Missing = []string{"Hr_Contract-v1"}
			}, question: "leave-today",
			stage: StageSource, why: UnexpectedEvidence, detail: "declared missing",
		},
		"wrong fact about a sum": {
			reason: "the key's own figure is checked against the table",
			harm: func(b *bench) {
				b.question("mill-gross").Expect.Aggregate.Value = "273,000"
			}, question: "mill-gross",
			stage: StageExtraction, why: AggregateMismatch, detail: "6 extracted rows give Sum of Gross = 274000, the key says 273,000", notConfidents: true,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench()
			c.harm(b)
			s := b.run(t)
			q := of(s, c.question)
			if q.Passed || s.Passed || len(q.Failures) == 0 {
				t.Fatalf("%s: passed with %+v", c.reason, q.Failures)
			}
			f := q.Failures[0]
			if f.Stage != c.stage || f.Reason != c.why || !strings.Contains(f.Detail, c.detail) {
				t.Errorf("%s:\n got %+v\nwant {%s %s …%s…}", c.reason, f, c.stage, c.why, c.detail)
			}
			if want := q.Status == rag.Answered && !c.notConfidents; q.ConfidentlyWrong != want {
				t.Errorf("%s: confidently wrong %v, want %v (status %s, failures %+v)", c.reason, q.ConfidentlyWrong, want, q.Status, q.Failures)
			}
			if !strings.Contains(s.Message(8000), c.question+": ") {
				t.Errorf("%s: message does not name the question: %s", c.reason, s.Message(8000))
			}
		})
	}
}

func TestAggregateLosses(t *testing.T) {
	b := newBench()
	b.desk.layout = func(units []rag.Unit) []rag.Unit {
		return slices.DeleteFunc(units, func(u rag.Unit) bool { return u.Name == "p1.t1.r6" })
	}
	s := b.run(t)
	got := of(s, "mill-gross").Aggregate
	stage := StagePrompt
	want := &AggregateCard{Op: "Sum", Column: "Gross", Value: "274,000", Found: "274000", Rows: 6, LostAt: &stage, Lost: []string{"p1.t1.r6"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("sum (-want +got):\n%s", d)
	}
	if got := of(s, "april-headcount").Aggregate.Lost; !slices.Equal(got, []string{"ST006"}) {
		t.Errorf("keys lost %v, want ST006", got)
	}
}

// TestMutants breaks eligibility in the flow alone: the independent predicate
// over stored payload must notice each.
func TestMutants(t *testing.T) {
	cases := map[string]struct {
		reason   string
		mutate   func(*desk)
		question string
		stage    string
		why      []string
		probe    string // the probe that must fail; "" = the question as asked
	}{
		"no tenant rule": {
			reason:   "another tenant's contract is a candidate",
			mutate:   func(d *desk) { d.rules.Identity = d.rules.Identity[:1] },
			question: "pump-coverage", why: []string{IneligibleCandidate, FilterMissing, ForbiddenCandidate}, probe: "tenant",
		},
		"no groups rule": {
			reason:   "a group's note is a candidate for others",
			mutate:   func(d *desk) { d.rules.Identity = d.rules.Identity[1:] },
			question: "night-shift", why: []string{IneligibleCandidate, FilterMissing, ForbiddenCandidate}, probe: "groups",
		},
		"no constants": {
			reason:   "a draft is a candidate",
			mutate:   func(d *desk) { d.rules.Constants = nil },
			question: "leave-today", why: []string{IneligibleCandidate, FilterMissing},
		},
		"no validity": {
			reason:   "an old policy is a candidate today",
			mutate:   func(d *desk) { d.rules.Validity = nil },
			question: "leave-today", why: []string{IneligibleCandidate, FilterMissing, ForbiddenCandidate}, probe: "before",
		},
		"no product": {
			reason:   "the other product's guide is a candidate",
			mutate:   func(d *desk) { d.rules.Question = nil },
			question: "airflow", why: []string{IneligibleCandidate, FilterMissing, ForbiddenCandidate},
		},
		"dense without a filter": {
			reason:   "a filter on one channel only",
			mutate:   func(d *desk) { d.unfiltered = "dense" },
			question: "pump-coverage", why: []string{IneligibleCandidate, FilterMissing, ForbiddenCandidate}, probe: "groups",
		},
		"lexical without a filter": {
			reason:   "a filter on the other channel only",
			mutate:   func(d *desk) { d.unfiltered = "lexical" },
			question: "pump-coverage", why: []string{IneligibleCandidate, FilterMissing, ForbiddenCandidate}, probe: "groups",
		},
		"filter after ranking": {
			reason:   "hits are clean, candidates before fusion are not",
			mutate:   func(d *desk) { d.late = true },
			question: "pump-coverage", why: []string{IneligibleCandidate, FilterMissing, ForbiddenCandidate}, probe: "tenant",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench()
			c.mutate(b.desk)
			s := b.run(t)
			q := of(s, c.question)
			for _, why := range c.why {
				if !slices.ContainsFunc(q.Failures, func(f Failure) bool { return f.Reason == why }) {
					t.Errorf("%s: no %s in %+v", c.reason, why, q.Failures)
				}
			}
			if s.Passed || q.Passed || s.Sets[0].Modes[0].Ineligible == 0 {
				t.Errorf("%s: passed %v, ineligible %d", c.reason, s.Passed, s.Sets[0].Modes[0].Ineligible)
			}
			if c.probe != "" && !slices.ContainsFunc(q.Probes, func(p Probe) bool { return p.Name == c.probe && p.Outcome == ProbeFailed }) {
				t.Errorf("%s: probe %s did not fail: %+v", c.reason, c.probe, q.Probes)
			}
		})
	}
}

// TestProbesAlone: the questions as asked see nothing wrong, only a probe does.
func TestProbesAlone(t *testing.T) {
	b := newBench()
	b.lib.remove("South_Contract-v1")
	b.desk.rules.Identity[1].Shared = []string{"all", "hr"} // hr's documents are open to everybody
	s := b.run(t)
	q := of(s, "pump-coverage")
	if q.Passed || q.ConfidentlyWrong || q.Failures[0].Reason != IneligibleCandidate || !strings.HasPrefix(q.Failures[0].Detail, "probe tenant: ") {
		t.Errorf("confidently wrong %v, failures %+v", q.ConfidentlyWrong, q.Failures)
	}
	if !strings.Contains(q.Failures[0].Detail, "channel dense") {
		t.Errorf("detail names no channel: %s", q.Failures[0].Detail)
	}
}

func TestProbesNotApplicable(t *testing.T) {
	b := newBench()
	b.cfg.Settings.Eligibility, b.desk.rules = settings.Eligibility{}, settings.Eligibility{}
	for i := range b.cfg.Sets[0].Key.Questions {
		b.cfg.Sets[0].Key.Questions[i].Expect = settings.Expect{Status: "NeedsHuman"}
	}
	for _, p := range of(b.run(t), "leave-today").Probes {
		if p.Outcome != ProbeNotApplicable {
			t.Errorf("probe %s: %s without a rule", p.Name, p.Outcome)
		}
	}
}

func TestModes(t *testing.T) {
	b := newBench()
	b.cfg.Modes = []rag.Mode{rag.None, rag.Lexical, rag.Dense, rag.Hybrid}
	s := b.run(t)
	var modes []rag.Mode
	for _, m := range s.Sets[0].Modes {
		modes = append(modes, m.Mode)
	}
	if d := cmp.Diff([]rag.Mode{rag.Hybrid, rag.None, rag.Lexical, rag.Dense}, modes); d != "" {
		t.Fatalf("modes (-want +got):\n%s", d)
	}
	none := s.Sets[0].Modes[1]
	if !none.Trivial || none.Gate || none.HandOffs.Correct != 1 || none.Passed != 1 || none.Survival != nil || none.Recall != nil {
		t.Errorf("None is the control: %+v", none)
	}
	if !s.Passed {
		t.Errorf("a compared mode decided: %s", s.Message(500))
	}
}

func TestModeThatCannotFinishIsLeftOut(t *testing.T) {
	b := newBench()
	b.cfg.Modes = []rag.Mode{rag.Dense}
	b.cfg.Concurrency = 1
	a := &failing{desk: b.desk, mode: rag.Dense}
	s, err := Run(context.Background(), b.cfg, a, b.lib)
	if err != nil {
		t.Fatal(err)
	}
	set := s.Sets[0]
	if len(set.Modes) != 1 || len(set.Omitted) != 1 || !strings.Contains(set.Omitted[0].Error, "store is away") || !set.Passed {
		t.Errorf("modes %d, omitted %+v, passed %v", len(set.Modes), set.Omitted, set.Passed)
	}
	if slices.ContainsFunc(set.Questions, func(q QuestionCard) bool { return q.Mode == rag.Dense }) {
		t.Error("a mode that did not finish is scored in part")
	}
}

func TestIncompleteIsNoVerdict(t *testing.T) {
	away := errors.New("store is away")
	cases := map[string]func(*bench) Asker{
		"asking fails":  func(b *bench) Asker { b.desk.broken = away; return b.desk },
		"probing fails": func(b *bench) Asker { return &failing{desk: b.desk, probes: true} },
		"over budget": func(b *bench) Asker { // the model was not asked, so the holding reply is no answer of its
			b.desk.reply = func(a *rag.Answer) {
				*a = rag.Answer{Status: rag.NeedsHuman, Flags: []rag.Flag{{Reason: "BudgetExceeded", Detail: "store is away"}}}
			}
			return b.desk
		},
	}
	for name, harm := range cases {
		t.Run(name, func(t *testing.T) {
			b := newBench()
			s, err := Run(context.Background(), b.cfg, harm(b), b.lib)
			var incomplete *IncompleteError
			if s != nil || !errors.As(err, &incomplete) || incomplete.Question == "" || !strings.Contains(err.Error(), "store is away") {
				t.Errorf("scorecard %v, error %v", s, err)
			}
		})
	}
}

func TestJSON(t *testing.T) {
	b := newBench()
	b.desk.compress = func(hits []rag.Hit) []rag.Hit {
		for i := range hits {
			if hits[i].Table {
				hits[i].Units = hits[i].Units[:2]
			}
		}
		return hits
	}
	b.cfg.Inputs.Config, b.cfg.Inputs.Questions = "sha256:config", "sha256:questions" // whose hashes change with every field of the settings
	keep := []string{"april-headcount", "leave-today", "night-shift"}
	b.cfg.Sets[0].Key.Questions = slices.DeleteFunc(b.cfg.Sets[0].Key.Questions, func(q settings.GoldenQuestion) bool { return !slices.Contains(keep, q.Name) })
	got, err := json.MarshalIndent(b.run(t), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "scorecard.json", append(got, '\n'))
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: run with -update", err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s (-want +got):\n%s", name, d)
	}
}
