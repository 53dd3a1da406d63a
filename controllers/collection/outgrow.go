package collection

import (
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
)

// tooLarge reports whether the embedded store serves more points than it is made
// for: exact search takes time in proportion to them.
func (v *visit) tooLarge() bool {
	s := v.collection.Status.Store
	return s != nil && s.Qdrant == nil && v.state.Points > v.outgrown
}

// growth says so to people.
func (v *visit) growth() string {
	return fmt.Sprintf("the embedded store holds %d points and is made for %d: set spec.store.qdrant, and they move there with their vectors", v.state.Points, v.outgrown)
}

// grown measures the collection, and tells of one that has become too large.
func (r *Reconciler) grown(v *visit) {
	large := v.tooLarge()
	r.Metrics.saw(v.collection.Namespace, v.collection.Name, v.state.Points, large)
	was := meta.FindStatusCondition(v.before.Status.Conditions, v1alpha1.DegradedCondition)
	if large && uint64(v.before.Status.Points) <= v.outgrown && (was == nil || was.Reason != v1alpha1.OutgrownReason) {
		v.counts = true
		v.event(warning, v1alpha1.OutgrownReason, "%s", v.growth())
	}
}

// Metrics of this kind. A nil one measures nothing.
type Metrics struct {
	points, outgrown *prometheus.GaugeVec
}

// NewMetrics returns metrics that are still to be registered.
func NewMetrics() *Metrics {
	labels := []string{"namespace", "collection"}
	return &Metrics{
		points:   prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "hardgate_collection_points", Help: "Points of a physical collection, superseded ones included."}, labels),
		outgrown: prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "hardgate_collection_outgrown", Help: "1 where the embedded store holds more points than it is made for."}, labels),
	}
}

// Collectors are what a registry takes.
func (m *Metrics) Collectors() []prometheus.Collector {
	return []prometheus.Collector{m.points, m.outgrown}
}

func (m *Metrics) saw(namespace, name string, points uint64, large bool) {
	if m == nil {
		return
	}
	m.points.WithLabelValues(namespace, name).Set(float64(points))
	flag := 0.0
	if large {
		flag = 1
	}
	m.outgrown.WithLabelValues(namespace, name).Set(flag)
}

// forget drops what is measured of a collection.
func (m *Metrics) forget(namespace, name string) {
	if m != nil {
		m.points.DeleteLabelValues(namespace, name)
		m.outgrown.DeleteLabelValues(namespace, name)
	}
}
