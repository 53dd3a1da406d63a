package ingest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/qdrant/go-client/qdrant"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// Store is what ingestion needs of the store: to write and to read.
type Store interface {
	Writer
	Reader
}

// Writer changes points.
type Writer interface {
	Upsert(ctx context.Context, name string, points []store.Point) error
	SetPayload(ctx context.Context, name string, selector store.Selector, payload map[string]any, key string) error
	DeletePoints(ctx context.Context, name string, selector store.Selector) error
}

// Reader reads points.
type Reader interface {
	Count(ctx context.Context, name string, filter *qdrant.Filter, exact bool) (uint64, error)
	Scroll(ctx context.Context, name string, filter *qdrant.Filter, fields store.Fields, vectors bool) iter.Seq2[store.Record, error]
}

// Ledger is one corpus' part of a collection: its document records and chunks,
// through all generations.
type Ledger struct {
	Store      Store
	Collection string // physical name
	Corpus     string // the corpus' UID

	Except []string // documents that Count and Points leave out: they are being erased
}

// stored is a ledger record with its generation.
type stored struct {
	record   rag.Record
	from, to int64
	config   string
}

func (l Ledger) filter(more ...*qdrant.Condition) *qdrant.Filter {
	return &qdrant.Filter{Must: append([]*qdrant.Condition{qdrant.NewMatchKeyword("hardgate.corpus", l.Corpus)}, more...)}
}

func kind(k string) *qdrant.Condition { return qdrant.NewMatchKeyword("hardgate.kind", k) }

func at(n int64) *qdrant.Condition { return qdrant.NewMatchInt("hardgate.from", n) }

func before(n int64) *qdrant.Condition {
	f := float64(n)
	return qdrant.NewRange("hardgate.from", &qdrant.Range{Lt: &f})
}

func until(n int64) *qdrant.Condition { return qdrant.NewMatchInt("hardgate.to", n) }

// within admits what revision n holds.
func within(n int64) []*qdrant.Condition {
	f := float64(n)
	return []*qdrant.Condition{
		qdrant.NewRange("hardgate.from", &qdrant.Range{Lte: &f}),
		qdrant.NewRange("hardgate.to", &qdrant.Range{Gt: &f}),
	}
}

func keyed(key string) *qdrant.Condition { return qdrant.NewMatchKeyword("hardgate.key", key) }

// records reads the records that the filter admits, without text.
func (l Ledger) records(ctx context.Context, f *qdrant.Filter) iter.Seq2[*stored, error] {
	return func(yield func(*stored, error) bool) {
		for p, err := range l.Store.Scroll(ctx, l.Collection, f, store.AllFields(), false) {
			if err != nil {
				yield(nil, err)
				return
			}
			s, err := decode(p.Payload)
			if !yield(s, err) || err != nil {
				return
			}
		}
	}
}

func decode(payload map[string]any) (*stored, error) {
	o, _ := payload[store.Own].(map[string]any)
	text, _ := o["record"].(string)
	s := &stored{}
	if err := json.Unmarshal([]byte(text), &s.record); err != nil {
		return nil, fmt.Errorf("ledger record %q: %w", text, err)
	}
	s.from, _ = o["from"].(int64)
	s.to, _ = o["to"].(int64)
	s.config, _ = o["config"].(string)
	s.record.Fields = userFields(payload)
	return s, nil
}

func userFields(payload map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range payload {
		if k != store.Own {
			out[k] = v
		}
	}
	return out
}

// Records returns what revision n's documents are, with their text where text is
// set, in the store's order of ids.
func (l Ledger) Records(ctx context.Context, n int64, text bool) ([]rag.Record, error) {
	var out []rag.Record
	for s, err := range l.records(ctx, l.filter(append(within(n), kind(kindRecord))...)) {
		if err != nil {
			return nil, fmt.Errorf("read the ledger: %w", err)
		}
		out = append(out, s.record)
	}
	if !text {
		return out, nil
	}
	texts, err := l.texts(ctx, l.filter(append(within(n), kind(kindText))...))
	for i := range out {
		out[i].Text = texts[out[i].Key]
	}
	return out, err
}

