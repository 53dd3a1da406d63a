package main

import (
	"fmt"
	"strconv"
)

// paise is an amount of money in hundredths: of a rupee, or of whatever
// currency a sample uses.
type paise int64

// rupees makes an amount from whole units.
func rupees(n int) paise { return paise(n) * 100 }

// indian prints whole units grouped 3, 2, 2: 4,71,900.
func (p paise) indian() string { return group(int64(p)/100, 2) }

// indianDecimals prints two decimals, grouped 3, 2, 2: 4,71,900.00.
func (p paise) indianDecimals() string {
	return fmt.Sprintf("%s.%02d", group(int64(p)/100, 2), int64(p)%100)
}

// western prints two decimals, grouped by thousands: 471,900.00.
func (p paise) western() string {
	return fmt.Sprintf("%s.%02d", group(int64(p)/100, 3), int64(p)%100)
}

// group puts commas into a natural number: three digits at the end, then every
// further n.
func group(v int64, n int) string {
	s := strconv.FormatInt(v, 10)
	if len(s) <= 3 {
		return s
	}
	head, out := s[:len(s)-3], ","+s[len(s)-3:]
	for len(head) > n {
		out = "," + head[len(head)-n:] + out
		head = head[:len(head)-n]
	}
	return head + out
}

// percent takes a whole percentage, rounded half up to a whole unit.
func (p paise) percent(n int64) paise { return (p*paise(n)/100 + 50) / 100 * 100 }

// share takes a whole percentage, rounded half up to a hundredth.
func (p paise) share(n int64) paise { return (p*paise(n) + 50) / 100 }
