package ingest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// costarring and liquid share an FNV-1a of 32 bits.
func TestCollisionsAreRecorded(t *testing.T) {
	w := single(t)
	w.bucket.put("play.txt", "# Cast\nShe was costarring, he was liquid.\n# Again\nStill costarring and liquid.", published())
	w.bucket.put("note.txt", "Liquid assets.", published())
	w.run(1)
	records, err := w.ledger().Records(t.Context(), 1, false)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]rag.Problem{}
	for _, r := range records {
		got[r.Key] = r.Problems
	}
	want := map[string][]rag.Problem{
		"note.txt": nil,
		"play.txt": {{Page: 1, Reason: TermCollision, Detail: `"costarring" and "liquid" are one term of the lexical index`}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// picky is an encoder that refuses what holds a word.
type picky struct {
	*hashed
	word string
	err  error
}

func (p picky) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if strings.Contains(strings.Join(texts, " "), p.word) {
		return nil, p.err
	}
	return p.hashed.Embed(ctx, texts)
}

type tooLong struct{ error }

func (tooLong) FailureReason() string { return "TextTooLong" }

func TestTextThatCannotBeEmbedded(t *testing.T) {
	w := furnished(t)
	w.bucket.put("may.txt", "Wages of May.", published())
	in := w.ingester()
	in.Encoder = picky{w.encoder, "May.", tooLong{errors.New("over 512 tokens")}}
	sum, err := in.Run(t.Context(), w.list(), 2, nil)
	if err != nil {
		t.Fatalf("one text that is too long ended the run: %v", err)
	}
	if sum.Failed != 1 || len(sum.Failures) != 1 {
		t.Fatalf("summary %+v", sum)
	}
	want := &rag.Failure{Stage: "embed", Reason: "TextTooLong", Detail: "embed: over 512 tokens"}
	if diff := cmp.Diff(want, sum.Failures[0].Failure); diff != "" || sum.Failures[0].Key != "may.txt" {
		t.Errorf("%s failed (-want +got):\n%s", sum.Failures[0].Key, diff)
	}
	if diff := cmp.Diff([]string{"april", "note", "policy-2"}, w.documents(2)); diff != "" {
		t.Errorf("the others (-want +got):\n%s", diff)
	}
	in.Encoder = picky{w.encoder, "May.", errors.New("connection refused")}
	w.bucket.put("may.txt", "Wages of May. Again.", published())
	if _, err := in.Run(t.Context(), w.list(), 3, nil); err == nil || !strings.Contains(err.Error(), "connection refused") {
		t.Errorf("a server that is away is no document's fault, got %v", err)
	}
}