// texts reads extracted texts, by key.
func (l Ledger) texts(ctx context.Context, f *qdrant.Filter) (map[string]string, error) {
	out := map[string]string{}
	for p, err := range l.Store.Scroll(ctx, l.Collection, f, store.OnlyFields("hardgate.key", "hardgate.text"), false) {
		if err != nil {
			return nil, fmt.Errorf("read extracted texts: %w", err)
		}
		o, _ := p.Payload[store.Own].(map[string]any)
		key, _ := o["key"].(string)
		out[key], _ = o["text"].(string)
	}
	return out, nil
}

// Chunks returns the chunks of one document at revision n, unfiltered by
// eligibility, in no particular order.
func (l Ledger) Chunks(ctx context.Context, n int64, document string) ([]rag.Hit, error) {
	f := l.filter(append(within(n), kind(kindChunk), qdrant.NewMatchKeyword("hardgate.document", document))...)
	var out []rag.Hit
	for p, err := range l.Store.Scroll(ctx, l.Collection, f, store.AllFields(), false) {
		if err != nil {
			return nil, fmt.Errorf("read chunks of %q: %w", document, err)
		}
		c, err := chunkOf(p)
		if err != nil {
			return nil, err
		}
		out = append(out, rag.Hit{Chunk: c, ID: p.ID})
	}
	return out, nil
}

// chunkOf reads a stored chunk back.
func chunkOf(p store.Record) (rag.Chunk, error) {
	o, _ := p.Payload[store.Own].(map[string]any)
	text, _ := o["chunk"].(string)
	var c rag.Chunk
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return c, fmt.Errorf("stored chunk %s: %w", p.ID, err)
	}
	c.Fields = userFields(p.Payload)
	return c, nil
}

// generations are the records of one key, the oldest first.
type generations []*stored

// open is the newest record that nothing has superseded, nil if there is none.
func (g generations) open() *stored {
	for _, s := range slices.Backward(g) {
		if s.to == Open {
			return s
		}
	}
	return nil
}

// known reads the records of every key, through all generations that are kept.
func (l Ledger) known(ctx context.Context, n int64) (map[string]generations, error) {
	out := map[string]generations{}
	for s, err := range l.records(ctx, l.filter(kind(kindRecord))) {
		if err != nil {
			return nil, fmt.Errorf("read the ledger: %w", err)
		}
		if s.from > n {
			return nil, fmt.Errorf("the ledger holds %q at generation %d, later than %d: retract that first", s.record.Key, s.from, n)
		}
		out[s.record.Key] = append(out[s.record.Key], s)
	}
	for _, g := range out {
		slices.SortFunc(g, func(a, b *stored) int { return cmp.Compare(a.from, b.from) })
	}
	return out, nil
}

// Retract undoes the generations strictly between two numbers, which were never
// promoted: their points go, and what they superseded is open again.
func (l Ledger) Retract(ctx context.Context, after, before int64) error {
	lo, hi := float64(after), float64(before)
	within := func(field string) store.Selector {
		return store.ByFilter(l.filter(qdrant.NewRange(field, &qdrant.Range{Gt: &lo, Lt: &hi})))
	}
	if err := l.Store.DeletePoints(ctx, l.Collection, within("hardgate.from")); err != nil {
		return fmt.Errorf("retract generations between %d and %d: %w", after, before, err)
	}
	if err := l.Store.SetPayload(ctx, l.Collection, within("hardgate.to"), map[string]any{"to": Open}, store.Own); err != nil {
		return fmt.Errorf("retract generations between %d and %d: %w", after, before, err)
	}
	return nil
}

// Count is how many documents revision n holds, failed ones included.
func (l Ledger) Count(ctx context.Context, n int64) (int, error) {
	c, err := l.Store.Count(ctx, l.Collection, l.counting(n, kindRecord), true)
	return int(c), err
}

// Vacuum deletes what no revision from oldest on can see.
func (l Ledger) Vacuum(ctx context.Context, oldest int64) error {
	f := float64(oldest)
	gone := l.filter(qdrant.NewRange("hardgate.to", &qdrant.Range{Lte: &f}))
	if err := l.Store.DeletePoints(ctx, l.Collection, store.ByFilter(gone)); err != nil {
		return fmt.Errorf("vacuum before generation %d: %w", oldest, err)
	}
	return nil
}

// Retire deletes everything of the corpus.
func (l Ledger) Retire(ctx context.Context) error {
	if err := l.Store.DeletePoints(ctx, l.Collection, store.ByFilter(l.filter())); err != nil {
		return fmt.Errorf("retire corpus %s: %w", l.Corpus, err)
	}
	return nil
}
