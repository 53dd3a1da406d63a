package generate

import (
	"fmt"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/generate/amount"
	"github.com/hardgate-dev/hardgate/runtime/generate/ask"
	"github.com/hardgate-dev/hardgate/runtime/generate/english"
	"github.com/hardgate-dev/hardgate/runtime/generate/grid"
	"github.com/hardgate-dev/hardgate/runtime/generate/label"
	"github.com/hardgate-dev/hardgate/runtime/generate/match"
	"github.com/hardgate-dev/hardgate/runtime/generate/period"
)

// offer is a labelled value with how well it fits.
type offer struct {
	pair  label.Pair
	score int // words of the label that the question says
	fit   int // words that name the document
}

// fromPairs answers from labelled values: "Which customer is invoice X for?" from
// "Bill To: …" in the document that names X.
func (d *desk) fromPairs(q *ask.Question) (*found, *miss) {
	if q.Negated || q.Mixed || q.Polar || q.Why || q.Want == ask.Average || q.Want == ask.Highest || q.Want == ask.Lowest {
		return nil, nil
	}
	var best []offer
	for _, p := range d.pairs {
		o, ok := d.weigh(q, p)
		if !ok {
			continue
		}
		switch {
		case len(best) == 0 || o.fit > best[0].fit || o.fit == best[0].fit && o.score > best[0].score:
			best = []offer{o}
		case o.fit == best[0].fit && o.score == best[0].score:
			best = append(best, o)
		}
	}
	if len(best) == 0 {
		return nil, nil
	}
	for _, o := range best[1:] {
		if !strings.EqualFold(o.pair.Value, best[0].pair.Value) {
			return nil, final(AmbiguousPassage, "%s says “%s”, %s says “%s”", d.in.Hits[best[0].pair.Hit].Evidence(), best[0].pair.Value, d.in.Hits[o.pair.Hit].Evidence(), o.pair.Value)
		}
	}
	p := best[0].pair
	text := fmt.Sprintf("%s: %s (%s).", p.Label, p.Value, title(d.in.Hits[p.Hit].Chunk))
	return &found{text: text, value: p.Value, refs: append(append([]grid.Ref(nil), p.Refs...), d.naming(q, p)...)}, nil
}

// weigh accounts for every word of the question by the label and its document.
func (d *desk) weigh(q *ask.Question, p label.Pair) (offer, bool) {
	hit := d.in.Hits[p.Hit]
	c := d.context(grid.Table{Document: hit.Document, Title: hit.Title, Heading: hit.Heading, Passage: hit.Passage})
	o := offer{pair: p}
	for _, s := range q.Periods {
		covered := false
		for _, own := range c.Periods {
			covered = covered || s.Covers(own)
		}
		if !covered {
			return o, false
		}
		o.fit += 2
	}
	said := map[int]bool{}
	for i, t := range q.Tokens {
		if q.Roles[i] != ask.Open {
			continue
		}
		if n := says(p, t); n >= 0 {
			said[n] = true
			continue
		}
		fit, ok := d.speaks(c, hit.Document, t, i)
		if !ok {
			return o, false
		}
		o.fit += fit
	}
	if q.Total {
		for i, w := range p.Words {
			if w.Stem == "total" {
				said[i] = true
			}
		}
	}
	if verbatim(q, p) {
		for i := range p.Words {
			said[i] = true
		}
	}
	if q.When && len(said) == 0 && !issues(q) {
		return o, false // its date is not when it was paid or delivered
	}
	o.score = 2*(len(said)+implied(q, p)) - unsaid(p, said, q)
	return o, len(said)+implied(q, p) > 0 && enough(p, said, q) && fits(q, p.Value)
}

// issuing are the verbs whose date is the paper's own.
const issuing = " raise raised issue issued bill billed invoiced draw drawn be stand used "

// issues reports whether the question asks when the paper was made, as far as its
// verbs say.
func issues(q *ask.Question) bool {
	for i, t := range q.Tokens {
		if q.Roles[i] == ask.Open && t.Kind == english.Word && match.Present(t.Fold) && !strings.Contains(issuing, " "+t.Fold+" ") {
			return false
		}
	}
	return true
}

// speaks accounts for a word by the pair's document: how much it names it, and
// whether the document has the word at all.
func (d *desk) speaks(c *match.Context, document string, t english.Token, i int) (fit int, ok bool) {
	switch {
	case t.Kind == english.Code:
		return c.Names(t), c.Names(t) > 0
	case match.Has(c.Strong, t):
		return 1, true
	case match.Present(t.Fold), match.Paper(t.Stem) && match.Has(c.Weak, t):
		return 0, true
	}
	return 0, i > 0 && t.Capital() && (match.Has(c.Weak, t) || d.holds(document, t))
}

// says returns which word of the label a token of the question says; a paper's
// own name ("Invoice" of "Invoice Date") is no help in telling labels apart.
func says(p label.Pair, t english.Token) int {
	if match.Paper(t.Stem) {
		return -1
	}
	for i, w := range p.Words {
		if !english.Stop(w.Fold) && (english.Same(w, t) || english.Kin(w, t)) {
			return i
		}
	}
	if english.Concept(t.Stem) == "customer" && recipient(p.Label) {
		return 0
	}
	return -1
}

