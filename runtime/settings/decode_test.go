package settings_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// least is the least that a Corpus' spec needs.
const least = `
collectionRef: {name: hr}
source: {s3: {endpoint: "http://s3:9000", bucket: docs}}
`

// TestDecodeCorpusRefuses covers what test/api can't: several mistakes at once,
// and slips that YAML itself causes. Every rule has its bad file there.
func TestDecodeCorpusRefuses(t *testing.T) {
	cases := map[string]struct {
		reason, spec string
		want         []string // paths
	}{
		"every mistake": {
			"one run names them all, in the order of the fields",
			"sorce: {}\nsuspend: 3\npipeline: {chunking: {size: big, Overlap: 3}}\n",
			[]string{"spec.sorce", "spec.pipeline.chunking.Overlap", "spec.pipeline.chunking.size", "spec.suspend"},
		},
		"yaml bool": {"off is false in YAML", least + "pipeline: {retrieval: {identifiers: off}}", []string{"spec.pipeline.retrieval.identifiers"}},
		"fraction":  {"a size is whole", least + "pipeline: {chunking: {size: 1.5}}", []string{"spec.pipeline.chunking.size"}},
		"huge":      {"the API has 32 bits", least + "pipeline: {chunking: {size: 4294967297}}", []string{"spec.pipeline.chunking.size"}},
		"exponent":  {"the API takes plain decimals", least + `pipeline: {compression: {sentenceThreshold: "3e-1"}}`, []string{"spec.pipeline.compression.sentenceThreshold"}},
		"list":      {"a list isn't an object", "[]", []string{"spec"}},
		"nothing":   {"an empty spec lacks what is required", "", []string{"spec.collectionRef", "spec.source.s3"}},
		"null item": {"null isn't an entry", least + "gate: {goldenSets: [null]}", []string{"spec.gate.goldenSets[0]"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := settings.DecodeCorpus([]byte(c.spec))
			if diff := cmp.Diff(c.want, paths(err)); diff != "" {
				t.Errorf("%s: %v (-want +got):\n%s", c.reason, err, diff)
			}
		})
	}
}

func paths(err error) []string {
	var (
		invalid settings.InvalidError
		out     []string
	)
	if errors.As(err, &invalid) {
		for _, p := range invalid {
			out = append(out, p.Path)
		}
	}
	return out
}

func TestMessagesHelp(t *testing.T) {
	cases := map[string]struct{ reason, spec, want string }{
		"case":     {"the commonest slip is named", "collectionref: {}", "did you mean collectionRef?"},
		"quoting":  {"YAML's booleans surprise", least + "pipeline: {retrieval: {identifiers: Off}}", "quote them"},
		"bound":    {"the arithmetic is shown", least + "pipeline: {retrieval: {topK: 6}}", "1200 × 6 = 7200"},
		"weights":  {"both weights are shown", least + `pipeline: {retrieval: {fusion: {dense: "0.65", lexical: "0.45"}}}`, "0.65 + 0.45"},
		"twice":    {"a key that stands twice is no last-one-wins", least + "suspend: true\nsuspend: false", "already set"},
		"number":   {"a name of digits alone is YAML's number", least + "documents: {revision: 7}", `write it in quotes, "7"`},
		"template": {"the parser's words help", least + "documents: {id: '{{ .Base'}", "unclosed action"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := settings.DecodeCorpus([]byte(c.spec))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: want %q in %v", c.reason, c.want, err)
			}
		})
	}
}

