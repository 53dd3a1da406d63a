package faults

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/hardgate-dev/hardgate/runtime/cli"
)

// TestSpecIsRefused writes specs that cannot work: the API server and the command
// line refuse them alike, and name the field.
func TestSpecIsRefused(t *testing.T) {
	cases := map[string]struct {
		reason, file string
		value        any
		path         []string
		field, says  string
	}{
		"weights": {
			reason: "weights that don't sum to 1 rank by nobody's intention", file: "corpus.yaml",
			value: map[string]any{"method": "Weighted", "dense": "0.65", "lexical": "0.45"}, path: []string{"spec", "pipeline", "retrieval", "fusion"},
			field: "spec.pipeline.retrieval.fusion.dense", says: "must sum to 1",
		},
		"context cap": {
			reason: "under the bound what was retrieved could not reach the prompt", file: "corpus.yaml",
			value: int64(9599), path: []string{"spec", "pipeline", "compression", "maxContextChars"},
			field: "spec.pipeline.compression.maxContextChars", says: "topK",
		},
		"no questions": {
			reason: "an empty golden set proves nothing", file: "goldenset.yaml",
			value: []any{}, path: []string{"spec", "questions"}, field: "spec.questions", says: "empty golden set",
		},
		"blank endpoint": {
			reason: "blank is missing, and there is no default for an address", file: "corpus.yaml",
			value: " ", path: []string{"spec", "source", "s3", "endpoint"}, field: "spec.source.s3.endpoint",
		},
		"unreachable class": {
			reason: "a class that is required and has no question would pass unasked", file: "goldenset.yaml",
			value: []any{"Historical"}, path: []string{"spec", "requireClasses"}, field: "spec.requireClasses", says: "without a question",
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := newSample(t)
			s.edit(tc.file, func(o *unstructured.Unstructured) { s.set(o, tc.value, tc.path...) })
			o := s.read(tc.file)
			o.SetNamespace("default")
			err := shared.Create(t.Context(), o, client.DryRunAll)
			if !apierrors.IsInvalid(err) {
				t.Fatalf("%s: the API server says %v", tc.reason, err)
			}
			_, cerr := command(t, "eval", "-f", s.dir)
			var exit *cli.Exit
			if !errors.As(cerr, &exit) || exit.Code != cli.ExitInput {
				t.Errorf("%s: the command line ends with %v, want exit %d", tc.reason, cerr, cli.ExitInput)
			}
			for _, got := range []error{err, cerr} {
				if got == nil || !strings.Contains(got.Error(), tc.field) || !strings.Contains(got.Error(), tc.says) {
					t.Errorf("%s: %v; want %s and %q in it", tc.reason, got, tc.field, tc.says)
				}
			}
		})
	}
}

// command runs a command of hardgate in this process and returns what it wrote.
func command(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	env := &cli.Environment{Out: &out, Err: &out, Getenv: func(string) string { return "" }, Runtime: options}
	for _, c := range cli.Commands(env) {
		if c.Name() == args[0] {
			c.SilenceErrors, c.SilenceUsage = true, true
			c.SetArgs(args[1:])
			err := c.ExecuteContext(t.Context())
			return out.String(), err
		}
	}
	t.Fatalf("no command %q", args[0])
	return "", nil
}

// TestRequestIsRefused sends what only others may ask, or nobody.
func TestRequestIsRefused(t *testing.T) {
	w := newWorld(t)
	const question = `"question": "` + headcount + `"`
	outsider := w.caller("outsider")
	nobody := w.desk
	nobody.token = "not-a-token"
	cases := map[string]struct {
		reason string
		as     asker
		body   string
		status int
		says   []string
	}{
		"mode without trace":   {"another mode is another pipeline than the gate verified", w.desk, `{` + question + `, "mode": "Dense"}`, http.StatusForbidden, []string{"get", "corpora/trace", "payroll"}},
		"later day":            {"what is valid only later is not for everybody", w.desk, `{` + question + `, "asOf": "2999-01-01"}`, http.StatusForbidden, []string{"create", "corpora/asof"}},
		"outsider":             {"who has no role learns nothing, not even whether the corpus serves", outsider, `{` + question + `}`, http.StatusForbidden, []string{"create", "corpora/query"}},
		"outsider with a mode": {"a mode opens no other door", outsider, `{` + question + `, "mode": "None"}`, http.StatusForbidden, []string{"corpora/query"}},
		"no such token":        {"nobody is nobody", nobody, `{` + question + `}`, http.StatusUnauthorized, []string{"token"}},
		"tenant in the body":   {"who asks is decided by the token alone", w.desk, `{` + question + `, "tenant": "north"}`, http.StatusBadRequest, []string{"tenant"}},
		"groups in the body":   {"nor can a body join a group", w.desk, `{` + question + `, "groups": ["board"]}`, http.StatusBadRequest, []string{"groups"}},
		"blank question":       {"blank is missing", w.desk, `{"question": "  "}`, http.StatusBadRequest, []string{"question"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r := tc.as.post(t, tc.body)
			if r.status != tc.status || r.Answer != "" {
				t.Errorf("%s: %s, want HTTP %d", tc.reason, r, tc.status)
			}
			for _, words := range tc.says {
				if !strings.Contains(r.Error.Message, words) {
					t.Errorf("%s: %q does not name %q", tc.reason, r.Error.Message, words)
				}
			}
		})
	}
}
