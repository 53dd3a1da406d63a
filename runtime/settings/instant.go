package settings

import (
	"fmt"
	"time"
)

// layouts are the date forms that metadata and golden questions may use; the
// store reads the same ones.
func layouts() []string {
	return []string{time.RFC3339Nano, time.DateOnly, "2006-01-02T15:04:05", time.DateTime}
}

// ParseInstant reads RFC 3339 or YYYY-MM-DD (midnight UTC).
func ParseInstant(s string) (time.Time, error) {
	for _, l := range layouts() {
		if t, err := time.Parse(l, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is neither RFC 3339 nor YYYY-MM-DD", s)
}

// Instant is ParseInstant for what was validated before; anything else is the
// zero time, which is before every validity.
func Instant(s string) time.Time {
	t, _ := ParseInstant(s)
	return t
}
