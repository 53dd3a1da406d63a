package grid

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/english"
)

// total is how rows that add others up begin.
var total = regexp.MustCompile(`(?i)^(?:(?:grand|sub|net|page|overall|gross|invoice|final|column)[\s-]*)*(?:total|totals|sum|average|avg|balance due|amount due|amount payable|round(?:ed)?[\s-]?off|carried forward|brought forward|c/f|b/f)\b|^.{0,40}\b(?:sub|grand)?[\s-]?totals?\s*[:(]?[^a-z]*$`)

// charge is how rows of an invoice begin that come after its items.
var charge = regexp.MustCompile(`(?i)^(?:add|less|plus)?\s*:?\s*(?:[csi]gst|[cs]gst|igst|utgst|gst|vat|sales tax|service tax|tax|discount|freight|shipping|delivery|packing|tcs|tds|cess|taxable (?:value|amount)|amount in words)\b`)

// understand tells the rows apart, then names the columns' kinds, the key and
// the name column.
func (t *Table) understand(rows []Row) {
	t.pad(rows)
	t.classify(rows)
	t.findKey(rows)
	group, section := "", ""
	for _, r := range rows {
		if r.Group != section {
			section, group = r.Group, r.Group
		}
		switch label, kind := t.sort(r); kind {
		case summaryRow:
			t.Summaries = append(t.Summaries, Summary{Label: label, Cells: r.Cells, Refs: r.Refs, Group: group, After: len(t.Rows)})
		case headingRow:
			group = label
		case continuation:
			t.extend(r)
		default:
			r.Group = group
			t.Rows = append(t.Rows, r)
		}
	}
	t.classify(t.Rows) // again, with the totals out of the way
	t.findKey(t.Rows)
	if all := len(t.Rows); all > 2 {
		if t.subtotals(); len(t.Rows) < all {
			t.classify(t.Rows)
			t.findKey(t.Rows)
		}
	}
	if t.hasGroups() {
		t.groupColumn()
	}
}

// pad gives every row as many cells as there are columns, and a table whose
// header is unknown nameless columns.
func (t *Table) pad(rows []Row) {
	wide := len(t.Columns)
	for _, r := range rows {
		wide = max(wide, len(r.Cells))
	}
	for len(t.Columns) < wide {
		t.Columns = append(t.Columns, Column{})
	}
	for i := range rows {
		for len(rows[i].Cells) < wide {
			rows[i].Cells = append(rows[i].Cells[:len(rows[i].Cells):len(rows[i].Cells)], "")
		}
	}
}

func (t *Table) classify(rows []Row) {
	for i := range t.Columns {
		cells := make([]string, len(rows))
		for n, r := range rows {
			cells[n] = r.Cell(i)
		}
		t.Columns[i].classify(cells)
	}
}

type sorted int

const (
	dataRow sorted = iota
	summaryRow
	headingRow
	continuation
)

// sort says what a row is. A row whose key is an identifier is data, whatever
// else it says: an item may be called "Total station".
func (t *Table) sort(r Row) (label string, kind sorted) {
	label, filled, figures := t.tally(r)
	keyless := t.Key >= 0 && Blank(r.Cell(t.Key))
	switch {
	case filled == 0:
		return "", continuation
	case t.identified(r):
		return label, dataRow
	case total.MatchString(label), charge.MatchString(label) && (filled <= 2 || filled == 3 && keyless):
		return label, summaryRow
	case label == "" && keyless && figures == filled && len(t.Rows) > 1:
		return "", summaryRow // figures alone under the columns, naming nobody
	case filled == 1 && figures == 0 && len(t.Columns) > 2 && t.heads(r):
		return label, headingRow
	case keyless && figures == 0 && len(t.Rows) > 0: // text alone: the row above goes on
		return label, continuation
	}
	return label, dataRow
}

// tally counts a row's filled cells and those with a figure, and returns the first
// that has letters.
func (t *Table) tally(r Row) (label string, filled, figures int) {
	for i, c := range r.Cells {
		if Blank(c) {
			continue
		}
		filled++
		if label == "" && strings.ContainsFunc(c, isLetter) {
			label = strings.TrimSpace(c)
		}
		if _, ok := t.Columns[i].Amount(c); ok {
			figures++
		}
	}
	return label, filled, figures
}