// recipient reports whether a label names whom a paper was made out to.
func recipient(label string) bool {
	switch strings.ToLower(strings.TrimRight(label, ". :")) {
	case "bill to", "billed to", "sold to", "invoice to", "invoiced to", "to", "bill-to", "m/s":
		return true
	}
	return false
}

// implied scores what the question asks for without naming the label: "who was
// it raised for", "when is it due".
func implied(q *ask.Question, p label.Pair) int {
	n := 0
	if q.When && hasWord(p, "date") {
		n++
	}
	if q.Who && recipient(p.Label) {
		for i := range q.Tokens {
			if f := q.Tokens[i].Fold; f == "for" || f == "to" {
				n++
				break
			}
		}
	}
	return n
}

func hasWord(p label.Pair, stem string) bool {
	for _, w := range p.Words {
		if w.Stem == stem {
			return true
		}
	}
	return false
}

// enough reports whether the question says at least half of the label's words,
// those that tell it from others.
func enough(p label.Pair, said map[int]bool, q *ask.Question) bool {
	if recipient(p.Label) {
		return true
	}
	if h := head(p); h >= 0 && !said[h] && !(p.Words[h].Stem == "date" && q.When) && p.Words[h].Stem != "name" {
		return false
	}
	return unsaid(p, said, q)*2 <= len(distinguishing(p, q))
}

// distinguishing are the words of a label that tell it from others.
func distinguishing(p label.Pair, q *ask.Question) []int {
	var out []int
	for i, w := range p.Words {
		if !english.Stop(w.Fold) && !rate(w) && !match.Paper(w.Stem) && w.Stem != "number" && !(w.Stem == "date" && q.When) && !currency(w.Fold) {
			out = append(out, i)
		}
	}
	return out
}

// verbatim reports whether the question has the whole label, two words at least:
// "customer order" is not a customer.
func verbatim(q *ask.Question, p label.Pair) bool {
	n := len(p.Words)
	for i := 0; n > 1 && i+n <= len(q.Tokens); i++ {
		same := 0
		for same < n && q.Tokens[i+same].Stem == p.Words[same].Stem {
			same++
		}
		if same == n {
			return true
		}
	}
	return false
}

// currency reports whether a word of a label names a currency: "Total GBP".
func currency(fold string) bool {
	switch fold {
	case "gbp", "usd", "eur", "inr", "rs", "rupees", "pounds", "dollars", "euro", "euros", "chf", "aed", "sgd":
		return true
	}
	return false
}

// rate reports whether a word of a label is the rate of a charge: "VAT @ 20%".
func rate(w english.Token) bool { return w.Fold == "@" || strings.HasSuffix(w.Fold, "%") }

// unsaid counts the words of a label that the question does not say.
func unsaid(p label.Pair, said map[int]bool, q *ask.Question) int {
	n := 0
	for _, i := range distinguishing(p, q) {
		if !said[i] {
			n++
		}
	}
	return n
}

// head is the word of a label that says what the value is: the last one, or the
// one before "of", "in", "for"; -1 for a label without words.
func head(p label.Pair) int {
	at := -1
	for i, w := range p.Words {
		if at >= 0 && english.Stop(w.Fold) {
			break
		}
		if !english.Stop(w.Fold) && !currency(w.Fold) && !rate(w) && !(at >= 0 && p.Words[at].Stem == "total" && (w.Fold == "due" || w.Fold == "payable")) {
			at = i
		}
	}
	return at
}

// fits reports whether a value is of the kind asked for.
func fits(q *ask.Question, value string) bool {
	_, number := amount.Parse(value, false)
	_, slashed := period.Slashed(value)
	dated := len(period.Find(value)) > 0 || slashed || strings.Count(value, "/") == 2 || strings.Count(value, "-") == 2
	switch {
	case q.HowMany, q.HowMuch, q.Want == ask.Sum, q.Want == ask.Count:
		return number
	case q.When:
		return dated
	case q.Who:
		return strings.ContainsFunc(value, func(r rune) bool { return r|32 >= 'a' && r|32 <= 'z' }) && !dated
	}
	return true
}

// holds reports whether a unit of a document in the prompt says the token.
func (d *desk) holds(document string, t english.Token) bool {
	return len(d.saying(document, t)) > 0
}

// saying are the units of a document in the prompt that say the token.
func (d *desk) saying(document string, t english.Token) []grid.Ref {
	var out []grid.Ref
	for h, hit := range d.in.Hits {
		if hit.Document != document {
			continue
		}
		for u, unit := range hit.Units {
			if ref := (grid.Ref{Hit: h, Unit: u}); d.present[ref] && match.Has(english.Tokens(unit.Text), t) {
				out = append(out, ref)
			}
		}
	}
	return out
}

// naming are the units of the pair's document that say the identifiers of the
// question: a citation should show that this is the document meant.
func (d *desk) naming(q *ask.Question, p label.Pair) []grid.Ref {
	var out []grid.Ref
	for i, t := range q.Tokens {
		if q.Roles[i] == ask.Open && t.Kind == english.Code {
			out = append(out, d.saying(d.in.Hits[p.Hit].Document, t)...)
		}
	}
	return out
}
