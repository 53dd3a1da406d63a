// Package answerkey turns GoldenSets into the keys that an evaluation judges
// by, and into the freeze that a verdict has to bear.
//
// A Corpus publishes the freeze of its candidate and a GoldenSet answers to it:
// both read the same objects through this package, so both compute the same
// hash or know that one of them is late. What can't be judged by is refused
// with its name and field, typed by what to do about it.
package answerkey

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/controllers/snapshot"
	"github.com/hardgate-dev/hardgate/runtime/evaluate"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// again is how long a missing ConfigMap is left alone by those that don't watch
// ConfigMaps.
const again = 15 * time.Second

// Load reads the GoldenSets of these names, sorted by name. A set that doesn't
// exist yet is waited for; one that can't be judged by stalls.
func Load(ctx context.Context, reader client.Reader, namespace string, names []v1alpha1.ObjectName) ([]evaluate.Set, error) {
	sets := make([]evaluate.Set, 0, len(names))
	for _, name := range names {
		object := &v1alpha1.GoldenSet{}
		err := reader.Get(ctx, types.NamespacedName{Namespace: namespace, Name: string(name)}, object)
		if apierrors.IsNotFound(err) {
			return nil, outcome.Waiting(0, v1alpha1.GoldenSetNotFoundReason, "GoldenSet %q does not exist in namespace %q", name, namespace)
		}
		if err != nil {
			return nil, fmt.Errorf("read GoldenSet %q: %w", name, err)
		}
		set, err := Read(ctx, reader, object)
		if err != nil {
			return nil, err
		}
		sets = append(sets, set)
	}
	slices.SortFunc(sets, func(a, b evaluate.Set) int { return cmp.Compare(a.Name, b.Name) })
	return sets, nil
}

// Read turns one GoldenSet into its key, with the questions that are kept
// elsewhere.
func Read(ctx context.Context, reader client.Reader, object *v1alpha1.GoldenSet) (evaluate.Set, error) {
	set := evaluate.Set{Name: object.Name}
	if len(object.Spec.Questions) == 0 && object.Spec.QuestionsFrom == nil {
		return set, empty(object.Name)
	}
	spec, err := json.Marshal(object.Spec)
	if err != nil {
		return set, fmt.Errorf("encode GoldenSet %q: %w", object.Name, err)
	}
	if set.Key, err = settings.DecodeGoldenSet(spec); err != nil {
		return set, invalid(object.Name, err)
	}
	if from := object.Spec.QuestionsFrom; from != nil {
		more, err := elsewhere(ctx, reader, object, *from.ConfigMapRef)
		if err != nil {
			return set, err
		}
		if len(set.Key.Questions)+len(more) == 0 {
			return set, empty(object.Name)
		}
		if set.Key, err = set.Key.Complete(more); err != nil {
			return set, invalid(object.Name, err)
		}
	}
	if err := evaluate.Validate(set); err != nil {
		return set, outcome.Stalled(0, v1alpha1.GoldenSetInvalidReason, "%v", err)
	}
	return set, nil
}

// elsewhere reads the questions that a ConfigMap keeps.
func elsewhere(ctx context.Context, reader client.Reader, object *v1alpha1.GoldenSet, ref v1alpha1.KeyReference) ([]settings.GoldenQuestion, error) {
	const field = "spec.questionsFrom.configMapRef"
	kept := &corev1.ConfigMap{}
	err := reader.Get(ctx, types.NamespacedName{Namespace: object.Namespace, Name: string(ref.Name)}, kept)
	if apierrors.IsNotFound(err) {
		return nil, outcome.Waiting(again, v1alpha1.ConfigMapNotFoundReason, "GoldenSet %q: %s: ConfigMap %q does not exist in namespace %q", object.Name, field, ref.Name, object.Namespace)
	}
	if err != nil {
		return nil, fmt.Errorf("read ConfigMap %q: %w", ref.Name, err)
	}
	text, there := kept.Data[ref.Key]
	if !there {
		return nil, outcome.Stalled(again, v1alpha1.ConfigMapNotFoundReason, "GoldenSet %q: %s: ConfigMap %q has no key %q", object.Name, field, ref.Name, ref.Key)
	}
	if settings.Blank(text) {
		return nil, nil
	}
	more, err := settings.DecodeQuestions([]byte(text))
	if err != nil {
		return nil, outcome.Stalled(again, v1alpha1.GoldenSetInvalidReason, "GoldenSet %q: key %q of ConfigMap %q: %v", object.Name, ref.Key, ref.Name, err)
	}
	return more, nil
}

func empty(name string) error {
	return outcome.Stalled(again, v1alpha1.EmptyGoldenSetReason, "GoldenSet %q: spec.questions is empty: an empty golden set proves nothing", name)
}

func invalid(name string, err error) error {
	return outcome.Stalled(again, v1alpha1.GoldenSetInvalidReason, "GoldenSet %q: %v", name, err)
}

// Freeze is the hash of everything that a verdict on a revision depends on, with
// the parts that it is made of.
func Freeze(version string, s snapshot.Snapshot, sets []evaluate.Set) (string, evaluate.Inputs, error) {
	questions, err := evaluate.QuestionsHash(sets)
	if err != nil {
		return "", evaluate.Inputs{}, err
	}
	in := evaluate.Inputs{Code: version, Config: s.ConfigHash, Questions: questions, Source: s.SourceRevision}
	return in.Freeze(), in, nil
}
