package evidence

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/hardgate-dev/hardgate/runtime/cli"
	"github.com/hardgate-dev/hardgate/runtime/evaluate"
)

// table is what the sample's page says: required evidence per question and mode.
const table = `
Q01-maximum-temperature        | Lexical 1/1, rank 1 | Dense 1/1, rank 1 | Hybrid 1/1, rank 1
Q02-cool-while-running         | Lexical 1/1, rank 1 | Dense 1/1, rank 1 | Hybrid 1/1, rank 1
Q03-current-window             | Lexical 1/1, rank 1 | Dense 1/1, rank 1 | Hybrid 1/1, rank 1
Q04-window-in-february         | Lexical 1/1, rank 1 | Dense 1/1, rank 1 | Hybrid 1/1, rank 1
Q05-exception-for-sales        | Lexical –           | Dense –           | Hybrid –
Q06-exception-for-operations   | Lexical 1/1, rank 1 | Dense 1/1, rank 1 | Hybrid 1/1, rank 1
Q07-north                      | Lexical 2/2         | Dense 2/2         | Hybrid 2/2
Q08-north-without-its-contract | Lexical 1/2         | Dense 1/2         | Hybrid 1/2
Q09-underwater-pressure        | Lexical –           | Dense –           | Hybrid –
Q10-airflow-in-a-rack          | Lexical 1/1, rank 1 | Dense 1/1, rank 1 | Hybrid 1/1, rank 1
`

// run runs a command as main does, with what it prints and its error.
func run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	o, err := options()
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	root := &cobra.Command{SilenceUsage: true, SilenceErrors: true}
	root.AddCommand(cli.Commands(&cli.Environment{Out: &out, Err: &errs, Getenv: func(string) string { return "" }, Runtime: o})...)
	root.SetArgs(args)
	err = root.ExecuteContext(t.Context())
	return out.String(), err
}

// row is a line of the printed table: name, class, and a cell per mode.
var row = regexp.MustCompile(`(?m)^\| (Q\d\d-\S+) \| \w+ \| (.+?) ok \| (.+?) ok \| (.+?) ok \|$`)

// TestOneCommandPrintsTheTable is the sample as people run it: every gate opens,
// and the evidence of every cell is as its page says.
func TestOneCommandPrintsTheTable(t *testing.T) {
	out, err := run(t, "eval", "-f", sample, "--modes", "Lexical,Dense,Hybrid", "-o", "markdown")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(out, "| question | class | Lexical | Dense | Hybrid (gate) |") {
		t.Errorf("the modes are not named:\n%s", out)
	}
	got := map[string][]string{}
	for _, m := range row.FindAllStringSubmatch(out, -1) {
		got[m[1]] = []string{"Lexical " + m[2], "Dense " + m[3], "Hybrid " + m[4]}
	}
	want := map[string][]string{}
	for line := range strings.Lines(strings.TrimSpace(table)) {
		var cells []string
		for _, c := range strings.Split(line, "|") {
			cells = append(cells, strings.TrimSpace(c))
		}
		want[cells[0]] = cells[1:]
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("table (-want +got):\n%s\n%s", d, out)
	}
	page, err := os.ReadFile(filepath.Join(sample, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range row.FindAllStringSubmatch(out, -1) {
		line := "| " + strings.Join([]string{m[1], m[2], m[3], m[4]}, " | ") + " |"
		if !strings.Contains(string(page), line) {
			t.Errorf("the sample's page does not have the row %s", line)
		}
	}
}

// TestNothingRequiredIsNull: recall and completeness of a question without
// evidence are absent, and neither 0 nor 1; those of what is known to be missing count it.
func TestNothingRequiredIsNull(t *testing.T) {
	l := theLab(t)
	full := l.full.judge(t, l.full.config(t), l.store)
	for _, name := range []string{"Q05-exception-for-sales", "Q09-underwater-pressure"} {
		if q := card(t, full, name); q.Recall != nil || q.Completeness != nil || !q.Passed {
			t.Errorf("%s: recall %v, completeness %v, passed %v: nothing was required", name, q.Recall, q.Completeness, q.Passed)
		}
	}
	if q := card(t, full, "Q07-north"); q.Recall["3"] != 1 || !q.Completeness["3"] || !q.Completeness["5"] {
		t.Errorf("Q07: recall %v, completeness %v", q.Recall, q.Completeness)
	}
	half := l.incomplete.judge(t, l.incomplete.config(t), l.store)
	q := card(t, half, "Q08-north-without-its-contract")
	if q.Recall["3"] != 0.5 || q.Recall["5"] != 0.5 || q.Completeness["5"] || !q.Passed {
		t.Errorf("Q08: recall %v, completeness %v, passed %v", q.Recall, q.Completeness, q.Passed)
	}
	if d := cmp.Diff([]string{"north-contract-v1#coverage"}, q.Missing); d != "" {
		t.Errorf("Q08: missing (-want +got):\n%s", d)
	}
	for _, s := range []*evaluate.Scorecard{full, half} {
		for _, q := range s.Sets[0].Questions {
			if len(q.Forbidden)+len(q.Ineligible) > 0 {
				t.Errorf("%s: forbidden %v, ineligible %v", q.Name, q.Forbidden, q.Ineligible)
			}
		}
	}
}

// card is a question in the corpus' own mode.
func card(t *testing.T, s *evaluate.Scorecard, name string) evaluate.QuestionCard {
	t.Helper()
	for _, q := range s.Sets[0].Questions {
		if q.Name == name && q.Mode == s.Sets[0].Modes[0].Mode {
			return q
		}
	}
	t.Fatalf("no question %s", name)
	return evaluate.QuestionCard{}
}

func TestReceiptIsNeverOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "receipt.json")
	if err := os.WriteFile(path, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := run(t, "eval", "-f", sample, "--corpus", "evidence-lab", "--receipt", path)
	var exit *cli.Exit
	if !errors.As(err, &exit) || exit.Code != cli.ExitInput || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
	if out != "" {
		t.Errorf("a run was made all the same:\n%s", out)
	}
	if kept, err := os.ReadFile(path); err != nil || string(kept) != "kept" {
		t.Errorf("the file now holds %q (%v)", kept, err)
	}
}
