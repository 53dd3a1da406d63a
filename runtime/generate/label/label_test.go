package label_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/generate/label"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

func TestPairs(t *testing.T) {
	sentence := func(texts ...string) []rag.Unit {
		var out []rag.Unit
		for i, s := range texts {
			out = append(out, rag.Unit{Kind: rag.Sentence, Text: s, Order: i})
		}
		return out
	}
	row := func(rows ...[]string) []rag.Unit {
		var out []rag.Unit
		for i, r := range rows {
			out = append(out, rag.Unit{Kind: rag.RowUnit, Cells: r, Order: i})
		}
		return out
	}
	cases := map[string]struct {
		reason string
		units  []rag.Unit
		want   map[string]string
	}{
		"Lines": {
			reason: "one label a line",
			units:  sentence("Invoice No: STL/2025-26/003", "Bill To: Welspun India Ltd"),
			want:   map[string]string{"Invoice No": "STL/2025-26/003", "Bill To": "Welspun India Ltd"},
		},
		"SameLine": {
			reason: "a known label begins where another value ends",
			units:  sentence("Bill To: Welspun India Ltd Invoice Date: 18-04-2025"),
			want:   map[string]string{"Bill To": "Welspun India Ltd", "Invoice Date": "18-04-2025"},
		},
		"AfterAFullStop": {
			reason: "a full stop ends a value",
			units:  sentence("Prepared by: Murugan K. Checked by: Priya S."),
			want:   map[string]string{"Prepared by": "Murugan K", "Checked by": "Priya S"},
		},
		"ValueBelow": {
			reason: "a label without a value waits for the next line, across a line of two columns",
			units:  sentence("Bill To: Invoice No: 3", "Welspun India Ltd Invoice Date: 18-04-2025"),
			want:   map[string]string{"Bill To": "Welspun India Ltd", "Invoice No": "3", "Invoice Date": "18-04-2025"},
		},
		"Columns": {
			reason: "two columns of a form are read down, not across",
			units:  row([]string{"Bill To:", "Invoice No: 3"}, []string{"Welspun India Ltd", "Due Date: 02-06-2025"}),
			want:   map[string]string{"Bill To": "Welspun India Ltd", "Invoice No": "3", "Due Date": "02-06-2025"},
		},
		"Beside": {
			reason: "a table of two columns is labels and values",
			units:  row([]string{"Net value", "3,203.10"}, []string{"Total GBP", "3,843.72"}),
			want:   map[string]string{"Net value": "3,203.10", "Total GBP": "3,843.72"},
		},
		"Time": {
			reason: "a colon inside a time labels nothing",
			units:  sentence("The gate closes at 18:30 on weekdays and stays shut on Sundays."),
			want:   map[string]string{},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			in := rag.PromptContext{Hits: []rag.Hit{{Chunk: rag.Chunk{Document: "d", Units: c.units}}}}
			for u := range c.units {
				in.Handles = append(in.Handles, rag.Handle{Unit: u})
			}
			got := map[string]string{}
			for _, p := range label.Pairs(in) {
				got[p.Label] = p.Value
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}
