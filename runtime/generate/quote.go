package generate

import (
	"context"

	"github.com/hardgate-dev/hardgate/runtime/generate/ask"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/prose"
)

// fromProse quotes the sentence that answers.
func (d *desk) fromProse(ctx context.Context, q *ask.Question) (*found, *miss, error) {
	var scorer prose.Scorer
	if d.scorer != nil {
		scorer = d.scorer
	}
	quote, gap, err := prose.Find(ctx, d.in, ask.Parse(english.Plain(q.Text)), scorer)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case quote != nil:
		return &found{text: quote.Text, value: quote.Text, refs: quote.Refs}, nil, nil
	case gap.Rival != "":
		return nil, missing(AmbiguousPassage, "%s and %s both answer, differently", gap.Nearest, gap.Rival), nil
	case gap.Missing != "":
		return nil, missing(NoEvidence, "nothing in the passages found speaks of “%s” in this connection", gap.Missing), nil
	}
	return nil, missing(NoEvidence, "no passage found says this"), nil
}
