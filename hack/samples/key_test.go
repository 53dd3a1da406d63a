package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bmatcuk/doublestar/v4"
	"sigs.k8s.io/yaml"

	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// resource is one of the YAML files; Spec is read as far as T knows it.
type resource[T any] struct {
	APIVersion string                           `json:"apiVersion"`
	Kind       string                           `json:"kind"`
	Metadata   struct{ Name, Namespace string } `json:"metadata"`
	Spec       T                                `json:"spec"`
}

func read[T any](t *testing.T, s Sample, file string, decode func([]byte, any, ...yaml.JSONOpt) error) resource[T] {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(s.Dir), file))
	if err != nil {
		t.Fatal(err)
	}
	var r resource[T]
	if err := decode(data, &r); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return r
}

// byCount are counts that no aggregate of the key can express; they are
// recomputed here and must be what the facts say.
var byCount = map[string]func() int{
	"late-more-than-three-times": func() int {
		n := 0
		for _, a := range attendees() {
			if a.Late > 3 {
				n++
			}
		}
		return n
	},
}

// saysNoFigure are the hand-offs whose evidence is there and says itself that
// people have to answer.
var saysNoFigure = map[string]bool{"team-of-drivers": true}

// TestAnswerKeys recomputes every answer key from the generator's data: that
// the evidence exists and may be read by the asker, that what is forbidden may
// not, and that entities, facts and aggregates are printed or add up.
func TestAnswerKeys(t *testing.T) {
	for _, s := range all() {
		for _, v := range s.variants() {
			checkKey(t, s, v)
		}
	}
}

func checkKey(t *testing.T, s Sample, variant string) {
	golden := read[settings.GoldenSet](t, s, "goldenset"+variant+".yaml", yaml.UnmarshalStrict)
	docs := s.admitted(t, variant)
	classes, names := map[string]bool{}, map[string]bool{}
	for _, q := range golden.Spec.Questions {
		classes[q.Class] = true
		if names[q.Name] {
			t.Errorf("%s: two questions are named %s", s.Dir, q.Name)
		}
		names[q.Name] = true
		t.Run(s.Dir+variant+"/"+q.Name, func(t *testing.T) { checkQuestion(t, docs, q) })
	}
	for _, c := range golden.Spec.RequireClasses {
		if !classes[c] {
			t.Errorf("%s: requires class %s without a question", s.Dir, c)
		}
	}
}

func checkQuestion(t *testing.T, docs map[string]Document, q settings.GoldenQuestion) {
	var evidence []Document
	for _, id := range q.Expect.Evidence {
		name, passage, _ := strings.Cut(id, "#")
		d, ok := docs[name]
		if !ok {
			t.Fatalf("evidence %q is no document", id)
		}
		if passage != "" && !slices.Contains(d.slugs(), passage) {
			t.Errorf("evidence %q: no such heading", id)
		}
		if why := unreadable(t, d, q); why != "" {
			t.Errorf("evidence %q cannot be read by the asker: %s", id, why)
		}
		evidence = append(evidence, d)
	}
	for _, id := range q.Expect.Forbidden {
		if d, ok := docs[id]; !ok {
			t.Errorf("forbidden %q is no document", id)
		} else if unreadable(t, d, q) == "" {
			t.Errorf("forbidden %q may be read by the asker", id)
		}
	}
	for _, id := range q.Expect.Missing {
		name, _, _ := strings.Cut(id, "#")
		if _, ok := docs[name]; ok {
			t.Errorf("missing %q exists", id)
		}
	}
	switch q.Expect.Status {
	case "Answered":
		checkAnswer(t, q, evidence)
	case "NeedsHuman":
		whole := len(q.Expect.Evidence) > 0 && len(q.Expect.Missing) == 0 && !saysNoFigure[q.Name]
		if whole || len(q.Expect.Facts) > 0 {
			t.Error("a refusal with facts, or with all of its evidence")
		}
	default:
		t.Errorf("status %q", q.Expect.Status)
	}
}

func checkAnswer(t *testing.T, q settings.GoldenQuestion, evidence []Document) {
	var texts []string
	for _, d := range evidence {
		texts = append(texts, d.Text())
	}
	text := strings.Join(texts, "\n")
	if len(evidence) == 0 || len(q.Expect.Facts) == 0 {
		t.Error("an answer without evidence or facts")
	}
	if e := q.Expect.Entities; e != nil {
		for _, v := range e.Values {
			if !strings.Contains(text, v) {
				t.Errorf("entity %q is not printed in the evidence", v)
			}
		}
		if e.Pattern != "" {
			if n := len(set(regexp.MustCompile(e.Pattern).FindAllString(text, -1))); n != e.Count {
				t.Errorf("pattern %q matches %d entities, the key says %d", e.Pattern, n, e.Count)
			}
		}
	}
	var computed string
	if a := q.Expect.Aggregate; a != nil {
		computed = aggregate(t, *a, evidence)
		if plain(a.Value) != computed {
			t.Errorf("aggregate is %s, the key says %s", computed, a.Value)
		}
	}
	if count, ok := byCount[q.Name]; ok {
		computed = strconv.Itoa(count())
	}
	for _, f := range q.Expect.Facts {
		if !slices.ContainsFunc(f.AnyOf, func(w string) bool {
			if computed != "" {
				return strings.Fields(plain(w))[0] == computed
			}
			return strings.Contains(plain(text), plain(w))
		}) {
			t.Errorf("no wording of %q is printed or computed (%s)", f.AnyOf, computed)
		}
	}
}

