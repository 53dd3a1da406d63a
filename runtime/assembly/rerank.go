package assembly

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/embed"
	"github.com/hardgate-dev/hardgate/runtime/flow"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/rerank"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// tokenMemory bounds the token vectors that are remembered of passages, bytes.
const tokenMemory = 32 << 20

// fetchWithin bounds the transfer of a reranker's file.
const fetchWithin = 5 * time.Minute

// reranker is the stage that the settings ask for.
func (r *Runtime) reranker(s settings.Reranking) (flow.Stage[rag.Retrieved, rag.Retrieved], error) {
	if !s.On() {
		return unranked(), nil
	}
	scorer, share, err := r.scores(s)
	if err != nil {
		return nil, err
	}
	o := rerank.Options{
		Depth: s.Depth, TopK: s.TopK, FirstStage: share, Timeout: s.Timeout.Std(), OnFailure: rerank.OnFailure(s.OnFailure),
	}
	if s.Threshold != nil {
		t := float64(*s.Threshold)
		o.Threshold = &t
	}
	return rerank.New(o, scorer)
}

// unranked is the stage that leaves the hits as they were fused.
func unranked() flow.Stage[rag.Retrieved, rag.Retrieved] {
	return flow.Func[rag.Retrieved, rag.Retrieved](func(_ context.Context, in rag.Retrieved) (rag.Retrieved, error) { return in, nil })
}

// scores is the scorer of a reranker, opened once a process, and the share that
// the first stage keeps beside it.
func (r *Runtime) scores(s settings.Reranking) (rerank.Scorer, float64, error) {
	r.fetching.Lock()
	defer r.fetching.Unlock()
	if s.ONNX == nil {
		if r.late == nil {
			late, err := rerank.NewLateInteraction(r.model, tokenMemory)
			if err != nil {
				return nil, 0, err
			}
			r.late = late
		}
		return r.late, rerank.FirstStageShare, nil
	}
	if c := r.cross[s.ONNX.SHA256]; c != nil {
		return c, 0, nil
	}
	if strings.HasPrefix(s.ONNX.URL, "file:") && !r.opt.Files { // who writes a Corpus must not learn what lies on the manager's disk
		return nil, 0, fmt.Errorf("spec.pipeline.reranking.onnx.url: %s is read on the command line alone: serve the file by https", s.ONNX.URL)
	}
	ctx, cancel := context.WithTimeout(context.Background(), fetchWithin)
	defer cancel()
	path, err := rerank.Fetch(ctx, s.ONNX.URL, s.ONNX.SHA256, r.models())
	if err != nil {
		return nil, 0, fmt.Errorf("spec.pipeline.reranking.onnx: %w", err)
	}
	pairs, err := embed.OpenPairs(embed.Options{Dir: r.opt.ModelDir, Model: path, Workers: r.opt.Workers})
	if err != nil {
		return nil, 0, fmt.Errorf("spec.pipeline.reranking.onnx: %w", err)
	}
	if r.cross == nil {
		r.cross = map[string]*rerank.CrossEncoder{}
	}
	r.cross[s.ONNX.SHA256] = rerank.NewCrossEncoder(pairs)
	return r.cross[s.ONNX.SHA256], 0, nil
}

// models is where fetched models are kept: beside the data, or else beside the
// encoder's own cache.
func (r *Runtime) models() string {
	if d := r.dir("models"); d != "" {
		return d
	}
	return filepath.Join(r.opt.CacheDir, "models")
}
