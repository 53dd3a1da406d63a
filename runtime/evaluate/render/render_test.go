package render

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/evaluate"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

var update = flag.Bool("update", false, "rewrite golden files")

// scorecard reads the evaluator's own golden scorecard and adds what it lacks.
func scorecard(t *testing.T) *evaluate.Scorecard {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", "scorecard.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s evaluate.Scorecard
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	set := &s.Sets[0]
	set.Omitted = []evaluate.Omission{{Mode: "Dense", Error: "store | is away"}}
	set.Questions[1].Degraded = append(set.Questions[1].Degraded, rag.Flag{Stage: "generate", Reason: "AskedAgain", Detail: "500"})
	lexical := set.Modes[0]
	lexical.Mode, lexical.Gate = "Lexical", false
	set.Modes = append(set.Modes, lexical)
	for _, q := range set.Questions {
		q.Mode = "Lexical"
		set.Questions = append(set.Questions, q)
	}
	return &s
}

func reference() Options {
	return Options{Reference: []Reference{{Label: "a report", Figures: map[string]string{ColumnPassed: "13/15", ColumnLatency: "4000", ColumnCost: "$0.003"}}}}
}

func TestGolden(t *testing.T) {
	cases := map[string]func(*bytes.Buffer, *evaluate.Scorecard) error{
		"scorecard.txt": func(b *bytes.Buffer, s *evaluate.Scorecard) error { return Text(b, s, reference()) },
		"scorecard.md":  func(b *bytes.Buffer, s *evaluate.Scorecard) error { return Markdown(b, s, reference()) },
		"scorecard.xml": func(b *bytes.Buffer, s *evaluate.Scorecard) error { return JUnit(b, s) },
		"grid.txt": func(b *bytes.Buffer, s *evaluate.Scorecard) error {
			return Grid(b, s.Sets[0].Questions[0].Grid())
		},
	}
	for name, write := range cases {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := write(&b, scorecard(t)); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata", name)
			if *update {
				if err := os.MkdirAll("testdata", 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatalf("%v: run with -update", err)
			}
			if d := cmp.Diff(string(want), b.String()); d != "" {
				t.Errorf("%s (-want +got):\n%s", name, d)
			}
		})
	}
}

func TestJUnitIsReadable(t *testing.T) {
	s := scorecard(t)
	s.Sets[0].Questions[0].Failures[0].Detail = "control \x00 and <markup> & more"
	var b bytes.Buffer
	if err := JUnit(&b, s); err != nil {
		t.Fatal(err)
	}
	var doc suites
	if err := xml.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	if doc.Tests != 4 || doc.Failures != 2 || len(doc.Suites[0].Cases) != 4 {
		t.Errorf("tests %d, failures %d: three questions of the gate's mode and the gate, of which a question and the gate fail", doc.Tests, doc.Failures)
	}
	if got := doc.Suites[0].Cases[0].Failures[0].Text; !strings.Contains(got, "<markup> & more") {
		t.Errorf("detail was read back as %q", got)
	}
}

func TestJSONReadsBack(t *testing.T) {
	s := scorecard(t)
	var b bytes.Buffer
	if err := JSON(&b, s); err != nil {
		t.Fatal(err)
	}
	var got evaluate.Scorecard
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	first, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(first), string(again)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
