package collection

import (
	"context"
	"fmt"
	"slices"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/work"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// transfer is a move's work in the stores, as jobs run it.
type transfer struct {
	from, to *store.Client
	names    []string // physical collections
	schema   store.Schema
	id       string // of the move
}

// transfer assembles a move's work. Indexes that a Corpus still needs go along,
// though the spec no longer has them.
func (r *Reconciler) transfer(v *visit, m *v1alpha1.MigrationStatus, to *store.Client) transfer {
	schema := v.schema
	schema.Indexes = slices.Clone(schema.Indexes)
	for _, k := range v.kept {
		for _, i := range v.state.Indexes {
			if i.Field == k.field {
				schema.Indexes = append(schema.Indexes, store.Index{Field: i.Field, Type: i.Type})
			}
		}
	}
	return transfer{from: v.client, to: to, names: physicals(v.collection), schema: schema, id: m.ID}
}

// moveKey is one a Collection: no two jobs copy for it at a time.
func moveKey(v *visit) string { return "move/" + string(v.collection.UID) }

// run starts a job unless it runs, and takes what it has come to. Each phase of a
// move has a job of its own.
func (r *Reconciler) run(v *visit, m *v1alpha1.MigrationStatus, job work.Func) (work.State, bool) {
	key := moveKey(v) + "/" + string(m.Phase)
	state, ok := r.Runner.Look(key)
	switch {
	case !ok:
		r.Runner.Start(key, v.collection.DeepCopy(), job)
		return state, false
	case state.Running:
		var done, total int64
		if n, err := fmt.Sscanf(state.Progress, "%d/%d", &done, &total); n == 2 && err == nil {
			m.Copied, m.Points = done, total
		}
		return state, false
	}
	r.Runner.Forget(key)
	if n, err := fmt.Sscanf(state.Progress, "%d/%d", &m.Copied, &m.Points); n != 2 || err != nil {
		m.Copied = 0 // it ended before its first page
	}
	return state, true
}

// stop ends whatever job a move has.
func (r *Reconciler) stop(ctx context.Context, v *visit) error {
	for _, phase := range []v1alpha1.MigrationPhase{v1alpha1.MigrationCopying, v1alpha1.MigrationSettling} {
		if err := r.Runner.Cancel(ctx, moveKey(v)+"/"+string(phase)); err != nil {
			return err
		}
	}
	return nil
}

// copy is the first pass. Its result says whether both addresses are one server.
func (t transfer) copy(ctx context.Context, progress func(done, total int)) (any, error) {
	for _, name := range t.names {
		if err := t.prepare(ctx, name); err != nil {
			return false, err
		}
		mark, err := t.from.MoveOf(ctx, name)
		if err != nil {
			return false, err
		}
		if mark == t.id {
			return true, nil
		}
	}
	return false, t.mirror(ctx, false, progress)
}

// prepare makes the collection that is copied to, or holds one that is there to the
// schema, and marks it with the move.
func (t transfer) prepare(ctx context.Context, name string) error {
	if err := t.to.Ensure(ctx, name, t.schema); err != nil {
		return err
	}
	if err := t.to.MarkMove(ctx, name, t.id); err != nil {
		return err
	}
	_, drift, err := t.to.Inspect(ctx, name, t.schema)
	if err != nil {
		return err
	}
	return t.to.Repair(ctx, name, t.schema, drift)
}

// settle is the last pass: nobody writes, so what is copied then is the same.
func (t transfer) settle(ctx context.Context, progress func(done, total int)) (any, error) {
	if err := t.mirror(ctx, true, progress); err != nil {
		return nil, err
	}
	for _, name := range t.names {
		if _, err := store.Compare(ctx, t.from, t.to, name); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

func (t transfer) mirror(ctx context.Context, deep bool, progress func(done, total int)) error {
	var total, before uint64
	for _, name := range t.names {
		n, err := t.from.Count(ctx, name, nil, true)
		if err != nil {
			return err
		}
		total += n
	}
	progress(0, int(total))
	for _, name := range t.names {
		m, err := store.Mirror(ctx, t.from, t.to, name, deep, func(done uint64) {
			progress(int(before+done), int(max(total, before+done)))
		})
		if err != nil {
			return err
		}
		before += m.Census.Points()
	}
	return nil
}
