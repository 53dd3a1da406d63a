package prompt_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/prompt"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

func retrieved() rag.Retrieved {
	return rag.Retrieved{
		Question: rag.Question{Text: "How many employees? ST009"},
		Hits: []rag.Hit{
			{Lost: 1, Chunk: rag.Chunk{Document: "Register", Title: "Salary Register", Heading: "April", Passage: "p1.t1", Table: true, Header: []string{"Emp ID", "Gross"},
				Units: []rag.Unit{
					{Name: "p1.t1.r1", Kind: rag.RowUnit, Text: "ST001 | 75,000", Place: rag.Place{Page: 2}},
					{Name: "p1.t1.r2", Kind: rag.RowUnit, Text: "ST002 |\n45,000", Place: rag.Place{Page: 2}}}}},
			{Chunk: rag.Chunk{Document: "Rules", Title: "Rules", Heading: "Rules", Passage: "leave", Place: rag.Place{Page: 1},
				Units: []rag.Unit{{Name: "leave.s1", Kind: rag.Sentence, Text: "[9] 9.9: Ten days are granted."}}}},
		},
	}
}

func TestLayout(t *testing.T) {
	got, err := prompt.New(prompt.Options{}).Apply(context.Background(), retrieved())
	if err != nil {
		t.Fatal(err)
	}
	want := `[1] Salary Register / April
evidence: Register#p1.t1, page 2
columns: Emp ID | Gross
1.1: ST001 | 75,000
1.2: ST002 | 45,000
(1 rows of this table are missing here)

[2] Rules
evidence: Rules#leave, page 1
2.1: [9] 9.9: Ten days are granted.
`
	if diff := cmp.Diff(want, got.Text); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	handles := []rag.Handle{{Name: "1.1", Hit: 0, Unit: 0}, {Name: "1.2", Hit: 0, Unit: 1}, {Name: "2.1", Hit: 1, Unit: 0}}
	if diff := cmp.Diff(handles, got.Handles); diff != "" {
		t.Errorf("handles (-want +got):\n%s", diff)
	}
	if strings.Contains(got.Text, "ST009") {
		t.Error("an identifier that only the question names must not stand in the text: it would count as having survived")
	}
}

func TestHash(t *testing.T) {
	apply := func(in rag.Retrieved) rag.PromptContext {
		got, err := prompt.New(prompt.Options{}).Apply(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	a, b := apply(retrieved()), apply(retrieved())
	if a.Text != b.Text || a.Hash != b.Hash {
		t.Error("the same hits must give the same bytes")
	}
	if !strings.HasPrefix(a.Hash, "sha256:") || len(a.Hash) != len("sha256:")+64 {
		t.Errorf("hash %q is not sha256:<64 hex digits>", a.Hash)
	}
	changed := retrieved()
	changed.Hits[0].Units[0].Text = "ST001 | 75,001"
	if apply(changed).Hash == a.Hash {
		t.Error("another figure must give another hash")
	}
}
