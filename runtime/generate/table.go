package generate

import (
	"github.com/hardgate-dev/hardgate/runtime/generate/ask"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
	"github.com/hardgate-dev/hardgate/runtime/generate/match"
)

// verdict is what one table says to a question.
type verdict struct {
	reading *match.Reading
	found   *found
	missed  *miss
}

// fromTables asks every table and decides between those that speak of all that
// was asked: the one whose document the question names best.
func (d *desk) fromTables(q *ask.Question) (*found, *miss) {
	var best []verdict
	var nearest *match.Reading
	for i := range d.tables {
		t := &d.tables[i]
		r := match.Read(q, t, d.context(*t))
		if len(r.Rest) > 0 || r.Clash != "" {
			if nearest == nil || near(r) > near(nearest) {
				nearest = r
			}
			continue
		}
		v := verdict{reading: r}
		v.found, v.missed = operate(r)
		if v.found == nil && (v.missed == nil || !v.missed.final) {
			continue
		}
		switch {
		case len(best) == 0 || r.Fit > best[0].reading.Fit:
			best = []verdict{v}
		case r.Fit == best[0].reading.Fit:
			best = append(best, v)
		}
	}
	if len(best) > 0 {
		return decide(best)
	}
	return nil, explain(q, nearest)
}

// near rates how much of a question a table that does not answer it has.
func near(r *match.Reading) int {
	n := r.Fit*2 - len(r.Rest)
	if len(r.Where) > 0 {
		n++
	}
	if r.Clash != "" {
		n -= 2
	}
	return n
}

// decide between verdicts of the same fit: one that may not answer silences the
// others, and two different answers are none.
func decide(best []verdict) (*found, *miss) {
	for _, v := range best {
		if v.missed != nil {
			return nil, v.missed
		}
	}
	for _, v := range best[1:] {
		if v.found.value != best[0].found.value {
			return nil, final(AmbiguousTable, "%s and %s both answer, differently", best[0].reading.Table.Evidence, v.reading.Table.Evidence)
		}
	}
	return best[0].found, nil
}

// explain says what kept the nearest table from answering. Where the question
// asks for a register's rows, prose may not answer in its stead.
func explain(q *ask.Question, r *match.Reading) *miss {
	rows := q.Want == ask.Count && names(q)
	if r == nil {
		if rows {
			return final(NoEvidence, "no such register is among the passages found")
		}
		return nil
	}
	m := missing(NoEvidence, "")
	switch {
	case r.Clash != "":
		m.reason, m.detail = PeriodNotFound, r.Clash
	default:
		t := r.Rest[0]
		m.detail = "nothing in " + r.Table.Evidence + " speaks of “" + t.Text + "”"
		if t.Kind == english.Code {
			m.reason = UnknownIdentifier
		}
	}
	m.final = rows
	m.near = r.Fit > 0 || len(r.Where) > 0 || m.reason == UnknownIdentifier
	return m
}

// names reports whether the question names a table to count in.
func names(q *ask.Question) bool {
	for _, t := range q.Tokens {
		switch t.Stem {
		case "register", "sheet", "roll", "payroll", "roster", "muster", "ledger", "table":
			return true
		}
	}
	return false
}

// operate carries the operation out. A nil found with a nil miss means that the
// table has nothing to say.
func operate(r *match.Reading) (*found, *miss) {
	q := r.Question
	switch {
	case q.Mixed:
		return nil, missing(Unsupported, "the question asks for more than one operation")
	case q.Why, q.Long && len(r.Columns) == 0:
		return nil, nil
	case q.Negated:
		return nil, missing(Unsupported, "conditions with “not”, “except” or “without” are not evaluated")
	case r.Unclear != "":
		return nil, final(AmbiguousCondition, "%s", r.Unclear)
	case q.Either && !alternatives(r):
		return nil, missing(Unsupported, "the question joins different conditions by “or”")
	case r.Grouped():
		return nil, missing(Unsupported, "one figure for each group is not worked out")
	}
	if m := unsigned(r); m != nil {
		return nil, m
	}
	switch {
	case len(r.Taxes) > 0 && (q.Want == ask.Sum || q.Want == ask.Value):
		return taxes(r)
	case len(r.Taxes) > 0:
		return nil, missing(Unsupported, "of the taxes only the sum is worked out")
	}
	if r.Label != nil && r.Label.Unnamed {
		return subtotal(r)
	}
	switch q.Want {
	case ask.Count:
		return count(r)
	case ask.Sum:
		return sum(r)
	case ask.Average:
		return average(r)
	case ask.Highest, ask.Lowest:
		return extreme(r)
	default:
		return lookUp(r)
	}
}

// alternatives reports whether an "or" stands between values of one column.
func alternatives(r *match.Reading) bool {
	for _, c := range r.Where {
		if c.Said > 1 {
			return true
		}
	}
	return false
}

// whole checks that an operation over all rows may be carried out: no row is
// missing, and every row is told apart for certain.
func whole(r *match.Reading) *miss {
	t := r.Table
	if t.Lost > 0 {
		return final(TableIncomplete, "%d rows of %s are missing, so it cannot be counted or added up", t.Lost, t.Evidence)
	}
	if len(t.Doubts) > 0 {
		return final(TableUnclear, "%s: %s", t.Evidence, t.Doubts[0])
	}
	if m := addition(r); m != nil {
		return m
	}
	for _, c := range r.Where {
		if len(c.Bounds) > 0 {
			continue
		}
		if m := section(r, c); m != nil {
			return m
		}
		if !c.Exact && !c.Head && !(c.Column == r.Table.Name && !r.People) {
			return final(AmbiguousCondition, "“%s” only holds a part of what was asked", c.Shown)
		}
		if kin := kindred(r, c); kin != "" {
			return final(AmbiguousCondition, "“%s” may or may not include “%s”", c.Shown, kin)
		}
	}
	return nil
}

// kindred returns a value of a role column that ends with the value asked for:
// whether a senior supervisor is a supervisor is for a person to say.
func kindred(r *match.Reading, c match.Condition) string {
	role := false
	for _, w := range r.Table.Columns[c.Column].Words {
		role = role || english.Concept(w.Stem) == "role"
	}
	if !role || !c.Exact {
		return ""
	}
	for _, row := range r.Table.Rows {
		cell := row.Cell(c.Column)
		for _, v := range c.Values {
			if ends(english.Stems(cell), english.Stems(v)) {
				return cell
			}
		}
	}
	return ""
}

func ends(cell, tail []string) bool {
	if len(tail) == 0 || len(cell) <= len(tail) {
		return false
	}
	for i := range tail {
		if cell[len(cell)-len(tail)+i] != tail[i] {
			return false
		}
	}
	return true
}

// matching returns the rows that meet every condition.
func matching(r *match.Reading) []grid.Row {
	var out []grid.Row
	for _, row := range r.Table.Rows {
		if r.Matches(row) {
			out = append(out, row)
		}
	}
	return out
}

// refs are the units of rows.
func refs(rows []grid.Row) []grid.Ref {
	var out []grid.Ref
	for _, r := range rows {
		out = append(out, r.Refs...)
	}
	return out
}
