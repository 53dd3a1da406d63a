package controllers

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/store"
	"github.com/hardgate-dev/hardgate/runtime/store/embedded"
)

const (
	normal  = corev1.EventTypeNormal
	warning = corev1.EventTypeWarning
	yes     = metav1.ConditionTrue
	no      = metav1.ConditionFalse
)

func keyword(fields ...v1alpha1.FieldName) []v1alpha1.PayloadIndex {
	var out []v1alpha1.PayloadIndex
	for _, f := range fields {
		out = append(out, v1alpha1.PayloadIndex{Field: f, Type: "Keyword"})
	}
	return out
}

func embeddedCollection(name string, fields ...v1alpha1.FieldName) *v1alpha1.Collection {
	return &v1alpha1.Collection{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec:       v1alpha1.CollectionSpec{Store: v1alpha1.Store{Embedded: &v1alpha1.EmbeddedStore{}}, PayloadIndexes: keyword(fields...)},
	}
}

func corpusIn(name, collection string, fields ...v1alpha1.FieldName) *v1alpha1.Corpus {
	c := &v1alpha1.Corpus{ObjectMeta: metav1.ObjectMeta{Name: name}}
	c.Spec.CollectionRef.Name = v1alpha1.ObjectName(collection)
	c.Spec.Source.S3 = &v1alpha1.S3Source{Endpoint: "http://storage.test:9000", Bucket: "documents"}
	if len(fields) > 0 {
		c.Spec.Eligibility = &v1alpha1.Eligibility{}
		for _, f := range fields {
			c.Spec.Eligibility.Constants = append(c.Spec.Eligibility.Constants, v1alpha1.ConstantRule{Field: f, Values: []v1alpha1.Text{"published"}})
		}
	}
	return c
}

// owner is the marker of a collection in this world.
func (w *world) owner(name string) string {
	return strings.Join([]string{cluster, w.namespace, name}, "/")
}

// physical is the name that a Collection's physical one has to have.
func (w *world) physical(c *v1alpha1.Collection) string {
	w.Helper()
	space, err := w.encoder.Space(settings.Embedding{})
	if err != nil {
		w.Fatal(err)
	}
	p, err := assembly.Physical(cluster, w.namespace, c.Name, settings.Collection{
		Shards:  max(1, int(c.Spec.Shards)),
		Vectors: settings.Vectors{Dense: settings.DenseVectors{Size: 384, Distance: "Cosine"}, Sparse: settings.SparseVectors{Modifier: "IDF"}},
	}, space.ID)
	if err != nil {
		w.Fatal(err)
	}
	return p
}

func (w *world) schema(name string, indexes ...store.Index) store.Schema {
	return store.Schema{Size: 384, Strict: true, Owner: w.owner(name), Indexes: append(store.OwnIndexes(), indexes...)}
}

// has are the payload indexes of a physical collection that aren't the operator's.
func (w *world) has(s *store.Client, name, physical string) []string {
	w.Helper()
	var state store.State
	w.Eventually("inspect "+physical, func() (err error) { // an index may go between its listing and its counting
		state, _, err = s.Inspect(w.Context(), physical, w.schema(name))
		return err
	})
	if !state.Exists {
		return []string{"no collection"}
	}
	var out []string
	for _, i := range state.Indexes {
		if !strings.HasPrefix(i.Field, store.Own+".") {
			out = append(out, i.Field)
		}
	}
	return out
}

// dropIndex does what somebody with access to the store might do.
func (w *world) dropIndex(name, physical, field string) {
	w.Helper()
	err := w.store().Repair(w.Context(), physical, w.schema(name), []store.Drift{{Kind: store.ExtraIndex, Field: field}})
	if err != nil {
		w.Fatal(err)
	}
}

func TestCollectionIsMade(t *testing.T) {
	w := newWorld(t, collections)
	c := embeddedCollection("hr", "doc_type", "status")
	w.ExpectApplied(c)
	w.ExpectKstatus(c, status.CurrentStatus)
	if want := w.physical(c); c.Status.Physical != want {
		t.Errorf("physical is %q, want %q", c.Status.Physical, want)
	}
	state, drift, err := w.store().Inspect(t.Context(), c.Status.Physical, w.schema("hr", store.Index{Field: "doc_type", Type: "Keyword"}, store.Index{Field: "status", Type: "Keyword"}))
	if err != nil || !state.Exists || len(drift) > 0 {
		t.Errorf("the store has exists=%v drift=%v: %v", state.Exists, drift, err)
	}
	if !slices.Contains(c.Finalizers, v1alpha1.Finalizer) || c.Status.ObservedGeneration != c.Generation || len(c.Status.Indexes) != len(state.Indexes) {
		t.Errorf("status is %+v", c.Status)
	}
	w.ExpectEvent(c, normal, v1alpha1.SucceededReason)
	w.ExpectRest(5 * driftInterval)
}

