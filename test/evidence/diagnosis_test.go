package evidence

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/evaluate"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// TestDiagnosis asks for evidence that cannot arrive; each time the gate stays
// shut and names the earliest stage that hasn't got it, and why.
func TestDiagnosis(t *testing.T) {
	l := theLab(t)
	cases := map[string]struct {
		reason            string
		corpus            *corpus
		question, missing string // a question of the full corpus, and the evidence asked of it
		harm              func(*settings.Corpus)
		stage, why        string
		detail            string
	}{
		"NeverInSource": {
			reason: "no ranker finds what was left out", corpus: l.incomplete,
			question: "Q07-north", missing: "north-contract-v1#coverage",
			stage: evaluate.StageSource, why: evaluate.NotInSource, detail: `contracts/north-contract-v1.pdf is in the bucket, and not a document of the corpus: source.exclude has "contracts/**"`,
		},
		"NowhereAtAll": {
			reason: "a document that nobody has", corpus: l.full,
			question: "Q07-north", missing: "south-contract-v1#coverage",
			stage: evaluate.StageSource, why: evaluate.NotInSource, detail: "none of the source's 13 objects is that document",
		},
		"WrongRevision": {
			reason: "another revision never stands for the one required", corpus: l.full,
			question: "Q10-airflow-in-a-rack", missing: "rack-guide-v4#airflow",
			stage: evaluate.StageSource, why: evaluate.WrongRevision, detail: "the source holds rack-guide-v",
		},
		"NoSuchPassage": {
			reason: "the document was read, and has no such heading", corpus: l.full,
			question: "Q03-current-window", missing: "returns-v2#refunds",
			stage: evaluate.StageExtraction, why: evaluate.ExtractionFailed, detail: "it has window, condition, how-to-request, freight",
		},
		"Group": {
			reason: "rule, value and claim", corpus: l.full,
			question: "Q05-exception-for-sales", missing: "exceptions-v1#late-requests",
			stage: evaluate.StageEligibility, why: evaluate.Ineligible, detail: "identity rule: groups is [operations], which shares nothing with claim groups [sales]",
		},
		"Draft": {
			reason: "the constant and what is stored", corpus: l.full,
			question: "Q10-airflow-in-a-rack", missing: "rack-guide-v3#airflow",
			stage: evaluate.StageEligibility, why: evaluate.Ineligible, detail: "constants rule: status is draft, not published",
		},
		"Product": {
			reason: "the product that the question names", corpus: l.full,
			question: "Q01-maximum-temperature", missing: "ax-24-spec-v2#operating-temperature",
			stage: evaluate.StageEligibility, why: evaluate.Ineligible, detail: "question rule: product is AX-24, not AX-42",
		},
		"NotYetValid": {
			reason: "the newer policy in February", corpus: l.full,
			question: "Q04-window-in-february", missing: "returns-v2#window",
			stage: evaluate.StageEligibility, why: evaluate.Ineligible, detail: "validity rule: valid_from is 2026-04-01, asked as of 2026-02-01T00:00:00Z",
		},
		"NoLongerValid": {
			reason: "the older policy today", corpus: l.full,
			question: "Q03-current-window", missing: "returns-v1#window",
			stage: evaluate.StageEligibility, why: evaluate.Ineligible, detail: "validity rule: valid_to is 2026-04-01",
		},
		"BelowThePool": {
			reason: "eligible, and too far down for any channel", corpus: l.full,
			question: "Q03-current-window", missing: "rack-guide-v2#cabling",
			harm:  func(s *settings.Corpus) { s.Pipeline.Retrieval.Candidates, s.Pipeline.Retrieval.TopK = 1, 1 },
			stage: evaluate.StageRetrieval, why: evaluate.NotRanked, detail: "below the pool: among no channel's",
		},
		"BelowK": {
			reason: "a candidate, and not among the hits", corpus: l.full,
			question: "Q03-current-window", missing: "returns-v2#freight",
			harm:  func(s *settings.Corpus) { s.Pipeline.Retrieval.TopK = 1 },
			stage: evaluate.StageRetrieval, why: evaluate.NotRanked, detail: "below k = 1: rank",
		},
		"Compression": {
			reason: "found, and cut for the sake of one best line", corpus: l.full,
			question: "Q07-north", missing: "north-contract-v1#term",
			harm: func(s *settings.Corpus) {
				s.Pipeline.Compression.Mode, s.Pipeline.Compression.MaxSentences = "TopSentences", 1
			},
			stage: evaluate.StageCompression, why: evaluate.LostInCompress, detail: "lost at compression; it was rank",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			cfg := c.corpus.config(t)
			if c.harm != nil {
				c.harm(&cfg.Settings)
				cfg.Inputs.Config = ""
			}
			q := l.full.golden(t, c.question)
			q.Expect = settings.Expect{Status: "Answered", Evidence: []string{c.missing}}
			cfg.Sets = only(q)
			diagnosed(t, c.corpus.judge(t, cfg, l.store), q.Name, c.missing, c.stage, c.why, c.detail)
		})
	}
}

