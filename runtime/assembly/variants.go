package assembly

import (
	"fmt"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/compress"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// Variant is a corpus' pipeline with one stage taken out or set otherwise. Where
// Mode is set, nothing but the mode of the question differs.
type Variant struct {
	Stage    string
	Instead  string
	Mode     rag.Mode
	Settings settings.Corpus
}

// neighbour is how far the weights next to the corpus' own are away.
const neighbour = 0.1

// Variants are what shows whether each stage of a pipeline is worth having: each
// one that is on against its bypass, and Hybrid against each channel alone, the
// weights beside its own, and the other method.
func Variants(s settings.Corpus) []Variant {
	var out []Variant
	add := func(stage, instead string, change func(*settings.Pipeline)) {
		v := Variant{Stage: stage, Instead: instead, Settings: s}
		change(&v.Settings.Pipeline)
		out = append(out, v)
	}
	l := s.Pipeline
	if l.Retrieval.Mode == string(rag.Hybrid) {
		out = append(out,
			Variant{Stage: "hybrid", Instead: "Lexical alone", Mode: rag.Lexical, Settings: s},
			Variant{Stage: "hybrid", Instead: "Dense alone", Mode: rag.Dense, Settings: s})
		for _, f := range fusions(l.Retrieval.Fusion) {
			add(describeFusion(l.Retrieval.Fusion), describeFusion(f), func(p *settings.Pipeline) { p.Retrieval.Fusion = f })
		}
		if l.Retrieval.Identifiers == pin {
			add("identifiers", "Off", func(p *settings.Pipeline) { p.Retrieval.Identifiers = "Off" })
		}
	}
	if l.Reranking.On() {
		add("reranking", "none", func(p *settings.Pipeline) { p.Reranking = settings.Reranking{Model: "None"} })
	}
	if l.Compression.Mode != string(compress.None) && l.Retrieval.Mode != string(rag.FullContext) {
		add("compression", "none", func(p *settings.Pipeline) { p.Compression.Mode = string(compress.None) })
	}
	return out
}

// fusions are the ones beside a corpus' own.
func fusions(own settings.Fusion) []settings.Fusion {
	if own.Method == "RRF" {
		return []settings.Fusion{{Method: "Weighted", Dense: 0.65, Lexical: 0.35, Normalization: "Max"}}
	}
	var out []settings.Fusion
	for _, d := range []settings.Decimal{own.Dense - neighbour, own.Dense + neighbour} {
		if 0 <= d && d <= 1 {
			f := own
			f.Dense, f.Lexical = d, 1-d
			out = append(out, f)
		}
	}
	return append(out, settings.Fusion{Method: "RRF", K: 60})
}

func describeFusion(f settings.Fusion) string {
	if f.Method == "RRF" {
		return fmt.Sprintf("RRF k = %d", f.K)
	}
	return strings.Join([]string{"weights", fmt.Sprintf("%.2f/%.2f", float64(f.Dense), float64(f.Lexical))}, " ")
}
