package retrieve

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Exact ids in a growing corpus: a blend of two channels lets passages that are
// about the same kind of thing outrank the one that holds the id that was asked
// for. This measures by how much, on invoices, delivery notes, registers and
// circulars that read alike and differ in their numbers.

const exactQuestions = 60

// paper is one passage and the identifiers that only it holds.
type paper struct {
	document string
	id       string
	text     string
}

// papers writes n passages, the same ones every time. Every second one is a
// record with an identifier; the rest is prose that shares its words.
func papers(n int) []paper {
	r := rand.New(rand.NewPCG(1, 2))
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	customer := func() string {
		return pick("Welspun Home", "Trident Exports", "Vardhman Mills", "Arvind Fabrics", "Indo Count", "Raymond Sons", "Himatsingka", "Alok Textiles")
	}
	month := func() string { return pick("April", "May", "June", "July", "August", "September") + " 2025" }
	amount := func() string { return fmt.Sprintf("%d,%03d.00", 10+r.IntN(900), r.IntN(1000)) }
	goods := func() string {
		return pick("combed cotton yarn", "grey fabric", "bed linen", "terry towels", "viscose thread", "polyester blend")
	}
	out := make([]paper, n)
	for i := range out {
		p := &out[i]
		p.document = fmt.Sprintf("paper-%05d", i)
		switch i % 10 {
		case 0, 4:
			p.id = fmt.Sprintf("STL/2025-26/%04d", i)
			p.text = fmt.Sprintf("Tax invoice %s raised on %s for %s in %s. Invoice total %s, payable within %d days of the invoice date.", p.id, customer(), goods(), month(), amount(), 15*(1+r.IntN(4)))
		case 2:
			p.id = fmt.Sprintf("CT-%05d", 88000+i)
			p.text = fmt.Sprintf("Container %s left for %s with %d cartons of %s in %s. The delivery note names the carrier and the seal of the container.", p.id, customer(), 20+r.IntN(400), goods(), month())
		case 6:
			p.id = fmt.Sprintf("ST%05d", i)
			p.text = fmt.Sprintf("Salary register %s: employee %s, %s, basic %s, allowances %s, net pay %s after provident fund.", month(), p.id, pick("spinner", "weaver", "accountant", "supervisor", "electrician"), amount(), amount(), amount())
		case 8:
			p.id = fmt.Sprintf("PO-%d-%04d", 2025, i)
			p.text = fmt.Sprintf("Purchase order %s placed with %s for %s, %d bales at %s each, delivery in %s.", p.id, customer(), goods(), 5+r.IntN(90), amount(), month())
		default:
			p.text = pick(circular(pick), circular(pick), circular(pick), advice(pick)) + " Signed for " + customer() + " in " + month() + ", " + amount() + "."
		}
	}
	return out
}

// circular is prose that shares the words of the records.
func circular(pick func(...string) string) string {
	return pick("Circular on invoices and their total: ", "Note on containers and delivery: ", "Rule for employees and net pay: ", "Terms of purchase orders and bales: ") + pick(
		"the invoice total is checked against the purchase order before it is paid.",
		"every container is sealed before it leaves, and the delivery note stays with the carrier.",
		"the net pay of an employee is the basic pay and the allowances less the provident fund.",
		"a purchase order names the goods, the bales and the price, and nothing is delivered without it.",
		"payable within the days that the invoice names, after which interest is due on the total.")
}

// advice is prose about what the questions ask for, partly in their words; it
// holds no identifier.
func advice(pick func(...string) string) string {
	return pick(
		"The buyer that was billed stands at the head of every invoice, and the sum that is due at its foot.",
		"Before a bill is settled its total is checked against the order, and the customer hears of any difference.",
		"Whom a bill was sent to can be looked up by its number in the sales ledger.",
		"The delivery note says how many boxes were loaded, who sealed the container and who drove it.",
		"Cartons are counted when a container is opened; a difference from the note is written on it.",
		"Every container is sealed before it leaves, and the note stays with the carrier on the way.",
		"Purchase orders name the supplier they are placed with, the goods, the bales and the price.",
		"Nothing is ordered from a supplier without a number, and nothing is delivered without it on the papers.",
		"What an employee takes home is the basic pay and the allowances less provident fund and advances.",
		"The net pay is transferred on the last working day, and every employee signs the register for it.",
		"Interest is due on a total that is not paid within the days that were agreed with the customer.",
		"Questions about pay are answered by the accounts office, questions about invoices by the sales office.")
}

