package settings

import "strconv"

// SettingNames are the names that a golden set's requires may use.
func SettingNames() []string {
	return []string{
		"strategy", "size", "overlap", "model", "k1", "b", "averageLength", "language",
		"mode", "fusion", "dense", "lexical", "normalization", "k", "candidates", "topK", "identifiers",
		"reranking", "depth", "keep", "threshold",
		"compression", "maxContextChars", "maxTableChars", "sentenceThreshold", "maxSentences", "generation", "generationModel",
	}
}

// Setting returns the value of a setting by its name in requires, as the spec
// writes it; "" and false for one that isn't in force, such as k under Weighted.
func (c Corpus) Setting(name string) (string, bool) {
	v := c.chunked(name) + c.retrieved(name) + c.reranked(name) + c.compressed(name) + c.generated(name)
	return v, v != ""
}

func (c Corpus) chunked(name string) string {
	l := c.Pipeline
	switch name {
	case "strategy":
		return l.Chunking.Strategy
	case "size":
		return strconv.Itoa(l.Chunking.Size)
	case "overlap":
		if l.Chunking.Overlap != nil {
			return strconv.Itoa(*l.Chunking.Overlap)
		}
	case "model":
		if o := l.Embedding.OpenAI; o != nil {
			return o.Model
		}
		return l.Embedding.Model
	case "k1":
		return l.Lexical.K1.String()
	case "b":
		return l.Lexical.B.String()
	case "averageLength":
		return strconv.Itoa(l.Lexical.AverageLength)
	case "language":
		return l.Lexical.Language
	}
	return ""
}

func (c Corpus) reranked(name string) string {
	r := c.Pipeline.Reranking
	switch {
	case name == "reranking" && r.ONNX != nil:
		return "onnx"
	case name == "reranking":
		return r.Model
	case name == "depth" && r.On():
		return strconv.Itoa(r.Depth)
	case name == "keep" && r.On():
		return strconv.Itoa(r.TopK)
	case name == "threshold" && r.Threshold != nil:
		return r.Threshold.String()
	}
	return ""
}

func (c Corpus) generated(name string) string {
	g := c.Pipeline.Generation
	switch models := g.Models(); {
	case name == "generation":
		return g.Kind()
	case name == "generationModel" && len(models) > 0:
		return models[0]
	}
	return ""
}

func (c Corpus) retrieved(name string) string {
	r := c.Pipeline.Retrieval
	weighted := r.Fusion.Method == "Weighted"
	switch {
	case name == "mode":
		return r.Mode
	case name == "fusion":
		return r.Fusion.Method
	case name == "dense" && weighted:
		return r.Fusion.Dense.String()
	case name == "lexical" && weighted:
		return r.Fusion.Lexical.String()
	case name == "normalization" && weighted:
		return r.Fusion.Normalization
	case name == "k" && !weighted:
		return strconv.Itoa(r.Fusion.K)
	case name == "candidates":
		return strconv.Itoa(r.Candidates)
	case name == "topK":
		return strconv.Itoa(r.TopK)
	case name == "identifiers":
		return r.Identifiers
	}
	return ""
}

func (c Corpus) compressed(name string) string {
	m := c.Pipeline.Compression
	switch name {
	case "compression":
		return m.Mode
	case "maxContextChars":
		return strconv.Itoa(m.MaxContextChars)
	case "maxTableChars":
		return strconv.Itoa(m.MaxTableChars)
	case "sentenceThreshold":
		return m.SentenceThreshold.String()
	case "maxSentences":
		if m.MaxSentences > 0 {
			return strconv.Itoa(m.MaxSentences)
		}
	}
	return ""
}
