package generate

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/amount"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
	"github.com/hardgate-dev/hardgate/runtime/generate/letter"
	"github.com/hardgate-dev/hardgate/runtime/generate/prose"
	"github.com/hardgate-dev/hardgate/runtime/generate/record"
)

var (
	derives = regexp.MustCompile(`(?i)\bhow\b.*\b(?:get to|got to|arrive|calculat\w*|work(?:ed)? (?:that |this |it )?out|come (?:to|about)|came (?:to|about)|figure|comput\w+|reach\w*|made up)\b|\b(?:break ?down|where does .* come from)\b`)
	whys    = regexp.MustCompile(`(?i)^(?:and )?(?:why|what for|for what reason|how come)\b`)
	whens   = regexp.MustCompile(`(?i)^(?:and )?(?:when|at what time|what time)\b`)
)

// fromRecord answers from the papers that the letter names: what a charge is made
// of, why something was done, when something happened, or what there is on them.
func (p *post) fromRecord(a letter.Ask) ([]part, *miss) {
	background := p.letter.Background()
	switch {
	case a.Terse:
		return p.summary(a)
	case whens.MatchString(a.Text):
		return p.times(a), nil
	case whys.MatchString(a.Text):
		if lines := p.record.Reasons(record.Topics(a.Text + " " + background)); lines != nil {
			return []part{p.lines(lines)}, nil
		}
		return p.charge(a, background)
	case derives.MatchString(a.Text), prose.Money(a.Text):
		return p.charge(a, background)
	}
	return nil, nil
}

// charge explains a row of the record: its amount with the sum that it comes from,
// the sentences of the record on it, and the rule that prints the rate or the cap.
func (p *post) charge(a letter.Ask, background string) ([]part, *miss) {
	row := p.record.Charge(a.Text, background)
	if row == nil {
		return nil, nil
	}
	worked, shown, err := row.Work()
	if err != nil {
		return nil, final(PrintedTotalDiffers, "%s: %v", p.in.Hits[row.Ref.Hit].Evidence(), err)
	}
	printed, _ := row.Amount()
	topics := record.Topics(row.Cells[0])
	text := row.Text()
	rule := p.rule(printed, topics)
	if shown {
		text += ": " + worked.Shown
		if r := p.rule(worked.Rate, topics); r != nil {
			rule = r
		}
	}
	if !shown && rule == nil {
		return nil, missing(NoEvidence, "the rule behind “%s” is not among the passages found", row.Text())
	}
	out := []part{{key: p.in.Hits[row.Ref.Hit].Evidence() + text, text: caption(p.record.Titles[0], row.Heading) + ": " + text + ".", refs: []grid.Ref{row.Ref}}}
	if lines := p.record.About(topics); len(lines) > 0 {
		out = append(out, p.lines(p.beside(lines)))
	}
	if rule != nil {
		out = append(out, part{key: rule.Evidence, text: caption(rule.Title, rule.Heading) + ": " + rule.Text, refs: rule.Refs})
	}
	return out, nil
}

// beside widens sentences to all under their headings.
func (p *post) beside(lines []record.Line) []record.Line {
	var out []record.Line
	for _, s := range p.record.Sentences {
		if !s.Labeled && slices.ContainsFunc(lines, func(l record.Line) bool { return l.Heading == s.Heading }) {
			out = append(out, s)
		}
	}
	return out
}

// rule is the clause outside the record that prints an amount and speaks of what
// it is for; nil when none does.
func (p *post) rule(a amount.Amount, topics []english.Token) *prose.Clause {
	for _, c := range p.clauses {
		if !p.record.Of(c.Document) && record.Speaks(c.Heading+" "+c.Text, topics) && record.Prints(c.Text, a) {
			return c
		}
	}
	return nil
}

// cap finds the rule behind a limit that the papers of a case name in passing: "it
// was charged at the most for one visit, £240.00". It reports false when the
// passages found do not have it.
func (p *post) cap(a letter.Ask, c *prose.Clause) (*prose.Clause, bool) {
	if !p.record.Of(c.Document) || !prose.Money(a.Text) {
		return nil, true
	}
	limits := prose.Limits(c.Text)
	for _, l := range limits {
		if rule := p.rule(l, record.Topics(c.Text)); rule != nil {
			return rule, true
		}
	}
	return nil, len(limits) == 0
}

// lines quotes sentences of the record.
func (p *post) lines(lines []record.Line) part {
	var texts []string
	var refs []grid.Ref
	for _, s := range lines {
		texts = append(texts, s.Text)
		refs = append(refs, s.Ref)
	}
	text := caption(p.record.Titles[0], lines[0].Heading) + ": " + strings.Join(texts, " ")
	return part{key: text, text: text, refs: refs}
}

// times reads out the rows that have the time asked for.
func (p *post) times(a letter.Ask) []part {
	rows := p.record.Times(record.Topics(a.Text))
	if rows == nil {
		return nil
	}
	var texts []string
	var refs []grid.Ref
	for _, w := range rows {
		texts = append(texts, w.Text())
		refs = append(refs, w.Ref)
	}
	text := caption(p.record.Titles[0], rows[0].Heading) + ": " + strings.Join(texts, "; ") + "."
	return []part{{key: text, text: text, refs: refs}}
}

// mostLines is how many sentences a paragraph of a summary has.
const mostLines = 8

// summary says what there is on an identifier: on the topic beside it, else its
// labels, its total and its sentences.
func (p *post) summary(a letter.Ask) ([]part, *miss) {
	topics := record.Topics(a.Text + " " + p.letter.Subject)
	rows, lines := p.record.RowsAbout(topics), p.record.About(topics)
	if len(topics) == 0 && !record.Says(a.Text) {
		rows = slices.DeleteFunc(slices.Clone(p.record.Rows), func(w record.Row) bool { return !w.Total })
		lines = slices.Clone(p.record.Sentences)
	}
	if len(rows) == 0 && len(lines) == 0 {
		return nil, missing(NoEvidence, "nothing in the papers on it speaks of “%s”", a.Text)
	}
	var out []part
	if len(rows) > 0 {
		var texts []string
		var refs []grid.Ref
		for _, w := range rows {
			texts = append(texts, w.Text())
			refs = append(refs, w.Ref)
		}
		text := caption(p.record.Titles[0], rows[0].Heading) + ": " + strings.Join(texts, "; ") + "."
		out = append(out, part{key: text, text: text, refs: refs})
	}
	for len(lines) > 0 { // heading by heading, as printed
		n := 1
		for n < len(lines) && n < mostLines && lines[n].Heading == lines[0].Heading {
			n++
		}
		out = append(out, p.lines(lines[:n]))
		lines = lines[n:]
	}
	return out, nil
}
