package manager

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/hardgate-dev/hardgate/runtime/assembly"
)

// embeddings exports what servers were asked to embed. Labels are bounded: servers
// and models of specs. Of two corpora with one server and model the sums are
// common, since what one had embedded is remembered for the other.
type embeddings struct {
	asked func() []assembly.Embedding
	sums  []embeddingSum
}

// embeddingSum is one counter and where it is read.
type embeddingSum struct {
	desc *prometheus.Desc
	of   func(assembly.Embedding) int64
}

func newEmbeddings(asked func() []assembly.Embedding) *embeddings {
	e := &embeddings{asked: asked}
	add := func(name, help string, of func(assembly.Embedding) int64) {
		e.sums = append(e.sums, embeddingSum{prometheus.NewDesc("hardgate_embedding_"+name+"_total", help, []string{"server", "model"}, nil), of})
	}
	add("requests", "Requests to an embeddings server, answered or not.", func(a assembly.Embedding) int64 { return a.Requests })
	add("texts", "Texts that an embeddings server embedded.", func(a assembly.Embedding) int64 { return a.Texts })
	add("tokens", "Tokens that an embeddings server reports as used; some report none.", func(a assembly.Embedding) int64 { return a.Tokens })
	add("waits", "Waits for the rate limit of an embeddings server.", func(a assembly.Embedding) int64 { return a.Waits })
	add("retries", "Requests that were sent again after a fault of the server or the connection.", func(a assembly.Embedding) int64 { return a.Retries })
	add("remembered", "Questions whose vector was remembered.", func(a assembly.Embedding) int64 { return a.Questions.Hits })
	add("unkept", "Vectors of golden questions that could not be kept on disk, or were damaged there: they are embedded again.", func(a assembly.Embedding) int64 {
		return a.Questions.Corrupt + a.Questions.Unwritten
	})
	return e
}

// Describe is of prometheus.Collector.
func (e *embeddings) Describe(to chan<- *prometheus.Desc) {
	for _, s := range e.sums {
		to <- s.desc
	}
}

// Collect is of prometheus.Collector.
func (e *embeddings) Collect(to chan<- prometheus.Metric) {
	for _, a := range e.asked() {
		for _, s := range e.sums {
			to <- prometheus.MustNewConstMetric(s.desc, prometheus.CounterValue, float64(s.of(a)), a.Server, a.Model)
		}
	}
}
