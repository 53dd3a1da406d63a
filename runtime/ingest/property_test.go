package ingest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hardgate-dev/hardgate/runtime/settings"
	"github.com/hardgate-dev/hardgate/runtime/store"
)

// history is a corpus as a person would keep its books: what each revision holds,
// and nothing of how that is stored.
type history struct {
	*world
	next      int64
	active    int64 // 0 = none yet
	candidate int64 // 0 = none
	revisions map[int64][]entry
	tombs     []string // erased documents
}

// entry is one document of a revision.
type entry struct {
	key    string
	text   string
	fields map[string]any
}

// documentOf is the document that a key is.
func documentOf(key string) string {
	return strings.TrimSuffix(key[strings.LastIndex(key, "/")+1:], ".txt")
}

// books copies the source as it is now, without what was erased.
func (h *history) books() []entry {
	var out []entry
	for _, key := range slices.Sorted(maps.Keys(h.bucket.objects)) {
		if slices.Contains(h.tombs, documentOf(key)) {
			continue
		}
		out = append(out, entry{key, h.bucket.objects[key], maps.Clone(h.bucket.fields[key])})
	}
	return out
}

// withdraw narrows every kept revision of the books to what the source now says of
// a document's groups. The books know groups as sets, and nothing of patches.
func (h *history) withdraw() {
	for _, entries := range h.revisions {
		for i := range entries {
			now, listed := h.bucket.fields[entries[i].key]
			if !listed {
				continue // removed: that waits
			}
			allowed, _ := now["groups"].([]any)
			kept := []any{}
			groups, _ := entries[i].fields["groups"].([]any)
			for _, g := range groups {
				if slices.Contains(allowed, g) {
					kept = append(kept, g)
				}
			}
			entries[i].fields = maps.Clone(entries[i].fields)
			entries[i].fields["groups"] = kept
		}
	}
}

// holds is what a revision's chunks are by the books: each line is a passage's only
// sentence.
func holds(entries []entry) []held {
	out := []held{}
	for _, e := range entries {
		name := documentOf(e.key)
		lines := strings.Split(e.text, "\n")
		for i := 0; i+1 < len(lines); i += 2 {
			out = append(out, held{name + "#" + strings.ToLower(strings.TrimPrefix(lines[i], "# ")), lines[i+1], e.fields})
		}
	}
	slices.SortFunc(out, func(a, b held) int { return cmp.Or(cmp.Compare(a.Evidence, b.Evidence), cmp.Compare(a.Text, b.Text)) })
	return out
}

// check compares every revision of the books with what is stored.
func (h *history) check(t *rapid.T) {
	for n, entries := range h.revisions {
		if diff := gocmp.Diff(holds(entries), h.sees(n)); diff != "" {
			t.Fatalf("%s at revision %d (-books +store):\n%s", h.corpus, n, diff)
		}
		if count, err := h.ledger().Count(context.Background(), n); err != nil || count != len(entries) {
			t.Fatalf("%s at revision %d: the ledger counts %d documents, the books %d (%v)", h.corpus, n, count, len(entries), err)
		}
		records, err := h.ledger().Records(context.Background(), n, true)
		if err != nil {
			t.Fatal(err)
		}
		got := []entry{}
		for _, r := range records {
			got = append(got, entry{r.Key, strings.TrimSuffix(r.Text, "\n"), r.Fields})
		}
		slices.SortFunc(got, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
		if diff := gocmp.Diff(append([]entry{}, entries...), got, gocmp.AllowUnexported(entry{})); diff != "" {
			t.Fatalf("%s at revision %d: ledger (-books +ledger):\n%s", h.corpus, n, diff)
		}
	}
}

// orphans finds points that no ledger record of their own generation stands for, or
// that no kept revision sees.
func (h *history) orphans(t *rapid.T) {
	type generation struct {
		key  any
		from any
	}
	points := h.points()
	recorded := map[generation]int{}
	for _, p := range points {
		own := p.Payload[store.Own].(map[string]any)
		if own["kind"] == kindRecord {
			var r struct{ Chunks int }
			if err := json.Unmarshal([]byte(own["record"].(string)), &r); err != nil {
				t.Fatal(err)
			}
			recorded[generation{own["key"], own["from"]}] += r.Chunks + 1
		}
	}
	for id, p := range points {
		own := p.Payload[store.Own].(map[string]any)
		g := generation{own["key"], own["from"]}
		if own["kind"] != kindRecord {
			recorded[g]--
		}
		from, to := own["from"].(int64), own["to"].(int64)
		seen := slices.ContainsFunc(slices.Collect(maps.Keys(h.revisions)), func(n int64) bool { return from <= n && n < to })
		if !seen {
			t.Fatalf("%s: point %s (%s of %s, from %d to %d) is of no kept revision", h.corpus, id, own["kind"], own["key"], from, to)
		}
	}
	for g, n := range recorded {
		if n != 0 {
			t.Fatalf("%s: generation %v of %v has %d points more in its record than are stored", h.corpus, g.from, g.key, n)
		}
	}
}

var (
	bodies = []string{"One line.", "Another line.", "A third line."}
	slugs  = []string{"# Alpha", "# Beta", "# Gamma"}
)

func genBody() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var lines []string
		for _, s := range slugs[:rapid.IntRange(1, 3).Draw(t, "passages")] {
			lines = append(lines, s, rapid.SampledFrom(bodies).Draw(t, "body"))
		}
		return strings.Join(lines, "\n")
	})
}

