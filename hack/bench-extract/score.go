package main

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// tally counts what was right of what was found and of what there is.
type tally struct{ right, found, there int }

func (t *tally) add(u tally) {
	t.right, t.found, t.there = t.right+u.right, t.found+u.found, t.there+u.there
}

func (t tally) recall() float64 { return share(t.right, t.there) }

// f1 is 1 where there is nothing and nothing was found.
func (t tally) f1() float64 {
	if t.there+t.found == 0 {
		return 1
	}
	return 2 * float64(t.right) / float64(t.there+t.found)
}

func share(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}

// multiset compares two bags of strings.
func multiset(want, got []string) tally {
	t := tally{found: len(got), there: len(want)}
	count := map[string]int{}
	for _, s := range want {
		count[s]++
	}
	for _, s := range got {
		if count[s] > 0 {
			count[s]--
			t.right++
		}
	}
	return t
}

// rowsRight compares rows cell by cell; white space counts as one blank.
func rowsRight(want [][]string, tables []table) tally {
	var w, g []string
	for _, row := range want {
		w = append(w, flat(row))
	}
	for _, t := range tables {
		for _, row := range t.Rows {
			cells := make([]string, len(row))
			for k, c := range row {
				if c != nil {
					cells[k] = *c
				}
			}
			g = append(g, flat(cells))
		}
	}
	return multiset(w, g)
}

func flat(cells []string) string {
	out := make([]string, len(cells))
	for k, c := range cells {
		out[k] = strings.Join(strings.Fields(norm.NFKC.String(c)), " ")
	}
	return strings.Join(out, " | ")
}

// broken finds words that go on on the next line. Poppler mends them.
var broken = regexp.MustCompile(`(\pL)[-‐\x{AD}]\s*\n\s*(\p{Ll})`)

// tokens splits a text at white space, in one Unicode form, words whole.
func tokens(text string) []string {
	text = broken.ReplaceAllString(text, "$1$2")
	return strings.Fields(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || r == 0xAD { // marks of direction, soft hyphens
			return -1
		}
		return r
	}, norm.NFKC.String(text)))
}

// cell is one of a table's cells with what it covers.
type cell struct {
	text           string
	r0, r1, c0, c1 int
}

// cellsOf finds the cells of a grid; nil goes to the cell on its left.
func cellsOf(t table) []cell {
	var out []cell
	for r, row := range t.Rows {
		for c := 0; c < len(row); c++ {
			if row[c] == nil {
				continue
			}
			n := cell{text: *row[c], r0: r, r1: r, c0: c, c1: c}
			if r < len(t.Below) && c < len(t.Below[r]) {
				n.r1 += t.Below[r][c]
			}
			for n.c1+1 < len(row) && row[n.c1+1] == nil {
				n.c1++
			}
			out = append(out, n)
		}
	}
	return out
}

// adjacencies are the pairs of neighbouring cells with text, as ICDAR-2013
// counts them: nearest to the right and below, blank cells passed over.
func adjacencies(cells []cell) []string {
	at := map[[2]int]int{}
	rows, columns := 0, 0
	var texts []string
	for i, c := range cells {
		s := squeeze(c.text)
		texts = append(texts, s)
		rows, columns = max(rows, c.r1+1), max(columns, c.c1+1)
		if s == "" {
			continue
		}
		for r := c.r0; r <= c.r1; r++ {
			for k := c.c0; k <= c.c1; k++ {
				at[[2]int{r, k}] = i + 1
			}
		}
	}
	type pair struct {
		i, j  int
		below bool
	}
	seen := map[pair]bool{}
	var out []string
	note := func(p pair) {
		if p.j > 0 && p.j-1 != p.i && !seen[p] {
			seen[p] = true
			arrow := "→"
			if p.below {
				arrow = "↓"
			}
			out = append(out, texts[p.i]+arrow+texts[p.j-1])
		}
	}
	for i, c := range cells {
		if texts[i] == "" {
			continue
		}
		for r := c.r0; r <= c.r1; r++ {
			k := c.c1 + 1
			for k < columns && at[[2]int{r, k}] == 0 {
				k++
			}
			note(pair{i, at[[2]int{r, k}], false})
		}
		for k := c.c0; k <= c.c1; k++ {
			r := c.r1 + 1
			for r < rows && at[[2]int{r, k}] == 0 {
				r++
			}
			note(pair{i, at[[2]int{r, k}], true})
		}
	}
	return out
}

// squeeze takes out white space and differences of form.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.Is(unicode.Cf, r):
			return -1
		case r == '‐' || r == '‑' || r == '–' || r == '—' || r == '−':
			return '-'
		}
		return r
	}, norm.NFKC.String(s))
}
