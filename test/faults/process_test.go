package faults

import (
	"bytes"
	"cmp"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/hardgate-dev/hardgate/runtime/cli"
)

// TestProcessRefuses starts the program with what is missing or blank: it ends
// with exit code 2, says which flag, variable or field to set, and never takes
// white space for a value. An outage is no bad input, and has a code of its own.
func TestProcessRefuses(t *testing.T) {
	program := build(t)
	home := t.TempDir()
	s := newSample(t, "april-headcount")
	s.edit("corpus.yaml", func(o *unstructured.Unstructured) { s.set(o, "http://127.0.0.1:1", "spec", "source", "s3", "endpoint") })
	weights := newSample(t)
	weights.pipeline(map[string]any{"method": "Weighted", "dense": "0.6", "lexical": "0.6"}, "retrieval", "fusion")
	model := "HARDGATE_MODEL_DIR=" + options.ModelDir
	cases := map[string]struct {
		reason string
		env    []string
		args   []string
		says   []string
		code   int // 0 = bad input
	}{
		"blank model directory": {
			reason: "a blank variable is absent, so that the default applies, and is named when nothing is there",
			env:    []string{"HARDGATE_MODEL_DIR=  ", "XDG_CACHE_HOME= "},
			args:   []string{"eval", "-f", s.dir}, says: []string{filepath.Join(home, ".cache", "hardgate"), "--model-dir", "make setup"},
		},
		"blank flag, blank variable": {
			reason: "a blank flag is absent as well",
			env:    []string{"HARDGATE_MODEL_DIR=\t"},
			args:   []string{"eval", "-f", s.dir, "--model-dir", " "}, says: []string{filepath.Join(home, ".cache", "hardgate"), "--model-dir"},
		},
		"blank endpoint": {
			reason: "without the variable the Corpus' own endpoint is meant, and an outage there is no empty corpus",
			env:    []string{model, "AWS_ENDPOINT_URL= "},
			args:   []string{"eval", "-f", s.dir, "--documents", "s3://hr-docs/hr"}, says: []string{"http://127.0.0.1:1", "hr-docs"}, code: cli.ExitIncomplete,
		},
		"endpoint that is none": {
			reason: "what is not a URL is refused by the name under which it was given",
			env:    []string{model, "AWS_ENDPOINT_URL=storage"},
			args:   []string{"eval", "-f", s.dir, "--documents", "s3://hr-docs/hr"}, says: []string{"AWS_ENDPOINT_URL", `"storage"`},
		},
		"blank data directory": {
			reason: "a store in a directory of white space would be lost with the process",
			args:   []string{"manager", "--data-dir", "  "}, says: []string{"--data-dir is missing"},
		},
		"weights": {
			reason: "a spec that the API server refuses is refused here, before anything is opened",
			args:   []string{"eval", "-f", weights.dir}, says: []string{"spec.pipeline.retrieval.fusion.dense", "must sum to 1"},
		},
		"no files": {
			reason: "there is no default for what to judge",
			args:   []string{"eval"}, says: []string{"-f is missing"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			cmd := exec.CommandContext(t.Context(), program, tc.args...)
			cmd.Env = append([]string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}, tc.env...)
			cmd.Stdout, cmd.Stderr = &out, &out
			err := cmd.Run()
			var exit *exec.ExitError
			want := cmp.Or(tc.code, cli.ExitInput)
			if !errors.As(err, &exit) || exit.ExitCode() != want {
				t.Errorf("%s: ended with %v, want exit %d: %s", tc.reason, err, want, out.String())
			}
			names(t, out.String(), tc.says...)
		})
	}
}

// build links the program.
func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "hardgate")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../..").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v: %s", err, out)
	}
	return program
}
