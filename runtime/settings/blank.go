package settings

import "strings"

// Blank reports whether a value counts as missing: empty, or white space alone.
func Blank(s string) bool { return strings.TrimSpace(s) == "" }

// FirstNonBlank returns the first value that isn't blank, trimmed; "" when all are.
func FirstNonBlank(values ...string) string {
	for _, v := range values {
		if t := strings.TrimSpace(v); t != "" {
			return t
		}
	}
	return ""
}
