package corpus

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/hardgate-dev/hardgate/api/v1alpha1"
	"github.com/hardgate-dev/hardgate/runtime/ingest"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
	docsource "github.com/hardgate-dev/hardgate/runtime/source"
)

func TestMissingFrom(t *testing.T) {
	record := func(key, version string) rag.Record { return rag.Record{Key: key, Version: version} }
	failed := func(key, reason string) rag.Record {
		return rag.Record{Key: key, Version: "v", Failure: &rag.Failure{Reason: reason}}
	}
	object := func(key, version string) rag.Object { return rag.Object{Key: key, Version: version} }
	for name, tc := range map[string]struct {
		reason  string
		records []rag.Record
		listed  []rag.Object
		large   []rag.Object
		want    absence
	}{
		"all there":  {"", []rag.Record{record("a", "1"), record("b", "1")}, []rag.Object{object("a", "1"), object("b", "2")}, nil, absence{of: 2}},
		"gone":       {"by key, sorted", []rag.Record{record("c", "1"), record("b", "2"), record("a", "3")}, []rag.Object{object("b", "2")}, nil, absence{keys: []string{"a", "c"}, of: 3}},
		"too large":  {"it is there, and fails by itself", []rag.Record{record("a", "1")}, nil, []rag.Object{object("a", "2")}, absence{of: 1}},
		"failed":     {"no loss", []rag.Record{failed("a", "NoPages"), record("b", "1")}, nil, nil, absence{keys: []string{"b"}, of: 1}},
		"unreadable": {"what could not be built again is still withheld", []rag.Record{failed("a", ingest.WithheldReason)}, nil, nil, absence{keys: []string{"a"}, of: 1}},
		"left out":   {"the spec says so", []rag.Record{record("draft-a", "1"), record("b", "1")}, nil, nil, absence{keys: []string{"b"}, of: 2}},
		"moved":      {"the same bytes under a new key", []rag.Record{record("a", "1")}, []rag.Object{object("x/a", "1")}, nil, absence{of: 1}},
		"moved once": {"one new object replaces one that is gone", []rag.Record{record("a", "1"), record("b", "1")}, []rag.Object{object("x/a", "1")}, nil, absence{keys: []string{"b"}, of: 2}},
		"a copy":     {"an object that was there before is no move", []rag.Record{record("a", "1"), record("b", "1")}, []rag.Object{object("b", "1")}, nil, absence{keys: []string{"a"}, of: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			draft := func(key string) string {
				if strings.HasPrefix(key, "draft-") {
					return "excluded"
				}
				return ""
			}
			got := missingFrom(&docsource.Listing{Documents: tc.listed, TooLarge: tc.large}, tc.records, draft)
			if diff := cmp.Diff(tc.want, got, cmp.AllowUnexported(absence{})); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestWithhold(t *testing.T) {
	keys := func(n int) absence {
		return absence{keys: strings.Split("abcdefghijklmnopqrstuvwxyz", "")[:n], of: 100}
	}
	set := keys(20).set()
	for name, tc := range map[string]struct {
		reason   string
		asked    string // annotation
		listed   string // the annotation's value that the listing was made for
		was      *v1alpha1.DeletionsStatus
		absence  absence
		withheld int
		approved string
		request  string
		refused  string
	}{
		"within":      {reason: "15 of 100", absence: keys(15)},
		"over":        {reason: "", absence: keys(20), withheld: 20},
		"not listed":  {reason: "an approval waits for its listing", asked: "20", absence: keys(20), withheld: 20},
		"approved":    {reason: "", asked: "20", listed: "20", absence: keys(20), approved: set, request: "20"},
		"for more":    {reason: "up to that count", asked: "25", listed: "25", absence: keys(20), approved: set, request: "25"},
		"for fewer":   {reason: "", asked: "19", listed: "19", absence: keys(20), withheld: 20, request: "19", refused: "would remove 20"},
		"no count":    {reason: "", asked: "all", listed: "all", absence: keys(20), withheld: 20, request: "all", refused: "not a count"},
		"for nothing": {reason: "it is not kept for later", asked: "20", listed: "20", absence: keys(3), request: "20", refused: "no more than"},
		"stands":      {reason: "until they are gone", asked: "20", listed: "20", was: &v1alpha1.DeletionsStatus{Request: "20", Approved: set}, absence: keys(20), approved: set, request: "20"},
		"others":      {reason: "other deletions need another approval", asked: "20", listed: "20", was: &v1alpha1.DeletionsStatus{Request: "20", Approved: set}, absence: keys(19), withheld: 19, request: "20"},
		"done":        {reason: "", asked: "20", listed: "20", was: &v1alpha1.DeletionsStatus{Request: "20", Approved: set}, absence: absence{of: 80}, request: "20"},
		"used up":     {reason: "", asked: "20", listed: "20", was: &v1alpha1.DeletionsStatus{Request: "20"}, absence: keys(20), withheld: 20, request: "20"},
		"taken away":  {reason: "the same value may be set again", was: &v1alpha1.DeletionsStatus{Request: "20", Refused: "so"}, absence: keys(20), withheld: 20},
		"unnamed":     {reason: "what the store lost counts", absence: absence{unnamed: 20, of: 100}, withheld: 20},
	} {
		t.Run(name, func(t *testing.T) {
			v := inService(func(v *visit) {
				v.corpus.Annotations = map[string]string{v1alpha1.ApproveDeletionsAnnotation: tc.asked}
				v.corpus.Status.Deletions = tc.was
				v.seen.approval = tc.listed
				v.settings.Source.DeletionGuard = settings.DeletionGuard{Percent: 15, Count: 50}
			})
			got := v.withhold(tc.absence)
			d := v.corpus.Status.Deletions
			if d == nil {
				d = &v1alpha1.DeletionsStatus{}
			}
			if got != tc.withheld || int(d.Withheld) != got || d.Approved != tc.approved || d.Request != tc.request || (d.Refused == "") != (tc.refused == "") || !strings.Contains(d.Refused, tc.refused) {
				t.Errorf("%s: withheld %d, %+v", tc.reason, got, d)
			}
			if got == 0 && tc.request == "" && v.corpus.Status.Deletions != nil {
				t.Errorf("%s: status speaks of nothing: %+v", tc.reason, d)
			}
		})
	}
}

func TestSourceOf(t *testing.T) {
	erased := []v1alpha1.ErasedDocument{{Document: "b"}, {Document: "a"}}
	plain, held := sourceOf("sha256:1", nil, nil), sourceOf("sha256:1", []string{"x"}, nil)
	both := sourceOf("sha256:1", []string{"x"}, erased)
	if plain != "sha256:1" || held == plain || !strings.HasPrefix(both, held+erasedMark) {
		t.Errorf("sources are %q, %q, %q", plain, held, both)
	}
	if got := tombstoned(held, []v1alpha1.ErasedDocument{{Document: "a"}, {Document: "b"}}); got != both {
		t.Errorf("named again it is %q, want %q: the order of tombstones doesn't matter", got, both)
	}
	if got := tombstoned(both, nil); got != held {
		t.Errorf("without tombstones it is %q, want %q", got, held)
	}
}

func TestTrim(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		next   int64
		limit  int32
		lost   string
		was    []int64
		want   []int64
	}{
		"promoted":    {"what served is history", 8, 3, "", []int64{5, 6}, []int64{5, 6, 7}},
		"over":        {"the oldest go", 8, 2, "", []int64{5, 6}, []int64{6, 7}},
		"none":        {"", 8, 0, "", []int64{5, 6}, nil},
		"rolled back": {"what was rolled back from is kept beside", 5, 1, "", []int64{4, 5, 6}, []int64{4, 6, 7}},
		"lost":        {"what the store lost is no history", 8, 3, "2 of 3", []int64{6}, []int64{6}},
		"forward":     {"", 8, 3, "", []int64{6, 8}, []int64{6, 7}},
	} {
		t.Run(name, func(t *testing.T) {
			v := inService(func(v *visit) {
				v.lost = tc.lost
				v.corpus.Spec.RevisionHistoryLimit = &tc.limit
				for _, n := range tc.was {
					v.corpus.Status.History = append(v.corpus.Status.History, v1alpha1.ActiveStatus{Revision: n})
				}
			})
			v.succeed(v1alpha1.ActiveStatus{Revision: tc.next})
			var got []int64
			for _, h := range v.corpus.Status.History {
				got = append(got, h.Revision)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" || v.corpus.Status.Active.Revision != tc.next {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestDocuments(t *testing.T) {
	for name, tc := range map[string]struct {
		value string
		want  []string
		err   string
	}{
		"none":      {" ", nil, ""},
		"some":      {"leave-v2, travel,,leave-v2", []string{"leave-v2", "travel"}, ""},
		"a list":    {`["Smith, J.", "b"]`, []string{"Smith, J.", "b"}, ""},
		"no list":   {`[leave]`, nil, "JSON list"},
		"a passage": {"leave#p1", nil, "is a passage"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := documents(tc.value)
			if diff := cmp.Diff(tc.want, got); diff != "" || (err == nil) != (tc.err == "") || err != nil && !strings.Contains(err.Error(), tc.err) {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

// TestHold: what a rollback replaces is the candidate until somebody goes forward.
func TestHold(t *testing.T) {
	from := v1alpha1.ActiveStatus{Revision: 7, ConfigHash: "config", Collection: "physical", Freeze: "f7"}
	older := v1alpha1.ActiveStatus{Revision: 6, ConfigHash: "config", Collection: "physical"}
	for name, tc := range map[string]struct {
		reason  string
		change  []func(v *visit)
		to      v1alpha1.ActiveStatus
		held    int64
		forward v1alpha1.CandidatePhase // "" = there is none
	}{
		"what served":     {"", nil, older, 7, verifying},
		"asked again":     {"what serves is verified again", []func(v *visit){candidate(verifying, v1alpha1.TriggerInterval, "", ""), func(v *visit) { v.corpus.Status.Candidate.Revision = 7 }}, older, 7, verifying},
		"newer, refused":  {"the newest is what the source asks for", []func(v *visit){candidate(rejected, v1alpha1.TriggerSource, v1alpha1.GoldenSetFailedReason, "m")}, older, 8, verifying},
		"newer, unbuilt":  {"it is built before it is judged", []func(v *visit){candidate(ingesting, v1alpha1.TriggerSource, "", "")}, older, 8, ""},
		"newer, failed":   {"likewise", []func(v *visit){candidate(rejected, v1alpha1.TriggerSource, v1alpha1.DocumentsFailedReason, "m")}, older, 8, ""},
		"to what is held": {"that is the way forward", []func(v *visit){candidate(v1alpha1.CandidateRolledBack, v1alpha1.TriggerSource, v1alpha1.RolledBackReason, "m")}, v1alpha1.ActiveStatus{Revision: 8}, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			v := inService(tc.change...)
			v.hold(from, tc.to)
			c := v.corpus.Status.Candidate
			if tc.held == 0 {
				if c != nil {
					t.Errorf("%s: %+v", tc.reason, c)
				}
				return
			}
			if !v.held() || c.Revision != tc.held {
				t.Fatalf("%s: held is %+v", tc.reason, c)
			}
			v.forward()
			if c = v.corpus.Status.Candidate; (c == nil) != (tc.forward == "") || c != nil && (c.Phase != tc.forward || c.Freeze != "" || c.RequestedAt != (metav1.Time{})) {
				t.Errorf("%s: forward is %+v", tc.reason, c)
			}
		})
	}
}
