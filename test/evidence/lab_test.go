// Package evidence holds the evidence lab of config/samples to what it is for: a
// corpus with revisions, validity, groups and products, judged by the evidence
// that each question needs. Everything runs on the real parts: the committed
// PDFs, the encoder, the embedded store behind its gRPC API, and the gate.
package evidence

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/evaluate"
	"github.com/hardgate-dev/hardgate/runtime/ingest"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/source"
	"github.com/hardgate-dev/hardgate/runtime/store"
	"github.com/hardgate-dev/hardgate/runtime/store/embedded"
)

const sample = "../../config/samples/evidence-lab"

// lab is the sample's two corpora as revision 1 of one collection.
type lab struct {
	runtime          *assembly.Runtime
	server           *embedded.Server
	store            *store.Client
	collection       string // physical name
	full, incomplete *corpus
}

// corpus is one corpus that was ingested.
type corpus struct {
	lab      *lab
	name     string
	settings settings.Corpus
	sets     []evaluate.Set
	documents
}

// documents are what an ingest made of a folder.
type documents struct {
	place   assembly.Place
	listing source.Listing
	summary ingest.Summary
}

// shared is ingested once: no test changes it.
var shared = sync.OnceValues(open)

func theLab(t *testing.T) *lab {
	t.Helper()
	l, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// options find what `make setup` brought.
func options() (assembly.Options, error) {
	o := assembly.Options{
		ModelDir: settings.ModelDir(os.Getenv),
		CacheDir: settings.EngineDir(os.Getenv), Version: "test",
	}
	if _, err := os.Stat(filepath.Join(o.ModelDir, "model.onnx")); err != nil {
		return o, fmt.Errorf("no model in HARDGATE_MODEL_DIR or the user's cache: run `make setup` (%w)", err)
	}
	return o, nil
}

func open() (*lab, error) {
	o, err := options()
	if err != nil {
		return nil, err
	}
	l := &lab{}
	if l.runtime, err = assembly.Open(o); err != nil {
		return nil, err
	}
	if l.server, err = embedded.Open(embedded.Options{}); err != nil {
		return nil, err
	}
	ctx := context.Background()
	if l.store, err = store.Connect(ctx, store.Config{Embedded: l.server}); err != nil {
		return nil, err
	}
	all, err := settings.ReadFiles(sample)
	if err != nil {
		return nil, err
	}
	if err := l.prepare(ctx, all); err != nil {
		return nil, err
	}
	if l.full, err = l.corpus(ctx, all, "evidence-lab"); err != nil {
		return nil, err
	}
	l.incomplete, err = l.corpus(ctx, all, "evidence-lab-incomplete")
	return l, err
}

func find(all []settings.Manifest, kind, name string) settings.Manifest {
	i := slices.IndexFunc(all, func(m settings.Manifest) bool { return m.Kind == kind && m.Name == name })
	return all[i]
}

// prepare makes the collection.
func (l *lab) prepare(ctx context.Context, all []settings.Manifest) error {
	c, err := settings.DecodeCollection(find(all, "Collection", "evidence").Spec)
	if err != nil {
		return err
	}
	if l.collection, err = assembly.Physical("test", "evidence", "evidence", c, l.runtime.Model()); err != nil {
		return err
	}
	return l.store.Ensure(ctx, l.collection, assembly.Schema(c, "test"))
}

func (l *lab) corpus(ctx context.Context, all []settings.Manifest, name string) (*corpus, error) {
	c := &corpus{lab: l, name: name}
	var err error
	if c.settings, err = settings.DecodeCorpus(find(all, "Corpus", name).Spec); err != nil {
		return nil, err
	}
	key, err := settings.DecodeGoldenSet(find(all, "GoldenSet", name).Spec)
	if err != nil {
		return nil, err
	}
	c.sets = []evaluate.Set{{Name: name, Key: key}}
	c.documents, err = l.ingest(ctx, name, filepath.Join(sample, "documents"), 1, c.settings)
	if err == nil && c.summary.Failed > 0 {
		err = fmt.Errorf("%s: %+v", name, c.summary.Failures)
	}
	return c, err
}

// ingest makes a folder generation n of a corpus in the lab's collection.
func (l *lab) ingest(ctx context.Context, uid, dir string, n int64, s settings.Corpus) (documents, error) {
	d := documents{place: assembly.Place{Store: l.store, Collection: l.collection, Corpus: uid}}
	folder := source.Dir{Path: dir}
	in, err := l.runtime.Ingester(ctx, d.place, folder, s, assembly.Terms{})
	if err != nil {
		return d, err
	}
	manifests, err := in.Manifests()
	if err != nil {
		return d, err
	}
	if d.listing, err = source.List(ctx, folder, assembly.Filter(s.Source), manifests); err != nil {
		return d, err
	}
	d.summary, err = in.Run(ctx, d.listing, n, nil)
	return d, err
}

// asker asks revision 1 under the given settings, through the given store.
func (c *corpus) asker(t *testing.T, s settings.Corpus, through *store.Client) *assembly.Asker {
	t.Helper()
	p := c.place
	p.Store = through
	a, err := c.lab.runtime.Asker(p, 1, s, assembly.Terms{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// config judges the corpus by its own golden set, in its own mode alone.
func (c *corpus) config(t *testing.T) evaluate.Config {
	t.Helper()
	hash, err := c.settings.Hash()
	if err != nil {
		t.Fatal(err)
	}
	return evaluate.Config{
		Corpus: "evidence/" + c.name, Settings: c.settings, Sets: c.sets, Modes: noOthers,
		Inputs: evaluate.Inputs{Code: c.lab.runtime.Version(), Config: hash, Source: c.listing.Revision},
	}
}

// noOthers are the modes compared beside the corpus' own; nil would leave them to the set.
var noOthers = []rag.Mode{}

// judge runs an evaluation through the given store; the ledger is read past it.
func (c *corpus) judge(t *testing.T, cfg evaluate.Config, through *store.Client) *evaluate.Scorecard {
	t.Helper()
	card, err := evaluate.Run(t.Context(), cfg, c.asker(t, cfg.Settings, through), c.lab.runtime.View(c.place, 1, c.listing.Keys))
	if err != nil {
		t.Fatal(err)
	}
	return card
}

// golden is a question of the corpus' own set.
func (c *corpus) golden(t *testing.T, name string) settings.GoldenQuestion {
	t.Helper()
	for _, q := range c.sets[0].Key.Questions {
		if q.Name == name {
			return q
		}
	}
	t.Fatalf("no question %s", name)
	return settings.GoldenQuestion{}
}

// only is a set of one question, under the strictest thresholds.
func only(q settings.GoldenQuestion) []evaluate.Set {
	return []evaluate.Set{{Name: "only", Key: settings.GoldenSet{Questions: []settings.GoldenQuestion{q}, Cutoffs: []int{3, 5}}}}
}
