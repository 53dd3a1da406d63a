package generate_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/generate"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

func TestDoubts(t *testing.T) {
	at := func(v float64) *float64 { return &v }
	cases := map[string]struct {
		reason string
		units  []rag.Cited
		want   []rag.Flag
	}{
		"Printed": {"text that was stored as text is what it is", []rag.Cited{{Name: "p1.s1"}}, nil},
		"Certain": {"at the bound is certain enough", []rag.Cited{{Name: "p1.s1", Confidence: at(0.70)}}, nil},
		"Doubtful": {"under it is told, with the worst", []rag.Cited{{Name: "p1.t1.r1", Confidence: at(0.69)}, {Name: "p1.t1.r2", Confidence: at(0.2)}, {Name: "p1.t1.r3", Confidence: at(0.9)}},
			[]rag.Flag{{Reason: generate.LowConfidence, Detail: "2 cited rows or sentences were recognised from a picture with a confidence under 0.70, the least certain is april#p1.t1.r2 (0.20): look at the page"}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, generate.Doubts([]rag.Citation{{Document: "april", Units: c.units}})); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
}
