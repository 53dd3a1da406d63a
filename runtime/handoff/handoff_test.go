package handoff_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/handoff"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

const corpus = "5f0c6f3e-0000-4000-8000-000000000001"

var start = time.Date(2025, 5, 5, 12, 0, 0, 0, time.UTC)

// asking is a question of tenant north, as the first of the day.
func asking(change ...func(*handoff.Asked)) handoff.Asked {
	a := handoff.Asked{
		Question: rag.Question{Text: "What is the capped wait?", AsOf: start, Identity: rag.Identity{
			User: "ann", Tenant: "north", Groups: []string{"staff", "desk"}, Claims: map[string][]string{"region": {"west"}, "pod": {"ann-7"}},
		}},
		Answer:    rag.Answer{Text: "I can't say.", Status: rag.NeedsHuman, ContextHash: "sha256:aa", Flags: []rag.Flag{{Stage: "compress", Reason: "EntitiesLost", Detail: "Rates#p1 lost 1 of 2: $520"}}},
		Documents: []string{"Rates", "Terms", "Rates"}, Claims: []string{"region", "customer"}, Revision: 3, At: start,
	}
	for _, f := range change {
		f(&a)
	}
	return a
}

// stores are the two that there are; both have to behave alike.
func stores(t *testing.T) map[string]*handoff.Store {
	return map[string]*handoff.Store{"memory": handoff.Open(""), "files": handoff.Open(filepath.Join(t.TempDir(), "handoffs"))}
}

func record(t *testing.T, s *handoff.Store, a handoff.Asked) handoff.Recorded {
	t.Helper()
	got, err := s.Record(corpus, a)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func list(t *testing.T, s *handoff.Store, since time.Time) []handoff.Handoff {
	t.Helper()
	l, err := s.List(corpus, since)
	if err != nil || l.Unreadable > 0 {
		t.Fatalf("%d unreadable, %v", l.Unreadable, err)
	}
	return l.Handoffs
}

func TestRecord(t *testing.T) {
	for name, s := range stores(t) {
		t.Run(name, func(t *testing.T) {
			id := record(t, s, asking()).ID
			want := []handoff.Handoff{{
				ID: id, Question: "What is the capped wait?", Revision: 3, Corpus: corpus, ContextHash: "sha256:aa", Times: 1, First: start, Last: start,
				As:        handoff.As{Tenant: "north", Groups: []string{"desk", "staff"}, Claims: map[string][]string{"region": {"west"}}, AsOf: start},
				Flags:     []rag.Flag{{Stage: "compress", Reason: "EntitiesLost", Detail: "Rates#p1 lost 1 of 2: $520"}},
				Documents: []string{"Rates", "Terms"},
			}}
			if d := cmp.Diff(want, list(t, s, time.Time{})); d != "" {
				t.Errorf("neither the user nor the answer is kept, nor a claim that no rule reads (-want +got):\n%s", d)
			}
			later := start.Add(time.Hour)
			again := record(t, s, asking(func(a *handoff.Asked) {
				a.At, a.Question.AsOf, a.Revision, a.Answer.Flags = later, later, 4, nil
			}))
			if !again.Repeat || again.ID != id {
				t.Errorf("asked again: %+v", again)
			}
			want[0].Times, want[0].Last, want[0].As.AsOf, want[0].Revision, want[0].Flags = 2, later, later, 4, []rag.Flag{}
			if d := cmp.Diff(want, list(t, s, time.Time{})); d != "" {
				t.Errorf("a repeat is counted and says what is the case now (-want +got):\n%s", d)
			}
			if got := list(t, s, later.Add(time.Second)); len(got) > 0 {
				t.Errorf("since then nothing was asked: %+v", got)
			}
			if got, err := s.List("another", time.Time{}); err != nil || len(got.Handoffs) > 0 {
				t.Errorf("another corpus' hand-offs are its own: %+v, %v", got, err)
			}
		})
	}
}

func TestWhatIsARepeat(t *testing.T) {
	cases := map[string]struct {
		reason string
		change func(*handoff.Asked)
		repeat bool
	}{
		"same":             {"nothing differs", func(*handoff.Asked) {}, true},
		"spacing and case": {"the same words", func(a *handoff.Asked) { a.Question.Text = "what is\n the CAPPED wait?" }, true},
		"another of them": {"the tenant asks, not the person", func(a *handoff.Asked) {
			a.Question.Identity.User, a.Question.Identity.Groups = "bob", []string{"night"}
		}, true},
		"later":             {"an instant that was not named is none", func(a *handoff.Asked) { a.Question.AsOf = start.Add(time.Hour) }, true},
		"other words":       {"another question", func(a *handoff.Asked) { a.Question.Text = "What is the wait?" }, false},
		"other tenant":      {"another contract", func(a *handoff.Asked) { a.Question.Identity.Tenant = "south" }, false},
		"no tenant":         {"then groups tell who asks", func(a *handoff.Asked) { a.Question.Identity.Tenant = "" }, false},
		"as of a named day": {"what held then is another question", func(a *handoff.Asked) { a.Dated = true }, false},
		"other mode":        {"another pipeline", func(a *handoff.Asked) { a.Question.Mode = rag.Dense }, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := handoff.Open("")
			record(t, s, asking())
			if got := record(t, s, asking(c.change)); got.Repeat != c.repeat {
				t.Errorf("%s: repeat is %t", c.reason, got.Repeat)
			}
		})
	}
	s := handoff.Open("")
	nobody := func(groups ...string) handoff.Asked {
		return asking(func(a *handoff.Asked) { a.Question.Identity.Tenant, a.Question.Identity.Groups = "", groups })
	}
	record(t, s, nobody("a", "b"))
	if !record(t, s, nobody("b", "a")).Repeat || record(t, s, nobody("a")).Repeat {
		t.Error("without tenants the same groups ask the same question, and others another")
	}
}

