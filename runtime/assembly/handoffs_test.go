package assembly

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/handoff"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// TestHandoffsGoWithTheCorpus erases a document of two corpora's hand-offs, then
// retires one of them.
func TestHandoffsGoWithTheCorpus(t *testing.T) {
	dir := t.TempDir()
	r := engine(t, dir)
	for _, corpus := range []string{"a", "b"} {
		_, err := r.Handoffs().Record(corpus, handoff.Asked{
			Question: rag.Question{Text: "How long is the leave?"}, Documents: []string{"Rules", "Terms"}, At: may,
			Answer: rag.Answer{Status: rag.NeedsHuman, Flags: []rag.Flag{{Reason: "EntitiesLost", Detail: "Rules#p1 lost 1 of 2: 30 days"}}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Bar("a", []string{"Rules"}); err != nil {
		t.Fatal(err)
	}
	for corpus, tells := range map[string]bool{"a": false, "b": true} {
		l, err := r.Handoffs().List(corpus, time.Time{})
		if err != nil || len(l.Handoffs) != 1 {
			t.Fatalf("%s: %+v, %v", corpus, l, err)
		}
		if h := l.Handoffs[0]; (h.Flags[0].Detail != "") != tells || (h.Documents[0] == "Rules") != tells || h.Question == "" {
			t.Errorf("%s: what is erased is told by no hand-off of that corpus, and the question stays: %+v", corpus, h)
		}
	}
	if err := r.Forget("a"); err != nil {
		t.Fatal(err)
	}
	for corpus, stays := range map[string]bool{"a": false, "b": true} {
		if _, err := os.Stat(filepath.Join(dir, "handoffs", corpus)); (err == nil) != stays {
			t.Errorf("%s: a retired corpus leaves no file, and no other loses any: %v", corpus, err)
		}
	}
}
