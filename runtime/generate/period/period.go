// Package period finds months, years and days in text, so that a question about
// April 2025 is answered from April 2025 or not at all.
package period

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Period is a year, a month, a day, or a quarter of a year; 0 where not said.
type Period struct{ Year, Month, Day, Quarter int }

// String names the period as a person would.
func (p Period) String() string {
	name := ""
	if p.Month > 0 {
		name = strings.ToUpper(months[p.Month-1][:1]) + months[p.Month-1][1:]
	}
	if p.Day > 0 {
		name = strconv.Itoa(p.Day) + " " + name
	}
	if p.Quarter > 0 {
		name = fmt.Sprintf("Q%d", p.Quarter)
	}
	if p.Year > 0 {
		name = strings.TrimSpace(name + " " + strconv.Itoa(p.Year))
	}
	return name
}

// Covers reports whether q lies in p: everything p says, q says too.
func (p Period) Covers(q Period) bool {
	return (p.Year == 0 || p.Year == q.Year) && (p.Month == 0 || p.Month == q.Month) &&
		(p.Day == 0 || p.Day == q.Day) && (p.Quarter == 0 || p.Quarter == q.Quarter || q.Month > 0 && (q.Month+2)/3 == p.Quarter)
}

// Found is a period with the bytes of the text that say it.
type Found struct {
	Period
	Start, End int
}

var months = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

const month = `(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`

const year = `((?:19|20)\d\d)`

// rule is one way of writing a period; its groups are named by order.
type rule struct {
	pattern *regexp.Regexp
	order   string // which of y m d q n (n: month as a number) each group is
}

// rules are tried in order; what an earlier one took, a later one leaves. Text
// edges are anything but letters and digits.
var rules = []rule{
	{regexp.MustCompile(`(?i)` + year + `-(\d\d)-(\d\d)(?:T[\d:]+Z?)?`), "ynd"},
	{regexp.MustCompile(`(?i)(\d{1,2})(?:st|nd|rd|th)?[ \-_/.]*(?:of )?` + month + `\.?[ ,\-_/.']*` + year), "dmy"},
	{regexp.MustCompile(`(?i)` + month + `\.? (\d{1,2})(?:st|nd|rd|th)?,? ` + year), "mdy"},
	{regexp.MustCompile(`(?i)` + month + `\.?[ ,\-_/.']*(?:of )?` + year), "my"},
	{regexp.MustCompile(`(?i)` + year + `[ \-_/.]*` + month), "ym"},
	{regexp.MustCompile(`(?i)` + month + `[\-']+(\d\d)`), "ms"},
	{regexp.MustCompile(`(?i)` + year + `[\-/](0[1-9]|1[0-2])`), "yn"},
	{regexp.MustCompile(`(?i)(0[1-9]|1[0-2])[\-/]` + year), "ny"},
	{regexp.MustCompile(`(?i)Q([1-4])[ \-_/]*(?:of )?` + year), "qy"},
	{regexp.MustCompile(`(?i)(\d{1,2})(?:st|nd|rd|th)? (?:of )?` + month), "dm"},
	{regexp.MustCompile(`(?i)` + month + ` (\d{1,2})(?:st|nd|rd|th)?`), "md"},
	{regexp.MustCompile(`(?i)` + month), "m"},
	{regexp.MustCompile(year), "y"},
}

// Find returns the periods in text, as written. "may" and "march" in small
// letters are verbs, unless a year or a day stands beside them.
func Find(text string) []Found {
	var out []Found
	for _, r := range rules {
		for _, m := range r.pattern.FindAllStringSubmatchIndex(text, -1) {
			f := Found{Start: m[0], End: m[1]}
			if inside(text, f) || taken(out, f) || r.order == "m" && verb(text, f) {
				continue
			}
			if r.read(text, m, &f.Period) {
				out = append(out, f)
			}
		}
	}
	slices.SortFunc(out, func(a, b Found) int { return a.Start - b.Start })
	return out
}

func (r rule) read(text string, m []int, p *Period) bool {
	for i, kind := range r.order {
		s := text[m[2*i+2]:m[2*i+3]]
		n, _ := strconv.Atoi(s)
		switch kind {
		case 'y':
			p.Year = n
		case 's':
			p.Year = 2000 + n
		case 'n':
			p.Month = n
		case 'd':
			p.Day = n
		case 'q':
			p.Quarter = n
		case 'm':
			p.Month = 1 + slices.IndexFunc(months, func(name string) bool { return name[:3] == strings.ToLower(s[:3]) })
		}
	}
	return p.Month <= 12 && p.Day <= 31
}

// inside reports whether the match is a piece of a longer word or number:
// STL/2025-26/003 names no year.
func inside(text string, f Found) bool {
	return f.Start > 0 && (wordy(text[f.Start-1]) || text[f.Start-1] == '/' || text[f.Start-1] == '-' && f.Start > 1 && wordy(text[f.Start-2])) ||
		f.End < len(text) && (wordy(text[f.End]) || strings.IndexByte("/-", text[f.End]) >= 0 && f.End+1 < len(text) && digit(text[f.End+1]))
}

func wordy(c byte) bool { return digit(c) || c|32 >= 'a' && c|32 <= 'z' || c == '#' }

func digit(c byte) bool { return c >= '0' && c <= '9' }

func taken(found []Found, f Found) bool {
	return slices.ContainsFunc(found, func(o Found) bool { return f.Start < o.End && o.Start < f.End })
}

// verb reports whether a lone "may" or "march" reads as a verb: in small
// letters, or first in its sentence ("May I …").
func verb(text string, f Found) bool {
	w := text[f.Start:f.End]
	if l := strings.ToLower(w); l != "may" && l != "march" && l != "mar" {
		return false
	}
	return w == strings.ToLower(w) || strings.TrimSpace(text[:f.Start]) == ""
}

var slashed = regexp.MustCompile(`^\s*(\d{1,2})[/.\-](\d{1,2})[/.\-]((?:19|20)\d\d)\s*$`)

// Slashed reads a cell such as 18-04-2025, day first or month first, when only
// one of the two is possible.
func Slashed(cell string) (Period, bool) {
	m := slashed.FindStringSubmatch(cell)
	if m == nil {
		return Period{}, false
	}
	a, _ := strconv.Atoi(m[1])
	b, _ := strconv.Atoi(m[2])
	y, _ := strconv.Atoi(m[3])
	switch {
	case a > 12 && b >= 1 && b <= 12 && a <= 31:
		return Period{Year: y, Month: b, Day: a}, true
	case b > 12 && a >= 1 && a <= 12 && b <= 31:
		return Period{Year: y, Month: a, Day: b}, true
	case a == b && a >= 1 && a <= 12:
		return Period{Year: y, Month: a, Day: a}, true
	}
	return Period{}, false
}
