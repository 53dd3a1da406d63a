package cli_test

import (
	"strings"
	"testing"
)

// TestQueryAsNobody: a corpus that selects documents by who asks says which flag tells it.
func TestQueryAsNobody(t *testing.T) {
	s := newSample(t)
	const needed = "hardgate: --as groups=… is needed"
	for name, c := range map[string]struct {
		reason string
		args   []string
		needed bool
	}{
		"nobody":       {"no claim at all", nil, true},
		"another date": {"who asks is still not told", []string{"--as", "asOf=2025-05-05"}, true},
		"another":      {"a tenant is no group", []string{"--as", "tenant=hr,asOf=2025-05-05"}, true},
		"somebody":     {"it is told", []string{"--as", "groups=hr,asOf=2025-05-05"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			got := hardgate(t, append(append([]string{"query", "-f", s.dir}, c.args...), headcount)...)
			if got.code != 0 || strings.Contains(got.err, needed) != c.needed || strings.Contains(got.out, "ClaimMissing") != c.needed {
				t.Errorf("%s: exit %d, %q, %q", c.reason, got.code, got.out, got.err)
			}
		})
	}
}
