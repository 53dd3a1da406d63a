package goldenset

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
	"github.com/hardgate-dev/hardgate/runtime/evaluate"
)

// Labels and the annotation by which receipts are found.
const (
	goldenSetLabel   = v1alpha1.Group + "/golden-set"
	revisionLabel    = v1alpha1.Group + "/revision"
	freezeAnnotation = v1alpha1.Group + "/freeze"
	takenAnnotation  = v1alpha1.Group + "/taken-at"
)

const (
	// history is how many receipts are kept of a set and a Corpus, the newest ones.
	history = 10
	// reruns bounds how many receipts one freeze may have: forced runs.
	reruns = 100
	// longestName of an object.
	longestName = 253
)

// save keeps a receipt in an immutable ConfigMap that the Corpus owns, so that
// its history goes with it. None is ever overwritten: another run of the same
// freeze gets another name, the same run finds its own.
func (r *Reconciler) save(ctx context.Context, v *visit, s subject, receipt *evaluate.Receipt) (string, error) {
	data, err := receipt.Encode()
	if err != nil {
		return "", err
	}
	base := snapshot.Bounded(strings.Join([]string{v.set.Name, s.corpus.Name, strconv.FormatInt(s.revision, 10), digits(s.freeze)}, "-"), longestName-4)
	for n := 1; n <= reruns; n++ {
		name := base
		if n > 1 {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		err := r.Client.Create(ctx, receiptMap(v, s, name, receipt, data))
		if err == nil {
			return name, r.prune(ctx, v, s)
		}
		if !apierrors.IsAlreadyExists(err) {
			return "", fmt.Errorf("save receipt %q: %w", name, err)
		}
		var have corev1.ConfigMap
		if err := r.Reader.Get(ctx, types.NamespacedName{Namespace: v.set.Namespace, Name: name}, &have); err != nil {
			return "", fmt.Errorf("read receipt %q: %w", name, err)
		}
		if metav1.IsControlledBy(&have, s.corpus) && bytes.Equal([]byte(have.Data[evaluate.ReceiptKey]), data) {
			return name, nil
		}
	}
	return "", fmt.Errorf("save receipt %q: %d of that name exist", base, reruns)
}

func receiptMap(v *visit, s subject, name string, receipt *evaluate.Receipt, data []byte) *corev1.ConfigMap {
	immutable := true
	owner := metav1.NewControllerRef(s.corpus, v1alpha1.GroupVersion.WithKind("Corpus"))
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: v.set.Namespace, Name: name, OwnerReferences: []metav1.OwnerReference{*owner},
			Labels: labels(v.set.Name, s.corpus.Name, s.revision),
			Annotations: map[string]string{
				freezeAnnotation: s.freeze,
				takenAnnotation:  receipt.TakenAt.Format(metav1.RFC3339Micro),
			},
		},
		Immutable: &immutable,
		Data:      map[string]string{evaluate.ReceiptKey: string(data)},
	}
}

func labels(set, corpus string, revision int64) map[string]string {
	return map[string]string{
		goldenSetLabel: snapshot.Bounded(set, snapshot.LongestLabel), snapshot.CorpusLabel: snapshot.Bounded(corpus, snapshot.LongestLabel), revisionLabel: strconv.FormatInt(revision, 10),
	}
}

// digits are the first eight of a hash.
func digits(freeze string) string {
	_, digits, _ := strings.Cut(freeze, ":")
	return digits[:min(8, len(digits))]
}

// prune deletes the oldest receipts over the limit, never the newest one of the
// revision that serves: the next candidate is compared with it.
func (r *Reconciler) prune(ctx context.Context, v *visit, s subject) error {
	list := &metav1.PartialObjectMetadataList{}
	list.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("ConfigMapList"))
	match := labels(v.set.Name, s.corpus.Name, 0)
	delete(match, revisionLabel)
	if err := r.Reader.List(ctx, list, client.InNamespace(v.set.Namespace), client.MatchingLabels(match)); err != nil {
		return fmt.Errorf("list receipts: %w", err)
	}
	own := slices.DeleteFunc(list.Items, func(o metav1.PartialObjectMetadata) bool { return !metav1.IsControlledBy(&o, s.corpus) })
	slices.SortFunc(own, func(a, b metav1.PartialObjectMetadata) int { // newest first
		return cmp.Or(cmp.Compare(b.Annotations[takenAnnotation], a.Annotations[takenAnnotation]), cmp.Compare(b.Name, a.Name))
	})
	serving := -1
	if a := s.corpus.Status.Active; a != nil {
		serving = slices.IndexFunc(own, func(o metav1.PartialObjectMetadata) bool {
			return o.Labels[revisionLabel] == strconv.FormatInt(a.Revision, 10)
		})
	}
	for i := history; i < len(own); i++ {
		if i == serving {
			continue
		}
		old := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: own[i].Namespace, Name: own[i].Name}}
		if err := client.IgnoreNotFound(r.Client.Delete(ctx, old)); err != nil {
			return fmt.Errorf("delete receipt %q: %w", old.Name, err)
		}
	}
	return nil
}

// baseline is the newest receipt of the revision that serves: a question that
// passed there and fails now, under an unchanged key, is a regression. nil
// without one.
func (r *Reconciler) baseline(ctx context.Context, t task) (*evaluate.Receipt, error) {
	active := t.corpus.Status.Active
	if active == nil {
		return nil, nil
	}
	var list corev1.ConfigMapList
	if err := r.Reader.List(ctx, &list, client.InNamespace(t.corpus.Namespace), client.MatchingLabels(labels(t.key.Name, t.corpus.Name, active.Revision))); err != nil {
		return nil, fmt.Errorf("list receipts of revision %d: %w", active.Revision, err)
	}
	var newest *corev1.ConfigMap
	for i := range list.Items {
		m := &list.Items[i]
		if metav1.IsControlledBy(m, t.corpus) && (newest == nil || m.Annotations[takenAnnotation] > newest.Annotations[takenAnnotation]) {
			newest = m
		}
	}
	if newest == nil {
		return nil, nil
	}
	receipt, err := evaluate.DecodeReceipt([]byte(newest.Data[evaluate.ReceiptKey]))
	if err != nil {
		return nil, fmt.Errorf("read receipt %q, the baseline (delete it to go without): %w", newest.Name, err)
	}
	return receipt, nil
}
