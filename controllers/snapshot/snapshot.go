// Package snapshot keeps what a revision is made of: its configuration and the
// hash of its listing, in a ControllerRevision that the Corpus owns. The runtime
// and the gate read revisions from here, never from the spec.
package snapshot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// CorpusLabel finds what belongs to a corpus: its revisions, and its receipts.
const CorpusLabel = v1alpha1.Group + "/corpus"

// LongestLabel is the most characters of a label's value.
const LongestLabel = 63

// Snapshot is one revision.
type Snapshot struct {
	Settings       settings.Corpus `json:"settings"`
	SourceRevision string          `json:"sourceRevision"`
	ConfigHash     string          `json:"configHash"`
	Collection     string          `json:"collection"` // physical name
	Generation     int64           `json:"generation"` // of the spec
}

// Bounded shortens a name to so many characters; a hash keeps it apart from
// others that begin alike.
func Bounded(name string, most int) string {
	if len(name) <= most {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	hash := hex.EncodeToString(sum[:4])
	return strings.TrimRight(name[:most-len(hash)-1], "-.") + "-" + hash
}

// longestCorpus is how much of a corpus' name goes into its revisions' names: an
// object's has at most 253 characters, and "-" and a number up to 20.
const longestCorpus = 253 - 20

// Name is the ControllerRevision of a revision.
func Name(corpus string, revision int64) string {
	return fmt.Sprintf("%s-%d", Bounded(corpus, longestCorpus), revision)
}

// Save writes a revision. One that exists already is left alone: a number is
// never given twice to different contents.
func Save(ctx context.Context, c client.Client, corpus *v1alpha1.Corpus, revision int64, s Snapshot) error {
	data, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("snapshot of revision %d: %w", revision, err)
	}
	owner := metav1.NewControllerRef(corpus, v1alpha1.GroupVersion.WithKind("Corpus"))
	cr := &appsv1.ControllerRevision{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: corpus.Namespace, Name: Name(corpus.Name, revision),
			Labels: map[string]string{CorpusLabel: Bounded(corpus.Name, LongestLabel)}, OwnerReferences: []metav1.OwnerReference{*owner},
		},
		Data: runtime.RawExtension{Raw: data}, Revision: revision,
	}
	err = c.Create(ctx, cr)
	if apierrors.IsAlreadyExists(err) {
		have, gerr := Load(ctx, c, corpus, revision)
		if gerr != nil {
			return gerr
		}
		if have.SourceRevision == s.SourceRevision && have.ConfigHash == s.ConfigHash && have.Collection == s.Collection {
			return nil
		}
		return fmt.Errorf("revision %d of corpus %q exists with other contents", revision, corpus.Name)
	}
	if err != nil {
		return fmt.Errorf("save revision %d: %w", revision, err)
	}
	return nil
}

// ErrForeign is a revision's name that something of another owner has.
var ErrForeign = errors.New("belongs to another corpus")

// Load reads a revision of this very corpus.
func Load(ctx context.Context, c client.Reader, corpus *v1alpha1.Corpus, revision int64) (Snapshot, error) {
	var s Snapshot
	var cr appsv1.ControllerRevision
	if err := c.Get(ctx, types.NamespacedName{Namespace: corpus.Namespace, Name: Name(corpus.Name, revision)}, &cr); err != nil {
		return s, fmt.Errorf("load revision %d: %w", revision, err)
	}
	if !metav1.IsControlledBy(&cr, corpus) {
		return s, fmt.Errorf("revision %d: ControllerRevision %q %w", revision, cr.Name, ErrForeign)
	}
	if err := json.Unmarshal(cr.Data.Raw, &s); err != nil {
		return s, fmt.Errorf("read revision %d: %w", revision, err)
	}
	return s, nil
}

// List returns the numbers of the kept revisions, ascending.
func List(ctx context.Context, c client.Reader, corpus *v1alpha1.Corpus) ([]int64, error) {
	var all appsv1.ControllerRevisionList
	if err := c.List(ctx, &all, client.InNamespace(corpus.Namespace), client.MatchingLabels{CorpusLabel: Bounded(corpus.Name, LongestLabel)}); err != nil {
		return nil, fmt.Errorf("list revisions: %w", err)
	}
	var out []int64
	for i := range all.Items {
		if metav1.IsControlledBy(&all.Items[i], corpus) {
			out = append(out, all.Items[i].Revision)
		}
	}
	slices.Sort(out)
	return out, nil
}

// Delete removes a revision of this very corpus; a missing one is removed already.
func Delete(ctx context.Context, c client.Client, corpus *v1alpha1.Corpus, revision int64) error {
	var cr appsv1.ControllerRevision
	err := c.Get(ctx, types.NamespacedName{Namespace: corpus.Namespace, Name: Name(corpus.Name, revision)}, &cr)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("delete revision %d: %w", revision, err)
	}
	if !metav1.IsControlledBy(&cr, corpus) {
		return fmt.Errorf("delete revision %d: ControllerRevision %q %w", revision, cr.Name, ErrForeign)
	}
	// The very object that was looked at: another of that name may have come since.
	same := client.Preconditions{UID: &cr.UID}
	if err := client.IgnoreNotFound(c.Delete(ctx, &cr, same)); err != nil {
		return fmt.Errorf("delete revision %d: %w", revision, err)
	}
	return nil
}
