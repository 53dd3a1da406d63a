package generate

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/ask"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
	"github.com/hardgate-dev/hardgate/runtime/generate/letter"
	"github.com/hardgate-dev/hardgate/runtime/generate/period"
	"github.com/hardgate-dev/hardgate/runtime/generate/prose"
	"github.com/hardgate-dev/hardgate/runtime/generate/record"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// post answers one letter from one prompt.
type post struct {
	*desk
	letter  *letter.Letter
	record  *record.Record  // of the papers that the letter names; nil when it names none
	clauses []*prose.Clause // of the rules, and of the record
	quoted  []part
}

// part is one piece of an answer, with the units that say it.
type part struct {
	key, text string
	refs      []grid.Ref
}

// byLetter answers every question of a letter, or says which has no answer.
func (d *desk) byLetter(ctx context.Context, l *letter.Letter) (*found, *miss, error) {
	p := &post{desk: d, letter: l}
	ids := p.identifiers()
	r, unknown := record.Named(d.in, ids)
	if unknown != "" {
		return nil, final(UnknownIdentifier, "“%s” stands in no document found", unknown), nil
	}
	p.record = r
	p.clauses = slices.DeleteFunc(prose.Clauses(d.in), func(c *prose.Clause) bool {
		return !r.Of(c.Document) && record.Cases(rag.Chunk{Title: c.Title}, letter.Identifier)
	})
	var open []gap
	for i, a := range l.Asks {
		missed, err := p.answerAsk(ctx, i, a)
		if err != nil || missed != nil && missed.final {
			return nil, missed, err
		}
		if missed != nil {
			open = append(open, gap{a, missed})
		}
	}
	for _, g := range open { // what was quoted for another question may answer it too
		if !p.covered(g) {
			return nil, g.missed, nil
		}
	}
	return p.found(), nil, nil
}

// gap is a question that nothing was quoted for.
type gap struct {
	ask    letter.Ask
	missed *miss
}

// covered reports whether what is quoted answers a further question: it is what
// comes nearest to it as well, or it says all of its words.
func (p *post) covered(g gap) bool {
	if len(p.quoted) == 0 {
		return false
	}
	nearest := slices.ContainsFunc(p.quoted, func(q part) bool { return g.missed.nearest != "" && q.key == g.missed.nearest })
	return nearest || prose.Covers(p.texts(), g.ask.Text)
}

// identifiers are what the letter names: in its subject and its questions, else in
// its story.
func (p *post) identifiers() []english.Token {
	texts := []string{p.letter.Subject}
	for _, a := range p.letter.Asks {
		texts = append(texts, a.Text)
	}
	if out := identifiers(strings.Join(texts, " ; ")); len(out) > 0 {
		return out
	}
	var out []english.Token
	for _, id := range identifiers(strings.Join(p.letter.Story, " ; ")) {
		if _, unknown := record.Named(p.in, []english.Token{id}); unknown == "" {
			out = append(out, id)
		}
	}
	if all := identifiers(strings.Join(p.letter.Story, " ; ")); len(out) == 0 {
		return slices.DeleteFunc(all, func(t english.Token) bool { return t.Kind != english.Code })
	}
	return out
}

func identifiers(text string) []english.Token {
	return slices.DeleteFunc(english.Tokens(text), func(t english.Token) bool { return !letter.Identifier(t) })
}

// answerAsk answers one question of the letter and keeps what it quotes.
func (p *post) answerAsk(ctx context.Context, i int, a letter.Ask) (*miss, error) {
	if a.Price {
		return final(PriceRequest, "a price that is still to be made is for people to make"), nil
	}
	if p.record != nil {
		parts, missed := p.fromRecord(a)
		if a.Terse && missed != nil { // "customer of INV-7719": a label rather than a topic
			if got, _ := p.fromFigures(a); got != nil {
				parts, missed = []part{{key: got.text, text: got.text, refs: got.refs}}, nil
			}
		}
		if parts != nil || missed != nil {
			p.keep(parts...)
			return missed, nil
		}
	}
	if a.Terse {
		return missing(NoEvidence, "the papers found do not say more on %s", a.Text), nil
	}
	if got, missed := p.fromFigures(a); got != nil || missed != nil {
		if got != nil {
			p.keep(part{key: got.text, text: got.text, refs: got.refs})
		}
		return missed, nil
	}
	matter := prose.Matter{Ask: a.Text, After: p.after(i), Subject: p.letter.Subject, Story: p.story(i)}
	var scorer prose.Scorer
	if p.scorer != nil {
		scorer = p.scorer
	}
	chosen, gap, err := prose.Choose(ctx, p.eligible(a), matter, scorer)
	if err != nil {
		return nil, err
	}
	for _, c := range chosen {
		rule, ok := p.cap(a, c)
		if !ok {
			return missing(NoEvidence, "%s names a limit whose rule is not among the passages found", c.Evidence), nil
		}
		if rule != nil {
			chosen = append(chosen, rule)
		}
	}
	for _, c := range chosen {
		p.keep(part{key: c.Evidence, text: caption(c.Title, c.Heading) + ": " + c.Text, refs: c.Refs})
	}
	switch {
	case gap == nil:
		return nil, nil
	case gap.OnRequest != "":
		return final(CaseByCase, "%s leaves this price to people", gap.OnRequest), nil
	case gap.Elsewhere:
		return final(NoEvidence, "%s says that this is settled in another paper, which was not found", gap.Nearest), nil
	case gap.Rival != "":
		return missing(AmbiguousPassage, "%s and %s may both be meant", gap.Nearest, gap.Rival), nil
	case gap.Missing != "":
		return missing(NoEvidence, "nothing in the passages found speaks of “%s” in this connection", gap.Missing), nil
	}
	m := missing(NoEvidence, "no passage found says this")
	m.nearest = gap.Nearest
	return m, nil
}