// TestRoundTrip: what is kept as JSON reads back as it was.
func TestRoundTrip(t *testing.T) {
	cases := map[string]struct{ reason, spec string }{
		"least":    {"defaults survive", least},
		"scalars":  {"each scalar has its own form", strings.Replace(least, "docs}}", "docs}, maxObjectBytes: 3Mi}", 1) + "interval: 90s\ndocuments: {tolerateFailures: 5%}\npipeline: {lexical: {k1: \"0.000001\"}}"},
		"rrf":      {"no weights come back", least + "pipeline: {retrieval: {fusion: {method: RRF, k: 7}}}"},
		"payload":  {"payload keeps its types", least + "documents: {metadata: [{set: {a: 1, b: [x, 2.5], c: true}}]}"},
		"no limit": {"zero isn't absent", least + "revisionHistoryLimit: 0\npipeline: {chunking: {overlap: 0}}"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			want, err := settings.DecodeCorpus([]byte(c.spec))
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(want)
			if err != nil {
				t.Fatal(err)
			}
			got, err := settings.DecodeCorpus(data)
			if err != nil {
				t.Fatalf("%v\n%s", err, data)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

func TestComplete(t *testing.T) {
	set, err := settings.DecodeGoldenSet([]byte("questionsFrom: {configMapRef: {name: m, key: k}}\nrequireClasses: [Refusal]"))
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct{ reason, list, want string }{
		"fits":    {"the class is there now", "[{name: a, class: Refusal, question: b, expect: {status: NeedsHuman}}]", ""},
		"empty":   {"an empty set proves nothing", "[]", "spec.questions"},
		"lacking": {"a required class must have a question", "[{name: a, class: Semantic, question: b, expect: {evidence: [c]}}]", "spec.requireClasses"},
		"broken":  {"the list is decoded as strictly", "[{name: a, type: Refusal}]", "questions[0].type"},
		"twice":   {"names are unique", "[{name: a, class: Refusal, question: b, expect: {status: NeedsHuman}}, {name: a, class: Refusal, question: b, expect: {status: NeedsHuman}}]", "questions[1]"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			list, err := settings.DecodeQuestions([]byte(c.list))
			if err == nil {
				_, err = set.Complete(list)
			}
			if got := paths(err); c.want == "" && err != nil || c.want != "" && !cmp.Equal(got, []string{c.want}) {
				t.Errorf("%s: want %q, got %v", c.reason, c.want, err)
			}
		})
	}
}

func TestHash(t *testing.T) {
	base := hash(t, least)
	cases := map[string]struct {
		reason, spec string
		same         bool
	}{
		"written defaults": {"a default is a default, written or not", least + "pipeline: {retrieval: {topK: 5, fusion: {method: Weighted}}}", true},
		"schedule":         {"when it is listed changes nothing", least + "interval: 1h", true},
		"access":           {"access is live", least + "access: {tenantFromNamespace: true}", true},
		"gate":             {"the gate judges, it doesn't answer", least + "gate: {mode: Audit}", true},
		"empty list":       {"an empty list is an absent one", least + "documents: {metadata: []}", true},
		"pipeline":         {"other answers", least + "pipeline: {retrieval: {topK: 4}}", false},
		"documents":        {"other payload", least + "documents: {metadata: [{set: {a: b}}]}", false},
		"eligibility":      {"other filters", least + "eligibility: {constants: [{field: a, values: [b]}]}", false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := hash(t, c.spec); (got == base) != c.same {
				t.Errorf("%s: %s beside %s", c.reason, got, base)
			}
		})
	}
}

// TestHashOfCosts: what a model costs, and may cost, changes no answer.
func TestHashOfCosts(t *testing.T) {
	asks := func(more string) string {
		return least + `pipeline: {generation: {openai: {baseURL: "http://vllm:8000/v1", model: local}` + more + "}}\n"
	}
	base := hash(t, asks(""))
	priced := asks(`, prices: [{model: local, inputPerMillion: "5", outputPerMillion: "25"}]`)
	for _, spec := range []string{priced, priced + `budget: {usdPerDay: "1"}`} {
		if hash(t, spec) != base {
			t.Errorf("another revision, which would be asked at a price, for:\n%s", spec)
		}
	}
}

func hash(t *testing.T, spec string) string {
	t.Helper()
	c, err := settings.DecodeCorpus([]byte(spec))
	if err != nil {
		t.Fatal(err)
	}
	h, err := c.Hash()
	if err != nil || !strings.HasPrefix(h, "sha256:") || len(h) != 71 {
		t.Fatalf("%q, %v", h, err)
	}
	return h
}

// FuzzDecode: whatever is accepted reads back as it was, and nothing panics.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(least))
	for _, file := range []string{"corpus.good", "corpus-pipeline.bad", "goldenset.good", "collection.bad"} {
		text, err := os.ReadFile("../../test/api/testdata/" + file + ".yaml")
		if err != nil {
			f.Fatal(err)
		}
		ms, err := settings.ReadManifests(file, strings.NewReader(string(text)))
		if err != nil {
			f.Fatal(err)
		}
		for _, m := range ms {
			f.Add([]byte(m.Spec))
		}
	}
	f.Fuzz(func(t *testing.T, spec []byte) {
		again(t, spec, settings.DecodeCorpus)
		again(t, spec, settings.DecodeCollection)
		again(t, spec, settings.DecodeGoldenSet)
	})
}

func again[T any](t *testing.T, spec []byte, decode func([]byte) (T, error)) {
	t.Helper()
	first, err := decode(spec)
	if err != nil {
		return
	}
	data, err := json.Marshal(first)
	if err != nil {
		t.Fatal(err)
	}
	second, err := decode(data)
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("(-first +second):\n%s", diff)
	}
}
