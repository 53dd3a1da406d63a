package layout

import "slices"

// header finds the lines that name the columns: the first line without digits that
// has a name for most of them, and those right beside it; or dashes below each name.
func (b *block) header() {
	b.names = b.names[:0]
	most := (len(b.clear) + 2) / 2
	first := slices.IndexFunc(b.lines, func(l gridLine) bool {
		return !l.odd && b.columnsOf(&l) >= most && (l.rule && l.pieces() > 2 || !l.rule && !b.gs.hasDigits(&l))
	})
	if first < 0 {
		return
	}
	b.names = append(b.names, first)
	above := func(i int) bool { // it goes on with the line below it
		l := &b.lines[i]
		step := b.lines[i+1].base - l.base
		return !l.odd && !l.rule && !b.gs.hasDigits(l) && step <= keylessEm*b.gs[l.glyphs[0]].Size
	}
	for i := first - 1; i >= 0 && above(i) && len(b.names) < seamNames; i-- {
		b.names = append(b.names, i)
	}
	if b.lines[first].rule {
		return
	}
	for i := first + 1; i < len(b.lines) && i < first+seamNames; i++ {
		l := &b.lines[i]
		if l.rule && l.pieces() > 2 {
			b.names = append(b.names, i)
		}
		if l.rule || l.odd || b.gs.hasDigits(l) || !b.lines[min(i+1, len(b.lines)-1)].rule {
			return
		}
		b.names = append(b.names, i)
	}
}

// top is the first line of names, 0 without any.
func (b *block) top() int {
	if len(b.names) == 0 {
		return 0
	}
	return slices.Min(b.names)
}

// columnsOf counts the columns in which a line has text.
func (b *block) columnsOf(l *gridLine) int {
	n, from := 0, 0
	for k := 0; k <= len(b.clear); k++ {
		to := len(l.marks)
		if k < len(b.clear) {
			to = b.clear[k].to - 1
		}
		for x := from; x < to; x++ {
			if l.at(x) == inkCell {
				n++
				break
			}
		}
		from = to
	}
	return n
}

// pieces counts the runs of a line's cells with ink.
func (l *gridLine) pieces() int {
	n := 0
	for x, m := range l.marks {
		if m == inkCell && l.at(x-1) != inkCell {
			n++
		}
	}
	return n
}
