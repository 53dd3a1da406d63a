package lexical

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// IDs returns the id-like tokens of a text, folded, sorted and unique: codes of
// letters and digits, written together or with / - . _ between, such as ST001,
// CT-88231, AX-42 or STL/2025-26/003. A passage and a question are read alike.
//
// No ids are: amounts, quantities with their unit (12kg, 30-day), dates, years,
// times, ordinals, percentages, fiscal periods (Q1, H2, FY25), numbered
// references (no.3, p.12, page-4), tokens of one digit (B2, Q9) and codes of
// digits alone, which can't be told from numbers.
func IDs(text string) []string {
	var out []string
	for w := range words(fold(text)) {
		if identifies(w.text) {
			out = append(out, w.text)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

var (
	letterRuns = regexp.MustCompile(`\p{L}+`)

	// quantity: a number and a unit; the hyphen is that of "30-day".
	quantity = regexp.MustCompile(`^\d+(?:\.\d+)?[-/]?(?:st|nd|rd|th|am|pm|[kmgt]?b|[kmc]?m|mm|in|ft|yd|mi|kg|g|mg|t|lb|lbs|oz|ml|l|` +
		`k|mn|bn|cr|crore|crores|lakh|lakhs|million|billion|x|s|sec|secs|ms|min|mins|minute|minutes|h|hr|hrs|hour|hours|hourly|` +
		`d|day|days|night|nights|w|wk|wks|week|weeks|mo|month|months|monthly|y|yr|yrs|year|years|yearly|` +
		`kw|kwh|mw|mwh|v|a|hz|khz|mhz|ghz|rpm|psi|bar|c|f|pt|px|dpi|sqft|sqm|usd|eur|gbp|inr|rs|` +
		`point|points|page|pages|pg|mile|miles|foot|feet|inch|inches|person|people|times|fold|phase|part|parts|step|digit|odd)$`)

	// period: quarters, halves and fiscal years, with or without their year.
	period = regexp.MustCompile(`^(?:q[1-4]|h[12]|fy)[-/_.]?(?:\d{2,4})?(?:-\d{2,4})?$|^\d{2,4}[-/_.]?(?:q[1-4]|h[12])$`)

	// reference: an abbreviation and a number. Written together, "p12" is one too.
	reference = regexp.MustCompile(`^(?:nos?|pp?|pgs?|pages?|figs?|vol|ch|chap|chapter|sec|section|art|article|cl|clause|eq|ex|para|items?|lines?|rows?|tables?|steps?|rs|inr|usd|eur|gbp)[-./]?\d+(?:\.\d+)*$`)

	timestamp = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}t\d`)

	month = regexp.MustCompile(`^(?:jan|january|feb|february|mar|march|apr|april|may|jun|june|jul|july|aug|august|sep|sept|september|oct|october|nov|november|dec|december)$`)
)

func identifies(s string) bool {
	letters, digits := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		case !strings.ContainsRune("/-._", r): // a currency, a time's colon, an apostrophe
			return false
		}
	}
	// Two digits, and four signs in all or three around a joiner: B12 and Q09 are no codes, D-14 is.
	least := 4
	if strings.ContainsAny(s, "/-._") {
		least = 3
	}
	if letters == 0 || digits < 2 || letters+digits < least {
		return false
	}
	if quantity.MatchString(s) || period.MatchString(s) || reference.MatchString(s) || timestamp.MatchString(s) {
		return false
	}
	return !date(s)
}

// date holds where every letter belongs to a month's name or an ordinal: 12-apr-2025, april_2025, 3rd-may-25.
func date(s string) bool {
	months := 0
	for _, run := range letterRuns.FindAllString(s, -1) {
		switch {
		case month.MatchString(run):
			months++
		case slices.Contains([]string{"st", "nd", "rd", "th"}, run):
		default:
			return false
		}
	}
	return months > 0
}
