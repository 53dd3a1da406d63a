package cli_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/cli"
	"github.com/hardgate-dev/hardgate/runtime/evaluate"
)

// scorecard reads what eval -o json wrote.
func scorecard(t *testing.T, r result) evaluate.Scorecard {
	t.Helper()
	var c evaluate.Scorecard
	if err := json.Unmarshal([]byte(r.out), &c); err != nil {
		t.Fatalf("%v in %q, exit %d: %s", err, r.out, r.code, r.err)
	}
	return c
}

func TestReceiptAndBaseline(t *testing.T) {
	s := newSample(t)
	receipt, again := s.path("receipt.json"), s.path("again.json")
	first := hardgate(t, "eval", "-f", s.dir, "-o", "json", "--receipt", receipt)
	if first.code != 0 {
		t.Fatalf("exit %d: %s", first.code, first.err)
	}
	kept, err := evaluate.ReadReceipt(receipt)
	if err != nil {
		t.Fatal(err)
	}
	if card := scorecard(t, first); kept.Freeze != card.Freeze || !kept.Passed || kept.Corpus != "hr/payroll" {
		t.Errorf("the receipt %+v is not that of freeze %s", kept, card.Freeze)
	}
	text, err := os.ReadFile(receipt)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"Rajesh", "75,000", headcount} {
		if strings.Contains(string(text), secret) {
			t.Errorf("a receipt keeps verdicts and hashes, no text; it has %q", secret)
		}
	}

	// Thresholds under which one lost question is no failure by itself.
	s.edit("goldenset.yaml", "  perClass:\n    TableCount: {accuracy: \"1.0\"}\n", "  thresholds: {accuracy: \"0\", survival: \"0\", completeness: \"0\", citations: \"0\", degraded: 9, confidentlyWrong: 9}\n")
	s.edit("goldenset.yaml", ", compression: TableAware", "")
	same := hardgate(t, "eval", "-f", s.dir, "--baseline", receipt, "--receipt", again)
	if same.code != 0 {
		t.Fatalf("nothing has become worse, exit %d: %s%s", same.code, same.out, same.err)
	}
	s.edit("corpus.yaml", "{mode: TableAware, maxContextChars: 6000, maxTableChars: 20000, sentenceThreshold: \"0.30\"}", "{mode: TopSentences, maxSentences: 6}")
	if got := hardgate(t, "eval", "-f", s.dir); got.code != 0 {
		t.Fatalf("these thresholds admit the loss, exit %d: %s", got.code, got.out)
	}
	worse := hardgate(t, "eval", "-f", s.dir, "--baseline", receipt)
	if worse.code != cli.ExitFailed || worse.err != "" {
		t.Errorf("a question that passed and fails now: exit %d: %s", worse.code, worse.err)
	}
	for _, says := range []string{"payroll/april-headcount: gate: Regression", "compression lost 11 of 12"} {
		if !strings.Contains(worse.out, says) {
			t.Errorf("the scorecard doesn't say %q:\n%s", says, worse.out)
		}
	}
}

func TestFailedDocument(t *testing.T) {
	s := newSample(t)
	s.write("documents/registers/torn.pdf", "%PDF-1.7\nnothing more")
	s.edit("documents/metadata.jsonl", "{", `{"key":"registers/torn.pdf","status":"published","groups":["hr"]}`+"\n{")
	receipt := s.path("receipt.json")
	got := hardgate(t, "eval", "-f", s.dir, "-o", "json", "--receipt", receipt)
	card := scorecard(t, got)
	if got.code != cli.ExitFailed || card.Passed || card.Documents.Failed != 1 {
		t.Errorf("exit %d, scorecard passed %t with %+v: none may fail unless tolerateFailures says so", got.code, card.Passed, card.Documents)
	}
	if kept, err := evaluate.ReadReceipt(receipt); err != nil || kept.Passed {
		t.Errorf("a receipt that says passed would be a baseline: %v", err)
	}
	for _, says := range []string{"registers/torn.pdf", "tolerateFailures"} {
		if !strings.Contains(got.err, says) {
			t.Errorf("the message doesn't name %q: %s", says, got.err)
		}
	}
	s.edit("corpus.yaml", "    id: '{{ .Base }}'", "    id: '{{ .Base }}'\n    tolerateFailures: 1")
	got = hardgate(t, "eval", "-f", s.dir, "-o", "json")
	if card := scorecard(t, got); got.code != 0 || !card.Passed || card.Documents.Failed != 1 {
		t.Errorf("one is tolerated: exit %d, %+v: %s", got.code, card.Documents, got.err)
	}
}

