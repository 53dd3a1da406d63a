package rerank_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/rerank"
)

// BenchmarkRerank compares reranking 20 hits of 250 wordpieces with embedding
// them, in turns: × 1.0 means that a question costs as much again as 20 chunks of
// an ingestion. "remembered" is the same question's passages seen before.
func BenchmarkRerank(b *testing.B) {
	var texts []string
	var hits []rag.Hit
	for i := range 20 {
		text := fmt.Sprintf("%d %s", i, strings.TrimSpace(strings.Repeat("the driver waits at the dock for detention ", 31)))
		texts = append(texts, text)
		hits = append(hits, rag.Hit{Rank: i + 1, Scores: rag.Scores{Fused: 1 / float64(i+1)}, Chunk: rag.Chunk{Passage: fmt.Sprint("p", i), Units: []rag.Unit{{Text: text}}}})
	}
	in := rag.Retrieved{Question: rag.Question{Text: asked}, Hits: hits}
	for name, remember := range map[string]int{"fresh": 0, "remembered": 1 << 24} {
		b.Run(name, func(b *testing.B) {
			m := model(b)
			o := options()
			o.FirstStage, o.Timeout = rerank.FirstStageShare, time.Minute
			st, err := rerank.New(o, late(b, m, remember))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := st.Apply(b.Context(), in); err != nil {
				b.Fatal(err)
			}
			var reranking, embedding time.Duration
			for b.Loop() {
				started := time.Now()
				if _, err := m.Embed(b.Context(), texts); err != nil {
					b.Fatal(err)
				}
				embedding += time.Since(started)
				started = time.Now()
				if _, err := st.Apply(b.Context(), in); err != nil {
					b.Fatal(err)
				}
				reranking += time.Since(started)
			}
			b.ReportMetric(0, "ns/op") // of both together: it says nothing
			b.ReportMetric(float64(reranking.Milliseconds())/float64(b.N), "ms/rerank")
			b.ReportMetric(float64(reranking)/float64(embedding), "×embed")
		})
	}
}
