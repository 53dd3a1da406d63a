package settings

import (
	"fmt"
	"slices"

	"github.com/bmatcuk/doublestar/v4"
)

// LeavesOut names the glob because of which an object is no document of the
// corpus, for a message; "" when the globs admit it.
func (s Source) LeavesOut(key string) string {
	match := func(g string) bool { return doublestar.MatchUnvalidated(g, key) }
	if i := slices.IndexFunc(s.Exclude, match); i >= 0 {
		return fmt.Sprintf("source.exclude has %q", s.Exclude[i])
	}
	if len(s.Include) > 0 && !slices.ContainsFunc(s.Include, match) {
		return fmt.Sprintf("source.include admits only %q", s.Include)
	}
	return ""
}
