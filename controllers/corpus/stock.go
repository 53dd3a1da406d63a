package corpus

import (
	"cmp"
	"context"
	"slices"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/controllers/outcome"
	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// stock is what the ledger says of a revision, and what the store has of it.
type stock struct {
	documents *v1alpha1.DocumentsStatus
	chunks    int64 // by the ledger
	points    int64 // in the store
}

// whole reports whether nothing that was acknowledged is missing.
func (s stock) whole() bool { return s.points == s.chunks }

// stock reads the whole ledger of a revision: for a promotion, not for a visit.
func (r *Reconciler) stock(ctx context.Context, p assembly.Place, n int64) (stock, error) {
	ctx, cancel := context.WithTimeout(ctx, storeBudget)
	defer cancel()
	ledger := r.Runtime.Ledger(p)
	records, err := ledger.Records(ctx, n, false)
	if err != nil {
		return stock{}, outcome.Failing(v1alpha1.StoreUnreachableReason, err)
	}
	points, err := ledger.Points(ctx, n)
	if err != nil {
		return stock{}, outcome.Failing(v1alpha1.StoreUnreachableReason, err)
	}
	s := stock{documents: &v1alpha1.DocumentsStatus{Total: int64(len(records))}, points: int64(points)}
	var failed, skipped []rag.Record
	for _, d := range records {
		s.chunks += int64(d.Chunks)
		switch {
		case d.Failure != nil && d.Failure.Skipped:
			skipped = append(skipped, d)
		case d.Failure != nil:
			failed = append(failed, d)
		}
	}
	s.documents.Failed, s.documents.Skipped = int64(len(failed)), int64(len(skipped))
	s.documents.Ingested = s.documents.Total - s.documents.Failed - s.documents.Skipped
	s.documents.Failures, s.documents.Skips = failures(failed), failures(skipped)
	return s, nil
}

// maxFailures is the API's bound on the failures that a status names.
const maxFailures = 20

// failures are the first of the failed documents, by key.
func failures(failed []rag.Record) []v1alpha1.DocumentFailure {
	sorted := slices.SortedFunc(slices.Values(failed), func(a, b rag.Record) int { return cmp.Compare(a.Key, b.Key) })
	var out []v1alpha1.DocumentFailure
	for _, d := range sorted[:min(len(sorted), maxFailures)] {
		out = append(out, v1alpha1.DocumentFailure{Key: d.Key, Stage: d.Failure.Stage, Reason: d.Failure.Reason, Message: clip(d.Failure.Detail, maxFailureMessage)})
	}
	return out
}
