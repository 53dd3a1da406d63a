package embedded

import (
	"strings"
	"time"

	"github.com/qdrant/go-client/qdrant"
)

// parseDate reads a date string as Qdrant does: RFC 3339 and its looser spellings
// (a space for the T, one digit for two, +02 or +0200 for the zone), or without a
// zone, which is UTC, to the second, the minute or the day. A number is no date, nor
// is 24:00 or a month alone.
func parseDate(s string) (time.Time, bool) {
	if len(s) < len("2006-1-2") || s[0] < '0' || s[0] > '9' {
		return time.Time{}, false
	}
	s = strings.ToUpper(s)
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return t.UTC(), true
	}
	day, clock, timed := strings.Cut(s, "T")
	if !timed {
		day, clock, timed = strings.Cut(s, " ")
	}
	if !timed {
		t, err := time.Parse("2006-1-2", day)
		return t, err == nil
	}
	for _, layout := range []string{"15:4:5Z07:00", "15:4:5Z0700", "15:4:5Z07", "15:4:5 Z07:00", "15:4:5 Z0700", "15:4:5 Z07", "15:4:5", "15:4"} {
		if t, err := time.Parse("2006-1-2 "+layout, day+" "+clock); err == nil {
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