func genGroups() *rapid.Generator[[]any] {
	return rapid.Map(rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"staff", "board", "press"}), 0, 3, rapid.ID), func(in []string) []any {
		out := []any{}
		for _, g := range in {
			out = append(out, g)
		}
		return out
	})
}

// edit makes some changes to the source.
func (h *history) edit(t *rapid.T) {
	for range rapid.IntRange(1, 3).Draw(t, "changes") {
		key := rapid.SampledFrom([]string{"a.txt", "b.txt", "sub/c.txt", "d.txt"}).Draw(t, "key")
		_, there := h.bucket.objects[key]
		switch what := rapid.IntRange(0, 4).Draw(t, "what"); {
		case !there || what == 0:
			h.bucket.put(key, genBody().Draw(t, "text"), map[string]any{"status": "published", "groups": genGroups().Draw(t, "groups")})
		case what == 1:
			h.bucket.remove(key)
		case what == 2:
			h.bucket.fields[key]["groups"] = genGroups().Draw(t, "groups")
		case what == 3:
			h.bucket.fields[key]["note"] = rapid.SampledFrom([]any{"x", "y", int64(3), nil, true}).Draw(t, "note")
		default:
			h.bucket.objects[key] = genBody().Draw(t, "text")
		}
	}
}

// ingest builds the next candidate, retracting whatever came after the active one,
// and may crash a few times on the way.
//
// What the active revision has and the source has no longer may be withheld: then
// it stays as it was.
func (h *history) ingest(t *rapid.T) {
	withhold := rapid.Bool().Draw(t, "withhold")
	if h.candidate == 0 || withhold || rapid.Bool().Draw(t, "new number") {
		h.next++
		h.candidate = h.next
	}
	n := h.candidate
	for r := range h.revisions {
		if r > h.active {
			delete(h.revisions, r)
		}
	}
	var stay []entry
	var keys []string
	for _, e := range h.revisions[h.active] {
		if _, listed := h.bucket.objects[e.key]; withhold && !listed {
			stay, keys = append(stay, e), append(keys, e.key)
		}
	}
	crashes := rapid.SliceOfN(rapid.IntRange(1, 25), 0, 2).Draw(t, "crashes")
	for i := 0; ; i++ {
		h.tap.reset()
		if i < len(crashes) {
			h.tap.crashAt, h.tap.crashDone = crashes[i], rapid.SampledFrom([]float64{0, .5, 1}).Draw(t, "done")
		}
		in := h.ingester()
		in.Withheld, in.Erased = keys, h.tombs
		err := in.Retract(context.Background(), h.active, n)
		if err == nil {
			_, err = in.Run(context.Background(), h.list(), n, nil)
		}
		if err == nil {
			break
		}
		if !errors.Is(err, errCrash) {
			t.Fatal(err)
		}
		h.tap.reset()
		h.undisturbed(t)
		for _, key := range slices.Sorted(maps.Keys(h.bucket.objects)) { // what was begun may be another text by the next time
			if rapid.IntRange(0, 3).Draw(t, "change "+key) == 0 {
				h.bucket.objects[key] = genBody().Draw(t, "text")
			}
		}
	}
	h.tap.reset() // a crash that the run ended before stays away from what follows
	h.withdraw()
	entries := h.books()
	for _, e := range stay {
		entries = append(entries, entry{e.key, e.text, maps.Clone(e.fields)})
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.key, b.key) })
	h.revisions[n] = entries
}

