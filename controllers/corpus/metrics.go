package corpus

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Metrics of this kind. A nil one measures nothing.
type Metrics struct {
	listed   *prometheus.GaugeVec
	withheld *prometheus.GaugeVec
}

// NewMetrics returns metrics that are still to be registered.
func NewMetrics() *Metrics {
	of := []string{"namespace", "corpus"}
	return &Metrics{
		listed: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "hardgate_source_listed_timestamp_seconds", Help: "When the source of a corpus was last listed completely.",
		}, of),
		withheld: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "hardgate_source_deletions_withheld", Help: "Documents that are gone from the source and go on serving, because the deletion guard waits for approval.",
		}, of),
	}
}

// Collectors are what a registry takes.
func (m *Metrics) Collectors() []prometheus.Collector {
	return []prometheus.Collector{m.listed, m.withheld}
}

// sawListing notes the time of a complete listing; the status changes only with
// the listing itself.
func (m *Metrics) sawListing(namespace, name string, at time.Time) {
	if m != nil {
		m.listed.WithLabelValues(namespace, name).Set(float64(at.Unix()))
	}
}

// sawWithheld notes how many deletions are held back.
func (m *Metrics) sawWithheld(namespace, name string, n int) {
	if m != nil {
		m.withheld.WithLabelValues(namespace, name).Set(float64(n))
	}
}

// forget drops what is measured of a corpus.
func (m *Metrics) forget(namespace, name string) {
	if m != nil {
		m.listed.DeleteLabelValues(namespace, name)
		m.withheld.DeleteLabelValues(namespace, name)
	}
}
