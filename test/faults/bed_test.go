package faults

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/evaluate"
	"github.com/hardgate-dev/hardgate/runtime/evaluate/render"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/source"
)

// bed is one corpus that is built once and then judged under fault after fault,
// each as a generation of its own: what a fault leaves alone is not read again,
// and what it took away is vacuumed, as after a promotion.
type bed struct {
	place    assembly.Place
	revision int64
}

// newBed makes the physical collection of the sample.
func newBed(t *testing.T) *bed {
	t.Helper()
	st, err := engine.Embedded(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c := decoded(t, newSample(t), "Collection", settings.DecodeCollection)
	unique := fmt.Sprintf("%s-%d", t.Name(), time.Now().UnixNano()) // a test may run twice in this process
	name, err := assembly.Physical("bed", "hr", unique, c, engine.Model())
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Ensure(t.Context(), name, assembly.Schema(c, "bed")); err != nil {
		t.Fatal(err)
	}
	return &bed{place: assembly.Place{Store: st, Collection: name, Corpus: unique}}
}

// decoded reads one kind from the sample's files as the command line does.
func decoded[T any](t *testing.T, s *sample, kind string, decode func([]byte) (T, error)) T {
	t.Helper()
	all, err := settings.ReadFiles(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		if m.Kind == kind {
			out, err := decode(m.Spec)
			if err != nil {
				t.Fatalf("%s: %v", filepath.Base(m.From), err)
			}
			return out
		}
	}
	t.Fatalf("no %s in the sample", kind)
	panic("unreachable")
}

// judge builds the next generation from the sample and lets its golden set
// judge it. What returns has been JSON in between: it is what a reader of
// `hardgate eval -o json` sees.
func (b *bed) judge(t *testing.T, s *sample) evaluate.Scorecard {
	t.Helper()
	card, err := b.evaluate(t, s)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := render.JSON(&text, card); err != nil {
		t.Fatal(err)
	}
	var out evaluate.Scorecard
	if err := json.Unmarshal(text.Bytes(), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func (b *bed) evaluate(t *testing.T, s *sample) (*evaluate.Scorecard, error) {
	t.Helper()
	corpus := decoded(t, s, "Corpus", settings.DecodeCorpus)
	key := decoded(t, s, "GoldenSet", settings.DecodeGoldenSet)
	b.revision++
	objects := b.ingest(t, s, corpus)
	if err := engine.Ledger(b.place).Vacuum(t.Context(), b.revision); err != nil {
		t.Fatal(err)
	}
	asker, err := engine.Asker(b.place, b.revision, corpus, assembly.Terms{})
	if err != nil {
		t.Fatal(err)
	}
	return evaluate.Run(t.Context(), evaluate.Config{
		Corpus: "hr/payroll", Settings: corpus, Sets: []evaluate.Set{{Name: "payroll", Key: key}},
	}, asker, engine.View(b.place, b.revision, objects))
}

// ingest returns the keys of the listing.
func (b *bed) ingest(t *testing.T, s *sample, corpus settings.Corpus) []string {
	t.Helper()
	dir := source.Dir{Path: s.documents()}
	in, err := engine.Ingester(t.Context(), b.place, dir, corpus, assembly.Terms{})
	if err != nil {
		t.Fatal(err)
	}
	manifests, err := in.Manifests()
	if err != nil {
		t.Fatal(err)
	}
	listing, err := source.List(t.Context(), dir, assembly.Filter(corpus.Source), manifests)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := in.Run(t.Context(), listing, b.revision, nil)
	if err != nil {
		t.Fatal(err)
	}
	if sum.Failed > 0 {
		t.Fatalf("documents failed: %+v", sum.Failures)
	}
	return listing.Keys
}
