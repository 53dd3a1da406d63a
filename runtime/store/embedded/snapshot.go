package embedded

import (
	"bufio"
	"io"
	"maps"
	"slices"

	"github.com/qdrant/go-client/qdrant"
	"google.golang.org/protobuf/proto"
)

// A snapshot is a file of the same records as the log, the fewest that make the
// state, closed by a recordEnd.

// snapshotBatch is how many points share a record.
const snapshotBatch = 256

type snapshotWriter struct {
	out  *bufio.Writer
	size int64
}

func newSnapshotWriter(w io.Writer) *snapshotWriter {
	return &snapshotWriter{out: bufio.NewWriterSize(w, 1<<20)}
}

func (w *snapshotWriter) record(kind recordKind, name string, message proto.Message) error {
	r, err := body(kind, name, message)
	if err != nil {
		return err
	}
	seal(r, 0)
	n, err := w.out.Write(r)
	w.size += int64(n)
	return err
}

func (w *snapshotWriter) end() error {
	if err := w.record(recordEnd, "", nil); err != nil {
		return err
	}
	return w.out.Flush()
}

// writeSnapshot puts down everything. Nothing changes meanwhile: the caller holds writing.
func (s *Server) writeSnapshot(w *snapshotWriter) error {
	for _, name := range slices.Sorted(maps.Keys(s.collections)) {
		if err := s.collections[name].writeSnapshot(w); err != nil {
			return err
		}
	}
	for _, alias := range slices.Sorted(maps.Keys(s.aliases)) {
		target := &qdrant.AliasDescription{AliasName: alias, CollectionName: s.aliases[alias]}
		if err := w.record(recordAlias, "", target); err != nil {
			return err
		}
	}
	return nil
}

func (c *collection) writeSnapshot(w *snapshotWriter) error {
	if err := w.record(recordCreate, c.name, c.config); err != nil {
		return err
	}
	for batch := range slices.Chunk(c.order.list(), snapshotBatch) {
		points := make([]*qdrant.PointStruct, len(batch))
		for i, id := range batch {
			points[i] = c.stored(c.slotOf[id])
		}
		if err := w.record(recordUpsert, c.name, &qdrant.UpsertPoints{Points: points}); err != nil {
			return err
		}
	}
	for _, field := range slices.Sorted(maps.Keys(c.indexes)) { // after the points: each is filled in one go
		if err := w.record(recordIndex, c.name, c.indexes[field].request()); err != nil {
			return err
		}
	}
	return nil
}

// stored is a point as an upsert would bring it.
func (c *collection) stored(slot uint32) *qdrant.PointStruct {
	vectors := map[string]*qdrant.Vector{}
	for name, d := range c.dense {
		if v := d.get(slot); v != nil {
			vectors[name] = qdrant.NewVectorDense(v)
		}
	}
	for name, s := range c.sparse {
		if v := s.get(slot); v != nil {
			vectors[name] = qdrant.NewVectorSparse(v.indices, v.values)
		}
	}
	out := &qdrant.PointStruct{Id: c.ids[slot].proto(), Vectors: qdrant.NewVectorsMap(vectors)}
	if c.payloads[slot] != nil {
		out.Payload = decodePayload(c.payloads[slot])
	}
	return out
}
