package evaluate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// corpus is the ledger as one evaluation sees it: each part is read once.
type corpus struct {
	ledger  Ledger
	records []rag.Record

	mu      sync.Mutex // held while reading, so that concurrent questions share one request
	chunks  map[string][]rag.Hit
	payload map[string]map[string]any
	objects []string
	listed  bool
}

func survey(ctx context.Context, l Ledger) (*corpus, error) {
	records, err := l.Records(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the ledger: %w", err)
	}
	return &corpus{ledger: l, records: records, chunks: map[string][]rag.Hit{}, payload: map[string]map[string]any{}}, nil
}

func (c *corpus) totals() (d Documents, chunks int) {
	d.Total = len(c.records)
	for _, r := range c.records {
		switch {
		case r.Failure != nil && r.Failure.Skipped:
			d.Skipped++
			continue
		case r.Failure != nil:
			d.Failed++
			continue
		}
		d.Ingested++
		chunks += r.Chunks
	}
	return d, chunks
}

// record returns the record of a document, and whether there is one; an
// ingested one is preferred to a failed one.
func (c *corpus) record(document string) (found rag.Record, ok bool) {
	for _, r := range c.records {
		if r.Document == document && (!ok || r.Failure == nil) {
			found, ok = r, true
		}
	}
	return found, ok
}

// text is the extracted text of the documents, or of all when none is named.
func (c *corpus) text(documents []string) string {
	var b strings.Builder
	for _, r := range c.records {
		if r.Failure == nil && (len(documents) == 0 || slices.Contains(documents, r.Document)) {
			b.WriteString(r.Text)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// chunksOf returns the chunks of the documents, or of all when none is named.
func (c *corpus) chunksOf(ctx context.Context, documents []string) ([]rag.Hit, error) {
	if len(documents) == 0 {
		for _, r := range c.records {
			if r.Failure == nil {
				documents = append(documents, r.Document)
			}
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []rag.Hit
	for _, d := range documents {
		hits, read := c.chunks[d]
		if !read {
			var err error
			if hits, err = c.ledger.Chunks(ctx, d); err != nil {
				return nil, fmt.Errorf("read the chunks of %s: %w", d, err)
			}
			c.chunks[d] = hits
		}
		out = append(out, hits...)
	}
	return out, nil
}

// payloadOf returns the stored fields of points; nil for one that isn't stored.
func (c *corpus) payloadOf(ctx context.Context, ids []string) (map[string]map[string]any, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var unread []string
	for _, id := range ids {
		if _, read := c.payload[id]; !read {
			unread = append(unread, id)
		}
	}
	if len(unread) > 0 {
		got, err := c.ledger.Payload(ctx, unread)
		if err != nil {
			return nil, fmt.Errorf("read the payload of %d points: %w", len(unread), err)
		}
		for _, id := range unread {
			c.payload[id] = got[id]
		}
	}
	out := make(map[string]map[string]any, len(ids))
	for _, id := range ids {
		out[id] = c.payload[id]
	}
	return out, nil
}

// keys is the source's listing.
func (c *corpus) keys(ctx context.Context) ([]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.listed {
		keys, err := c.ledger.Objects(ctx)
		if err != nil {
			return nil, fmt.Errorf("list the source: %w", err)
		}
		c.objects, c.listed = keys, true
	}
	return c.objects, nil
}