// fromFigures counts, adds up and looks up for a question that says all of what it
// is about: what the story restricts it to would be overlooked.
func (p *post) fromFigures(a letter.Ask) (*found, *miss) {
	story := strings.Join(p.letter.Story, " ")
	named := len(identifiers(a.Text)) > 0
	if len(period.Find(story)) > 0 || !named && (len(identifiers(story)) > 0 || p.record != nil) {
		return nil, nil
	}
	q := ask.Parse(a.Text)
	for _, read := range []func(*ask.Question) (*found, *miss){p.fromTables, p.fromPairs} {
		got, missed := read(q)
		if missed != nil && missed.final {
			return nil, missed
		}
		if got != nil && !p.strange(got) {
			return got, nil
		}
	}
	return nil, nil
}

// strange reports whether an answer rests on the papers of a case that the letter
// does not name.
func (p *post) strange(f *found) bool {
	return slices.ContainsFunc(f.refs, func(r grid.Ref) bool {
		h := p.in.Hits[r.Hit]
		return !p.record.Of(h.Document) && record.Cases(h.Chunk, letter.Identifier)
	})
}

// happened opens a question about something that has been: only the papers of the
// case can say it.
var happened = regexp.MustCompile(`(?i)^(?:and )?(?:when|where|who|at what time|what time) (?:did|was|were|has|have|had|is)\b`)

// past opens a question of yes or no about something that has been: no rule says
// whether it has.
var past = regexp.MustCompile(`(?i)^(?:and )?(?:did|was|were|has|have|had)\b`)

// eligible are the clauses that may answer a question: the rules, and what there
// is on the case.
func (p *post) eligible(a letter.Ask) []*prose.Clause {
	if past.MatchString(a.Text) {
		return nil
	}
	if p.record == nil || !happened.MatchString(a.Text) {
		return p.clauses
	}
	return slices.DeleteFunc(slices.Clone(p.clauses), func(c *prose.Clause) bool { return !p.record.Of(c.Document) })
}

// story is what surrounds a question: what the letter tells, and the questions
// before.
func (p *post) story(i int) []string {
	out := slices.Clone(p.letter.Story)
	for _, a := range p.letter.Asks[:i] {
		out = append(out, a.Text)
	}
	return out
}

// after is the sentence that a question speaks of: the one before it, or what that
// one speaks of in its turn.
func (p *post) after(i int) string {
	asks := p.letter.Asks
	for ; i > 0 && asks[i].After == asks[i-1].Text && prose.Vague(asks[i-1].Text); i-- {
	}
	return asks[i].After
}

// keep adds what is quoted, each once.
func (p *post) keep(parts ...part) {
	for _, n := range parts {
		if !slices.ContainsFunc(p.quoted, func(o part) bool { return o.key == n.key }) {
			p.quoted = append(p.quoted, n)
		}
	}
}

func (p *post) texts() []string {
	var out []string
	for _, q := range p.quoted {
		out = append(out, q.text)
	}
	return out
}

// found puts the answer together, a paragraph for each piece.
func (p *post) found() *found {
	f := &found{}
	for _, q := range p.quoted {
		f.refs = append(f.refs, q.refs...)
	}
	f.text = strings.Join(p.texts(), "\n\n")
	f.value = f.text
	return f
}

// caption names a section: its document and its heading.
func caption(title, heading string) string {
	switch {
	case title == "" || title == heading:
		return heading
	case heading == "":
		return title
	}
	return fmt.Sprintf("%s, “%s”", title, heading)
}