func TestBound(t *testing.T) {
	for name, s := range stores(t) {
		t.Run(name, func(t *testing.T) {
			dropped := 0
			for i := range handoff.Most + 1 {
				dropped += record(t, s, asking(func(a *handoff.Asked) {
					a.Question.Text, a.At = fmt.Sprintf("Question %d?", i), start.Add(time.Duration(i)*time.Second)
				})).Dropped
				if i > 0 && i < handoff.Most && i%100 == 0 { // the first goes on being asked, and stays
					record(t, s, asking(func(a *handoff.Asked) { a.Question.Text, a.At = "Question 0?", start.Add(time.Duration(i)*time.Second) }))
				}
			}
			got := list(t, s, time.Time{})
			if dropped != 101 || len(got) != handoff.Most-100 {
				t.Fatalf("%d were dropped and %d are left", dropped, len(got))
			}
			has := func(q string) bool {
				return slices.ContainsFunc(got, func(h handoff.Handoff) bool { return h.Question == q })
			}
			if !has("Question 0?") || has("Question 1?") || has("Question 101?") || !has("Question 102?") {
				t.Error("the oldest go first, by when they were asked last")
			}
			if got[0].Question != fmt.Sprintf("Question %d?", handoff.Most) {
				t.Errorf("the newest stands first, not %q", got[0].Question)
			}
		})
	}
}

func TestRestart(t *testing.T) {
	dir := t.TempDir()
	id := record(t, handoff.Open(dir), asking()).ID
	before := list(t, handoff.Open(dir), time.Time{})
	if len(before) != 1 || !record(t, handoff.Open(dir), asking()).Repeat {
		t.Fatalf("a new process knows what the old one was asked: %+v", before)
	}
	file := filepath.Join(dir, corpus, id+".json")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v: questions are for the process alone", info, err)
	}
	if err := os.WriteFile(file, []byte(`{"id":"`), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := handoff.Open(dir).List(corpus, time.Time{})
	if err != nil || l.Unreadable != 1 || len(l.Handoffs) != 0 {
		t.Errorf("half a file is told of and harms nothing: %+v, %v", l, err)
	}
	if got := record(t, handoff.Open(dir), asking()); got.Repeat {
		t.Error("of half a file no count can be taken over")
	}
	if got := list(t, handoff.Open(dir), time.Time{}); len(got) != 1 || got[0].Times != 1 {
		t.Errorf("it is written anew: %+v", got)
	}
}

func TestErase(t *testing.T) {
	for name, s := range stores(t) {
		t.Run(name, func(t *testing.T) {
			record(t, s, asking())
			other := record(t, s, asking(func(a *handoff.Asked) { a.Question.Text, a.Documents = "Another?", []string{"Terms"} }))
			if err := s.Erase(corpus, []string{"Rates"}); err != nil {
				t.Fatal(err)
			}
			record(t, s, asking(func(a *handoff.Asked) { a.Question.Text = "Asked meanwhile?" }))
			for _, h := range list(t, s, time.Time{}) {
				if touched := h.ID != other.ID; slices.Contains(h.Documents, "Rates") || (h.Flags[0].Detail == "") != touched || h.Flags[0].Reason != "EntitiesLost" {
					t.Errorf("%q tells of the erased document, or lost more than that: %v, %+v", h.Question, h.Documents, h.Flags)
				}
			}
			if err := s.Erase(corpus, nil); err != nil {
				t.Fatal(err)
			}
			record(t, s, asking(func(a *handoff.Asked) { a.Question.Text = "Published again?" }))
			got := list(t, s, time.Time{})
			if i := slices.IndexFunc(got, func(h handoff.Handoff) bool { return h.Question == "Published again?" }); i < 0 || !slices.Contains(got[i].Documents, "Rates") {
				t.Errorf("what is no longer erased is told of again: %+v", got)
			}
		})
	}
}

func TestRemoveAndForget(t *testing.T) {
	for name, s := range stores(t) {
		t.Run(name, func(t *testing.T) {
			id := record(t, s, asking()).ID
			record(t, s, asking(func(a *handoff.Asked) { a.Question.Text = "Another?" }))
			if h, err := s.Remove(corpus, id); err != nil || h.ID != id {
				t.Errorf("%+v, %v", h, err)
			}
			for _, gone := range []string{id, "", "..", "../" + corpus + "/" + id} {
				if _, err := s.Remove(corpus, gone); !errors.Is(err, handoff.ErrNone) {
					t.Errorf("%q: %v", gone, err)
				}
			}
			if got := record(t, s, asking()); got.Repeat {
				t.Error("what was dealt with and is asked again is new")
			}
			if err := s.Forget(corpus); err != nil {
				t.Fatal(err)
			}
			if got := list(t, s, time.Time{}); len(got) > 0 {
				t.Errorf("a corpus that is gone leaves nothing: %+v", got)
			}
		})
	}
}

func TestPlainNames(t *testing.T) {
	s := handoff.Open(t.TempDir())
	for _, name := range []string{"", ".", "..", "../x", "a/b", ".hidden", "a\x00"} {
		if _, err := s.Record(name, asking()); err == nil || !strings.Contains(err.Error(), "plain name") {
			t.Errorf("%q was taken for a corpus: %v", name, err)
		}
		if _, err := s.List(name, time.Time{}); err == nil {
			t.Errorf("%q was listed", name)
		}
	}
}

func TestFullDisk(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := handoff.Open(file) // no directory can be made in a file
	if _, err := s.Record(corpus, asking()); err == nil || !strings.Contains(err.Error(), "hand-off") {
		t.Errorf("what can't be written is told: %v", err)
	}
}