func TestSeveralCorpora(t *testing.T) {
	good, bad := newSample(t), failing(t)
	for _, file := range []string{"corpus.yaml", "collection.yaml", "goldenset.yaml"} {
		bad.edit(file, "namespace: hr", "namespace: works")
	}
	both := []string{"eval", "-f", good.dir, "-f", bad.dir}

	got := hardgate(t, append(both, "-o", "json")...)
	var cards []evaluate.Scorecard
	for d := json.NewDecoder(strings.NewReader(got.out)); d.More(); {
		var c evaluate.Scorecard
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
		cards = append(cards, c)
	}
	if len(cards) != 2 || cards[0].Corpus != "hr/payroll" || !cards[0].Passed || cards[1].Corpus != "works/payroll" || cards[1].Passed {
		t.Fatalf("a scorecard each, in the order of the files: %s%s", got.out, got.err)
	}
	if got.code != cli.ExitFailed {
		t.Errorf("one gate stays shut, so exit %d", got.code)
	}

	cases := map[string]struct {
		reason string
		args   []string
		code   int
		says   []string
	}{
		"one of them":    {"by namespace and name", append(both, "--corpus", "hr/payroll"), 0, nil},
		"by name":        {"which both have", []string{"survival", "-f", good.dir, "-f", bad.dir, "--corpus", "payroll"}, cli.ExitInput, []string{"--corpus", "hr/payroll", "works/payroll"}},
		"query":          {"asks one", []string{"query", "-f", good.dir, "-f", bad.dir, headcount}, cli.ExitInput, []string{"--corpus", "hr/payroll", "works/payroll"}},
		"JUnit":          {"two documents of XML are none", append(both, "-o", "junit"), cli.ExitInput, []string{"-o junit", "--corpus"}},
		"receipt":        {"is of one corpus", append(both, "--receipt", good.path("r.json")), cli.ExitInput, []string{"--receipt", "--corpus"}},
		"baseline":       {"likewise", append(both, "--baseline", good.path("r.json")), cli.ExitInput, []string{"--baseline", "--corpus"}},
		"whose folder":   {"files beside two folders of documents belong to neither", []string{"eval", "-f", good.path("corpus.yaml"), "-f", good.path("collection.yaml"), "-f", good.path("goldenset.yaml"), "-f", bad.dir, "-f", empty(t), "--corpus", "hr/payroll"}, cli.ExitInput, []string{"--documents", bad.path("documents")}},
		"the only other": {"where there is one, it is meant", []string{"eval", "-f", good.path("corpus.yaml"), "-f", good.path("collection.yaml"), "-f", good.path("goldenset.yaml"), "-f", bad.dir, "--corpus", "hr/payroll"}, 0, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := hardgate(t, c.args...)
			if got.code != c.code {
				t.Errorf("%s: exit %d, want %d: %s", c.reason, got.code, c.code, got.err)
			}
			for _, says := range c.says {
				if !strings.Contains(got.err, says) {
					t.Errorf("%s: the message doesn't name %q: %s", c.reason, says, got.err)
				}
			}
		})
	}
}

// empty is a folder with a documents folder and a manifest of nothing of ours.
func empty(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "documents"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "namespace.yaml"), []byte("apiVersion: v1\nkind: Namespace\nmetadata: {name: hr}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestUnfinished wants exit 3 where nobody has to mend a file: it is no verdict.
func TestUnfinished(t *testing.T) {
	s := newSample(t)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	env := map[string]string{"AWS_ENDPOINT_URL": "http://127.0.0.1:1"} // nobody listens there
	cases := map[string]struct {
		reason string
		ctx    context.Context
		args   []string
		says   string
	}{
		"bucket away":    {"a listing that failed is not an empty one", t.Context(), []string{"eval", "-f", s.dir, "--documents", "s3://hr-docs/hr"}, "s3://hr-docs/hr/ at http://127.0.0.1:1"},
		"query, away":    {"likewise", t.Context(), []string{"query", "-f", s.dir, "--documents", "s3://hr-docs/hr", headcount}, "127.0.0.1:1"},
		"cancelled":      {"the person at the keyboard has ended it", cancelled, []string{"eval", "-f", s.dir}, "cancel"},
		"query, ended":   {"likewise", cancelled, []string{"query", "-f", s.dir, headcount}, "cancel"},
		"extract, ended": {"likewise", cancelled, []string{"extract", s.path("documents/registers/Salary_Register_April_2025.pdf")}, "cancel"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := run(c.ctx, func(name string) string { return env[name] }, c.args...)
			if got.code != cli.ExitIncomplete || got.out != "" || !strings.Contains(got.err, c.says) {
				t.Errorf("%s: exit %d, wrote %q and %q", c.reason, got.code, got.out, got.err)
			}
		})
	}
}