// erase erases a document from every revision, or lets an erased one in again.
func (h *history) erase(t *rapid.T) {
	name := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "document")
	if i := slices.Index(h.tombs, name); i >= 0 {
		h.tombs = slices.Delete(slices.Clone(h.tombs), i, i+1)
		return
	}
	h.tombs = append(slices.Clone(h.tombs), name)
	if err := h.ledger().Erase(context.Background(), []string{name}); err != nil {
		t.Fatal(err)
	}
	if n, err := h.ledger().Held(context.Background(), []string{name}); err != nil || n > 0 {
		t.Fatalf("%s: %d points are left of %s (%v)", h.corpus, n, name, err)
	}
	for n, entries := range h.revisions {
		h.revisions[n] = slices.DeleteFunc(entries, func(e entry) bool { return documentOf(e.key) == name })
	}
}

// undisturbed holds that after a crash every kept revision has its texts; who may
// see them may be narrowed already, or not yet.
func (h *history) undisturbed(t *rapid.T) {
	texts := func(in []held) []string {
		out := []string{}
		for _, x := range in {
			out = append(out, x.Evidence+": "+x.Text)
		}
		return out
	}
	for n, entries := range h.revisions {
		if diff := gocmp.Diff(texts(holds(entries)), texts(h.sees(n))); diff != "" {
			t.Fatalf("%s at revision %d, after a crash (-books +store):\n%s", h.corpus, n, diff)
		}
	}
}

func (h *history) promote(*rapid.T) {
	if _, built := h.revisions[h.candidate]; built && h.candidate > h.active {
		h.active, h.candidate = h.candidate, 0
	}
}

func (h *history) reject(t *rapid.T) {
	if h.candidate == 0 {
		return
	}
	if err := h.ledger().Retract(context.Background(), h.active, h.next+1); err != nil {
		t.Fatal(err)
	}
	for r := range h.revisions {
		if r > h.active {
			delete(h.revisions, r)
		}
	}
	h.candidate = 0
}

func (h *history) rollback(t *rapid.T) {
	if older := h.older(); len(older) > 0 {
		h.active, h.candidate = rapid.SampledFrom(older).Draw(t, "revision"), 0
	}
}

// older are the kept revisions before the active one.
func (h *history) older() []int64 {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(h.revisions)), func(n int64) bool { return n >= h.active })
}

func (h *history) vacuum(t *rapid.T) {
	if h.active == 0 {
		return
	}
	oldest := rapid.SampledFrom(append(h.older(), h.active)).Draw(t, "oldest")
	if err := h.ledger().Vacuum(context.Background(), oldest); err != nil {
		t.Fatal(err)
	}
	for n := range h.revisions {
		if n < oldest {
			delete(h.revisions, n)
		}
	}
	if h.candidate == 0 && len(h.revisions) == len(h.older())+1 { // nothing after the active one is half there
		h.orphans(t)
	}
}

// TestHistory does random things to two corpora in one collection: a query at a
// revision returns exactly what that revision held, save what was withdrawn since,
// and store, ledger and books agree.
func TestHistory(t *testing.T) {
	client := connect(t)
	made := 0
	rapid.Check(t, func(t *rapid.T) {
		made++
		var both []*history
		for i := range 2 {
			w := newWorld(t, client, "c", fmt.Sprintf("corpus-%d-%d", made, i))
			w.settings.Eligibility = settings.Eligibility{Identity: []settings.IdentityRule{{Field: "groups", Claim: "groups"}}}
			both = append(both, &history{world: w, revisions: map[int64][]entry{}})
		}
		one := func(do func(*history, *rapid.T)) func(*rapid.T) {
			return func(t *rapid.T) { do(rapid.SampledFrom(both).Draw(t, "corpus"), t) }
		}
		t.Repeat(map[string]func(*rapid.T){
			"ingest": one(func(h *history, t *rapid.T) { h.edit(t); h.ingest(t) }),
			"again":  one((*history).ingest), "promote": one((*history).promote), "reject": one((*history).reject),
			"rollback": one((*history).rollback), "vacuum": one((*history).vacuum), "erase": one((*history).erase),
			"": func(t *rapid.T) {
				for _, h := range both {
					h.check(t)
				}
			},
		})
		for _, h := range both {
			if err := h.ledger().Retire(context.Background()); err != nil {
				t.Fatal(err)
			}
			if n := len(h.points()); n > 0 {
				t.Fatalf("%d points of a retired corpus", n)
			}
		}
	})
}
