package prose

import "regexp"

// stance says which way money goes for whoever asks: what we are charged, or what
// we get. Terms of trade print both, for two sides, with different figures.
type stance int

const (
	neither stance = iota
	pays
	gets
)

var (
	paysUs = regexp.MustCompile(`(?i)\b(?:cost|costs|charge|charged|bill|billed|invoice|add)\b[^.?]{0,20}\b(?:us|me|our)\b|\b(?:we|i)\b(?: still| have to| must| would| will)*\b (?:pay|owe|be (?:charged|billed))\b|\b(?:do|would|will) (?:we|i)\b[^.?]{0,12}\b(?:pay|owe)\b|\bdo you (?:charge|bill|invoice)\b|\b(?:you|your) (?:charge|bill)\b`)
	getsUs = regexp.MustCompile(`(?i)\b(?:pay|pays|paid|owe|owes|send|reimburse|compensate|give)\b (?:to )?(?:us|me)\b|\b(?:we|i)\b(?: would| will| do| can)*\b (?:get|receive|earn|be paid)\b|\bwould (?:we|i)\b (?:get|receive)|\b(?:our|my) (?:money|pay)\b`)

	// what clauses say of those who deal with the house.
	paysThey = regexp.MustCompile(`(?i)\b(?:customer|client|buyer|hirer|tenant|council|shipper)s?\b[^.;]{0,60}\b(?:is|are|be) (?:billed|charged|invoiced)\b|\b(?:charged|billed|invoiced) to (?:the|a|every|each) \w+\b|\b(?:customer|client|buyer|hirer)s?\b pays?\b`)
	getsThey = regexp.MustCompile(`(?i)\b(?:carrier|supplier|vendor|subcontractor|contractor|haulier|yard|driver|seller)\b[^.;]{0,60}\b(?:earns?|receives?|is paid|are paid|gets?)\b|\bpays (?:the|a|every|each) (?:carrier|supplier|vendor|yard|haulier|contractor)\b`)
)

// stanceOf reads which way the money of a question goes.
func stanceOf(text string) stance {
	out, in := paysUs.MatchString(text), getsUs.MatchString(text)
	switch {
	case out && !in:
		return pays
	case in && !out:
		return gets
	}
	return neither
}

// against reports whether a clause speaks only of money that goes the other way.
func (s stance) against(w *window) bool {
	text := w.heading + ". " + w.text
	out, in := paysThey.MatchString(text), getsThey.MatchString(text)
	return s == pays && in && !out || s == gets && out && !in
}
