package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestJSONConforms holds -o json to its schemas, in the cases that TestOutput
// has not. The schemas know every field: one that is added has to be added there,
// and none may go.
func TestJSONConforms(t *testing.T) {
	s := newSample(t)
	broken := failing(t)
	ranked := newSample(t)
	ranked.edit("corpus.yaml", `{method: Weighted, dense: "0.65", lexical: "0.35"}`, "{method: RRF, k: 60}")
	ask := []string{"query", "-f", s.dir, "-o", "json", "--as", "groups=hr,asOf=2025-05-05"}
	cases := map[string]struct {
		reason string
		schema string
		args   []string
		code   int
	}{
		"eval, failing":    {"losses, diagnoses and failures", "eval", []string{"eval", "-f", broken.dir, "-o", "json"}, 1},
		"query, refused":   {"a hand-off with its flag", "query", append(ask, bonus), 0},
		"query, by nobody": {"nothing eligible, so no channel at all", "query", []string{"query", "-f", s.dir, "-o", "json", headcount}, 0},
		"eval, RRF":        {"ranks in place of weights, which the golden set requires", "eval", []string{"eval", "-f", ranked.dir, "-o", "json"}, 1},
		"query, RRF":       {"a fusion by the store", "query", []string{"query", "-f", ranked.dir, "-o", "json", "--as", "groups=hr,asOf=2025-05-05", headcount}, 0},
		"query, None":      {"a mode without retrieval", "query", append(ask, "--mode", "None", headcount), 0},
		"survival":         {"a plot with a cliff", "survival", []string{"survival", "-f", broken.dir, "-o", "json"}, 0},
		"extract, ruled":   {"a table with rulings", "extract", []string{"extract", "-o", "json", s.path("documents/registers/Salary_Register_April_2025.pdf")}, 0},
		"extract, aligned": {"one without", "extract", []string{"extract", "-o", "json", filepath.Join(payroll, "documents/registers/Attendance_Register_April_2025.pdf")}, 0},
		"extract, prose":   {"none at all", "extract", []string{"extract", "-o", "json", s.path("documents/board/Executive_Compensation_2025.pdf")}, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := hardgate(t, c.args...)
			if got.code != c.code {
				t.Fatalf("exit %d, want %d: %s", got.code, c.code, got.err)
			}
			conforms(t, c.schema, got.out)
		})
	}
}

// conforms validates the one value that a command wrote.
func conforms(t *testing.T, name, out string) {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(out))
	if err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	if err := schema(t, name).Validate(v); err != nil {
		t.Error(err)
	}
}

func schema(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("schema", name+".v1.json"))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(name, doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile(name)
	if err != nil {
		t.Fatalf("schema %s: %v", name, err)
	}
	return compiled
}

// TestExtractBoxes checks what a schema can't: that boxes lie on the page.
func TestExtractBoxes(t *testing.T) {
	got := hardgate(t, "extract", "-o", "json", filepath.Join(payroll, "documents/registers/Salary_Register_April_2025.pdf"))
	var r struct {
		Pages []struct {
			Width, Height float64
			Lines         []struct{ Box [4]float64 }
			Tables        []struct {
				Box  [4]float64
				Rows [][]struct {
					Text string
					Box  [4]float64
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(got.out), &r); err != nil {
		t.Fatalf("%v: %s", err, got.err)
	}
	within := func(b, in [4]float64) bool {
		const slack = 1.5 // points: a glyph's box may reach over a ruling
		return b[0] <= b[2] && b[1] <= b[3] && b[0] >= in[0]-slack && b[1] >= in[1]-slack && b[2] <= in[2]+slack && b[3] <= in[3]+slack
	}
	for _, p := range r.Pages {
		page := [4]float64{0, 0, p.Width, p.Height}
		for _, l := range p.Lines {
			if !within(l.Box, page) {
				t.Errorf("line at %v is off the page of %v", l.Box, page)
			}
		}
		for _, table := range p.Tables {
			if !within(table.Box, page) {
				t.Errorf("table at %v is off the page of %v", table.Box, page)
			}
			for i, row := range table.Rows {
				if len(row) != 11 {
					t.Errorf("row %d has %d cells, the register 11 columns", i, len(row))
				}
				for _, c := range row {
					if c.Text != "" && !within(c.Box, table.Box) {
						t.Errorf("cell %q at %v is off its table at %v", c.Text, c.Box, table.Box)
					}
				}
			}
		}
	}
	if len(r.Pages) != 1 || len(r.Pages[0].Tables) != 1 || len(r.Pages[0].Tables[0].Rows) != 14 {
		t.Errorf("one page with one table of header, twelve people and total, not %+v", r.Pages)
	}
}