func TestCollectionAnswersReconcileRequests(t *testing.T) {
	w := newWorld(t, collections)
	c := embeddedCollection("hr")
	w.ExpectApplied(c)
	w.ExpectKstatus(c, status.CurrentStatus)
	for _, key := range []string{v1alpha1.ReconcileRequestAnnotation, v1alpha1.FluxReconcileRequestAnnotation} {
		value := time.Now().Format(time.RFC3339Nano)
		w.Annotate(c, key, value)
		w.Eventually("the request is echoed", func() error {
			w.refresh(c)
			if c.Status.LastHandledReconcileAt != value {
				return fmt.Errorf("lastHandledReconcileAt is %q, want %q", c.Status.LastHandledReconcileAt, value)
			}
			return nil
		})
	}
}

func TestCollectionDriftIsReportedThenRepaired(t *testing.T) {
	w := newWorld(t, collections)
	c := embeddedCollection("hr", "doc_type", "status")
	w.ExpectApplied(c)
	w.ExpectKstatus(c, status.CurrentStatus)
	states := w.Record(&v1alpha1.CollectionList{})

	w.dropIndex("hr", c.Status.Physical, "doc_type")

	w.ExpectEvent(c, warning, v1alpha1.DriftDetectedReason)
	w.ExpectEvent(c, normal, v1alpha1.DriftRepairedReason)
	w.ExpectKstatus(c, status.CurrentStatus)
	if diff := cmp.Diff([]string{"doc_type", "status"}, w.has(w.store(), "hr", c.Status.Physical)); diff != "" {
		t.Errorf("indexes (-want +got):\n%s", diff)
	}
	if len(c.Status.Drift) > 0 {
		t.Errorf("drift is still told: %v", c.Status.Drift)
	}
	w.expectReported(states(), []v1alpha1.Drift{{Path: "payloadIndexes[doc_type]", Want: "Keyword", Got: "none"}})
	w.ExpectRest(5 * driftInterval)
}

// expectReported fails unless an object passed through a state that told of the
// drift, not Ready.
func (w *world) expectReported(states []client.Object, want []v1alpha1.Drift) {
	w.Helper()
	for _, o := range states {
		c, ok := o.(*v1alpha1.Collection)
		ready := meta.FindStatusCondition(c.Status.Conditions, v1alpha1.ReadyCondition)
		if ok && cmp.Equal(want, c.Status.Drift) && ready.Status == no && ready.Reason == v1alpha1.DriftDetectedReason &&
			meta.IsStatusConditionTrue(c.Status.Conditions, v1alpha1.ReconcilingCondition) {
			return
		}
	}
	w.Errorf("no state told of drift %v; there were %d", want, len(states))
}

