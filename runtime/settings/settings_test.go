package settings_test

import (
	"encoding/json"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/settings"
)

func TestTenant(t *testing.T) {
	listed := settings.Access{Tenants: []settings.Tenant{
		{Tenant: "north", Groups: []string{"north-desk", "north-boss"}},
		{Tenant: "south", Groups: []string{"south-desk"}},
	}}
	cases := map[string]struct {
		reason    string
		access    settings.Access
		groups    []string
		namespace string
		want      string
		refused   bool
	}{
		"listed":       {"a group names its tenant", listed, []string{"staff", "north-desk"}, "", "north", false},
		"two groups":   {"two groups of one tenant are one tenant", listed, []string{"north-desk", "north-boss"}, "", "north", false},
		"ambiguous":    {"a guess would show the wrong documents", listed, []string{"north-desk", "south-desk"}, "", "", true},
		"unlisted":     {"no tenant matches nothing", listed, []string{"staff"}, "north", "", false},
		"prefix":       {"the rest of the group is the tenant", settings.Access{TenantFromGroupPrefix: "tenant:"}, []string{"tenants", "tenant:north"}, "", "north", false},
		"bare prefix":  {"a blank tenant is none", settings.Access{TenantFromGroupPrefix: "tenant:"}, []string{"tenant:", "tenant: "}, "", "", false},
		"two prefixes": {"a guess would show the wrong documents", settings.Access{TenantFromGroupPrefix: "tenant:"}, []string{"tenant:a", "tenant:b"}, "", "", true},
		"namespace":    {"a ServiceAccount belongs to its namespace", settings.Access{TenantFromNamespace: true}, nil, "north", "north", false},
		"person":       {"a person has no namespace", settings.Access{TenantFromNamespace: true}, []string{"north-desk"}, "", "", false},
		"no rule":      {"without a rule there is no tenant", settings.Access{}, []string{"north-desk"}, "north", "", false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := c.access.Tenant(c.groups, c.namespace)
			if got != c.want || (err != nil) != c.refused {
				t.Errorf("%s: got %q, %v", c.reason, got, err)
			}
		})
	}
}

func TestFirstNonBlank(t *testing.T) {
	cases := map[string]struct {
		reason string
		values []string
		want   string
	}{
		"first":   {"the first that is set wins", []string{"a", "b"}, "a"},
		"blank":   {"blank is missing", []string{"", " \t\n", "b"}, "b"},
		"trimmed": {"a Secret often ends in a newline", []string{"a\n"}, "a"},
		"none":    {"nothing is nothing", []string{"", " "}, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := settings.FirstNonBlank(c.values...); got != c.want {
				t.Errorf("%s: got %q", c.reason, got)
			}
		})
	}
}

func TestAllowance(t *testing.T) {
	cases := map[string]struct {
		reason, json string
		of, want     int
	}{
		"number":     {"a number is a number", "2", 100, 2},
		"percentage": {"a share of all", `"5%"`, 40, 2},
		"rounded":    {"half a document may not fail", `"5%"`, 39, 1},
		"none":       {"none of none", `"100%"`, 0, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var a settings.Allowance
			if err := json.Unmarshal([]byte(c.json), &a); err != nil {
				t.Fatal(err)
			}
			if got := a.Of(c.of); got != c.want {
				t.Errorf("%s: got %d", c.reason, got)
			}
			if data, err := json.Marshal(a); err != nil || string(data) != c.json {
				t.Errorf("written back as %s, %v", data, err)
			}
		})
	}
}

// TestSetting: every name that requires may use is answered, and one that isn't
// in force is not.
func TestSetting(t *testing.T) {
	weighted, err := settings.DecodeCorpus([]byte(least))
	if err != nil {
		t.Fatal(err)
	}
	ranked, err := settings.DecodeCorpus([]byte(least + "pipeline: {lexical: {language: en}, retrieval: {fusion: {method: RRF}}, compression: {mode: TopSentences, maxSentences: 40}}"))
	if err != nil {
		t.Fatal(err)
	}
	modelled, err := settings.DecodeCorpus([]byte(least + `pipeline: {reranking: {model: late-interaction, threshold: "0.30"}, generation: {openai: {baseURL: "http://vllm:8000/v1", model: local}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range settings.SettingNames() {
		_, inWeighted := weighted.Setting(name)
		_, inRanked := ranked.Setting(name)
		_, inModelled := modelled.Setting(name)
		if !inWeighted && !inRanked && !inModelled {
			t.Errorf("%s is never answered", name)
		}
	}
	cases := map[string]struct {
		reason string
		corpus settings.Corpus
		want   string
	}{
		"dense":        {"as the spec writes it", weighted, "0.65"},
		"k":            {"weights have no k", weighted, ""},
		"fusion":       {"the method by name", ranked, "RRF"},
		"lexical":      {"ranks have no weights", ranked, ""},
		"maxSentences": {"the bound in force", ranked, "40"},
		"weights":      {"an unknown name", weighted, ""},
		"topK":         {"what retrieval hands on", modelled, "5"},
		"keep":         {"what reranking hands on", modelled, "3"},
		"depth":        {"without a reranker nothing is judged", weighted, ""},
		"reranking":    {"none has a name too", weighted, "None"},
		"generation":   {"a model's kind", modelled, "openai"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got, ok := c.corpus.Setting(name); got != c.want || ok != (c.want != "") {
				t.Errorf("%s: got %q, %t", c.reason, got, ok)
			}
		})
	}
}

func TestDeletionGuardAdmits(t *testing.T) {
	for name, tc := range map[string]struct {
		reason               string
		percent, count, docs int
		want                 int
	}{
		"percent":    {"rounded down", 15, 50, 99, 14},
		"count":      {"no more than either", 15, 50, 1000, 50},
		"a few":      {"one may always go", 15, 50, 3, 1},
		"one":        {"", 15, 50, 1, 1},
		"no percent": {"every deletion waits", 0, 50, 100, 0},
		"no count":   {"", 15, 0, 100, 0},
		"all":        {"100 bounds nothing", 100, 1000000, 300, 300},
	} {
		t.Run(name, func(t *testing.T) {
			if got := (settings.DeletionGuard{Percent: tc.percent, Count: tc.count}).Admits(tc.docs); got != tc.want {
				t.Errorf("admits %d, want %d: %s", got, tc.want, tc.reason)
			}
		})
	}
}
