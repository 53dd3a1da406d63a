package evaluate

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// unmet lists the requirements that the running configuration breaks. One on a
// setting that isn't in force, such as a weight under RRF, is broken.
func unmet(requires map[string]string, s settings.Corpus) []Failure {
	var out []Failure
	for _, name := range slices.Sorted(maps.Keys(requires)) {
		want := requires[name]
		have, inForce := s.Setting(name)
		if inForce && same(have, want) {
			continue
		}
		running := strconv.Quote(have)
		if !inForce {
			running = "it not in force"
		}
		out = append(out, Failure{Stage: StageConfiguration, Reason: RequirementNotMet, Detail: fmt.Sprintf("requires.%s is %q, the running configuration has %s", name, want, running)})
	}
	return out
}

// same compares as numbers where both are: 0.65 is 0.650.
func same(a, b string) bool {
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	if errX == nil && errY == nil {
		return x == y
	}
	return a == b
}
