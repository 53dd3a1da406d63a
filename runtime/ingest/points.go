package ingest

import "context"

// Points is how many chunks the store has of revision n. The ledger's records say
// how many there have to be: Records, Chunks.
func (l Ledger) Points(ctx context.Context, n int64) (int, error) {
	c, err := l.Store.Count(ctx, l.Collection, l.counting(n, kindChunk), true)
	return int(c), err
}