// identified reports whether a row's key is an identifier or a serial number.
func (t *Table) identified(r Row) bool {
	if t.Key < 0 || !strings.ContainsAny(r.Cell(t.Key), "0123456789") {
		return false
	}
	kind := t.Columns[t.Key].Kind
	return kind == Codes || kind == Serial
}

// heads reports whether a row with one filled cell is a heading over rows: the
// cell stands in the first column, or in the first that is not serial.
func (t *Table) heads(r Row) bool {
	for i, c := range r.Cells {
		if Blank(c) {
			if t.Columns[i].Kind == Serial {
				continue
			}
			return false
		}
		return true
	}
	return false
}

// extend joins a continuation line to the last row, cell by cell.
func (t *Table) extend(r Row) {
	if len(t.Rows) == 0 {
		return
	}
	last := &t.Rows[len(t.Rows)-1]
	cells := append([]string(nil), last.Cells...)
	for i, c := range r.Cells {
		if !Blank(c) && i < len(cells) {
			cells[i] = strings.TrimSpace(cells[i] + " " + strings.TrimSpace(c))
		}
	}
	last.Cells = cells
	last.Refs = append(last.Refs[:len(last.Refs):len(last.Refs)], r.Refs...)
}

func (t *Table) hasGroups() bool {
	for _, r := range t.Rows {
		if r.Group != "" {
			return true
		}
	}
	return false
}

// groupColumn makes the headings above the rows a column of its own, so that
// they can be asked for like any other.
func (t *Table) groupColumn() {
	t.Columns = append(t.Columns, Column{Name: "", Kind: Text})
	for i := range t.Rows {
		t.Rows[i].Cells = append(t.Rows[i].Cells[:len(t.Rows[i].Cells):len(t.Rows[i].Cells)], t.Rows[i].Group)
	}
}

// findKey picks the column that names a row: one of identifiers whose header
// names the row's subject, else serial numbers, else the first text column; and
// the column that a person would call a row by.
func (t *Table) findKey(rows []Row) {
	t.Key, t.Name = -1, -1
	best := 0
	for i, c := range t.Columns {
		if s := t.keyScore(i, c, rows); s > best {
			best, t.Key = s, i
		}
	}
	for i, c := range t.Columns {
		if c.Kind != Text {
			continue
		}
		named := hasStem(c.Words, "name")
		if t.Name < 0 || named && !hasStem(t.Columns[t.Name].Words, "name") {
			t.Name = i
		}
	}
	if t.Key < 0 {
		t.Key = t.Name
	}
}

// keyScore rates a column as the key: identifiers first, the further left the
// better; a serial number only when nothing else names the row.
func (t *Table) keyScore(i int, c Column, rows []Row) int {
	filled, distinct := 0, map[string]bool{}
	for _, r := range rows {
		if s := r.Cell(i); !Blank(s) {
			filled++
			distinct[strings.ToLower(s)] = true
		}
	}
	if filled*2 < len(rows) || len(distinct)*2 < filled {
		return 0 // half the rows go without, or values repeat: a category
	}
	switch {
	case c.Kind == Codes && (hasStem(c.Words, "id") || hasStem(c.Words, "code") || hasStem(c.Words, "number") || i == 0) && !contact(c.Words):
		return 300 - i
	case c.Kind == Codes && !contact(c.Words):
		return 200 - i
	case c.Kind == Serial:
		return 100 - i
	}
	return 0
}

// contact are columns of numbers that belong to a row without naming it.
func contact(words []english.Token) bool {
	for _, s := range []string{"hsn", "sac", "pin", "telephone", "mobile", "account", "uan", "pan", "ifsc", "year"} {
		if hasStem(words, s) {
			return true
		}
	}
	return false
}

func hasStem(words []english.Token, stem string) bool {
	for _, w := range words {
		if w.Stem == stem || w.Fold == stem {
			return true
		}
	}
	return false
}

func isLetter(r rune) bool { return r|32 >= 'a' && r|32 <= 'z' || r > 127 }

// Label names a column for a reader.
func (t *Table) Label(column int) string {
	if column < 0 || column >= len(t.Columns) || t.Columns[column].Name == "" {
		return fmt.Sprintf("column %d", column+1)
	}
	return t.Columns[column].Name
}