// aggregate works on the records of the evidence's tables, never on summaries.
func aggregate(t *testing.T, a settings.Aggregate, evidence []Document) string {
	t.Helper()
	keys, sum, tables := map[string]bool{}, paise(0), 0
	for _, d := range evidence {
		for _, table := range d.Tables() {
			names := table.names()
			at := slices.Index(names, a.Column)
			if at < 0 {
				continue
			}
			tables++
			for _, r := range table.Rows {
				if r.Summary || !matches(t, names, r, a.Where) {
					continue
				}
				keys[r.Cells[at]] = true
				if a.Op == "Sum" {
					sum += amount(t, r.Cells[at])
				}
			}
		}
	}
	if tables != 1 {
		t.Fatalf("%d tables of the evidence have a column %q", tables, a.Column)
	}
	if a.Op == "DistinctCount" {
		return strconv.Itoa(len(keys))
	}
	if sum%100 == 0 {
		return strconv.FormatInt(int64(sum/100), 10)
	}
	return fmt.Sprintf("%d.%02d", sum/100, sum%100)
}

func matches(t *testing.T, names []string, r Row, where map[string]string) bool {
	t.Helper()
	for column, value := range where {
		at := slices.Index(names, column)
		if at < 0 {
			t.Fatalf("no column %q", column)
		}
		if r.Cells[at] != value {
			return false
		}
	}
	return true
}

// amount reads a cell as printed.
func amount(t *testing.T, cell string) paise {
	t.Helper()
	whole, cents, has := strings.Cut(plain(cell), ".")
	if !has {
		cents = "00"
	}
	v, err := strconv.ParseInt(whole+cents, 10, 64)
	if err != nil || len(cents) != 2 {
		t.Fatalf("%q is no amount", cell)
	}
	return paise(v)
}

// plain drops what facts don't care for: case and thousands separators.
func plain(s string) string {
	return strings.ToLower(separator.ReplaceAllString(s, "$1"))
}

var separator = regexp.MustCompile(`(\d),`)

// variants are the endings of the sample's corpora; the first is its own.
func (s Sample) variants() []string { return append([]string{""}, s.Variants...) }

// admitted are the documents that one corpus of the sample does not exclude, by name.
func (s Sample) admitted(t *testing.T, variant string) map[string]Document {
	t.Helper()
	corpus := read[corpusSpec](t, s, "corpus"+variant+".yaml", yaml.Unmarshal)
	out := map[string]Document{}
	for _, d := range s.Documents {
		if !slices.ContainsFunc(corpus.Spec.Source.Exclude, func(g string) bool { return doublestar.MatchUnvalidated(g, d.Key) }) {
			out[d.Name()] = d
		}
	}
	return out
}

// slugs are the passages that the document's headings name.
func (d Document) slugs() []string {
	var out []string
	for _, b := range d.Contents {
		switch h := b.(type) {
		case Heading:
			out = append(out, slug(h.Text))
		case Clause:
			out = append(out, slug(string(h)))
		}
	}
	return out
}

func slug(heading string) string {
	return strings.Trim(notWord.ReplaceAllString(strings.ToLower(heading), "-"), "-")
}

var notWord = regexp.MustCompile(`[^\p{L}\p{N}]+`)

// unreadable says why the asker may not see a document; "" when he may. It
// knows the rules of all samples: product, groups, customer, company, status, validity.
func unreadable(t *testing.T, d Document, q settings.GoldenQuestion) string {
	t.Helper()
	as := q.As
	if product, ok := d.Fields["product"].(string); ok && !strings.Contains(q.Question, product) {
		return "another product"
	}
	if status, ok := d.Fields["status"]; ok && status != "published" {
		return fmt.Sprintf("status %v", status)
	}
	if customer, ok := d.Fields["customer"]; ok {
		if !slices.ContainsFunc(asList(customer), func(c string) bool { return c == "all" || c == as.Tenant }) {
			return "another customer"
		}
	} else if groups, ok := d.Fields["groups"].([]string); ok {
		if !slices.ContainsFunc(groups, func(g string) bool { return slices.Contains(as.Groups, g) }) {
			return "no shared group"
		}
	} else if company, _, _ := strings.Cut(d.Key, "/"); company != "all" && company != as.Tenant {
		return "another company"
	}
	at := time.Now() // as for a question without an instant
	if as.AsOf != "" {
		var err error
		if at, err = time.Parse(time.DateOnly, as.AsOf); err != nil {
			t.Fatalf("asOf: %v", err)
		}
	}
	if from, ok := d.Fields["valid_from"].(string); ok && at.Format(time.DateOnly) < from {
		return "not yet valid"
	}
	if to, ok := d.Fields["valid_to"].(string); ok && at.Format(time.DateOnly) >= to {
		return "no longer valid"
	}
	return ""
}

// asList reads a field that holds one text or several.
func asList(field any) []string {
	if one, ok := field.(string); ok {
		return []string{one}
	}
	return field.([]string)
}