func TestCollectionFollowsItsSpecAtOnce(t *testing.T) {
	for name, policy := range map[string]v1alpha1.DriftPolicy{"Repair": v1alpha1.DriftRepair, "Warn": v1alpha1.DriftWarn} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, collections)
			c := embeddedCollection("hr", "doc_type", "status")
			c.Spec.Drift = policy
			w.ExpectApplied(c)
			w.ExpectKstatus(c, status.CurrentStatus)
			w.refresh(c)
			c.Spec.PayloadIndexes = keyword("status", "customer")
			w.ExpectApplied(c)
			w.ExpectKstatus(c, status.CurrentStatus)
			if diff := cmp.Diff([]string{"customer", "status"}, w.has(w.store(), "hr", c.Status.Physical)); diff != "" {
				t.Errorf("a change of the spec is no drift and is applied under every policy; indexes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCollectionWarnLeavesDrift(t *testing.T) {
	w := newWorld(t, collections)
	c := embeddedCollection("hr", "doc_type", "status")
	c.Spec.Drift = v1alpha1.DriftWarn
	w.ExpectApplied(c, corpusIn("payroll", "hr", "status"))
	w.ExpectKstatus(c, status.CurrentStatus)

	w.dropIndex("hr", c.Status.Physical, "doc_type")
	w.dropIndex("hr", c.Status.Physical, "hardgate.ids")
	w.ExpectCondition(c, v1alpha1.DegradedCondition, yes, v1alpha1.DriftDetectedReason, "payloadIndexes[doc_type]")
	w.Eventually("the operator's own index is made again under every policy", func() error {
		_, drift, err := w.store().Inspect(t.Context(), c.Status.Physical, w.schema("hr", store.Index{Field: "doc_type", Type: "Keyword"}, store.Index{Field: "status", Type: "Keyword"}))
		if err != nil || len(drift) != 1 {
			return fmt.Errorf("drift %v: %w", drift, err)
		}
		return nil
	})
	w.ExpectCondition(c, v1alpha1.ReadyCondition, yes, v1alpha1.SucceededReason)
	w.ExpectKstatus(c, status.CurrentStatus)
	w.ExpectRest(5 * driftInterval)

	w.dropIndex("hr", c.Status.Physical, "status")
	w.ExpectCondition(c, v1alpha1.StalledCondition, yes, v1alpha1.DriftDetectedReason, "payloadIndexes[status]")
	w.ExpectKstatus(c, status.FailedStatus)
	if got := w.has(w.store(), "hr", c.Status.Physical); len(got) > 0 {
		t.Errorf("Warn repaired %v", got)
	}

	w.refresh(c)
	c.Spec.Drift = v1alpha1.DriftRepair
	w.ExpectApplied(c)
	w.ExpectKstatus(c, status.CurrentStatus)
	if diff := cmp.Diff([]string{"doc_type", "status"}, w.has(w.store(), "hr", c.Status.Physical)); diff != "" {
		t.Errorf("indexes (-want +got):\n%s", diff)
	}
}

func TestCollectionKeepsIndexesInUse(t *testing.T) {
	w := newWorld(t, collections)
	c := embeddedCollection("hr", "doc_type", "status")
	bySpec, bySnapshot := corpusIn("spec", "hr", "doc_type"), corpusIn("active", "hr")
	w.ExpectApplied(c, bySpec, bySnapshot)
	w.ExpectKstatus(c, status.CurrentStatus)
	w.ExpectStatus(bySnapshot, func() {
		bySnapshot.Status.Active = &v1alpha1.ActiveStatus{Revision: 1, Collection: c.Status.Physical}
	})
	rules := settings.Eligibility{Constants: []settings.Constant{{Field: "status", Values: []string{"published"}}}}
	if err := snapshot.Save(t.Context(), w, bySnapshot, 1, snapshot.Snapshot{Settings: settings.Corpus{Eligibility: rules}}); err != nil {
		t.Fatal(err)
	}

	c.Spec.PayloadIndexes = nil
	w.ExpectApplied(c)
	w.ExpectCondition(c, v1alpha1.DegradedCondition, yes, v1alpha1.IndexInUseReason, "doc_type", "Corpus spec", "status", "Corpus active")
	w.ExpectKstatus(c, status.CurrentStatus)
	if diff := cmp.Diff([]string{"doc_type", "status"}, w.has(w.store(), "hr", c.Status.Physical)); diff != "" {
		t.Errorf("indexes (-want +got):\n%s", diff)
	}
	w.ExpectRest(5 * driftInterval)

	w.ExpectDeleted(bySpec)
	w.Eventually("the index that nobody needs is dropped", func() error {
		if got := w.has(w.store(), "hr", c.Status.Physical); !slices.Equal(got, []string{"status"}) {
			return fmt.Errorf("indexes are %v", got)
		}
		return nil
	})
	w.ExpectCondition(c, v1alpha1.DegradedCondition, yes, v1alpha1.IndexInUseReason, "status")
}

func TestCollectionLostFromTheStore(t *testing.T) {
	w := newWorld(t, collections)
	c := embeddedCollection("hr", "doc_type")
	w.ExpectApplied(c)
	w.ExpectKstatus(c, status.CurrentStatus)
	if err := w.store().DropCollection(t.Context(), c.Status.Physical, w.owner("hr")); err != nil {
		t.Fatal(err)
	}
	w.ExpectEvent(c, warning, v1alpha1.StoreLostReason)
	w.ExpectKstatus(c, status.CurrentStatus)
	if diff := cmp.Diff([]string{"doc_type"}, w.has(w.store(), "hr", c.Status.Physical)); diff != "" {
		t.Errorf("indexes (-want +got):\n%s", diff)
	}
}

func TestCollectionForeign(t *testing.T) {
	w := newWorld(t)
	c := embeddedCollection("hr", "doc_type")
	physical := w.physical(c)
	other := w.schema("hr")
	other.Owner = "elsewhere/hr/hr"
	if err := w.store().Ensure(t.Context(), physical, other); err != nil {
		t.Fatal(err)
	}
	w.run(collections)
	w.ExpectApplied(c)
	w.ExpectCondition(c, v1alpha1.ReadyCondition, no, v1alpha1.ForeignCollectionReason, physical, "elsewhere/hr/hr")
	w.ExpectKstatus(c, status.FailedStatus)
	if state, _, err := w.store().Inspect(t.Context(), physical, other); err != nil || len(state.Indexes) != len(store.OwnIndexes()) {
		t.Errorf("a foreign collection was changed: %+v: %v", state.Indexes, err)
	}
	w.ExpectRest(5 * driftInterval)

	w.ExpectDeleted(c)
	w.ExpectGone(c)
	if _, _, err := w.store().Inspect(t.Context(), physical, other); err != nil {
		t.Errorf("a foreign collection went with the object: %v", err)
	}
}

func TestCollectionVectorSizeMismatch(t *testing.T) {
	w := newWorld(t, collections)
	c := embeddedCollection("hr")
	c.Spec.Vectors.Dense.Size = 768
	w.ExpectApplied(c, corpusIn("payroll", "hr"))
	w.ExpectCondition(c, v1alpha1.StalledCondition, yes, v1alpha1.VectorSizeMismatchReason, "spec.vectors.dense.size is 768", "384")
	w.ExpectKstatus(c, status.FailedStatus)
	if c.Status.Physical != "" {
		t.Errorf("%q was planned", c.Status.Physical)
	}
}

// swapped is the runtime after its model was exchanged for another of the same
// size.
type swapped struct{ *assembly.Runtime }

func (s swapped) Space(e settings.Embedding) (assembly.Space, error) {
	space, err := s.Runtime.Space(e)
	space.ID = "sha256:another"
	return space, err
}

func TestCollectionSupersededLivesUntilNothingServesFromIt(t *testing.T) {
	w := newWorld(t, collections)
	c := embeddedCollection("hr", "doc_type")
	corpus := corpusIn("payroll", "hr")
	w.ExpectApplied(c, corpus)
	w.ExpectKstatus(c, status.CurrentStatus)
	old := c.Status.Physical
	w.ExpectStatus(corpus, func() { corpus.Status.Active = &v1alpha1.ActiveStatus{Revision: 1, Collection: old} })

	w.encoder = swapped{engine}
	w.run(collections)
	w.Eventually("another collection takes its place", func() error {
		w.refresh(c)
		if c.Status.Physical == old || !slices.Equal(c.Status.Superseded, []string{old}) {
			return fmt.Errorf("physical %q, superseded %v", c.Status.Physical, c.Status.Superseded)
		}
		return nil
	})
	w.ExpectKstatus(c, status.CurrentStatus)
	for _, name := range []string{old, c.Status.Physical} {
		if diff := cmp.Diff([]string{"doc_type"}, w.has(w.store(), "hr", name)); diff != "" {
			t.Errorf("indexes of %s (-want +got):\n%s", name, diff)
		}
	}
	w.ExpectRest(5 * driftInterval)

	w.ExpectStatus(corpus, func() { corpus.Status.Active.Collection = c.Status.Physical })
	w.Eventually("the old collection is dropped", func() error {
		w.refresh(c)
		if got := w.has(w.store(), "hr", old); len(c.Status.Superseded) > 0 || got[0] != "no collection" {
			return fmt.Errorf("superseded %v, store has %v", c.Status.Superseded, got)
		}
		return nil
	})
	w.ExpectKstatus(c, status.CurrentStatus)
}

func TestCollectionDeletion(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		policy v1alpha1.DeletionPolicy
		want   string // in the store afterwards
	}{
		"Delete": {reason: "the data goes with the object", policy: v1alpha1.DeletionDelete, want: "no collection"},
		"Retain": {reason: "the data stays, and the next object of that name finds it", policy: v1alpha1.DeletionRetain, want: "doc_type"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, collections)
			c := embeddedCollection("hr", "doc_type")
			c.Spec.DeletionPolicy = tc.policy
			corpus := corpusIn("payroll", "hr")
			w.ExpectApplied(c, corpus)
			w.ExpectKstatus(c, status.CurrentStatus)
			w.ExpectDeleted(c)
			w.ExpectCondition(c, v1alpha1.ReadyCondition, no, v1alpha1.CollectionInUseReason, "payroll")
			w.ExpectKstatus(c, status.TerminatingStatus)
			physical := c.Status.Physical
			w.ExpectDeleted(corpus)
			w.ExpectGone(c)
			if got := w.has(w.store(), "hr", physical); got[0] != tc.want {
				t.Errorf("the store has %v, want %s: %s", got, tc.want, tc.reason)
			}
			again := embeddedCollection("hr", "doc_type")
			w.ExpectApplied(again)
			w.ExpectKstatus(again, status.CurrentStatus)
		})
	}
}

