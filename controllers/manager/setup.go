package manager

import (
	"context"
	"errors"
	goruntime "runtime"

	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/hardgate-dev/hardgate/controllers/collection"
	"github.com/hardgate-dev/hardgate/controllers/connect"
	"github.com/hardgate-dev/hardgate/controllers/corpus"
	"github.com/hardgate-dev/hardgate/controllers/goldenset"
	"github.com/hardgate-dev/hardgate/controllers/serving"
	"github.com/hardgate-dev/hardgate/controllers/work"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
)

// Setup adds the three reconcilers to a manager. Jobs end with ctx.
func Setup(ctx context.Context, mgr ctrl.Manager, o Options, r *assembly.Runtime, registry *serving.Registry) error {
	id, err := clusterID(ctx, mgr.GetAPIReader(), o.ClusterID)
	if err != nil {
		return err
	}
	connector := &connect.Connector{Reader: mgr.GetAPIReader(), Runtime: r}
	measured, sizes := corpus.NewMetrics(), collection.NewMetrics()
	for _, c := range append(append(measured.Collectors(), sizes.Collectors()...), newEmbeddings(r.Embeddings)) {
		if err := metrics.Registry.Register(c); err != nil {
			return err
		}
	}
	corpora := &corpus.Reconciler{
		Client: mgr.GetClient(), Reader: mgr.GetAPIReader(), Connect: connector, Runtime: r, Runner: work.New(ctx, goruntime.GOMAXPROCS(0)), Serving: registry,
		Recorder: mgr.GetEventRecorder("corpus"), Clock: clock.RealClock{}, Metrics: measured, Endpoint: o.Endpoint, Concurrency: o.Concurrency,
	}
	collections := &collection.Reconciler{
		Client: mgr.GetClient(), Reader: mgr.GetAPIReader(), Connect: connector, Encoder: r, Runner: work.New(ctx, 1), Recorder: mgr.GetEventRecorder("collection"), Clock: clock.RealClock{}, Metrics: sizes,
		Options: collection.Options{ClusterID: id, DriftInterval: o.DriftInterval},
	}
	sets := &goldenset.Reconciler{
		Client: mgr.GetClient(), Reader: mgr.GetAPIReader(), Connect: connector, Runtime: r, Runner: work.New(ctx, 1),
		Recorder: mgr.GetEventRecorder("goldenset"), Clock: clock.RealClock{}, Objects: corpora.Objects,
	}
	return errors.Join(corpora.SetupWithManager(mgr), collections.SetupWithManager(mgr), sets.SetupWithManager(mgr))
}
