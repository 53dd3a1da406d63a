package english

import "strings"

// numerals are the number words up to twenty, then the tens.
var numerals = func() map[string]int {
	m := map[string]int{}
	for i, w := range strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty") {
		m[w] = i
	}
	for i, w := range strings.Fields("thirty forty fifty sixty seventy eighty ninety") {
		m[w] = 30 + 10*i
	}
	m["hundred"], m["thousand"], m["half"], m["dozen"], m["once"], m["twice"] = 100, 1000, 0, 12, 1, 2
	return m
}()

// Numeral returns the value of a number word.
func Numeral(fold string) (int, bool) {
	n, ok := numerals[fold]
	return n, ok
}
