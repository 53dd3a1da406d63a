// Package prompt lays out what a generator reads.
//
// A rag.Retrieved enters; a rag.PromptContext leaves: numbered passages, each
// under its title, heading and evidence id, in which every sentence and every
// row has a handle of its own ("1.3": third unit of the first passage). The
// same hits give the same bytes, so the SHA-256 over the text identifies the
// context, and an answer can be replayed on it.
//
// The text holds the passages alone. The question stays beside it: what
// survived is counted in the text, and an identifier that only the question
// names must not count as having survived.
package prompt

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Options configure the layout. There is nothing to choose yet.
type Options struct{}

// Layout is the stage. It is stateless and safe for concurrent use.
type Layout struct{}

// New returns the stage.
func New(Options) *Layout { return &Layout{} }

// Apply lays out the hits, best first, the units within each in the order in
// which they come. It fails only when ctx has ended.
func (*Layout) Apply(ctx context.Context, in rag.Retrieved) (rag.PromptContext, error) {
	if err := ctx.Err(); err != nil {
		return rag.PromptContext{}, err
	}
	out := rag.PromptContext{
		Question: in.Question,
		Hits:     append([]rag.Hit(nil), in.Hits...),
		Flags:    append([]rag.Flag(nil), in.Flags...),
	}
	var b strings.Builder
	for i, h := range out.Hits {
		if i > 0 {
			b.WriteByte('\n')
		}
		out.Handles = append(out.Handles, passage(&b, i, h)...)
	}
	out.Text = b.String()
	sum := sha256.Sum256([]byte(out.Text))
	out.Hash = "sha256:" + hex.EncodeToString(sum[:])
	return out, nil
}

// passage writes one hit and returns the handles of its units.
func passage(b *strings.Builder, hit int, h rag.Hit) []rag.Handle {
	fmt.Fprintf(b, "[%d] %s\n", hit+1, caption(h.Chunk))
	fmt.Fprintf(b, "evidence: %s, page %d\n", h.Evidence(), page(h))
	if len(h.Header) > 0 {
		fmt.Fprintf(b, "columns: %s\n", oneLine(strings.Join(h.Header, " | ")))
	}
	handles := make([]rag.Handle, len(h.Units))
	for i, u := range h.Units {
		name := fmt.Sprintf("%d.%d", hit+1, i+1)
		handles[i] = rag.Handle{Name: name, Hit: hit, Unit: i}
		fmt.Fprintf(b, "%s: %s\n", name, oneLine(u.Text))
	}
	if h.Lost > 0 {
		fmt.Fprintf(b, "(%d rows of this table are missing here)\n", h.Lost)
	}
	return handles
}

// caption is the title and the heading, each once.
func caption(c rag.Chunk) string {
	var parts []string
	for _, s := range []string{c.Title, c.Heading} {
		if s = oneLine(s); s != "" && (len(parts) == 0 || parts[0] != s) {
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 {
		return c.Document
	}
	return strings.Join(parts, " / ")
}

func page(h rag.Hit) int {
	if len(h.Units) > 0 && h.Units[0].Place.Page > 0 {
		return h.Units[0].Place.Page
	}
	return h.Place.Page
}

// oneLine keeps a unit on its own line, so that text cannot pass for a handle,
// a header or another passage.
func oneLine(s string) string {
	return strings.Join(strings.Fields(s), " ")
}
