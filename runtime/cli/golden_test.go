package cli_test

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// headcount and bonus are questions of the sample.
const (
	headcount = "How many employees are in the April 2025 salary register?"
	bonus     = "What deferred bonus was the CFO awarded for 2025?"
)

// TestOutput holds what every command writes to golden files.
func TestOutput(t *testing.T) {
	s := newSample(t)
	const as = "tenant=hr,groups=hr,asOf=2025-05-05"
	register := filepath.Join(payroll, "documents/registers/Salary_Register_April_2025.pdf")
	cases := map[string]struct {
		args []string
		code int
	}{
		"query.txt":        {[]string{"query", "-f", s.dir, "--as", as, headcount}, 0},
		"query.json":       {[]string{"query", "-f", s.dir, "--as", as, "-o", "json", headcount}, 0},
		"refused.txt":      {[]string{"query", "-f", s.dir, "--as", as, bonus}, 0},
		"extract.txt":      {[]string{"extract", register}, 0},
		"survival.txt":     {[]string{"survival", "-f", s.dir}, 0},
		"survival.json":    {[]string{"survival", "-f", s.dir, "-o", "json", "--question", "april-headcount"}, 0},
		"eval.json":        {[]string{"eval", "-f", s.dir, "-o", "json"}, 0},
		"eval.xml":         {[]string{"eval", "-f", s.dir, "-o", "junit"}, 0},
		"eval.md":          {[]string{"eval", "-f", s.dir, "-o", "markdown"}, 0},
		"eval.txt":         {[]string{"eval", "-f", s.dir, "--survival"}, 0},
		"eval-failing.txt": {[]string{"eval", "-f", failing(t).dir}, 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := hardgate(t, c.args...)
			if got.code != c.code {
				t.Fatalf("exit %d, want %d: %s%s", got.code, c.code, got.out, got.err)
			}
			if s, isJSON := strings.CutSuffix(name, ".json"); isJSON {
				conforms(t, s, got.out)
			}
			golden(t, name, got.out)
		})
	}
}

// failing is the sample with a compression that eats the register.
func failing(t *testing.T) sample {
	t.Helper()
	s := newSample(t)
	s.edit("corpus.yaml", "{mode: TableAware, maxContextChars: 6000, maxTableChars: 20000, sentenceThreshold: \"0.30\"}", "{mode: TopSentences, maxSentences: 6}")
	return s
}

// golden compares with a file, leaving out what differs from run to run.
func golden(t *testing.T, name, got string) {
	t.Helper()
	if strings.HasSuffix(name, ".json") {
		got = normalJSON(t, got)
	}
	got = normal(got)
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: run with -update", err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
		t.Errorf("%s, rewritten by -update (-want +got):\n%s", path, d)
	}
}

// Times, hashes and the ids that hang on them, and the white space of tables
// with times in a column.
var changing = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`sha256:[0-9a-f]{64}`), "sha256:…"},
	{regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`), "uuid"},
	{regexp.MustCompile(`[0-9.e-]+/[0-9.e-]+( +\| +| +)\$`), "ms/ms$1$$"},
	{regexp.MustCompile(` time="[0-9.]+"`), ` time="s"`},
	{regexp.MustCompile(` {3,}\b`), "  "},
	{regexp.MustCompile(` {3,}([$–●·])`), "  $1"},
}

func normal(s string) string {
	for _, c := range changing {
		s = c.pattern.ReplaceAllString(s, c.with)
	}
	return s
}

// normalJSON writes every value of a stream again, without times, with figures
// to two places, and of a channel's candidates the first alone.
func normalJSON(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	for _, v := range values(t, text) {
		if err := e.Encode(tame("", v)); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// values reads a stream of JSON values.
func values(t *testing.T, text string) []any {
	t.Helper()
	var out []any
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var v any
		err := d.Decode(&v)
		if err == io.EOF {
			return out
		}
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		out = append(out, v)
	}
}

func tame(key string, v any) any {
	switch x := v.(type) {
	case map[string]any:
		for k := range x {
			x[k] = tame(k, x[k])
		}
	case []any:
		if key == "candidates" && len(x) > 1 {
			x = x[:1]
		}
		for i := range x {
			x[i] = tame("", x[i])
		}
		return x
	case float64:
		if key == "latencyMillis" || key == "millis" || key == "p50" || key == "p95" {
			return "ms"
		}
		return math.Round(x*100) / 100
	case string:
		if key == "takenAt" {
			return "instant"
		}
		if key == "filter" { // protojson puts white space at random
			var f any
			if json.Unmarshal([]byte(x), &f) == nil {
				return f
			}
		}
	}
	return v
}
