package embedded

import "github.com/RoaringBitmap/roaring/v2"

// predicate decides for a slot whether it meets a condition. Where an index knows the
// slots that do, bitmap gives them, and size bounds their number: the planner
// drives a search by the smallest and checks the rest one by one.
type predicate struct {
	check  func(slot uint32) bool
	bitmap func() *roaring.Bitmap // nil: no index knows
	size   int                    // of the bitmap at most, if known
	known  bool
}

func never() predicate {
	return predicate{
		known:  true,
		check:  func(uint32) bool { return false },
		bitmap: roaring.New,
	}
}

func always() predicate { return predicate{check: func(uint32) bool { return true }} }

// ofBitmap tests membership; the bitmap must stay unchanged while the test lives.
func ofBitmap(b *roaring.Bitmap) predicate {
	return predicate{
		known:  true,
		size:   int(b.GetCardinality()),
		check:  b.Contains,
		bitmap: func() *roaring.Bitmap { return b },
	}
}

// all holds if every test does; the smallest known one drives.
func all(tests []predicate) predicate {
	switch len(tests) {
	case 0:
		return always()
	case 1:
		return tests[0]
	}
	driver := -1
	for i, t := range tests {
		if t.known && (driver < 0 || t.size < tests[driver].size) {
			driver = i
		}
	}
	out := predicate{check: func(slot uint32) bool {
		for i := range tests {
			if !tests[i].check(slot) {
				return false
			}
		}
		return true
	}}
	if driver < 0 {
		return out
	}
	out.known, out.size = true, tests[driver].size
	rest := append(append([]predicate{}, tests[:driver]...), tests[driver+1:]...)
	out.bitmap = func() *roaring.Bitmap {
		met := make([]uint32, 0, 64)
		for it := tests[driver].bitmap().Iterator(); it.HasNext(); {
			slot := it.Next()
			if passes(rest, slot) {
				met = append(met, slot)
			}
		}
		return roaring.BitmapOf(met...)
	}
	return out
}

func passes(tests []predicate, slot uint32) bool {
	for i := range tests {
		if !tests[i].check(slot) {
			return false
		}
	}
	return true
}

// some holds if at least least of the tests do.
func some(tests []predicate, least int) predicate {
	if least <= 0 {
		return always()
	}
	if len(tests) < least {
		return never()
	}
	out := predicate{check: func(slot uint32) bool {
		met := 0
		for i := range tests {
			if tests[i].check(slot) {
				if met++; met == least {
					return true
				}
			}
		}
		return false
	}}
	if least != 1 {
		return out
	}
	for _, t := range tests {
		if !t.known {
			return out
		}
		out.size += t.size
	}
	out.known = true
	out.bitmap = func() *roaring.Bitmap {
		parts := make([]*roaring.Bitmap, len(tests))
		for i, t := range tests {
			parts[i] = t.bitmap()
		}
		return roaring.FastOr(parts...)
	}
	return out
}

func not(t predicate) predicate {
	return predicate{check: func(slot uint32) bool { return !t.check(slot) }}
}
