package ingest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/source"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// build ingests one object.
type build struct {
	*Ingester
	item     *Item
	corpus   string
	revision int64
	config   string
	fetched  int
	embedded int
}

// Reasoned is an error that knows the reason to record for a document's failure.
type Reasoned interface {
	error
	FailureReason() string
}

// EmbedError is a run that ended because texts could not be embedded, for want of
// the encoder and not for what a text is.
type EmbedError struct{ Err error }

func (e *EmbedError) Error() string { return "embed: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *EmbedError) Unwrap() error { return e.Err }

// Skipper is an error that may say that the object is no document: it is counted
// and named as skipped, and doesn't count as failed.
type Skipper interface {
	error
	FailureSkips() bool
}

func (b *build) run(ctx context.Context) error {
	switch b.item.Action {
	case Fail:
		return b.commit(ctx, rag.Record{Failure: b.item.Failure}, nil)
	case Rewrite:
		return b.rewrite(ctx)
	}
	data, err := source.Read(ctx, b.Source, b.item.Object)
	switch {
	case err != nil && permanent(err):
		return b.fail(ctx, "fetch", err)
	case err != nil:
		return err
	}
	b.fetched++
	doc, err := b.Extract(ctx, b.item.Object, data)
	if err != nil {
		if ctx.Err() != nil || temporary(err) {
			return err
		}
		return b.fail(ctx, "extract", err)
	}
	if b.item.rivals != nil { // a document after all, by a name that others have
		return b.commit(ctx, rag.Record{Failure: b.item.rivals}, nil)
	}
	b.name(&doc)
	chunks, err := b.Chunk(ctx, doc)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		return b.fail(ctx, "chunk", err)
	}
	points, collisions, err := b.points(ctx, chunks)
	var reasoned Reasoned
	switch {
	case errors.As(err, &reasoned) && ctx.Err() == nil: // this document's fault, such as a text that is too long
		return b.fail(ctx, "embed", err)
	case err != nil:
		return err
	}
	return b.commit(ctx, rag.Record{
		SHA256: doc.SHA256, Title: doc.Title, Pages: len(doc.Pages), Chunks: len(chunks), Problems: slices.Concat(doc.Problems, collisions), Text: text(doc),
	}, points)
}

// permanent reports whether fetching the same object again cannot help.
func permanent(err error) bool {
	var refused interface{ Refused() bool }
	return errors.As(err, &refused) && refused.Refused()
}

// temporary reports whether trying again may help: then the run ends, and is tried
// again, rather than the document failing for good.
func temporary(err error) bool {
	var t interface{ Temporary() bool }
	return errors.As(err, &t) && t.Temporary()
}

// name gives the document what the metadata says of it.
func (b *build) name(doc *rag.Document) {
	doc.ID, doc.Revision, doc.Metadata = b.item.ID, b.item.Revision, b.item.Fields
	doc.Key, doc.Version = b.item.Object.Key, b.item.Object.Version
	if t := title(b.item.Fields); t != "" {
		doc.Title = t
	}
}

// text is everything that was extracted, for the survival count and the
// diagnosis: the lines, and the tables' rows as rows.
func text(doc rag.Document) string {
	var s strings.Builder
	for _, p := range doc.Pages {
		for _, l := range p.Lines {
			s.WriteString(l.Text)
			s.WriteByte('\n')
		}
	}
	return s.String()
}

// points embeds the chunks; a text that is stored already keeps its vector. The
// problems are terms of a chunk that the lexical index can't tell apart.
func (b *build) points(ctx context.Context, chunks []rag.Chunk) ([]store.Point, []rag.Problem, error) {
	known, err := b.vectors(ctx)
	if err != nil {
		return nil, nil, err
	}
	var texts []string
	for i := range chunks {
		chunks[i].IDs = b.Lexer.IDs(chunks[i].Search())
		if known[searchHash(chunks[i])] == nil {
			texts = append(texts, chunks[i].Search())
		}
	}
	fresh, err := b.Encoder.Embed(ctx, texts)
	if err != nil {
		return nil, nil, &EmbedError{err}
	}
	b.embedded = len(texts)
	points := make([]store.Point, len(chunks))
	var problems []rag.Problem
	for i, c := range chunks {
		dense := known[searchHash(c)]
		if dense == nil {
			dense, fresh = fresh[0], fresh[1:]
		}
		indices, values, collisions := b.Lexer.Document(c.Search())
		problems = collided(problems, c, collisions)
		points[i] = b.chunkPoint(c, dense, &store.Sparse{Indices: indices, Values: values})
	}
	return points, problems, nil
}

