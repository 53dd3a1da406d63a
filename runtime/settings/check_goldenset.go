package settings

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// What the questions inside one object may take, so that it stays well below
// what the API server stores.
const (
	inlineQuestions = 200
	inlineBytes     = 200 << 10
)

var (
	questionForm = regexp.MustCompile(`^[A-Za-z0-9]([-._A-Za-z0-9]*[A-Za-z0-9])?$`)
	evidenceForm = regexp.MustCompile(`^[^#]*[^#\s][^#]*(#[^#\s]+)?$`) // document or document#passage
	instantForm  = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:.]+(Z|[+-][0-9]{2}:[0-9]{2}))?$`)
)

func classes() []string {
	return []string{"TableCount", "TableSum", "ExactID", "Semantic", "Historical", "Access", "MultiDocument", "Refusal"}
}

// Validate names every field of the spec that can't work, by the rules of the
// API server. What depends on questions kept elsewhere is left to Complete.
func (g GoldenSet) Validate() error {
	var p problems
	path := root + ".questions"
	p.that(len(g.Questions) <= inlineQuestions, path, "must have at most %d entries, not %d: keep more in questionsFrom", inlineQuestions, len(g.Questions))
	if data, err := json.Marshal(g.Questions); err != nil || len(data) > inlineBytes {
		p.add(path, "must have at most 200 KiB: keep more in questionsFrom")
	}
	checkQuestions(g.Questions, path, &p)
	if f := g.QuestionsFrom; f != nil {
		p.key(root+".questionsFrom.configMapRef", &f.ConfigMapRef)
	} else {
		g.checkSet(&p)
	}
	p.texts(root+".compare", g.Compare, 0, 4)
	for i, m := range g.Compare {
		p.oneOf(at(root+".compare", i), m, modes()...)
	}
	g.checkCutoffs(&p)
	g.Thresholds.check(root+".thresholds", &p)
	for _, c := range slices.Sorted(maps.Keys(g.PerClass)) {
		p.oneOf(root+".perClass", c, classes()...)
		g.PerClass[c].check(root+".perClass."+c, &p)
	}
	p.texts(root+".requireClasses", g.RequireClasses, 0, 8)
	for i, c := range g.RequireClasses {
		p.oneOf(at(root+".requireClasses", i), c, classes()...)
	}
	for _, name := range slices.Sorted(maps.Keys(g.Requires)) {
		p.oneOf(root+".requires", name, SettingNames()...)
		p.text(root+".requires."+name, g.Requires[name], textLimit)
	}
	return p.err()
}

// Complete adds the questions that are kept elsewhere and validates the whole.
func (g GoldenSet) Complete(more []GoldenQuestion) (GoldenSet, error) {
	g.Questions = slices.Concat(g.Questions, more)
	var p problems
	checkQuestions(g.Questions, root+".questions", &p)
	g.checkSet(&p)
	return g, p.err()
}

// checkSet judges the questions together, once all of them are known.
func (g GoldenSet) checkSet(p *problems) {
	if len(g.Questions) == 0 {
		p.add(root+".questions", "must hold at least one question (or name them by questionsFrom): an empty golden set proves nothing")
		return
	}
	has := func(class string) bool {
		return slices.ContainsFunc(g.Questions, func(q GoldenQuestion) bool { return q.Class == class })
	}
	for _, c := range g.RequireClasses {
		p.that(has(c), root+".requireClasses", "names a class without a question: %s", c)
	}
	for _, c := range slices.Sorted(maps.Keys(g.PerClass)) {
		p.that(has(c), root+".perClass", "names a class without a question: %s", c)
	}
}

func (g GoldenSet) checkCutoffs(p *problems) {
	p.size(root+".cutoffs", len(g.Cutoffs), 1, 10)
	for i, k := range g.Cutoffs {
		p.between(at(root+".cutoffs", i), k, 1, 1000)
		p.that(slices.Index(g.Cutoffs, k) == i, at(root+".cutoffs", i), "%d stands twice", k)
	}
}

func (t Thresholds) check(path string, p *problems) {
	share := func(name string, d *Decimal) {
		if d != nil {
			p.fraction(path+"."+name, *d)
		}
	}
	most := func(name string, n *int) {
		p.that(n == nil || *n >= 0, path+"."+name, "must not be negative")
	}
	share("accuracy", t.Accuracy)
	share("completeness", t.Completeness)
	share("survival", t.Survival)
	share("citations", t.Citations)
	share("handOffs", t.HandOffs)
	most("confidentlyWrong", t.ConfidentlyWrong)
	most("forbidden", t.Forbidden)
	most("degraded", t.Degraded)
}

func checkQuestions(list []GoldenQuestion, path string, p *problems) {
	unique(p, path, list, func(q GoldenQuestion) string { return q.Name }, "")
	for i, q := range list {
		q.check(at(path, i), p)
	}
}

func (q GoldenQuestion) check(path string, p *problems) {
	p.form(path+".name", q.Name, 63, questionForm, "a name: letters, digits, \"-\", \"_\" and \".\"")
	p.oneOf(path+".class", q.Class, classes()...)
	p.text(path+".question", q.Question, 2000)
	q.As.check(path+".as", p)
	q.Expect.check(path+".expect", p)
}

func (a As) check(path string, p *problems) {
	p.that(utf8.RuneCountInString(a.Tenant) <= textLimit, path+".tenant", "must have at most %d characters", textLimit)
	p.texts(path+".groups", a.Groups, 0, 64)
	p.size(path+".claims", len(a.Claims), 0, 32)
	for _, c := range slices.Sorted(maps.Keys(a.Claims)) {
		p.size(path+".claims."+c, len(a.Claims[c]), 1, 64)
		for i, v := range a.Claims[c] {
			p.text(at(path+".claims."+c, i), v, textLimit)
		}
	}
	if a.AsOf != "" {
		_, err := ParseInstant(a.AsOf)
		p.that(err == nil && instantForm.MatchString(a.AsOf), path+".asOf", "%q must be a date YYYY-MM-DD or an RFC 3339 time", a.AsOf)
	}
}

func (e Expect) check(path string, p *problems) {
	p.oneOf(path+".status", e.Status, "Answered", "NeedsHuman")
	something := len(e.Evidence)+len(e.Missing)+len(e.Forbidden)+len(e.Facts) > 0 || e.Entities != nil || e.Aggregate != nil
	p.that(something || e.Status != "Answered", path, "must say what the answer has to show, or status NeedsHuman: any answer would pass")
	p.evidence(path+".evidence", e.Evidence)
	p.evidence(path+".missing", e.Missing)
	p.evidence(path+".forbidden", e.Forbidden)
	p.size(path+".facts", len(e.Facts), 0, 32)
	for i, f := range e.Facts {
		any := at(path+".facts", i) + ".anyOf"
		p.size(any, len(f.AnyOf), 1, 16)
		unique(p, any, f.AnyOf, strings.Clone, "")
		for j, w := range f.AnyOf {
			p.text(at(any, j), w, 1000)
		}
	}
	if e.Entities != nil {
		e.Entities.check(path+".entities", p)
	}
	if e.Aggregate != nil {
		e.Aggregate.check(path+".aggregate", p)
	}
}

func (p *problems) evidence(path string, list []string) {
	p.size(path, len(list), 0, 32)
	unique(p, path, list, strings.Clone, "")
	for i, e := range list {
		p.form(at(path, i), e, 512, evidenceForm, "document or document#passage")
	}
}

func (e Entities) check(path string, p *problems) {
	p.that((len(e.Values) > 0) != (e.Pattern != ""), path, "must have exactly one of values and pattern")
	p.that((e.Count != 0) == (e.Pattern != ""), path, "pattern and count must be given together")
	p.texts(path+".values", e.Values, 0, 1000)
	if e.Pattern != "" {
		p.regexp(path+".pattern", e.Pattern, 256)
		p.between(path+".count", e.Count, 1, 100000)
	}
}

func (a Aggregate) check(path string, p *problems) {
	p.oneOf(path+".op", a.Op, "Sum", "DistinctCount")
	p.text(path+".column", a.Column, textLimit)
	p.size(path+".where", len(a.Where), 0, 16)
	for _, c := range slices.Sorted(maps.Keys(a.Where)) {
		p.text(path+".where."+c, a.Where[c], textLimit)
	}
	p.text(path+".value", a.Value, 64)
	p.that(a.Value == "" || strings.ContainsAny(a.Value, "0123456789"), path+".value", "%q must be a number as it is printed, such as \"4,23,590\"", a.Value)
}
