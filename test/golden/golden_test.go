// Package golden runs the held-out samples through the command line, in this
// process, and compares with what is known to fail.
package golden

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/hardgate-dev/hardgate/runtime/assembly"
	"github.com/hardgate-dev/hardgate/runtime/cli"
	"github.com/hardgate-dev/hardgate/runtime/evaluate"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// update strikes questions that pass by now off the lists. It never adds one: a
// list may only shrink.
var update = flag.Bool("update", false, "strike questions that pass by now off the lists of known failures")

// samples are the folders under judgement, by the name of their list.
func samples(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{"payroll": "../../config/samples/payroll"}
	found, err := filepath.Glob("*/corpus.yaml")
	if err != nil || len(found) == 0 {
		t.Fatalf("no samples beside this test: %v", err)
	}
	for _, f := range found {
		out[filepath.Dir(f)] = filepath.Dir(f)
	}
	return out
}

// known is a question that fails, and why.
type known struct {
	Question         string `json:"question"`
	ConfidentlyWrong bool   `json:"confidentlyWrong,omitempty"` // answered, but wrong
	Why              string `json:"why"`
}

// TestSamples asks every question of every sample.
func TestSamples(t *testing.T) {
	options := assembly.Options{
		ModelDir: settings.ModelDir(os.Getenv),
		CacheDir: settings.EngineDir(os.Getenv), Version: "test",
	}
	shared, err := assembly.Open(options)
	if err != nil {
		t.Fatalf("open the runtime (run `make setup`): %v", err)
	}
	defer func() { _ = shared.Close() }()
	for name, folder := range samples(t) {
		t.Run(name, func(t *testing.T) {
			card := eval(t, shared, options, folder)
			check(t, card, filepath.Join("testdata", name+".yaml"))
		})
	}
}

// eval judges a sample in its own mode.
func eval(t *testing.T, shared *assembly.Runtime, options assembly.Options, folder string) evaluate.Scorecard {
	t.Helper()
	var out, progress bytes.Buffer
	env := &cli.Environment{
		Out: &out, Err: &progress, Getenv: func(string) string { return "" }, Runtime: options,
		Open: func(ctx context.Context, _ assembly.Options) (*assembly.Runtime, error) { return shared.Fresh(ctx) },
	}
	commands := cli.Commands(env)
	c := commands[slices.IndexFunc(commands, func(c *cobra.Command) bool { return c.Name() == "eval" })]
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs([]string{"-f", folder, "-o", "json", "--modes", "Hybrid"})
	err := c.ExecuteContext(t.Context())
	var exit *cli.Exit
	if err != nil && (!errors.As(err, &exit) || exit.Code != cli.ExitFailed) {
		t.Fatalf("eval %s: %v\n%s", folder, err, progress.String())
	}
	var card evaluate.Scorecard
	if err := json.Unmarshal(out.Bytes(), &card); err != nil {
		t.Fatalf("%v in %s", err, out.String())
	}
	if card.Documents.Failed > 0 {
		t.Errorf("%d of %d documents failed: %s", card.Documents.Failed, card.Documents.Total, progress.String())
	}
	return card
}

// check compares a scorecard with its list.
func check(t *testing.T, card evaluate.Scorecard, list string) {
	failing := read(t, list)
	asked := map[string]bool{}
	left := failing[:0:0]
	for _, set := range card.Sets {
		passed := 0
		for i := range set.Questions {
			q := &set.Questions[i]
			if q.Mode != set.Modes[0].Mode { // one that is compared
				continue
			}
			asked[q.Name] = true
			k := slices.IndexFunc(failing, func(k known) bool { return k.Question == q.Name })
			switch {
			case q.Passed && k < 0:
				passed++
			case q.Passed && *update:
				passed++
				continue
			case q.Passed:
				passed++
				t.Errorf("%s passes now: strike it off %s (-update does)", q.Name, list)
			case k < 0:
				t.Errorf("%s fails, and is not known to: %s", q.Name, why(q))
			case q.ConfidentlyWrong && !failing[k].ConfidentlyWrong:
				t.Errorf("%s was handed off and is now answered wrong: %s", q.Name, why(q))
			}
			if k >= 0 {
				left = append(left, failing[k])
			}
			t.Logf("%-4s %-32s %s", map[bool]string{true: "ok", false: "FAIL"}[q.Passed], q.Name, why(q))
		}
		m := set.Modes[0]
		t.Logf("%s/%s: %d of %d, %d confidently wrong, %d degraded", card.Corpus, set.Name, passed, m.Questions, m.ConfidentlyWrong, m.Degraded)
	}
	for _, k := range failing {
		if !asked[k.Question] {
			t.Errorf("%s lists %s, which nobody asks", list, k.Question)
		}
	}
	if *update && len(left) < len(failing) {
		write(t, list, left)
	}
}

// why names what went wrong with a question, earliest stage first.
func why(q *evaluate.QuestionCard) string {
	if q.Passed {
		return string(q.Status)
	}
	parts := []string{string(q.Status)}
	if q.ConfidentlyWrong {
		parts = append(parts, "CONFIDENTLY WRONG: "+q.Answer)
	}
	for _, f := range q.Failures {
		parts = append(parts, fmt.Sprintf("%s: %s: %s", f.Stage, f.Reason, f.Detail))
	}
	for _, f := range q.Degraded {
		parts = append(parts, fmt.Sprintf("degraded at %s: %s: %s", f.Stage, f.Reason, f.Detail))
	}
	return strings.Join(parts, "; ")
}

func read(t *testing.T, list string) []known {
	t.Helper()
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatalf("each sample has a list, an empty one at best: %v", err)
	}
	var out []known
	if err := yaml.UnmarshalStrict(text, &out); err != nil {
		t.Fatalf("%s: %v", list, err)
	}
	for i, k := range out {
		if k.Question == "" || k.Why == "" {
			t.Errorf("%s: entry %d has no question or no why", list, i+1)
		}
	}
	return out
}

func write(t *testing.T, list string, left []known) {
	t.Helper()
	text, err := yaml.Marshal(left)
	if err == nil {
		err = os.WriteFile(list, append([]byte(heading), text...), 0o644)
	}
	if err != nil {
		t.Fatalf("write %s: %v", list, err)
	}
}

// heading stands over every list.
const heading = "# Questions of this sample that are known to fail. The list may only shrink.\n"
