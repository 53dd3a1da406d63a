package layout

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What stands in columns and is no table: lists, equations and their numbers,
// tables of contents, the index of a book, the blanks of a form, charts.
const (
	contentsRows = 4   // entries of a table of contents at least …
	contentsMark = 0.5 // … of which so many are numbered, or led to their page by dots
	equationRows = 2   // numbered equations
	indexRows    = 8   // rows of an index at least
	indexShare   = 0.8 // of its cells are a term and its pages
	formShare    = 0.5 // of what stands beside the labels is a blank
	programShare = 0.5 // of the lines end as those of a program do
	outlineSteps = 2   // columns in which an outline's markers stand at least
	bulletLines  = 2   // items for each different bullet: a list of signs has one each
)

// prosaic reports whether what stands in columns is none of a table's.
func prosaic(lines []record, rtl bool) bool {
	return listed(lines, rtl) || outlined(lines) || lineNumbers(lines) ||
		equations(lines) || contents(lines) || indexed(lines) || form(lines) || charted(lines) || program(lines)
}

// statement is the end of a line of a program, or a remark in it.
var statement = regexp.MustCompile(`[;{}]$|^[{}]|^(/\*|//).|\*/$`)

// program reports whether most lines are those of a program, whose words and signs
// stand below each other.
func program(lines []record) bool {
	rows, code := 0, 0
	for i := range lines {
		text := lines[i].joined()
		if text == "" {
			continue
		}
		rows++
		if statement.MatchString(text) {
			code++
		}
	}
	return float64(code) >= programShare*float64(rows)
}

// joined is the text of all cells.
func (r *record) joined() string {
	var out []string
	for k := range r.cells {
		if s := strings.TrimSpace(r.cells[k].Text); s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, " ")
}

// bullet is a sign that marks the items of a list, whatever their length: those
// of symbol fonts have no meaning of their own. Signs that stand for a value, as a
// dash or a currency, are none.
var bullet = regexp.MustCompile(`^[\p{So}\p{Co}•·‣⁃∙]$`)

// outlined reports whether (nearly) all lines are items behind a bullet, or
// behind markers of several levels, each in a column of its own. Items may stand
// beside each other, each with its marker.
func outlined(lines []record) bool {
	steps, signs, bullets, items, others := map[int]bool{}, map[string]bool{}, 0, 0, 0
	for i := range lines {
		if lines[i].filled < 2 {
			continue
		}
		marked, pointed, item := true, true, false // what follows a marker is its item
		for k := range lines[i].cells {
			s := lines[i].cells[k].Text
			switch {
			case s == "":
			case item:
				item = false
			case bullet.MatchString(s):
				item, steps[k], signs[s] = true, true, true
			case listMarker.MatchString(s):
				item, steps[k], pointed = true, true, false
			default:
				marked = false
			}
		}
		switch {
		case !marked || item:
			others++
		case pointed:
			bullets++
			fallthrough
		default:
			items++
		}
	}
	pointed := bullets > others && 2*bullets > items && len(signs)*bulletLines <= bullets
	return items > others && (pointed || len(steps) >= outlineSteps && others == 0)
}

// equationNumber is what stands at the right of an equation.
var equationNumber = regexp.MustCompile(`^\((?:[0-9A-Z]{1,2}\.)*([0-9]{1,3})([a-z]?)\)$`)

// equations reports whether the last column holds nothing but the numbers of
// equations, one after the other.
func equations(lines []record) bool {
	n, last := 0, 0
	for i := range lines {
		s := lines[i].cells[len(lines[i].cells)-1].Text
		if s == "" {
			continue
		}
		m := equationNumber.FindStringSubmatch(s)
		if m == nil {
			return false
		}
		at, _ := strconv.Atoi(m[1]) // of digits alone
		if n > 0 && at != last+1 && (m[2] == "" || at != last) {
			return false
		}
		n, last = n+1, at
	}
	return n >= equationRows
}

// section begins with the number of a section below another one; leaders lead to a page.
var (
	section = regexp.MustCompile(`^[0-9A-Z]{1,2}(\.[0-9]{1,2})+\.?(\s|$)`)
	chapter = regexp.MustCompile(`^([0-9]{1,2}|[A-Z])\.?$`)
	leaders = regexp.MustCompile(`(\. ?){4,}|…{2,}`)
	pages   = regexp.MustCompile(`^[0-9]{1,3}$`)
)

// contents reports whether the rows are sections and the pages on which they
// begin: these never go back.
func contents(lines []record) bool {
	n, marked, chapters, first, last := 0, 0, 0, 0, 0
	for i := range lines {
		cells := lines[i].cells
		end := cells[len(cells)-1].Text
		if end == "" {
			continue
		}
		at, err := strconv.Atoi(end)
		if err != nil || !pages.MatchString(end) || at < last {
			return false
		}
		if n == 0 {
			first = at
		}
		n, last = n+1, at
		k := slices.IndexFunc(cells, func(c Cell) bool { return c.Text != "" })
		switch s := cells[k].Text; {
		case section.MatchString(s) || leaders.MatchString(s) || k+1 < len(cells) && leaders.MatchString(cells[k+1].Text):
			marked++
		case chapter.MatchString(s) && k+2 < len(cells) && letters(cells[k+1].Text) > 0:
			chapters++
		}
	}
	return n >= contentsRows && first < last && (float64(marked) >= contentsMark*float64(n) || chapters == n)
}

// indexEntry is a term of an index and the pages on which it stands.
var indexEntry = regexp.MustCompile(`^\PN*\p{L}\PN*,( ?[0-9]{1,4}([-–][0-9]{1,4})?,?)+$`)

// indexed reports whether nearly all cells are entries of an index.
func indexed(lines []record) bool {
	cells, entries := 0, 0
	for i := range lines {
		for k := range lines[i].cells {
			if s := lines[i].cells[k].Text; s != "" {
				cells++
				if indexEntry.MatchString(s) {
					entries++
				}
			}
		}
	}
	return len(lines) >= indexRows && float64(entries) >= indexShare*float64(cells)
}

// blank is a line or a box to be filled in, or a choice behind a box.
var blank = regexp.MustCompile(`^([_.…‥ ]{3,}|[☐□▢◻❏❑○◯].*)$`)

// form reports whether the cells behind the first of each row are blanks to be
// filled in, beside their labels.
func form(lines []record) bool {
	cells, blanks := 0, 0
	for i := range lines {
		first := true
		for k := range lines[i].cells {
			s := strings.TrimSpace(lines[i].cells[k].Text)
			if s == "" {
				continue
			}
			if !first && !strings.HasSuffix(s, ":") {
				cells++
				if blank.MatchString(s) {
					blanks++
				}
			}
			first = false
		}
	}
	return blanks > 1 && float64(blanks) >= formShare*float64(cells)
}
