package ingest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/google/uuid"

	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// Open is hardgate.to of what nothing has superseded: the largest integer that
// a float64, which range filters compare with, holds exactly.
const Open int64 = 1<<53 - 1

// Kinds of point, in hardgate.kind.
const (
	kindChunk  = "chunk"
	kindRecord = "document"
	kindText   = "text" // a document's extracted text, apart from its record so that the ledger reads fast
)

// namespace makes point ids differ from UUIDs of other origin.
var namespace = uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://rag.hardgate.dev/points"))

// identify names a point by everything that makes it what it is, so that the
// same work done twice writes the same points.
func identify(parts ...any) string {
	var name []byte
	for _, p := range parts {
		name = fmt.Appendf(name, "%q ", fmt.Sprint(p)) // as text: of a number, %q is a character
	}
	return uuid.NewSHA1(namespace, name).String()
}

// contentHash is over everything that is stored of a chunk; searchHash over what
// its vector depends on.
func contentHash(c rag.Chunk) string {
	b, _ := json.Marshal(c) // strings, numbers and slices of them always marshal
	return digest(b)
}

func searchHash(c rag.Chunk) string { return digest([]byte(c.Search())) }

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:16]) // 128 bits tell a corpus' texts apart
}

func (b *build) chunkPoint(c rag.Chunk, dense []float32, lex *store.Sparse) store.Point {
	text, _ := json.Marshal(c)
	payload := maps.Clone(b.item.Fields)
	if payload == nil {
		payload = map[string]any{}
	}
	payload[store.Own] = map[string]any{
		"corpus": b.corpus, "kind": kindChunk, "from": b.revision, "to": Open,
		"key": b.item.Object.Key, "document": c.Document, "passage": c.Passage, "piece": int64(c.Piece),
		"names": anys(append([]string{c.Passage}, c.Aliases...)), "columns": c.Columns(), "ids": anys(c.IDs), "search": searchHash(c), "chunk": string(text),
	}
	return store.Point{
		ID:    identify(b.corpus, c.Document, c.Passage, c.Piece, contentHash(c), b.revision),
		Dense: dense, Sparse: lex, Payload: payload,
	}
}

// recordPoints are the ledger's entry of a document, last, and its text.
func (b *build) recordPoints(r rag.Record) []store.Point {
	text := store.Point{ID: identify(b.corpus, kindText, r.Key, b.revision), Payload: map[string]any{store.Own: map[string]any{
		"corpus": b.corpus, "kind": kindText, "from": b.revision, "to": Open, "key": r.Key, "document": r.Document, "text": r.Text,
	}}}
	payload := maps.Clone(b.item.Fields)
	if payload == nil {
		payload = map[string]any{}
	}
	r.Text, r.Fields = "", nil
	rec, _ := json.Marshal(r)
	payload[store.Own] = map[string]any{
		"corpus": b.corpus, "kind": kindRecord, "from": b.revision, "to": Open,
		"key": r.Key, "document": r.Document, "record": string(rec), "config": b.config,
	}
	return []store.Point{text, {ID: identify(b.corpus, kindRecord, r.Key, b.revision), Payload: payload}}
}

func anys(in []string) []any {
	out := make([]any, len(in))
	for i, s := range in {
		out[i] = s
	}
	return out
}