// diagnosed checks a gate that stays shut because of one missing evidence.
func diagnosed(t *testing.T, s *evaluate.Scorecard, question, id, stage, why, detail string) {
	t.Helper()
	if s.Passed {
		t.Fatal("the gate opened")
	}
	q := card(t, s, question)
	for _, e := range q.Evidence {
		if e.ID != id {
			continue
		}
		if e.LostAt == nil || *e.LostAt != stage || e.Diagnosis.Reason != why || !strings.Contains(e.Diagnosis.Detail, detail) {
			t.Errorf("lost at %v, %+v; want %s, %s, …%s…", deref(e.LostAt), e.Diagnosis, stage, why, detail)
		}
		if f := q.Failures[0]; f.Reason != why || f.Stage != stage {
			t.Errorf("first failure %+v", f)
		}
		return
	}
	t.Errorf("no verdict on %s: %+v", id, q.Evidence)
}

func deref(s *string) string {
	if s == nil {
		return "nowhere"
	}
	return *s
}

// TestDemandingKey is Q08 by a key that takes the contract for granted.
func TestDemandingKey(t *testing.T) {
	l := theLab(t)
	all, err := settings.ReadFiles("testdata/demanding")
	if err != nil {
		t.Fatal(err)
	}
	key, err := settings.DecodeGoldenSet(all[0].Spec)
	if err != nil {
		t.Fatal(err)
	}
	cfg := l.incomplete.config(t)
	cfg.Sets = []evaluate.Set{{Name: all[0].Name, Key: key}}
	s := l.incomplete.judge(t, cfg, l.store)
	diagnosed(t, s, "Q08-north-without-its-contract", "north-contract-v1#coverage", evaluate.StageSource, evaluate.NotInSource, "contracts/north-contract-v1.pdf")
	if q := card(t, s, "Q08-north-without-its-contract"); q.ConfidentlyWrong || *q.Evidence[0].Rank > 3 {
		t.Errorf("the policy is found and nothing is answered from it alone: %+v", q.Evidence)
	}
	cfg.Sets[0].Name = "over-the-full-corpus"
	full := l.full.config(t)
	full.Sets = cfg.Sets
	if s := l.full.judge(t, full, l.store); !s.Passed {
		t.Errorf("with the contract the same key passes: %v", s.Failures())
	}
}

// TestDamagedFiles: a file that cannot be read, and one that is too large to be
// fetched, are told from one that never was there.
func TestDamagedFiles(t *testing.T) {
	l := theLab(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(sample, "documents"))); err != nil {
		t.Fatal(err)
	}
	alter(t, filepath.Join(dir, "guides", "rack-guide-v2.pdf"), func(b []byte) []byte { return b[:200] })
	alter(t, filepath.Join(dir, "policies", "returns-v2.pdf"), func(b []byte) []byte { return append(b, bytes.Repeat([]byte("\n"), 64<<10)...) })
	s := l.full.settings
	s.Source.MaxObjectBytes = 32 << 10
	c := &corpus{lab: l, name: "damaged", settings: s}
	var err error
	if c.documents, err = l.ingest(t.Context(), c.name, dir, 1, s); err != nil {
		t.Fatal(err)
	}
	if c.summary.Failed != 2 {
		t.Fatalf("%d documents failed: %+v", c.summary.Failed, c.summary.Failures)
	}
	cases := map[string]struct{ question, missing, stage, why, detail string }{
		"Unreadable": {"Q10-airflow-in-a-rack", "rack-guide-v2#airflow", evaluate.StageExtraction, evaluate.ExtractionFailed, "guides/rack-guide-v2.pdf failed at extract"},
		"TooLarge":   {"Q03-current-window", "returns-v2#window", evaluate.StageIngestion, evaluate.NotIngested, "policies/returns-v2.pdf failed at fetch: TooLarge"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			cfg := c.config(t)
			cfg.Sets = only(l.full.golden(t, tc.question))
			diagnosed(t, c.judge(t, cfg, l.store), tc.question, tc.missing, tc.stage, tc.why, tc.detail)
		})
	}
}

func alter(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(data), 0o600); err != nil {
		t.Fatal(err)
	}
}
