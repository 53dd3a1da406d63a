package english

import "strings"

// Bare is an identifier without its joiners: file names write ACM-24-0017 or
// ACM_24_0017 for ACM/24-0017.
func Bare(code string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("/-._", r) {
			return -1
		}
		return r
	}, code)
}

const (
	most   = 4 // parts of an identifier in a file name
	suffix = 2 // letters of a part that makes it another one
)

// Joined returns the identifiers that a file name may spell with underscores:
// INV-2026-0042 of INV_2026_0042_Brightwater, beside others that are none.
func Joined(name string) []Token {
	parts := strings.FieldsFunc(name, func(r rune) bool { return r == '_' })
	var out []Token
	for i := range parts {
		for n := 2; n <= most && i+n <= len(parts); n++ {
			s := strings.ToLower(strings.Join(parts[i:i+n], "-"))
			if i+n < len(parts) && len(parts[i+n]) <= suffix {
				continue // INV_2026_0042_R is another paper than INV_2026_0042
			}
			if d, l := census(parts[i+n-1]); d > 0 && l == 0 && strings.ContainsAny(s, "abcdefghijklmnopqrstuvwxyz") {
				out = append(out, literal(s, Code, 0))
			}
		}
	}
	return out
}
