package backup

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"

	"github.com/qdrant/go-client/qdrant"

	"github.com/hardgate-dev/hardgate/runtime/archive"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// digest is a hash over points in the order of their ids, and how many they are. Of
// a dense vector only its length counts: a server may normalise it once more and
// change its last bits.
type digest struct {
	sum   hash.Hash
	count int
	last  string
}

func newDigest() digest { return digest{sum: sha256.New()} }

func (d *digest) add(p store.Point) error {
	if p.ID <= d.last {
		return fmt.Errorf("point %s comes after %s: not in the order of ids", p.ID, d.last)
	}
	d.last = p.ID
	d.count++
	size := len(p.Dense)
	p.Dense = nil
	body, err := store.EncodePoint(p)
	if err != nil {
		return err
	}
	d.sum.Write(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(size)), uint64(len(body))))
	d.sum.Write(body)
	return nil
}

// compare reads back what the store now has of the restored corpora.
func (r *restore) compare(ctx context.Context) error {
	if len(r.order) == 0 {
		return fmt.Errorf("%w: it has no corpus", archive.ErrDamaged)
	}
	var uids []string
	for _, x := range r.order {
		uids = append(uids, string(x.corpus.UID))
	}
	have := newDigest()
	f := &qdrant.Filter{Must: []*qdrant.Condition{qdrant.NewMatchKeywords("hardgate.corpus", uids...)}}
	for p, err := range r.subject.store.Scroll(ctx, r.subject.Status.Physical, f, store.AllFields(), true) {
		if err != nil {
			return err
		}
		if err := have.add(p.Point()); err != nil {
			return err
		}
	}
	if have.count != r.digest.count || !bytes.Equal(have.sum.Sum(nil), r.digest.sum.Sum(nil)) {
		return fmt.Errorf("the store has %d points after %d were written, or other ones: nothing of them serves", have.count, r.digest.count)
	}
	return nil
}
