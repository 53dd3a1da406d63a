package settings

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Decimal is a fraction that YAML may write as a number or as a string ("0.65");
// the resources use strings, since floats do not survive every JSON round trip.
type Decimal float64

// UnmarshalJSON reads a number or a decimal string.
func (d *Decimal) UnmarshalJSON(data []byte) error {
	s := strings.Trim(string(data), `"`)
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return fmt.Errorf("%q is not a decimal number", s)
	}
	*d = Decimal(v)
	return nil
}

// MarshalJSON writes the shortest decimal string.
func (d Decimal) MarshalJSON() ([]byte, error) {
	return json.Marshal(strconv.FormatFloat(float64(d), 'g', -1, 64))
}

// Duration is a time.Duration written as "60s".
type Duration time.Duration

// UnmarshalJSON reads a Go duration string.
func (d *Duration) UnmarshalJSON(data []byte) error {
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("%s is not a duration string such as \"60s\"", data)
	}
	v, err := time.ParseDuration(s)
	if err != nil {
		return fmt.Errorf("%q is not a duration such as \"60s\"", s)
	}
	*d = Duration(v)
	return nil
}

// MarshalJSON writes a Go duration string.
func (d Duration) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(d).String()) }

// Bytes is a size written as a Kubernetes quantity ("200Mi") or a whole number.
type Bytes int64

var suffixes = map[string]int64{"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "Ki": 1 << 10, "Mi": 1 << 20, "Gi": 1 << 30}

// UnmarshalJSON reads a quantity without fractions.
func (b *Bytes) UnmarshalJSON(data []byte) error {
	s := strings.Trim(string(data), `"`)
	n := strings.TrimRight(s, "kKMGi")
	v, err := strconv.ParseInt(n, 10, 64)
	unit, known := suffixes[s[len(n):]]
	if err != nil || !known || v < 0 || (v > 0 && unit > (1<<62)/v) {
		return fmt.Errorf("%q is not a size such as 200Mi", s)
	}
	*b = Bytes(v * unit)
	return nil
}

// MarshalJSON writes whole bytes.
func (b Bytes) MarshalJSON() ([]byte, error) {
	return json.Marshal(strconv.FormatInt(int64(b), 10))
}