// qdrantServer serves a store of its own by TCP, with an API key.
func qdrantServer(t *testing.T, key string) string {
	t.Helper()
	s, err := embedded.Open(embedded.Options{APIKey: key})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go s.Serve(l) // until Close
	t.Cleanup(func() { s.Close() })
	return "http://" + l.Addr().String()
}

func TestCollectionBlankSecretIsMissing(t *testing.T) {
	w := newWorld(t, collections)
	c := &v1alpha1.Collection{ObjectMeta: metav1.ObjectMeta{Name: "hr"}}
	c.Spec.Store.Qdrant = &v1alpha1.QdrantStore{URL: v1alpha1.URL(qdrantServer(t, "open sesame")), APIKeySecretRef: &v1alpha1.KeyReference{Name: "qdrant", Key: "api-key"}}
	w.ExpectApplied(c)
	w.ExpectCondition(c, v1alpha1.ReadyCondition, no, v1alpha1.SecretNotFoundReason, "spec.store.qdrant.apiKeySecretRef", `"qdrant"`)
	w.ExpectKstatus(c, status.InProgressStatus)

	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "qdrant"}, StringData: map[string]string{"api-key": " \n"}}
	w.ExpectApplied(secret)
	w.Annotate(c, v1alpha1.ReconcileRequestAnnotation, "1")
	w.ExpectCondition(c, v1alpha1.StalledCondition, yes, v1alpha1.SecretKeyBlankReason, "spec.store.qdrant.apiKeySecretRef", `"api-key"`, `"qdrant"`)
	w.ExpectKstatus(c, status.FailedStatus)

	w.ExpectApplied(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "qdrant"}, StringData: map[string]string{"api-key": "open sesame"}})
	w.Annotate(c, v1alpha1.ReconcileRequestAnnotation, "2")
	w.ExpectKstatus(c, status.CurrentStatus)
	w.ExpectRest(5 * driftInterval)

	w.ExpectApplied(&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "qdrant"}, StringData: map[string]string{"api-key": "rotated"}})
	w.ExpectCondition(c, v1alpha1.ReadyCondition, no, v1alpha1.StoreRefusedReason)
	w.ExpectKstatus(c, status.InProgressStatus)
}

