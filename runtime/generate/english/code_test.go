package english_test

import (
	"slices"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/generate/english"
)

// TestJoined reads the identifiers that file names spell with underscores, and no
// part of a longer one.
func TestJoined(t *testing.T) {
	for _, c := range []struct {
		name, code string
		want       bool
	}{
		{"TRD_2031_0077_Holm", "TRD/2031/0077", true},
		{"TRD_2031_0077", "TRD-2031-0077", true},
		{"TRD_2031_0077_Holm", "TRD/2031/007", false},
		{"TRD_2031_0077_R", "TRD/2031/0077", false},
		{"TRD_2031_00775_Holm", "TRD/2031/0077", false},
		{"Salary_Register", "Salary-1", false},
	} {
		got := slices.ContainsFunc(english.Joined(c.name), func(x english.Token) bool {
			return english.Bare(x.Fold) == english.Bare(english.Tokens(c.code)[0].Fold)
		})
		if got != c.want {
			t.Errorf("Joined(%q) has %s: %v, want %v", c.name, c.code, got, c.want)
		}
	}
}
