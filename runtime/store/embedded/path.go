package embedded

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/qdrant/go-client/qdrant"
)

// path addresses values in a payload: a key, then .key, [n] or [].
// Keys of other characters than letters, digits, - and _ stand in quotes.
type path []step

type step struct {
	kind  stepKind
	key   string // of a keyStep
	index int    // of an indexStep
}

type stepKind uint8

const (
	keyStep stepKind = iota
	indexStep
	anyStep // every element of an array
)

// parsePath reads a path, or refuses it with Qdrant's words.
func parsePath(s string) (path, error) {
	out, ok := scanPath(s)
	if !ok {
		return nil, invalid("Invalid json path: '%s'", s)
	}
	return out, nil
}

func scanPath(s string) (path, bool) {
	key, rest, ok := scanKey(s)
	if !ok {
		return nil, false
	}
	out := path{{kind: keyStep, key: key}}
	for rest != "" {
		switch {
		case rest[0] == '.':
			if key, rest, ok = scanKey(rest[1:]); !ok {
				return nil, false
			}
			out = append(out, step{kind: keyStep, key: key})
		case strings.HasPrefix(rest, "[]"):
			out, rest = append(out, step{kind: anyStep}), rest[2:]
		case rest[0] == '[':
			digits, after, found := strings.Cut(rest[1:], "]")
			n, err := strconv.ParseUint(digits, 10, 31)
			if !found || err != nil || strings.HasPrefix(digits, "+") {
				return nil, false
			}
			out, rest = append(out, step{kind: indexStep, index: int(n)}), after
		default:
			return nil, false
		}
	}
	return out, true
}

func scanKey(s string) (key, rest string, ok bool) {
	if strings.HasPrefix(s, `"`) {
		key, rest, ok = strings.Cut(s[1:], `"`)
		return key, rest, ok && !strings.Contains(key, `\`)
	}
	n := 0
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		if !plain(r) {
			break
		}
		n += size
	}
	return s[:n], s[n:], n > 0
}

// plain reports whether a character may stand in a key without quotes.
func plain(r rune) bool {
	return r == '_' || r == '-' || unicode.IsLetter(r) || unicode.IsNumber(r)
}

// String is the one spelling by which an index is known.
func (p path) String() string {
	var b strings.Builder
	for i, s := range p {
		switch s.kind {
		case indexStep:
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case anyStep:
			b.WriteString("[]")
		default:
			if i > 0 {
				b.WriteByte('.')
			}
			if _, rest, ok := scanKey(s.key); ok && rest == "" && !strings.HasPrefix(s.key, `"`) {
				b.WriteString(s.key)
			} else {
				b.WriteString(`"` + s.key + `"`)
			}
		}
	}
	return b.String()
}

// elements is the path with [] at its end.
func (p path) elements() path {
	if p[len(p)-1].kind == anyStep {
		return p
	}
	return append(append(path{}, p...), step{kind: anyStep})
}

// join puts a path below a prefix; a nil prefix is none.
func (p path) join(below path) path {
	if p == nil {
		return below
	}
	return append(append(path{}, p...), below...)
}

// values collects what stands at the path. A path into an array needs [] or [n].
func (p path) values(fields map[string]*qdrant.Value) []*qdrant.Value {
	v, ok := fields[p[0].key]
	if !ok {
		return nil
	}
	return collect(p[1:], v, nil)
}

func collect(p path, v *qdrant.Value, out []*qdrant.Value) []*qdrant.Value {
	if len(p) == 0 {
		return append(out, v)
	}
	switch p[0].kind {
	case keyStep:
		if child, ok := v.GetStructValue().GetFields()[p[0].key]; ok {
			return collect(p[1:], child, out)
		}
	case indexStep:
		if items := v.GetListValue().GetValues(); p[0].index < len(items) {
			return collect(p[1:], items[p[0].index], out)
		}
	case anyStep:
		for _, item := range v.GetListValue().GetValues() {
			out = collect(p[1:], item, out)
		}
	}
	return out
}

// overlaps reports whether a change at one path may show at the other: up to where
// one of them ends or enters an array, they have the same keys.
func (p path) overlaps(q path) bool {
	for i := range min(len(p), len(q)) {
		if p[i].kind != keyStep || q[i].kind != keyStep {
			return true
		}
		if p[i].key != q[i].key {
			return false
		}
	}
	return true
}
