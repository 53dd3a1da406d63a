package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/cli"
)

// TestBadInput has one thing wrong in each case, and wants exit 2 and a message
// by which it can be found.
func TestBadInput(t *testing.T) {
	const as = "groups=hr,asOf=2025-05-05"
	eval := func(s sample, more ...string) []string { return append([]string{"eval", "-f", s.dir}, more...) }
	cases := map[string]struct {
		reason string
		args   func(s sample) []string // may change the sample first
		says   []string                // $ is the sample's folder
	}{
		"no files":     {"nothing to read", func(sample) []string { return []string{"eval"} }, []string{"-f is missing"}},
		"no such file": {"named", func(s sample) []string { return []string{"eval", "-f", s.path("nowhere.yaml")} }, []string{`-f "$/nowhere.yaml"`, "no such file", "name a YAML file"}},
		"a page of text": {"is no YAML", func(s sample) []string {
			s.write("README.md", "# Payroll\n\nsee: that: this\n")
			return []string{"eval", "-f", s.path("README.md")}
		}, []string{`-f "$/README.md"`, "not a YAML file", "name a YAML file"}},
		"no YAML":         {"an empty folder holds no corpus", func(s sample) []string { return []string{"eval", "-f", s.path("documents/board")} }, []string{"$/documents/board", "*.yaml"}},
		"unknown flag":    {"what cobra refuses", func(s sample) []string { return eval(s, "--mode", "Dense") }, []string{"--mode"}},
		"an argument":     {"eval takes none", func(s sample) []string { return eval(s, "more") }, []string{`hardgate eval takes no argument, not ["more"]`, "usage: hardgate eval -f FILES"}},
		"no question":     {"query takes one", func(s sample) []string { return []string{"query", "-f", s.dir} }, []string{"hardgate query needs one question, in quotes", "usage: hardgate query -f FILES"}},
		"unquoted":        {"its words are arguments", func(s sample) []string { return []string{"query", "-f", s.dir, "how", "many"} }, []string{"one question, in quotes, not 2 arguments", "usage"}},
		"nothing to read": {"extract takes files and folders", func(sample) []string { return []string{"extract"} }, []string{"hardgate extract needs a file", "usage"}},
		"blank question":  {"blank is missing", func(s sample) []string { return []string{"query", "-f", s.dir, " "} }, []string{"question is blank"}},
		"format":          {"of eval", func(s sample) []string { return eval(s, "-o", "yaml") }, []string{"--output", `"yaml"`, "junit"}},
		"format of query": {"JUnit is eval's", func(s sample) []string { return []string{"query", "-f", s.dir, "-o", "junit", "q"} }, []string{"--output", `"junit"`}},
		"compared mode":   {"modes are spelt as in the spec", func(s sample) []string { return eval(s, "--modes", "Dense,hybrid") }, []string{"--modes", `"hybrid"`, "Hybrid"}},
		"mode of a query": {"likewise", func(s sample) []string { return []string{"query", "-f", s.dir, "--mode", "BM25", "q"} }, []string{"--mode", `"BM25"`, "Lexical"}},
		"not name=value":  {"a claim has a value", func(s sample) []string { return []string{"query", "-f", s.dir, "--as", "groups=hr,tenant", "q"} }, []string{"--as", `"tenant"`}},
		"blank claim":     {"and not a blank one", func(s sample) []string { return []string{"query", "-f", s.dir, "--as", "tenant= ", "q"} }, []string{"--as", `"tenant= "`}},
		"two tenants":     {"of two, one would be dropped in silence", func(s sample) []string { return []string{"query", "-f", s.dir, "--as", "tenant=a,tenant=b", "q"} }, []string{"--as", "tenant", "twice"}},
		"misspelt as-of": {"would pass for now", func(s sample) []string {
			return []string{"query", "-f", s.dir, "--as", "groups=hr,asof=2025-05-05", "q"}
		}, []string{"--as", `"asof"`}},
		"no date":          {"a date that is none", func(s sample) []string { return []string{"query", "-f", s.dir, "--as", "asOf=5.5.2025", "q"} }, []string{"--as", "asOf", `"5.5.2025"`, "RFC 3339"}},
		"no such corpus":   {"by name", func(s sample) []string { return eval(s, "--corpus", "hr/wages") }, []string{"hr/wages", "$"}},
		"no such folder":   {"of documents", func(s sample) []string { return eval(s, "--documents", s.path("papers")) }, []string{"--documents", "$/papers"}},
		"a file as folder": {"is none", func(s sample) []string { return eval(s, "--documents", s.path("corpus.yaml")) }, []string{"--documents", "$/corpus.yaml"}},
		"no documents": {"neither by flag nor beside the YAML", func(s sample) []string {
			return []string{"eval", "-f", s.path("corpus.yaml"), "-f", s.path("collection.yaml"), "-f", s.path("goldenset.yaml")}
		}, []string{"--documents is missing"}},
		"receipt exists":   {"it is never overwritten", func(s sample) []string { return eval(s, "--receipt", s.path("corpus.yaml")) }, []string{"--receipt", "$/corpus.yaml", "exists"}},
		"no baseline":      {"to compare with", func(s sample) []string { return eval(s, "--baseline", s.path("none.json")) }, []string{"--baseline", "$/none.json"}},
		"baseline is YAML": {"no receipt", func(s sample) []string { return eval(s, "--baseline", s.path("corpus.yaml")) }, []string{"--baseline", "$/corpus.yaml"}},
		"other schema": {"nor is any JSON", func(s sample) []string {
			s.write("b.json", `{"schema":"hardgate.eval/v1"}`)
			return eval(s, "--baseline", s.path("b.json"))
		}, []string{"--baseline", "$/b.json", "hardgate.receipt/v1"}},
		"another's receipt": {"would compare by chance", func(s sample) []string {
			s.write("b.json", `{"schema":"hardgate.receipt/v1","corpus":"hr/wages"}`)
			return eval(s, "--baseline", s.path("b.json"))
		}, []string{"--baseline", "hr/wages", "hr/payroll"}},
		"no model": {"says how to get it", func(s sample) []string { return eval(s, "--model-dir", s.path("none")) }, []string{"$/none", "make setup", "--model-dir"}},

		"broken YAML": {"file and line", edited("corpus.yaml", "spec:", "spec: ["), []string{"$/corpus.yaml", "line"}},
		"second document": {"which one of the file", func(s sample) []string {
			s.write("more.yaml", "apiVersion: v1\nkind: Namespace\n---\napiVersion: v1\n")
			return eval(s)
		}, []string{"$/more.yaml, document 2", "kind"}},
		"unknown field":      {"with its path", edited("corpus.yaml", "    retrieval:", "    retreival:"), []string{"$/corpus.yaml", `Corpus "payroll"`, "spec.pipeline.retreival"}},
		"unknown top":        {"beside spec", edited("corpus.yaml", "spec:", "spce: {}\nspec:"), []string{"$/corpus.yaml", "spce"}},
		"wrong type":         {"with its path", edited("corpus.yaml", "topK: 5", "topK: five"), []string{"$/corpus.yaml", "spec.pipeline.retrieval.topK"}},
		"weights":            {"have to add up", edited("corpus.yaml", `dense: "0.65"`, `dense: "0.75"`), []string{"$/corpus.yaml", "spec.pipeline.retrieval.fusion", "1"}},
		"context too small":  {"for what is retrieved", edited("corpus.yaml", "maxContextChars: 6000", "maxContextChars: 5999"), []string{"spec.pipeline.compression.maxContextChars", "6000"}},
		"blank endpoint":     {"blank is missing", edited("corpus.yaml", "http://minio.storage:9000", `" "`), []string{"$/corpus.yaml", "spec.source.s3.endpoint", "blank"}},
		"missing Collection": {"named", edited("collection.yaml", "name: hr", "name: people"), []string{"$/corpus.yaml", "spec.collectionRef", `Collection "hr"`}},
		"other namespace":    {"references stay inside theirs", edited("collection.yaml", "namespace: hr", "namespace: it"), []string{"$/corpus.yaml", "spec.collectionRef"}},
		"unindexed field":    {"a query would be refused by the store", edited("collection.yaml", "    - {field: groups, type: Keyword}\n", ""), []string{"spec.eligibility", "groups (Keyword)", "spec.payloadIndexes", `Collection "hr"`}},
		"wrong index":        {"of another type", edited("collection.yaml", "{field: groups, type: Keyword}", "{field: groups, type: Integer}"), []string{"spec.eligibility", "groups (Keyword)"}},
		"vector size":        {"is the model's", edited("collection.yaml", "size: 384", "size: 768"), []string{"spec.vectors.dense.size", `Collection "hr"`, "768", "384"}},
		"missing GoldenSet":  {"named", edited("goldenset.yaml", "name: payroll", "name: wages"), []string{"spec.gate.goldenSets", `GoldenSet "payroll"`}},
		"no golden set":      {"nothing would be judged", edited("corpus.yaml", "    goldenSets: [payroll]\n", ""), []string{"gate.goldenSets"}},
		"required class":     {"without a question", edited("goldenset.yaml", "[TableCount, ExactID", "[TableSum, ExactID"), []string{"$/goldenset.yaml", "TableSum"}},
		"empty golden set": {"a key without questions opens for anything", func(s sample) []string {
			s.write("goldenset.yaml", "apiVersion: rag.hardgate.dev/v1alpha1\nkind: GoldenSet\nmetadata: {name: payroll, namespace: hr}\nspec: {questions: []}\n")
			return eval(s)
		}, []string{"$/goldenset.yaml", "questions"}},
		"no ConfigMap": {"of questionsFrom", edited("goldenset.yaml", "  compare: [None]", "  compare: [None]\n  questionsFrom: {configMapRef: {name: key, key: questions.yaml}}"), []string{"$/goldenset.yaml", "spec.questionsFrom", `ConfigMap "key"`}},
		"blank ConfigMap": {"blank is missing", func(s sample) []string {
			s.write("key.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: key, namespace: hr}\ndata: {questions.yaml: \" \"}\n")
			return edited("goldenset.yaml", "  compare: [None]", "  compare: [None]\n  questionsFrom: {configMapRef: {name: key, key: questions.yaml}}")(s)
		}, []string{"$/key.yaml", `ConfigMap "key"`, "data.questions.yaml"}},
		"twice":            {"of two, one would be dropped in silence", func(s sample) []string { s.copy(s.path("corpus.yaml"), "copy.yaml"); return eval(s) }, []string{"$/corpus.yaml", "$/copy.yaml", "Corpus hr/payroll"}},
		"nothing listed":   {"an empty corpus passes nothing", edited("corpus.yaml", `include: ["**/*.pdf"]`, `include: ["**/*.docx"]`), []string{"hr/payroll", "spec.source.include"}},
		"no manifest":      {"documents would lose what withholds them", func(s sample) []string { _ = os.Remove(s.path("documents/metadata.jsonl")); return eval(s) }, []string{"documents.metadata", "metadata.jsonl"}},
		"broken manifest":  {"likewise", func(s sample) []string { s.edit("documents/metadata.jsonl", "{", "["); return eval(s) }, []string{"documents.metadata", "metadata.jsonl", "1"}},
		"no such question": {"to plot", func(s sample) []string { return []string{"survival", "-f", s.dir, "--question", "may-headcount"} }, []string{`--question: hr/payroll has no golden question "may-headcount"`, "april-headcount"}},
		"no entities":      {"nor can this one be plotted", func(s sample) []string { return []string{"survival", "-f", s.dir, "--question", "st006-net-pay"} }, []string{"names no entities", "april-headcount"}},

		"bucket":     {"has a name", func(s sample) []string { return eval(s, "--documents", "s3:///prefix") }, []string{"--documents", "bucket"}},
		"endpoint":   {"is a URL", func(s sample) []string { return eval(s, "--documents", "s3://b/p") }, []string{"--documents", "AWS_ENDPOINT_URL", "minio"}},
		"half a key": {"without its other half the bucket would be asked as nobody", func(s sample) []string { return eval(s, "--documents", "s3://half/p") }, []string{"--documents", "AWS_SECRET_ACCESS_KEY"}},

		"extract: no file":  {"named", func(s sample) []string { return []string{"extract", s.path("none.pdf")} }, []string{"$/none.pdf"}},
		"extract: no PDF":   {"named, with the reason", func(s sample) []string { return []string{"extract", s.path("corpus.yaml")} }, []string{"$/corpus.yaml", "UnsupportedType"}},
		"extract: no time":  {"must not become the default", func(s sample) []string { return []string{"extract", "--timeout", "0s", s.path("corpus.yaml")} }, []string{"--timeout"}},
		"extract: no pages": {"likewise", func(s sample) []string { return []string{"extract", "--max-pages", "0", s.path("corpus.yaml")} }, []string{"--max-pages"}},
		"extract: pages":    {"over the bound", func(s sample) []string { return []string{"extract", "--max-pages", "1", longest(s)} }, []string{"TooManyPages"}},
	}
	getenv := func(args []string) func(string) string {
		env := map[string]string{}
		switch args[len(args)-1] {
		case "s3://b/p":
			env["AWS_ENDPOINT_URL"] = "minio:9000"
		case "s3://half/p":
			env["AWS_ACCESS_KEY_ID"] = "reader"
		}
		return func(name string) string { return env[name] }
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := newSample(t)
			args := c.args(s)
			if args[0] == "query" && !strings.Contains(strings.Join(args, " "), "--as") {
				args = append(args, "--as", as)
			}
			got := run(t.Context(), getenv(args), args...)
			if got.code != cli.ExitInput || got.out != "" {
				t.Errorf("%s: exit %d, wrote %q and %q", c.reason, got.code, got.out, got.err)
			}
			for _, says := range c.says {
				if says = strings.Replace(says, "$", s.dir, 1); !strings.Contains(got.err, says) {
					t.Errorf("%s: the message doesn't name %q: %s", c.reason, says, got.err)
				}
			}
			if n := strings.Count(strings.TrimSpace(got.err), "\n"); n > 0 {
				t.Errorf("%s: one line is enough:\n%s", c.reason, got.err)
			}
		})
	}
}

// edited evaluates the sample after one change.
func edited(file, from, to string) func(sample) []string {
	return func(s sample) []string {
		s.edit(file, from, to)
		return []string{"eval", "-f", s.dir}
	}
}

// longest is a PDF of two pages.
func longest(sample) string {
	return filepath.Join("..", "..", "test", "golden", "payroll-wide", "documents", "sheets", "Wage_Sheet_July_2025.pdf")
}
