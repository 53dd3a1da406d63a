package goldenset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/answerkey"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
	"github.com/hardgate-dev/hardgate/controllers/work"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/evaluate"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// task is an evaluation, with everything that its freeze covers read already.
type task struct {
	subject
	key      evaluate.Set
	snapshot snapshot.Snapshot
	inputs   evaluate.Inputs
	attempt  int32
}

// prepare reads the revision and every golden set of the Corpus' gate, and
// compares their freeze with the one that was published: a FreezeChangedError
// says that either side is late.
func (r *Reconciler) prepare(ctx context.Context, v *visit, s subject, attempt int32) (task, error) {
	s.corpus = s.corpus.DeepCopy()
	t := task{subject: s, attempt: attempt}
	var err error
	if t.snapshot, err = snapshot.Load(ctx, r.Reader, s.corpus, s.revision); err != nil {
		return t, err
	}
	sets, err := answerkey.Load(ctx, r.Reader, s.corpus.Namespace, s.corpus.Spec.Gate.GoldenSets)
	var wait *outcome.Wait
	var stall *outcome.Stall
	if errors.As(err, &wait) || errors.As(err, &stall) {
		// The Corpus cannot have frozen what can't be read, so it will freeze anew.
		return t, &evaluate.FreezeChangedError{Published: s.freeze, Found: err.Error()}
	}
	if err != nil {
		return t, err
	}
	found, in, err := answerkey.Freeze(r.Runtime.Version(), t.snapshot, sets)
	if err != nil {
		return t, err
	}
	own := slices.IndexFunc(sets, func(x evaluate.Set) bool { return x.Name == v.set.Name })
	if found != s.freeze || own < 0 {
		return t, &evaluate.FreezeChangedError{Published: s.freeze, Found: found}
	}
	t.inputs, t.key = in, sets[own] // the key that the freeze covers, not one that a cache still has
	return t, nil
}

// job is the evaluation as the runner runs it. Its result is a *Scorecard.
func (r *Reconciler) job(t task) work.Func {
	return func(ctx context.Context, progress func(done, total int)) (any, error) {
		card, err := r.evaluate(ctx, t, progress)
		if err != nil {
			return nil, &failure{t.attempt, err}
		}
		return card, nil
	}
}

// evaluate asks the revision through the code path of a tenant's query.
func (r *Reconciler) evaluate(ctx context.Context, t task, progress func(done, total int)) (*evaluate.Scorecard, error) {
	place, kind, err := r.place(ctx, t)
	if err != nil {
		return nil, err
	}
	running, err := live(t)
	if err != nil {
		return nil, err
	}
	terms, err := r.Connect.Terms(ctx, t.corpus.Namespace, running)
	if err != nil {
		return nil, err
	}
	terms.Golden = true
	asker, err := r.Runtime.Asker(place, t.revision, running, terms)
	if err != nil {
		return nil, fmt.Errorf("assemble revision %d: %w", t.revision, err)
	}
	outlay, err := asker.Outlay()
	if err != nil {
		return nil, err
	}
	space, err := r.Runtime.Space(running.Pipeline.Embedding)
	if err != nil {
		return nil, err
	}
	objects, err := r.objects(ctx, t, place)
	if err != nil {
		return nil, err
	}
	baseline, err := r.baseline(ctx, t)
	if err != nil {
		return nil, err
	}
	return evaluate.Run(ctx, evaluate.Config{
		Corpus: t.corpus.Namespace + "/" + t.corpus.Name, Settings: t.snapshot.Settings, Sets: []evaluate.Set{t.key},
		Environment: map[string]string{"hardgate": r.Runtime.Version(), "store": kind, "model": "sha256:" + space.ID},
		Budget:      evaluate.Budget{PerCallUSD: outlay.PerCall, LeftUSD: outlay.Left, PerDayUSD: outlay.PerDay},
		Inputs:      t.inputs, Freeze: t.freeze, Baseline: baseline, Progress: progress, Now: r.Clock.Now,
	}, asker, r.Runtime.View(place, t.revision, objects))
}

// live is the revision's settings with the spec's budget and prices as they are now.
func live(t task) (settings.Corpus, error) {
	spec, err := json.Marshal(t.corpus.Spec)
	if err != nil {
		return settings.Corpus{}, fmt.Errorf("encode spec: %w", err)
	}
	now, err := settings.DecodeCorpus(spec)
	if err != nil {
		return settings.Corpus{}, err
	}
	out, _ := t.snapshot.Settings.Live(now) // the Corpus says of which model the budget isn't kept
	return out, nil
}

// place is where the revision is, and the kind of its store.
func (r *Reconciler) place(ctx context.Context, t task) (assembly.Place, string, error) {
	name := settings.FirstNonBlank(t.snapshot.Settings.CollectionRef.Name, string(t.corpus.Spec.CollectionRef.Name))
	c := &v1alpha1.Collection{}
	if err := r.Client.Get(ctx, types.NamespacedName{Namespace: t.corpus.Namespace, Name: name}, c); err != nil {
		return assembly.Place{}, "", fmt.Errorf("read Collection %q: %w", name, err)
	}
	connect, place := r.Connect.Store, c.Place()
	if t.copied {
		connect, place = r.Connect.Target, c.Spec.Store.Place()
	}
	s, err := connect(ctx, c)
	if err != nil {
		return assembly.Place{}, "", fmt.Errorf("store of Collection %q: %w", name, err)
	}
	kind := v1alpha1.EmbeddedPlace
	if place != kind {
		kind = "qdrant"
	}
	return assembly.Place{Store: s, Collection: t.collection, Corpus: string(t.corpus.UID)}, kind, nil
}

// objects are the keys of the whole listing, or of the ledger where this process
// hasn't listed the source.
func (r *Reconciler) objects(ctx context.Context, t task, place assembly.Place) ([]string, error) {
	if r.Objects != nil {
		if keys := r.Objects(t.corpus.UID); keys != nil {
			return keys, nil
		}
	}
	records, err := r.Runtime.Ledger(place).Records(ctx, t.revision, false)
	if err != nil {
		return nil, err
	}
	keys := make([]string, 0, len(records))
	for _, record := range records {
		keys = append(keys, record.Key)
	}
	return keys, nil
}