// TermCollision is the reason of a problem: two terms of a passage share an index
// of its sparse vector, so that a question for either is scored for both.
const TermCollision = "TermCollision"

// collided adds a chunk's collisions, each pair of terms once a document.
func collided(problems []rag.Problem, c rag.Chunk, collisions [][2]string) []rag.Problem {
	for _, pair := range collisions {
		detail := fmt.Sprintf("%q and %q are one term of the lexical index", pair[0], pair[1])
		if !slices.ContainsFunc(problems, func(p rag.Problem) bool { return p.Detail == detail }) {
			problems = append(problems, rag.Problem{Page: c.Place.Page, Reason: TermCollision, Detail: detail})
		}
	}
	return problems
}

// vectors are those of the key's earlier generations, by what they were made
// from; none where the encoder changed, for the collection changes with it.
func (b *build) vectors(ctx context.Context) (map[string][]float32, error) {
	out := map[string][]float32{}
	if b.item.Old == nil {
		return out, nil
	}
	f := b.filter(kind(kindChunk), keyed(b.item.Object.Key))
	for p, err := range b.Store.Scroll(ctx, b.Collection, f, store.OnlyFields("hardgate.search"), true) {
		if err != nil {
			return nil, fmt.Errorf("read stored vectors: %w", err)
		}
		o, _ := p.Payload[store.Own].(map[string]any)
		if h, _ := o["search"].(string); h != "" && p.Dense != nil {
			out[h] = p.Dense
		}
	}
	return out, nil
}

// rewrite stores the document's chunks again with other fields, vectors copied.
func (b *build) rewrite(ctx context.Context) error {
	old := b.item.Old
	f := b.filter(append(within(old.from), keyed(b.item.Object.Key), kind(kindChunk), at(old.from))...)
	var points []store.Point
	for p, err := range b.Store.Scroll(ctx, b.Collection, f, store.AllFields(), true) {
		if err != nil {
			return fmt.Errorf("read stored chunks: %w", err)
		}
		c, err := chunkOf(p)
		if err != nil {
			return err
		}
		points = append(points, b.chunkPoint(c, p.Dense, p.Sparse))
	}
	record := old.record
	texts, err := b.texts(ctx, b.filter(kind(kindText), keyed(b.item.Object.Key), at(old.from)))
	if err != nil {
		return err
	}
	record.Text = texts[record.Key]
	return b.commit(ctx, record, points)
}

func (b *build) fail(ctx context.Context, stage string, err error) error {
	f := &rag.Failure{Stage: stage, Reason: strings.ToUpper(stage[:1]) + stage[1:] + "Failed", Detail: err.Error()}
	var r Reasoned
	if errors.As(err, &r) {
		f.Reason = r.FailureReason()
	}
	f.Detail = strings.TrimPrefix(f.Detail, f.Reason+": ") // it stands beside it
	var s Skipper
	f.Skipped = errors.As(err, &s) && s.FailureSkips()
	return b.commit(ctx, rag.Record{Failure: f}, nil)
}

// commit writes the chunks, then the record that makes them count, then ends
// what they supersede. Nothing of an unfinished document is ever counted.
func (b *build) commit(ctx context.Context, r rag.Record, points []store.Point) error {
	r.Key, r.Version = b.item.Object.Key, b.item.Object.Version
	r.Document = rag.JoinRevision(b.item.ID, b.item.Revision)
	if old := b.item.Old; old != nil && old.from == b.revision { // the object changed while its generation was being built
		if err := b.drop(ctx, r.Key, b.revision); err != nil {
			return err
		}
	}
	record := b.recordPoints(r)
	for _, batch := range [][]store.Point{append(points, record[0]), record[1:]} {
		if err := b.Store.Upsert(ctx, b.Collection, batch); err != nil {
			return err
		}
	}
	return b.supersede(ctx, r.Key, b.revision)
}
