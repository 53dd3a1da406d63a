package corpus

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics of this kind. A nil one measures nothing.
type Metrics struct {
	listed *prometheus.GaugeVec
}

// NewMetrics returns metrics that are still to be registered.
func NewMetrics() *Metrics {
	return &Metrics{listed: prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "hardgate_source_listed_timestamp_seconds", Help: "When the source of a corpus was last listed completely.",
	}, []string{"namespace", "corpus"})}
}

// Collectors are what a registry takes.
func (m *Metrics) Collectors() []prometheus.Collector { return []prometheus.Collector{m.listed} }

// sawListing notes the time of a complete listing; the status changes only with
// the listing itself.
func (m *Metrics) sawListing(namespace, name string, at time.Time) {
	if m != nil {
		m.listed.WithLabelValues(namespace, name).Set(float64(at.Unix()))
	}
}

// forget drops what is measured of a corpus.
func (m *Metrics) forget(namespace, name string) {
	if m != nil {
		m.listed.DeleteLabelValues(namespace, name)
	}
}
