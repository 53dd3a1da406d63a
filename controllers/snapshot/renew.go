package snapshot

import (
	"context"
	"errors"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// Renew saves a revision; where that of a Corpus of the same name that no longer
// exists is in the way, because the garbage collector hasn't come to it, all that it
// left goes first. removed are the names of what went. live is the API server's own
// answer, without a cache.
func Renew(ctx context.Context, c client.Client, live client.Reader, corpus *v1alpha1.Corpus, revision int64, s Snapshot) (removed []string, err error) {
	if err = Save(ctx, c, corpus, revision, s); !errors.Is(err, ErrForeign) {
		return nil, err
	}
	removed, swept := sweep(ctx, c, live, corpus)
	if swept != nil || len(removed) == 0 {
		return removed, errors.Join(err, swept)
	}
	return removed, Save(ctx, c, corpus, revision, s)
}

// sweep removes revisions that a Corpus of the same name left. What a cache says of
// the Corpus is not enough: it may be the one that is gone, and the revisions the
// newer one's.
func sweep(ctx context.Context, c client.Client, live client.Reader, corpus *v1alpha1.Corpus) ([]string, error) {
	var now v1alpha1.Corpus
	if err := live.Get(ctx, client.ObjectKeyFromObject(corpus), &now); err != nil {
		return nil, fmt.Errorf("read Corpus %q before its namesake's revisions are removed: %w", corpus.Name, err)
	}
	if now.UID != corpus.UID {
		return nil, fmt.Errorf("corpus %q was deleted and made again", corpus.Name)
	}
	var all appsv1.ControllerRevisionList
	if err := live.List(ctx, &all, client.InNamespace(corpus.Namespace), client.MatchingLabels{CorpusLabel: Bounded(corpus.Name, LongestLabel)}); err != nil {
		return nil, fmt.Errorf("list revisions: %w", err)
	}
	var removed []string
	for i := range all.Items {
		cr := &all.Items[i]
		if cr.Name != Name(corpus.Name, cr.Revision) || !left(cr.OwnerReferences, corpus.Name, corpus.UID) {
			continue
		}
		same := client.Preconditions{UID: &cr.UID, ResourceVersion: &cr.ResourceVersion}
		if err := client.IgnoreNotFound(c.Delete(ctx, cr, same)); err != nil {
			return removed, fmt.Errorf("delete ControllerRevision %q of a Corpus that is gone: %w", cr.Name, err)
		}
		removed = append(removed, cr.Name)
	}
	slices.Sort(removed)
	return removed, nil
}

// left reports whether what has these owners belongs to nobody that exists, given
// that the Corpus of the name has the UID: to a Corpus of that name with another UID,
// or to nobody, as after a deletion that orphans.
func left(owners []metav1.OwnerReference, name string, uid types.UID) bool {
	return !slices.ContainsFunc(owners, func(o metav1.OwnerReference) bool {
		return o.UID == uid || o.APIVersion != v1alpha1.GroupVersion.String() || o.Kind != "Corpus" || o.Name != name
	})
}
