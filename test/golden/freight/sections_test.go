package freight

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// sections are the headings of the fourteen documents, as passages, in order.
var sections = map[string][]string{
	"peachtree-contract":  {"parties-and-term", "lanes-and-rates", "payment-terms", "loading-and-appointments", "cargo-liability-and-claims", "confidentiality"},
	"stonebrook-contract": {"parties-and-term", "lanes-and-rates", "payment-terms", "securement-and-tarping", "cargo-liability-and-claims", "mill-gate-rules"},
	"larkspur-contract":   {"parties-and-term", "lanes-and-rates", "payment-terms", "temperature-control", "cargo-liability-and-claims", "refused-goods"},
	"carrier-agreement": {"1-authority-and-independence", "2-insurance", "3-rate-confirmations", "4-detention-pay", "5-truck-ordered-not-used",
		"6-invoices-and-payment", "7-cargo-loss"},
	"load-ct-88231":                 {"load-details", "stops-and-times", "charges-to-the-customer"},
	"load-ct-88407":                 {"load-details", "stops-and-times", "charges-to-the-customer"},
	"load-ct-88519":                 {"load-details", "stops-and-times", "exceptions-at-delivery"},
	"invoice-inv-7719":              {"charges-invoiced", "payment-and-deductions"},
	"invoice-inv-7742":              {"charges-invoiced", "payment-and-deductions"},
	"detention-procedure":           {"what-customers-are-billed", "notice-and-proof", "waiving-or-contesting-a-charge"},
	"claims-procedure":              {"opening-a-claim", "inspection-and-salvage", "deciding-and-paying", "time-limits"},
	"hazardous-materials-procedure": {"what-is-accepted", "carrier-and-driver", "papers-and-placards"},
	"accessorial-charges":           {"standard-charges", "truck-ordered-not-used", "services-quoted-case-by-case", "new-lanes"},
	"invoicing-procedure":           {"billing-a-load", "when-a-customer-pays-less", "credit-limits", "overdue-accounts"},
}

// TestSections: the fourteen PDFs come to the 56 sections that people wrote, each
// found by its font, weight or number alone, and to nothing else.
func TestSections(t *testing.T) {
	d := theDesk(t)
	got, n := map[string][]string{}, 0
	for document, chunks := range d.chunks {
		for _, c := range chunks {
			if name := section(c); !slices.Contains(got[document], name) {
				got[document] = append(got[document], name)
				n++
			}
		}
	}
	if diff := cmp.Diff(sections, got); diff != "" {
		t.Errorf("sections (-want +got):\n%s", diff)
	}
	if n != 56 {
		t.Errorf("%d sections, the sample has 56", n)
	}
}

// section is the heading's slug that a chunk is called by: a table stands in one.
func section(c rag.Hit) string {
	if c.Table && len(c.Aliases) > 0 {
		return c.Aliases[0]
	}
	return c.Passage
}

// TestEveryChunkNamesItsClause: title and heading stand over every chunk, since
// three customers' clauses differ in nothing else that a search could tell.
func TestEveryChunkNamesItsClause(t *testing.T) {
	for document, chunks := range theDesk(t).chunks {
		for _, c := range chunks {
			if c.Title == "" || c.Heading == "" || !strings.HasPrefix(c.Search(), c.Title+"\n"+c.Heading+"\n") {
				t.Errorf("%s#%s begins with %.60q", document, c.Passage, c.Search())
			}
			if c.Table && c.Pieces > 1 {
				t.Errorf("%s#%s is a table of %d pieces, and is short enough for one", document, c.Passage, c.Pieces)
			}
			if strings.Contains(c.Body(), "Page 1 of 1") {
				t.Errorf("%s#%s has the page's number in its text", document, c.Passage)
			}
		}
	}
}

// TestOnlyTheLongSectionIsCut: one section is over the encoder's window. It is cut
// between paragraphs, and its list stays whole, with what introduces it.
func TestOnlyTheLongSectionIsCut(t *testing.T) {
	var pieces []rag.Hit
	for document, chunks := range theDesk(t).chunks {
		for _, c := range chunks {
			switch {
			case c.Pieces == 1:
			case document == "claims-procedure" && c.Passage == "opening-a-claim":
				pieces = append(pieces, c)
			default:
				t.Errorf("%s#%s is cut in %d", document, c.Passage, c.Pieces)
			}
		}
	}
	if len(pieces) != 2 {
		t.Fatalf("%d pieces of the long section, it takes two", len(pieces))
	}
	first := pieces[0].Units
	var got []string
	for _, u := range first[len(first)-7:] {
		got = append(got, u.Text)
	}
	want := []string{
		"The following belongs to a claim:",
		"• the bill of lading of the pickup and the signed delivery receipt with its remarks;",
		"• the commercial invoice that shows the value of the goods to the customer;",
		"• photographs of the goods, of their packing and, where possible, of the trailer’s inside;",
		"• for chilled goods the temperature record and the pulp temperatures that were taken;",
		"• the repair bill or the reason why a repair is not worth its cost;",
		"• what was or could be recovered by selling the goods at a reduced price.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the first piece ends (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("What is missing can be sent later.", pieces[1].Units[0].Text); diff != "" {
		t.Errorf("the second begins (-want +got):\n%s", diff)
	}
}

// TestOneClauseThreeFigures: the clauses on liability are one text, and each
// contract's has its own figures under its own title.
func TestOneClauseThreeFigures(t *testing.T) {
	tests := map[string]struct {
		customer string
		figures  []string
	}{
		"peachtree-contract":  {"Peachtree Packaging contract", []string{"$100,000 per shipment", "within 60 days of delivery", "within 5 days of delivery"}},
		"stonebrook-contract": {"Stonebrook Steel contract", []string{"$250,000 per shipment", "within 90 days of delivery", "within 7 days of delivery"}},
		"larkspur-contract":   {"Larkspur Foods contract", []string{"$150,000 per shipment", "within 30 days of delivery", "within 2 days of delivery"}},
	}
	skeletons := map[string]bool{}
	for document, want := range tests {
		for _, c := range theDesk(t).chunks[document] {
			if c.Passage != "cargo-liability-and-claims" {
				continue
			}
			if c.Title != want.customer {
				t.Errorf("%s stands under %q", document, c.Title)
			}
			body := c.Body()
			for _, f := range want.figures {
				if !strings.Contains(body, f) {
					t.Errorf("%s lacks %q: %s", document, f, body)
				}
				body = strings.ReplaceAll(body, f, "…")
			}
			skeletons[body] = true
		}
	}
	if len(skeletons) != 1 {
		t.Errorf("%d wordings, the clause has one", len(skeletons))
	}
}
