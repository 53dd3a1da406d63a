package embedded

import (
	"strings"
	"time"

	"github.com/qdrant/go-client/qdrant"
)

// dateLayouts are the spellings of a date that Qdrant reads, after upper-casing;
// without a zone it is UTC. Go's layouts take fractional seconds where they stand
// after seconds.
var dateLayouts = []string{
	time.RFC3339Nano,
	"2006-01-02 15:04:05Z07:00",
	"2006-01-02T15:04:05Z0700",
	"2006-01-02 15:04:05Z0700",
	"2006-01-02T15:04:05Z07",
	"2006-01-02 15:04:05Z07",
	"2006-01-02 15:04:05 Z07:00",
	"2006-01-02T15:04:05 Z07:00",
	"2006-01-02 15:04:05 UTC",
	"2006-01-02T15:04:05",
	"2006-01-02 15:04:05",
	"2006-01-02T15:04",
	"2006-01-02 15:04",
	"2006-01-02",
}

// parseDate reads a date string. A number is none, nor is 24:00 or a month alone.
func parseDate(s string) (time.Time, bool) {
	if len(s) < len("2006-01-02") {
		return time.Time{}, false
	}
	s = strings.ToUpper(s)
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), true
		}
	}
	return time.Time{}, false
}

// date reads a value as a date.
func date(v *qdrant.Value) (time.Time, bool) {
	s, ok := text(v)
	if !ok {
		return time.Time{}, false
	}
	return parseDate(s)
}

// micros is what a datetime index keeps of a date: microseconds since 1970.
func micros(v *qdrant.Value) (int64, bool) {
	t, ok := date(v)
	return t.UnixMicro(), ok
}
