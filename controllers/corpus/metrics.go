package corpus

import (
	"github.com/prometheus/client_golang/prometheus"
)

// listed is the time of the last complete listing; the status changes only with
// the listing itself.
var listed = prometheus.NewGaugeVec(prometheus.GaugeOpts{
	Name: "hardgate_source_listed_timestamp_seconds", Help: "When the source of a corpus was last listed completely.",
}, []string{"namespace", "corpus"})

// Collectors are the metrics of this kind.
func Collectors() []prometheus.Collector { return []prometheus.Collector{listed} }
