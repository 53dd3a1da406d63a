package assembly

import (
	"cmp"
	"context"
	"slices"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// View is one revision of a corpus as it is stored, without any eligibility:
// what a diagnosis is made from.
type View struct {
	place    Place
	revision int64
	objects  []string
}

// View reads a revision; objects are the keys of its whole listing.
func (r *Runtime) View(p Place, revision int64, objects []string) *View {
	return &View{p, revision, objects}
}

// Records returns one record per document, with its extracted text.
func (v *View) Records(ctx context.Context) ([]rag.Record, error) {
	return v.place.ledger().Records(ctx, v.revision, true)
}

// Chunks returns a document's chunks in document order.
func (v *View) Chunks(ctx context.Context, document string) ([]rag.Hit, error) {
	hits, err := v.place.ledger().Chunks(ctx, v.revision, document)
	slices.SortFunc(hits, func(a, b rag.Hit) int {
		return cmp.Or(cmp.Compare(a.Ordinal, b.Ordinal), cmp.Compare(a.Piece, b.Piece), cmp.Compare(a.ID, b.ID))
	})
	return hits, err
}

// Payload returns the stored user fields of points.
func (v *View) Payload(ctx context.Context, ids []string) (map[string]map[string]any, error) {
	records, err := v.place.Store.Get(ctx, v.place.Collection, ids, store.AllFields(), false)
	out := make(map[string]map[string]any, len(records))
	for _, r := range records {
		delete(r.Payload, store.Own)
		out[r.ID] = r.Payload
	}
	return out, err
}

// Objects returns the keys of the whole listing.
func (v *View) Objects(context.Context) ([]string, error) { return v.objects, nil }
