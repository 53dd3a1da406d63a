package serve

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// metrics are of what came over HTTP; evaluations are not among them. Labels are
// bounded: corpora that exist, statuses, reasons and causes, which are constants of
// the code. Models are no label, since a server may name them as it likes.
type metrics struct {
	answers  *prometheus.CounterVec
	failures *prometheus.CounterVec
	degraded *prometheus.CounterVec
	latency  *prometheus.HistogramVec

	unanswered *prometheus.CounterVec // by the model
	tokens     *prometheus.CounterVec
	cost       *prometheus.CounterVec

	unkept *prometheus.CounterVec
	outrun *prometheus.CounterVec
}

func newMetrics(r Registry) *metrics {
	counter := func(name, help string, more ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, append([]string{"namespace", "corpus"}, more...))
		r.MustRegister(c)
		return c
	}
	m := &metrics{
		answers:  counter("hardgate_answers_total", "Answers given, by status.", "status"),
		failures: counter("hardgate_answer_failures_total", "Questions that could not be answered for a fault of the pipeline, by the step that failed.", "step"),
		degraded: counter("hardgate_degraded_total", "Degraded flags on answers, by reason.", "reason"),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "hardgate_answer_seconds", Help: "Time from question to answer.", Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"namespace", "corpus"}),
		unanswered: counter("hardgate_generation_failures_total", "Answers and replays that are a holding reply because the model could not be asked, by cause.", "cause"),
		tokens:     counter("hardgate_generation_tokens_total", "Tokens of the model for answers and replays, by kind: input or output.", "kind"),
		cost:       counter("hardgate_generation_cost_usd_total", "Cost of the model for answers and replays, by spec.pipeline.generation.prices."),
		unkept:     counter("hardgate_handoffs_unrecorded_total", "Answers that were handed to people and could not be recorded as such."),
		outrun:     counter("hardgate_handoffs_dropped_total", "Hand-offs that were dropped because newer ones came."),
	}
	r.MustRegister(m.latency)
	return m
}

func (m *metrics) answered(c caller, a rag.Answer, took time.Duration) {
	m.answers.WithLabelValues(c.namespace, c.name, string(a.Status)).Inc()
	m.latency.WithLabelValues(c.namespace, c.name).Observe(took.Seconds())
	for _, f := range a.Flags {
		m.degraded.WithLabelValues(c.namespace, c.name, f.Reason).Inc()
	}
	m.used(c, a.Usage)
}

// used counts what a model consumed; one that consumed nothing makes no series.
func (m *metrics) used(c caller, u rag.Usage) {
	if u.InputTokens > 0 || u.OutputTokens > 0 {
		m.tokens.WithLabelValues(c.namespace, c.name, "input").Add(float64(max(0, u.InputTokens)))
		m.tokens.WithLabelValues(c.namespace, c.name, "output").Add(float64(max(0, u.OutputTokens)))
	}
	if u.CostUSD > 0 {
		m.cost.WithLabelValues(c.namespace, c.name).Add(u.CostUSD)
	}
}

func (m *metrics) failed(c caller, step string) {
	m.failures.WithLabelValues(c.namespace, c.name, step).Inc()
}

func (m *metrics) unasked(c caller, cause string) {
	m.unanswered.WithLabelValues(c.namespace, c.name, cause).Inc()
}

func (m *metrics) unrecorded(c caller) { m.unkept.WithLabelValues(c.namespace, c.name).Inc() }

func (m *metrics) dropped(c caller, n int) {
	m.outrun.WithLabelValues(c.namespace, c.name).Add(float64(n))
}
