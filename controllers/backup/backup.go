// Package backup carries a Collection out of a cluster and into one: an archive of
// its points with vectors and payload, and of the revisions and verdicts that its
// Corpora serve by. It has no reconciler: people ask for it over HTTP, and access
// reviews decide. Nothing of an archive is served before all of it was read, and
// what the store then has was compared with it.
package backup

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/connect"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// +kubebuilder:rbac:groups=rag.hardgate.dev,resources=collections;corpora,verbs=get;list;watch
// +kubebuilder:rbac:groups=rag.hardgate.dev,resources=corpora/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=apps,resources=controllerrevisions,verbs=get;list;watch;create
// +kubebuilder:rbac:groups="",resources=configmaps,verbs=get;list;create

// Keeper takes backups and puts them back.
type Keeper struct {
	Client    client.Client
	Reader    client.Reader // uncached: what is backed up is what is there
	Connect   *connect.Connector
	Runtime   *assembly.Runtime
	Recorder  events.EventRecorder
	ClusterID string
	Now       func() time.Time
}

// Refusal is why a backup or a restore can't be: somebody has to change something.
type Refusal struct{ Reason string }

func (r *Refusal) Error() string { return r.Reason }

func refused(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }

// ErrNotFound is a Collection that doesn't exist.
var ErrNotFound = errors.New("there is no such Collection")

// subject is a Collection with its store.
type subject struct {
	*v1alpha1.Collection
	store *store.Client
}

// find reads a Collection and opens the store that serves it.
func (k *Keeper) find(ctx context.Context, name types.NamespacedName) (subject, error) {
	c := &v1alpha1.Collection{}
	err := k.Reader.Get(ctx, name, c)
	switch {
	case apierrors.IsNotFound(err):
		return subject{}, ErrNotFound
	case err != nil:
		return subject{}, fmt.Errorf("read Collection %q: %w", name.Name, err)
	case c.Status.Physical == "":
		return subject{}, refused("Collection %q has nothing in a store yet: see its conditions", name.Name)
	case c.Status.Migration != nil:
		return subject{}, refused("Collection %q is being moved to another store: try again when it has arrived", name.Name)
	}
	s, err := k.Connect.Store(ctx, c)
	return subject{c, s}, err
}

// own is the operator's part of a payload.
func own(payload map[string]any) map[string]any {
	o, _ := payload[store.Own].(map[string]any)
	return o
}

func text(o map[string]any, key string) string {
	s, _ := o[key].(string)
	return s
}

func number(o map[string]any, key string) int64 {
	n, _ := o[key].(int64)
	return n
}
