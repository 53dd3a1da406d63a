package backup

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/qdrant/go-client/qdrant"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
	"github.com/hardgate-dev/hardgate/runtime/archive"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/ingest"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// exported is a Corpus that is backed up.
type exported struct {
	corpus *v1alpha1.Corpus
	active *v1alpha1.ActiveStatus
	seen   stock
}

// stock counts what the points say a revision has.
type stock struct{ documents, chunks int64 }

// Export is a backup that is ready to be written.
type Export struct {
	keeper  *Keeper
	subject subject
	corpora map[string]*exported // by UID
	order   []*exported
}

// Prepare finds what there is to back up. What it refuses, no byte of an archive
// has been written for.
func (k *Keeper) Prepare(ctx context.Context, name types.NamespacedName) (*Export, error) {
	s, err := k.find(ctx, name)
	if err != nil {
		return nil, err
	}
	var all v1alpha1.CorpusList
	if err := k.Reader.List(ctx, &all, client.InNamespace(name.Namespace)); err != nil {
		return nil, fmt.Errorf("list Corpora: %w", err)
	}
	x := &Export{keeper: k, subject: s, corpora: map[string]*exported{}}
	for i := range all.Items {
		c := &all.Items[i]
		if string(c.Spec.CollectionRef.Name) != name.Name || c.Status.Active == nil {
			continue
		}
		if c.Status.Active.Collection != s.Status.Physical {
			return nil, refused("Corpus %q still serves from %s, not from %s: wait until it has gone over", c.Name, c.Status.Active.Collection, s.Status.Physical)
		}
		e := &exported{corpus: c, active: c.Status.Active}
		x.corpora[string(c.UID)] = e
		x.order = append(x.order, e)
	}
	if len(x.order) == 0 {
		return nil, refused("no Corpus serves from Collection %q: there is nothing to back up", name.Name)
	}
	return x, nil
}

// Write writes the archive: of every Corpus what is kept up to the revision that
// serves. What was built beyond that is no part of it. If the store changes in a
// way that matters while it is read, or something fails, the archive says so.
func (x *Export) Write(ctx context.Context, out io.Writer) error {
	spec, err := json.Marshal(x.subject.Spec)
	if err != nil {
		return fmt.Errorf("encode spec: %w", err)
	}
	w, err := archive.NewWriter(out, archive.Manifest{
		TakenAt: x.keeper.Now().UTC(), Version: x.keeper.Runtime.Version(), Cluster: x.keeper.ClusterID, Namespace: x.subject.Namespace, Collection: x.subject.Name,
		Physical: x.subject.Status.Physical, Model: x.subject.Status.Model, Size: int(x.subject.Spec.Vectors.Dense.Size), Spec: spec,
	})
	if err != nil {
		return err
	}
	if err := x.write(ctx, w); err != nil {
		if ferr := w.Fail(err); ferr != nil {
			return ferr // nobody is there to read why
		}
		return err
	}
	return w.Close()
}

func (x *Export) write(ctx context.Context, w *archive.Writer) error {
	if err := w.Section(archive.Corpora); err != nil {
		return err
	}
	for _, e := range x.order {
		c, err := x.describe(ctx, e)
		if err == nil {
			err = w.Corpus(c)
		}
		if err != nil {
			return err
		}
	}
	if err := w.Section(archive.Points); err != nil {
		return err
	}
	if err := x.points(ctx, w); err != nil {
		return err
	}
	for _, e := range x.order {
		if want := (stock{e.active.Documents, e.active.Points}); e.seen != want {
			return fmt.Errorf("corpus %q has %d documents and %d chunks in the store, and %d and %d by its ledger: it changed while it was read, take the backup again",
				e.corpus.Name, e.seen.documents, e.seen.chunks, want.documents, want.chunks)
		}
	}
	return nil
}

// describe reads what makes points a corpus.
func (x *Export) describe(ctx context.Context, e *exported) (archive.Corpus, error) {
	status, err := json.Marshal(e.corpus.Status)
	if err != nil {
		return archive.Corpus{}, fmt.Errorf("encode status: %w", err)
	}
	out := archive.Corpus{Name: e.corpus.Name, UID: string(e.corpus.UID), Alias: assembly.Alias(e.corpus.Namespace, e.corpus.Name), Status: status}
	kept, err := snapshot.List(ctx, x.keeper.Reader, e.corpus)
	if err != nil {
		return out, err
	}
	for _, n := range kept {
		if n > e.active.Revision {
			continue
		}
		s, err := snapshot.Load(ctx, x.keeper.Reader, e.corpus, n)
		if err != nil {
			return out, err
		}
		if s.Collection != e.active.Collection {
			continue // its points are in a collection that is no more
		}
		data, err := json.Marshal(s)
		if err != nil {
			return out, fmt.Errorf("encode revision %d: %w", n, err)
		}
		out.Revisions = append(out.Revisions, archive.Revision{Number: n, Snapshot: data})
	}
	out.Receipts, err = x.receipts(ctx, e.corpus)
	return out, err
}

// receipts are the ConfigMaps that a Corpus owns.
func (x *Export) receipts(ctx context.Context, c *v1alpha1.Corpus) ([]archive.Receipt, error) {
	var list corev1.ConfigMapList
	match := client.MatchingLabels{snapshot.CorpusLabel: snapshot.Bounded(c.Name, snapshot.LongestLabel)}
	if err := x.keeper.Reader.List(ctx, &list, client.InNamespace(c.Namespace), match); err != nil {
		return nil, fmt.Errorf("list receipts of corpus %q: %w", c.Name, err)
	}
	var out []archive.Receipt
	for i := range list.Items {
		if m := &list.Items[i]; metav1.IsControlledBy(m, c) {
			out = append(out, archive.Receipt{Name: m.Name, Labels: m.Labels, Annotations: m.Annotations, Data: m.Data})
		}
	}
	return out, nil
}

// points writes what revisions up to the one that serves can see, as it was when
// that was promoted: superseded by nothing later.
func (x *Export) points(ctx context.Context, w *archive.Writer) error {
	var uids []string
	for _, e := range x.order {
		uids = append(uids, string(e.corpus.UID))
	}
	f := &qdrant.Filter{Must: []*qdrant.Condition{qdrant.NewMatchKeywords("hardgate.corpus", uids...)}}
	for r, err := range x.subject.store.Scroll(ctx, x.subject.Status.Physical, f, store.AllFields(), true) {
		if err != nil {
			return err
		}
		o := own(r.Payload)
		e := x.corpora[text(o, "corpus")]
		if e == nil || number(o, "from") > e.active.Revision {
			continue
		}
		if number(o, "to") > e.active.Revision {
			o["to"] = ingest.Open
			e.seen.take(text(o, "kind"))
		}
		if err := w.Point(r.Point()); err != nil {
			return err
		}
	}
	return nil
}

func (s *stock) take(kind string) {
	switch kind {
	case "document":
		s.documents++
	case "chunk":
		s.chunks++
	}
}
