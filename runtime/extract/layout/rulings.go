package layout

import (
	"math"
	"sort"
)

// Rulings are drawn in pieces that nearly meet; these tolerances, in points, put them together.
const (
	snapTolerance  = 2.0  // parallel rulings this close are one (double lines, jitter)
	joinTolerance  = 3.0  // collinear pieces this close are one
	touchTolerance = 3.0  // crossing rulings may miss each other by this
	minRuling      = 5.0  // shorter ones are decoration
	bridgeFactor   = 1.7  // the side of a shaded band goes on across one unshaded row, as high as the band …
	bridgeMax      = 40.0 // … but no further than this
	drawnPart      = 0.75 // of a cell's border must be drawn for the cell to end there
	maxCrossings   = 4e7  // pairs of rulings compared: more is a drawing, not a table
)

// mergeRulings snaps parallel rulings together and joins collinear pieces. The
// result is sorted by position, then start.
func mergeRulings(in []Ruling, vertical bool) []Ruling {
	var rs []Ruling
	for _, r := range in {
		if r.Vertical == vertical {
			rs = append(rs, r)
		}
	}
	snap(rs)
	sort.SliceStable(rs, func(i, j int) bool {
		if rs[i].At != rs[j].At {
			return rs[i].At < rs[j].At
		}
		return rs[i].From < rs[j].From
	})
	var out []Ruling
	for _, r := range rs {
		if n := len(out); n > 0 && out[n-1].At == r.At && r.From <= out[n-1].To+bridge(out[n-1], r) {
			last := &out[n-1]
			last.To = math.Max(last.To, r.To)
			last.Weak = last.Weak && r.Weak
			continue
		}
		out = append(out, r)
	}
	kept := out[:0]
	for _, r := range out {
		if r.To-r.From >= minRuling {
			kept = append(kept, r)
		}
	}
	return kept
}

// snap moves rulings that are nearly at the same position to their mean.
func snap(rs []Ruling) {
	sort.SliceStable(rs, func(i, j int) bool { return rs[i].At < rs[j].At })
	for i := 0; i < len(rs); {
		j, sum := i+1, rs[i].At
		for j < len(rs) && rs[j].At-rs[j-1].At <= snapTolerance && rs[j].At-rs[i].At <= 2*snapTolerance {
			sum += rs[j].At
			j++
		}
		mean := sum / float64(j-i)
		for k := i; k < j; k++ {
			rs[k].At = mean
		}
		i = j
	}
}

// bridge is the gap across which the next piece of a ruling still belongs to it.
func bridge(last, next Ruling) float64 {
	if next.Vertical && next.Weak && last.Weak {
		return math.Min(bridgeFactor*(next.To-next.From), bridgeMax)
	}
	return joinTolerance
}

// mesh is a set of rulings that touch each other.
type mesh struct{ across, down []Ruling }

// meshes groups rulings that touch; ok is false when there are too many to compare.
func meshes(across, down []Ruling) (out []mesh, ok bool) {
	if float64(len(across))*float64(len(down)) > maxCrossings {
		return nil, false
	}
	sets := newSets(len(across) + len(down))
	for i, a := range across {
		lo := sort.Search(len(down), func(j int) bool { return down[j].At >= a.From-touchTolerance })
		for j := lo; j < len(down) && down[j].At <= a.To+touchTolerance; j++ {
			if a.At >= down[j].From-touchTolerance && a.At <= down[j].To+touchTolerance {
				sets.union(i, len(across)+j)
			}
		}
	}
	index := map[int]int{}
	at := func(i int) *mesh {
		root := sets.find(i)
		k, seen := index[root]
		if !seen {
			k = len(out)
			index[root] = k
			out = append(out, mesh{})
		}
		return &out[k]
	}
	for i, r := range across {
		m := at(i)
		m.across = append(m.across, r)
	}
	for i, r := range down {
		m := at(len(across) + i)
		m.down = append(m.down, r)
	}
	return out, true
}

// positions returns where rulings stand, those within the snap tolerance once.
func positions(rs []Ruling) []float64 {
	var out []float64
	for _, r := range rs {
		if n := len(out); n == 0 || r.At-out[n-1] > snapTolerance {
			out = append(out, r.At)
		}
	}
	return out
}

// drawn reports whether most of a border is drawn; rs is sorted by position.
func drawn(rs []Ruling, at, from, to float64) bool {
	covered := 0.0
	lo := sort.Search(len(rs), func(i int) bool { return rs[i].At >= at-snapTolerance })
	for _, r := range rs[lo:] {
		if r.At > at+snapTolerance {
			break
		}
		covered += math.Max(0, math.Min(r.To, to)-math.Max(r.From, from))
	}
	return covered >= drawnPart*(to-from)
}

// sets is a union-find over small integers.
type sets []int

func newSets(n int) sets {
	s := make(sets, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func (s sets) find(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// union joins b's set to a's: a's root becomes the root.
func (s sets) union(a, b int) { s[s.find(b)] = s.find(a) }
