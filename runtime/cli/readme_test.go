package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadme evaluates the corpus that README shows: what is copied from there works,
// and its gate can fail.
func TestReadme(t *testing.T) {
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindSubmatch(page)
	if shown == nil {
		t.Fatal("README.md shows no corpus")
	}
	s := sample{t, t.TempDir()}
	const register = "Salary_Register_April_2025.pdf"
	s.copy(filepath.Join(payroll, "documents/registers", register), "documents/"+register)
	cases := map[string]struct {
		reason, expected string
		code             int
		want             string
	}{
		"AsShown":    {"twelve rows stand in the register", "12 employees", 0, "hr/mine  PASSED"},
		"WrongTruth": {"a golden set that expects what is not there", "13 employees", 1, "hr/mine  FAILED"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s.write("mine.yaml", strings.Replace(string(shown[1]), "12 employees", c.expected, 1))
			if got := hardgate(t, "eval", "-f", s.dir); got.code != c.code || !strings.HasPrefix(got.out, c.want) {
				t.Errorf("%s: exit %d, want %d and %q:\n%s%s", c.reason, got.code, c.code, c.want, got.out, got.err)
			}
		})
	}
}
