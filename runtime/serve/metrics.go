package serve

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

type metrics struct {
	answers  *prometheus.CounterVec
	failures *prometheus.CounterVec
	degraded *prometheus.CounterVec
	latency  *prometheus.HistogramVec
}

func newMetrics(r Registry) *metrics {
	corpus := []string{"namespace", "corpus"}
	m := &metrics{
		answers:  prometheus.NewCounterVec(prometheus.CounterOpts{Name: "hardgate_answers_total", Help: "Answers given, by status."}, append(corpus, "status")),
		failures: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "hardgate_answer_failures_total", Help: "Questions that could not be answered for a fault of the pipeline."}, corpus),
		degraded: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "hardgate_degraded_total", Help: "Degraded flags on answers, by reason."}, append(corpus, "reason")),
		latency:  prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "hardgate_answer_seconds", Help: "Time from question to answer.", Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}}, corpus),
	}
	r.MustRegister(m.answers, m.failures, m.degraded, m.latency)
	return m
}

func (m *metrics) answered(c caller, a rag.Answer, took time.Duration) {
	m.answers.WithLabelValues(c.namespace, c.name, string(a.Status)).Inc()
	m.latency.WithLabelValues(c.namespace, c.name).Observe(took.Seconds())
	for _, f := range a.Flags {
		m.degraded.WithLabelValues(c.namespace, c.name, f.Reason).Inc()
	}
}

func (m *metrics) failed(c caller) { m.failures.WithLabelValues(c.namespace, c.name).Inc() }
