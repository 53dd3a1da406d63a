package embedded

import (
	"strconv"
	"strings"
)

// decimal spells a whole number.
func decimal(n uint64) string { return strconv.FormatUint(n, 10) }

// shortest spells a float as Qdrant's messages do: the fewest digits, and .0 behind
// a whole one.
func shortest(f float64) string {
	s := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(s, ".eIN") {
		s += ".0"
	}
	return s
}
