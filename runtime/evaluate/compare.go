package evaluate

// Kinds of change between two receipts.
const (
	Broken  = "Broken"  // passed before, fails now
	Fixed   = "Fixed"   // failed before, passes now
	Moved   = "Moved"   // fails in both, at another stage or for another reason
	Added   = "Added"   // only in the later receipt
	Removed = "Removed" // only in the earlier one
	Edited  = "Edited"  // another question or key under the same name
)

// Change is a question that two receipts judge differently. Stage and Reason
// are those of the earliest failure; "" where there is none.
type Change struct {
	Set      string `json:"set"`
	Question string `json:"question"`
	Kind     string `json:"kind"`
	Was      At     `json:"was"`
	Now      At     `json:"now"`
}

// At is a verdict in a comparison.
type At struct {
	Passed bool   `json:"passed"`
	Stage  string `json:"stage,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// Compare lists what changed from receipt a to receipt b, in the order of b;
// what only a has comes after, set by set.
func Compare(a, b *Receipt) []Change {
	var out []Change
	for _, s := range b.Sets {
		before := a.set(s.Name)
		for i := range s.Questions {
			if c := change(s.Name, before.question(s.Questions[i].Name), &s.Questions[i]); c != nil {
				out = append(out, *c)
			}
		}
	}
	for _, s := range a.Sets {
		after := b.set(s.Name)
		for i := range s.Questions {
			if after.question(s.Questions[i].Name) == nil {
				out = append(out, *change(s.Name, &s.Questions[i], nil))
			}
		}
	}
	return out
}

// change is nil where nothing changed.
func change(set string, was, now *ReceiptQuestion) *Change {
	c := &Change{Set: set, Was: was.at(), Now: now.at()}
	switch {
	case was == nil:
		c.Question, c.Kind = now.Name, Added
		return c
	case now == nil:
		c.Question, c.Kind = was.Name, Removed
		return c
	}
	c.Question = now.Name
	switch {
	case was.Hash != now.Hash:
		c.Kind = Edited
	case was.Passed && !now.Passed:
		c.Kind = Broken
	case !was.Passed && now.Passed:
		c.Kind = Fixed
	case c.Was != c.Now:
		c.Kind = Moved
	default:
		return nil
	}
	return c
}

func (q *ReceiptQuestion) at() At {
	if q == nil {
		return At{}
	}
	a := At{Passed: q.Passed}
	if len(q.Failures) > 0 {
		a.Stage, a.Reason = q.Failures[0].Stage, q.Failures[0].Reason
	}
	return a
}