func TestCollectionOfAServerThatIsAway(t *testing.T) {
	w := newWorld(t, collections)
	c := &v1alpha1.Collection{ObjectMeta: metav1.ObjectMeta{Name: "hr"}}
	c.Spec.Store.Qdrant = &v1alpha1.QdrantStore{URL: "http://127.0.0.1:1"}
	w.ExpectApplied(c)
	w.ExpectCondition(c, v1alpha1.ReadyCondition, no, v1alpha1.StoreUnreachableReason)
	w.ExpectKstatus(c, status.InProgressStatus)
}

func TestCollectionDoesNotHoldItsNamespace(t *testing.T) {
	w := newWorld(t, collections)
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "qdrant"}, StringData: map[string]string{"api-key": "k"}}
	c := &v1alpha1.Collection{ObjectMeta: metav1.ObjectMeta{Name: "hr"}}
	c.Spec.Store.Qdrant = &v1alpha1.QdrantStore{URL: v1alpha1.URL(qdrantServer(t, "k")), APIKeySecretRef: &v1alpha1.KeyReference{Name: "qdrant", Key: "api-key"}}
	w.ExpectApplied(secret, c)
	w.ExpectKstatus(c, status.CurrentStatus)

	w.ExpectDeleted(secret)
	w.ExpectDeleted(c)
	w.ExpectCondition(c, v1alpha1.ReadyCondition, no, v1alpha1.SecretNotFoundReason)
	if err := w.Delete(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: w.namespace}}); err != nil {
		t.Fatal(err)
	}
	w.Annotate(c, v1alpha1.ReconcileRequestAnnotation, "1")
	w.ExpectGone(c)
}
