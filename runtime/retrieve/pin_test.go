package retrieve

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// TestPin asks for identifiers among passages that the blend prefers.
func TestPin(t *testing.T) {
	chunks := []stored{
		at(1, prose("both", "p1", "CT-88231 and CT-88232 went by sea with nothing else to say about any of them at all", nil)),
		at(1, prose("first", "p1", "CT-88231 went by sea with nothing else to say about it", nil)),
		at(1, prose("second", "p1", "CT-88232 went by rail with nothing else to say about it", nil)),
		at(1, prose("rival", "p1", "which container left", nil)),
	}
	for i := range 4 {
		chunks = append(chunks, at(1, prose(fmt.Sprintf("common%d", i), "p1", fmt.Sprintf("LOT-77 crate %d", i), nil)))
	}
	off := func(o *Options) { o.Pin = false }
	mode := func(m rag.Mode) func(*Options) { return func(o *Options) { o.Mode = m } }
	three := func(o *Options) { o.Candidates = 3 }
	tests := map[string]struct {
		reason   string
		question string
		change   []func(*Options)
		ids      []string
		first    []string // the documents that come before the others
		pinned   []int
		channel  int // candidates of the identifiers' channel, -1 = no such channel
	}{
		"one id": {
			reason: "what holds the id comes first, whatever the blend says", question: "which container left as CT-88232",
			ids: []string{"ct-88232"}, first: []string{"second", "both"}, pinned: []int{1, 1}, channel: 2,
		},
		"two ids": {
			reason: "more of the named ids come before fewer", question: "which container left as CT-88231 or CT-88232",
			ids: []string{"ct-88231", "ct-88232"}, first: []string{"both"}, pinned: []int{2, 1, 1}, channel: 3,
		},
		"otherwise written": {
			reason: "ids are read alike in questions and passages: case and kinds of hyphen don't matter", question: "which container left as ct‑88232",
			ids: []string{"ct-88232"}, first: []string{"second", "both"}, pinned: []int{1, 1}, channel: 2,
		},
		"its number": {
			reason: "a number stands for the code that it is a part of; it is no channel, for what is stored is the code", question: "which container left as 88232",
			ids: nil, first: []string{"second", "both"}, pinned: []int{1, 1}, channel: -1,
		},
		"a neighbour's number": {
			reason: "and for no other code", question: "which container left as 88233",
			ids: nil, first: []string{"rival"}, pinned: []int{0}, channel: -1,
		},
		"a short number": {
			reason: "a number of few digits says something else", question: "which of 77 containers left",
			ids: nil, first: []string{"rival"}, pinned: []int{0}, channel: -1,
		},
		"unknown": {
			reason: "an id that no eligible chunk holds pins nothing", question: "which container left as CT-99999",
			ids: nil, first: []string{"rival"}, pinned: []int{0}, channel: -1,
		},
		"too common": {
			reason: "an id in more chunks than candidates selects nothing", question: "which container left with LOT-77", change: []func(*Options){three},
			ids: nil, first: []string{}, pinned: []int{0}, channel: -1,
		},
		"just not too common": {
			reason: "one in exactly as many does", question: "which container left with LOT-77", change: []func(*Options){func(o *Options) { o.Candidates = 4 }},
			ids: []string{"lot-77"}, first: []string{}, pinned: []int{1, 1, 1, 1, 0}, channel: 4,
		},
		"common and rare": {
			reason: "the rare one of two is pinned alone", question: "was CT-88231 in LOT-77", change: []func(*Options){three},
			ids: []string{"ct-88231"}, first: []string{"first", "both"}, pinned: []int{1, 1, 0}, channel: 2,
		},
		"off": {
			reason: "switched off", question: "which container left as CT-88232", change: []func(*Options){off},
			ids: nil, first: []string{"rival"}, pinned: []int{0}, channel: -1,
		},
		"dense": {
			reason: "a mode that compares channels has that channel alone", question: "which container left as CT-88232", change: []func(*Options){mode(rag.Dense)},
			ids: nil, first: []string{"rival"}, pinned: []int{0}, channel: -1,
		},
		"lexical": {
			reason: "likewise", question: "which container left as CT-88232", change: []func(*Options){mode(rag.Lexical)},
			ids: nil, first: []string{}, pinned: []int{0}, channel: -1,
		},
		"by ranks": {
			reason: "pinning is independent of how the channels are blended", question: "which container left as CT-88232", change: []func(*Options){func(o *Options) { o.Fusion = Fusion{Method: "RRF", K: 60} }},
			ids: []string{"ct-88232"}, first: []string{"second", "both"}, pinned: []int{1, 1}, channel: 2,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.put(chunks...)
			out := w.ask(options(test.change...), rag.Question{Text: test.question})
			if diff := cmp.Diff(test.ids, out.IDs); diff != "" {
				t.Errorf("%s: ids (-want +got):\n%s", test.reason, diff)
			}
			if got := documents(out.Hits); len(got) < len(test.first) || !cmp.Equal(sorted(test.first), sorted(got[:len(test.first)])) {
				t.Errorf("%s: %v, want %v first", test.reason, got, test.first)
			}
			for i, want := range test.pinned {
				if got := out.Hits[i].Scores.Pinned; got != want {
					t.Errorf("%s: hit %d (%s) holds %d of the ids, want %d", test.reason, i+1, out.Hits[i].Document, got, want)
				}
			}
			channel := -1
			for _, c := range out.Channels {
				if c.Name == identifiersChannel {
					channel = len(c.Candidates)
				}
			}
			if channel != test.channel {
				t.Errorf("%s: the identifiers' channel has %d candidates, want %d", test.reason, channel, test.channel)
			}
			if len(out.Flags) > 0 {
				t.Errorf("flags: %v", out.Flags)
			}
		})
	}
}

// TestPinCountsTheEligible: chunks that the asker may not see don't make an id
// too common, nor are they told of.
func TestPinCountsTheEligible(t *testing.T) {
	w := newWorld(t)
	var chunks []stored
	for i := range 6 {
		chunks = append(chunks, at(1, prose(fmt.Sprintf("board%d", i), "p1", fmt.Sprintf("CT-88231 %d", i), fields("groups", []any{"board"}))))
	}
	chunks = append(chunks, at(1, prose("mine", "p1", "CT-88231 for staff", fields())), at(1, prose("rival", "p1", "where is", fields())))
	w.put(chunks...)
	o := options(func(o *Options) { o.Rules, o.Candidates = strictRules(), 3 })
	out := w.ask(o, rag.Question{Text: "where is CT-88231", Identity: staff()})
	if diff := cmp.Diff([]string{"mine", "rival"}, documents(out.Hits)); diff != "" || out.Eligible != 2 || len(out.IDs) != 1 {
		t.Errorf("%d eligible, ids %v (-want +got):\n%s", out.Eligible, out.IDs, diff)
	}
}

// TestNone asks nobody.
func TestNone(t *testing.T) {
	w := newWorld(t)
	w.put(at(1, prose("d", "p1", "x", nil)))
	out := w.gather(options(), rag.Question{Text: "x", Mode: rag.None})
	if len(out.Hits)+len(out.Channels)+len(w.sent.queries)+w.sent.counts > 0 {
		t.Errorf("%d hits, %d queries, %d counts", len(out.Hits), len(w.sent.queries), w.sent.counts)
	}
}
