package evidence

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/evaluate"
)

// TestReceiptSaysWhichConstant: ours counts positions from 1, the store from 0, so
// 60 is sent as 61; the receipt has both, the latter as it stood in the requests.
func TestReceiptSaysWhichConstant(t *testing.T) {
	l := theLab(t)
	var w wire
	cfg := l.full.config(t)
	cfg.Sets = only(l.full.golden(t, "Q02-cool-while-running"))
	s := l.full.judge(t, cfg, l.through(t, &w))
	sent := map[uint32]bool{}
	for _, q := range w.sent {
		if rrf := q.GetQuery().GetRrf(); rrf != nil {
			sent[rrf.GetK()] = true
		}
	}
	if d := cmp.Diff(map[uint32]bool{61: true}, sent); d != "" {
		t.Errorf("sent (-want +got):\n%s", d)
	}
	data, err := s.Receipt().Encode()
	if err != nil {
		t.Fatal(err)
	}
	r, err := evaluate.DecodeReceipt(data)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(&evaluate.Fusion{Method: "RRF", K: 60, Sent: []int{61}}, r.Sets[0].Modes[0].Fusion); d != "" {
		t.Errorf("receipt (-want +got):\n%s\n%s", d, data)
	}
	if q := card(t, s, "Q02-cool-while-running"); strings.Contains(marshal(t, q.Degraded), "FusionDisagrees") {
		t.Errorf("the store fused otherwise than its channels say: %v", q.Degraded)
	}
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestChangedFreezeIsRefused: what a verdict depends on is hashed before anything
// is asked, and nothing is asked under another hash.
func TestChangedFreezeIsRefused(t *testing.T) {
	cases := map[string]struct {
		reason string
		change func(*evaluate.Config)
	}{
		"Question": {"another key is another examination", func(c *evaluate.Config) {
			set := c.Sets[0]
			set.Key.Questions = append(set.Key.Questions[:0:0], set.Key.Questions...)
			set.Key.Questions[0].Expect.Facts = nil
			c.Sets = []evaluate.Set{set}
		}},
		"Configuration": {"another fusion ranks otherwise", func(c *evaluate.Config) {
			c.Settings.Pipeline.Retrieval.Fusion.K = 10
			c.Inputs.Config = ""
		}},
		"Source":  {"another listing is another corpus", func(c *evaluate.Config) { c.Inputs.Source = "sha256:other" }},
		"Program": {"another version may read otherwise", func(c *evaluate.Config) { c.Inputs.Code = "later" }},
	}
	l := theLab(t)
	published := l.full.config(t).Inputs
	questions, err := evaluate.QuestionsHash(l.full.sets)
	if err != nil {
		t.Fatal(err)
	}
	published.Questions = questions
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			cfg := l.full.config(t)
			cfg.Freeze = published.Freeze()
			c.change(&cfg)
			var w wire
			_, err := evaluate.Run(t.Context(), cfg, l.full.asker(t, cfg.Settings, l.through(t, &w)), l.runtime.View(l.full.place, 1, nil))
			var changed *evaluate.FreezeChangedError
			if !errors.As(err, &changed) || changed.Published != cfg.Freeze {
				t.Errorf("%s: %v", c.reason, err)
			}
			if len(w.sent) > 0 {
				t.Errorf("%d queries were sent before the freeze was compared", len(w.sent))
			}
		})
	}
}