// exact are the questions: one identifier each, spread over the corpus.
func exact(ps []paper) []paper {
	var ids []paper
	for _, p := range ps {
		if p.id != "" {
			ids = append(ids, p)
		}
	}
	var out []paper
	for i := range exactQuestions {
		out = append(out, ids[i*len(ids)/exactQuestions])
	}
	return out
}

// question asks for the paper: in a sentence, or as people type who know the number.
func (p paper) question(terse bool) string {
	kind, _, _ := strings.Cut(p.id, "-")
	switch {
	case strings.HasPrefix(p.id, "STL"):
		kind = "STL"
	case strings.HasPrefix(p.id, "ST"):
		kind = "ST"
	}
	forms := map[string][2]string{
		"STL": {"Which customer was invoice %s raised for, and what is the invoice total?", "invoice %s customer"},
		"ST":  {"What is the net pay of employee %s?", "%s net pay"},
		"CT":  {"How many cartons did container %s leave with?", "container %s"},
		"PO":  {"Who was purchase order %s placed with?", "order %s goods and price"},
	}
	form := forms[kind][0]
	if terse {
		form = forms[kind][1]
	}
	return fmt.Sprintf(form, p.id)
}

// exactIDs stores the papers with the real model's vectors and returns, for each
// way of ranking, of how many questions the right document came first.
func exactIDs(t testing.TB, n int) map[string]int {
	t.Helper()
	m := model(t)
	w := inhabit(t, connect(t, m.Dimensions()), &memo{Encoder: m, known: map[string][]float32{}})
	ps := papers(n)
	for part := range slices.Chunk(ps, 500) {
		var chunks []stored
		for _, p := range part {
			chunks = append(chunks, at(1, prose(p.document, "p1", p.text, nil)))
		}
		w.put(chunks...)
	}
	minMax := func(o *Options) { o.Fusion.Normalization = "MinMax" }
	unpinned := func(o *Options) { o.Pin = false }
	rrf := func(o *Options) { o.Fusion = Fusion{Method: "RRF", K: 60} }
	ways := map[string]Options{
		"lexical":            options(func(o *Options) { o.Mode = rag.Lexical }),
		"dense":              options(func(o *Options) { o.Mode = rag.Dense }),
		"hybrid Max, off":    options(unpinned),
		"hybrid MinMax, off": options(unpinned, minMax),
		"hybrid RRF, off":    options(unpinned, rrf),
		"hybrid Max, pin":    options(),
		"hybrid MinMax, pin": options(minMax),
		"hybrid RRF, pin":    options(rrf),
	}
	first := map[string]int{}
	for name, o := range ways {
		r := w.retriever(o, 1)
		for i, p := range exact(ps) {
			out, err := r.Apply(context.Background(), asked(rag.Question{Text: p.question(i%2 == 1)}))
			if err != nil {
				t.Fatal(err)
			}
			if len(out.Hits) > 0 && out.Hits[0].Document == p.document {
				first[name]++
			}
		}
	}
	return first
}

// memo asks the encoder once for each text.
type memo struct {
	Encoder
	known map[string][]float32
}

func (m *memo) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	var fresh []string
	for _, t := range texts {
		if m.known[t] == nil {
			fresh = append(fresh, t)
		}
	}
	vectors, err := m.Encoder.Embed(ctx, fresh)
	if err != nil {
		return nil, err
	}
	for i, t := range fresh {
		m.known[t] = vectors[i]
	}
	out := make([][]float32, len(texts))
	for i, t := range texts {
		out[i] = m.known[t]
	}
	return out, nil
}

// TestExactIDs holds what the identifiers' channel is for, at a size that a test
// can afford; BenchmarkExactIDs measures at 7,000.
func TestExactIDs(t *testing.T) {
	first := exactIDs(t, 400)
	t.Logf("document first, of %d, among 400 passages: %v", exactQuestions, first)
	for _, way := range []string{"hybrid Max, pin", "hybrid MinMax, pin", "hybrid RRF, pin"} {
		if first[way] != exactQuestions {
			t.Errorf("%s: the document came first for %d of %d identifiers", way, first[way], exactQuestions)
		}
	}
	if first["dense"] > exactQuestions/2 || first["hybrid MinMax, off"] == exactQuestions {
		t.Error("nothing is lost without pinning: the corpus is too easy to measure anything")
	}
}

// BenchmarkExactIDs prints of how many of the questions the right document comes
// first among 7,000 passages, for each way of ranking.
func BenchmarkExactIDs(b *testing.B) {
	for b.Loop() {
		for way, n := range exactIDs(b, 7000) {
			b.ReportMetric(float64(n), strings.NewReplacer(" ", "-", ",", "").Replace(way)+"/60")
		}
	}
}
