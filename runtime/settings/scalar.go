package settings

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	decimalForm  = regexp.MustCompile(`^[0-9]{1,9}(\.[0-9]{1,6})?$`)
	durationForm = regexp.MustCompile(`^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`)
	bytesForm    = regexp.MustCompile(`^[1-9][0-9]{0,9}(k|M|G|Ki|Mi|Gi)?$`)
	percentForm  = regexp.MustCompile(`^([0-9]|[1-9][0-9]|100)%$`)
)

// Decimal is a fraction that YAML may write as a number or as a string ("0.65");
// the resources use strings, since floats do not survive every JSON round trip.
type Decimal float64

// UnmarshalJSON reads a decimal string of at most six decimals. A bare number is
// refused, as the API server refuses it.
func (d *Decimal) UnmarshalJSON(data []byte) error {
	s := strings.Trim(string(data), `"`)
	if len(s) == len(data) {
		return fmt.Errorf("%s is a number; write it as a string, %q", s, s)
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || !decimalForm.MatchString(s) {
		return fmt.Errorf("%q is not a decimal number such as \"0.65\"", s)
	}
	*d = Decimal(v)
	return nil
}

// String is the shortest form without an exponent.
func (d Decimal) String() string { return strconv.FormatFloat(float64(d), 'f', -1, 64) }

// MarshalJSON writes the shortest decimal string.
func (d Decimal) MarshalJSON() ([]byte, error) { return json.Marshal(d.String()) }

// Duration is a time.Duration written as "60s".
type Duration time.Duration

// UnmarshalJSON reads hours, minutes, seconds and milliseconds; nothing negative.
func (d *Duration) UnmarshalJSON(data []byte) error {
	var s string
	if err := json.Unmarshal(data, &s); err != nil {
		return fmt.Errorf("%s is not a duration string such as \"60s\"", data)
	}
	v, err := time.ParseDuration(s)
	if err != nil || !durationForm.MatchString(s) {
		return fmt.Errorf("%q is not a duration such as \"60s\"", s)
	}
	*d = Duration(v)
	return nil
}

// Std is the duration as the standard library has it.
func (d Duration) Std() time.Duration { return time.Duration(d) }

// String is the duration as Go writes it.
func (d Duration) String() string { return d.Std().String() }

// MarshalJSON writes a Go duration string.
func (d Duration) MarshalJSON() ([]byte, error) { return json.Marshal(d.String()) }

// Bytes is a size written as a Kubernetes quantity ("200Mi") or a whole number.
type Bytes int64

// UnmarshalJSON reads a quantity without fractions.
func (b *Bytes) UnmarshalJSON(data []byte) error {
	s := strings.Trim(string(data), `"`)
	n := strings.TrimRight(s, "kMGi")
	v, err := strconv.ParseInt(n, 10, 64)
	if unit := factor(s[len(n):]); err == nil && bytesForm.MatchString(s) && v <= (1<<62)/unit {
		*b = Bytes(v * unit)
		return nil
	}
	return fmt.Errorf("%q is not a whole size such as 200Mi", s)
}

// factor is what the suffix of a quantity multiplies by.
func factor(suffix string) int64 {
	switch suffix {
	case "k":
		return 1e3
	case "M":
		return 1e6
	case "G":
		return 1e9
	case "Ki":
		return 1 << 10
	case "Mi":
		return 1 << 20
	case "Gi":
		return 1 << 30
	}
	return 1
}

// MarshalJSON writes whole bytes.
func (b Bytes) MarshalJSON() ([]byte, error) {
	return json.Marshal(strconv.FormatInt(int64(b), 10))
}

// Allowance is how many of all may fail: a number, or a percentage ("5%").
type Allowance string

// UnmarshalJSON reads a whole number or a percentage.
func (a *Allowance) UnmarshalJSON(data []byte) error {
	s := strings.Trim(string(data), `"`)
	quoted := len(s) != len(data)
	if _, err := strconv.ParseUint(s, 10, 31); (err != nil || quoted) && !percentForm.MatchString(s) {
		return fmt.Errorf("%s is neither a whole number nor a percentage such as \"5%%\"", data)
	}
	*a = Allowance(s)
	return nil
}

// MarshalJSON writes a number as a number, a percentage as a string.
func (a Allowance) MarshalJSON() ([]byte, error) {
	if n, err := strconv.Atoi(string(a)); err == nil {
		return json.Marshal(n)
	}
	return json.Marshal(string(a))
}

// Of returns how many of total may fail; a percentage is rounded down, and an
// empty allowance is none.
func (a Allowance) Of(total int) int {
	if p, ok := strings.CutSuffix(string(a), "%"); ok {
		n, _ := strconv.Atoi(p) // the form was checked when it was decoded; anything else allows nothing
		return total * n / 100
	}
	n, _ := strconv.Atoi(string(a))
	return n
}
