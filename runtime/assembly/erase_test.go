package assembly

import (
	"errors"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// TestBar forgets the contexts that quote a document, and keeps none afterwards.
func TestBar(t *testing.T) {
	quoting := func(hash string, documents ...string) rag.PromptContext {
		c := rag.PromptContext{Hash: hash}
		for _, d := range documents {
			c.Hits = append(c.Hits, rag.Hit{Chunk: rag.Chunk{Document: d}})
		}
		return c
	}
	for name, dir := range map[string]string{"memory": "", "files": t.TempDir()} {
		t.Run(name, func(t *testing.T) {
			keep := newContexts(dir)
			put := func(corpus string, c rag.PromptContext) {
				t.Helper()
				if err := keep.put(corpus, c); err != nil {
					t.Fatal(err)
				}
			}
			has := func(corpus, hash string) bool {
				_, err := keep.get(corpus, hash)
				if err != nil && !errors.Is(err, ErrNoContext) {
					t.Fatal(err)
				}
				return err == nil
			}
			put("one", quoting("h1", "leave", "travel"))
			put("one", quoting("h2", "travel"))
			put("two", quoting("h1", "leave"))
			if n, err := keep.bar("one", []string{"leave"}); n != 1 || err != nil {
				t.Fatalf("%d forgotten, %v; want 1", n, err)
			}
			put("one", quoting("h3", "leave")) // of a question that was asked before
			put("one", quoting("h4", "travel"))
			if has("one", "h1") || !has("one", "h2") || !has("two", "h1") || has("one", "h3") || !has("one", "h4") {
				t.Error("a context that quotes an erased document is kept, or another is not")
			}
			if n, err := keep.bar("one", nil); n != 0 || err != nil {
				t.Fatalf("%d forgotten, %v", n, err)
			}
			if put("one", quoting("h5", "leave")); !has("one", "h5") {
				t.Error("the name may be used again")
			}
		})
	}
}
