package assembly

import (
	"strings"
	"testing"
)

// TestLongNames keeps names within the store's bound, and apart.
func TestLongNames(t *testing.T) {
	c := collection(t)
	long := strings.Repeat("l", 252)
	physical := func(name string) string {
		t.Helper()
		p, err := Physical("cluster", strings.Repeat("n", 63), name, c, "model")
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	names := map[string]string{"collection a": physical(long + "a"), "collection b": physical(long + "b"), "alias a": Alias("hr", long+"a"), "alias b": Alias("hr", long+"b")}
	seen := map[string]string{}
	for what, name := range names {
		if len(name) > longestName {
			t.Errorf("%s has %d bytes: the store takes %d", what, len(name), longestName)
		}
		if other := seen[name]; other != "" {
			t.Errorf("%s and %s have one name", what, other)
		}
		seen[name] = what
	}
	if got := Alias("hr", "payroll"); got != "hr.payroll" {
		t.Errorf("a name within the bound is changed: %q", got)
	}
	if p := physical(long + "a"); !strings.HasSuffix(p, p[strings.LastIndexByte(p, '.'):]) || strings.Count(p, ".") != 3 {
		t.Errorf("the fingerprint is gone: %q", p)
	}
}
