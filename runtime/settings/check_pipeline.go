package settings

import (
	"slices"
	"time"

	"github.com/bmatcuk/doublestar/v4"
)

func (l Pipeline) check(path string, p *problems) {
	l.Extraction.check(path+".extraction", p)
	l.Chunking.check(path+".chunking", p)
	l.Embedding.check(path+".embedding", p)
	p.that(0 <= l.Lexical.K1 && l.Lexical.K1 < 10, path+".lexical.k1", "must be from 0 up to 10, not %s", l.Lexical.K1)
	p.fraction(path+".lexical.b", l.Lexical.B)
	p.between(path+".lexical.averageLength", l.Lexical.AverageLength, 1, 100000)
	p.oneOf(path+".lexical.language", l.Lexical.Language, "", "en")
	l.Retrieval.check(path+".retrieval", p)
	l.Reranking.check(path+".reranking", p)
	p.that(!l.Reranking.On() || l.Retrieval.Mode != "None" && l.Retrieval.Mode != "FullContext", path+".reranking",
		"needs a retrieval.mode that ranks: Lexical, Dense or Hybrid, not %s", l.Retrieval.Mode)
	l.Compression.check(path+".compression", p)
	l.Generation.check(path+".generation", p)
	of := "retrieval.topK"
	if l.Reranking.On() {
		of = "reranking.topK"
	}
	if least := l.Chunking.Size * l.Kept(); l.Compression.Mode == "TableAware" {
		p.that(l.Compression.MaxContextChars >= least, path+".compression.maxContextChars",
			"%d must be at least chunking.size × %s (%d × %d = %d), or what was retrieved would not fit into the prompt",
			l.Compression.MaxContextChars, of, l.Chunking.Size, l.Kept(), least)
	}
}

func (e Extraction) check(path string, p *problems) {
	p.within(path+".timeout", e.Timeout, time.Second, time.Hour)
	p.between(path+".maxPages", e.MaxPages, 1, 100000)
	p.oneOf(path+".ocr", e.OCR, "None", "Tesseract")
	p.texts(path+".ocrLanguages", e.OCRLanguages, 0, 8)
	for i, l := range e.OCRLanguages {
		p.that(languageForm.MatchString(l), at(path+".ocrLanguages", i), "%q must be a language as Tesseract names it, such as eng or chi_sim", l)
	}
	p.size(path+".passwords", len(e.Passwords), 0, 16)
	for i, w := range e.Passwords {
		p.text(at(path+".passwords", i)+".pattern", w.Pattern, textLimit)
		p.that(doublestar.ValidatePattern(w.Pattern), at(path+".passwords", i)+".pattern", "%q is not a glob pattern", w.Pattern)
		p.needed(at(path+".passwords", i)+".secretRef", w.SecretRef)
	}
}

func (e Embedding) check(path string, p *problems) {
	o := e.OpenAI
	if o == nil {
		p.oneOf(path+".model", e.Model, MiniLM)
		return
	}
	p.endpoint(path+".openai.baseURL", o.BaseURL)
	p.text(path+".openai.model", o.Model, textLimit)
	p.between(path+".openai.dimensions", o.Dimensions, 1, 65536)
	p.between(path+".openai.window", o.Window, 256, 1000000)
	p.key(path+".openai.apiKeySecretRef", o.APIKeySecretRef)
	p.optional(path+".openai.queryInputType", o.QueryInputType)
	p.optional(path+".openai.documentInputType", o.DocumentInputType)
}

func (r Reranking) check(path string, p *problems) {
	if r.ONNX == nil {
		p.oneOf(path+".model", r.Model, "None", LateInteraction)
	} else {
		p.form(path+".onnx.url", r.ONNX.URL, 1024, fileForm, "a URL: https://…, http://… or file:///…")
		p.form(path+".onnx.sha256", r.ONNX.SHA256, 64, sha256Form, "a sha256: 64 hexadecimal digits, lower case")
	}
	if !r.On() {
		return
	}
	p.between(path+".depth", r.Depth, 1, 100)
	p.between(path+".topK", r.TopK, 1, 100)
	p.that(r.TopK <= r.Depth, path+".topK", "%d must not exceed depth, %d", r.TopK, r.Depth)
	if r.Threshold != nil {
		p.fraction(path+".threshold", *r.Threshold)
	}
	p.within(path+".timeout", r.Timeout, 10*time.Millisecond, time.Minute)
	p.oneOf(path+".onFailure", r.OnFailure, "Degrade", "Fail")
}

func (g Generation) check(path string, p *problems) {
	switch {
	case g.OpenAI != nil:
		o := g.OpenAI
		p.endpoint(path+".openai.baseURL", o.BaseURL)
		p.key(path+".openai.apiKeySecretRef", o.APIKeySecretRef)
		p.effort(path+".openai.effort", o.Effort, "minimal", "low", "medium", "high", "xhigh")
		p.asked(path+".openai", o.Model, o.MaxTokens, o.Timeout)
	case g.Anthropic != nil:
		a := g.Anthropic
		if a.BaseURL != "" {
			p.endpoint(path+".anthropic.baseURL", a.BaseURL)
		}
		p.optional(path+".anthropic.fallbackModel", a.FallbackModel)
		p.that(a.FallbackModel == "" || a.FallbackModel != a.Model, path+".anthropic.fallbackModel", "must be another model than model")
		p.needed(path+".anthropic.apiKeySecretRef", a.APIKeySecretRef)
		p.effort(path+".anthropic.effort", a.Effort, "low", "medium", "high", "xhigh", "max")
		p.asked(path+".anthropic", a.Model, a.MaxTokens, a.Timeout)
	default:
		p.oneOf(path+".provider", g.Provider, "Extractive")
	}
	p.size(path+".prices", len(g.Prices), 0, 16)
	unique(p, path+".prices", g.Prices, func(c Price) string { return c.Model }, "")
	for i, c := range g.Prices {
		p.text(at(path+".prices", i)+".model", c.Model, textLimit)
	}
	for _, m := range g.Models() {
		p.that(len(g.Prices) == 0 || slices.ContainsFunc(g.Prices, func(c Price) bool { return c.Model == m }), path+".prices", "must have the price of %q, which may be asked", m)
	}
}

// asked checks what both kinds of model are asked with.
func (p *problems) asked(path, model string, maxTokens int, timeout Duration) {
	p.text(path+".model", model, textLimit)
	p.between(path+".maxTokens", maxTokens, 64, 64000)
	p.within(path+".timeout", timeout, time.Second, 10*time.Minute)
}

func (p *problems) effort(path, effort string, known ...string) {
	if effort != "" {
		p.oneOf(path, effort, known...)
	}
}

// priced refuses a budget that can't be kept: what a model without a price
// spends is not known.
func (c Corpus) priced(path string, p *problems) {
	b, g := c.Budget, c.Pipeline.Generation
	if b == nil {
		return
	}
	p.that(b.USDPerDay > 0, path+".budget.usdPerDay", "must be more than 0: suspend the Corpus, or leave budget out")
	p.that(len(g.Models()) > 0, path+".budget", "needs a generator that costs something: openai or anthropic in spec.pipeline.generation")
	p.that(len(g.Models()) == 0 || len(g.Prices) > 0, path+".pipeline.generation.prices", "must have the price of every model, since spec.budget is set")
}

func (c Chunking) check(path string, p *problems) {
	p.oneOf(path+".strategy", c.Strategy, "Recursive", "Headings")
	p.between(path+".size", c.Size, 100, 20000)
	if c.Overlap != nil {
		p.between(path+".overlap", *c.Overlap, 0, 10000)
		p.that(*c.Overlap < c.Size, path+".overlap", "%d must be smaller than size, %d", *c.Overlap, c.Size)
	}
}

func (r Retrieval) check(path string, p *problems) {
	p.oneOf(path+".mode", r.Mode, modes()...)
	p.between(path+".candidates", r.Candidates, 1, 1000)
	p.between(path+".topK", r.TopK, 1, 100)
	p.that(r.TopK <= r.Candidates, path+".topK", "%d must not exceed candidates, %d", r.TopK, r.Candidates)
	p.oneOf(path+".identifiers", r.Identifiers, "Pin", "Off")
	r.Fusion.check(path+".fusion", p)
}

func modes() []string { return []string{"None", "Lexical", "Dense", "Hybrid", "FullContext"} }

func (f Fusion) check(path string, p *problems) {
	p.oneOf(path+".method", f.Method, "Weighted", "RRF")
	switch f.Method {
	case "Weighted":
		p.fraction(path+".dense", f.Dense)
		p.fraction(path+".lexical", f.Lexical)
		p.that(sumsToOne(f.Dense, f.Lexical), path+".dense", "dense and lexical must sum to 1, not %s + %s", f.Dense, f.Lexical)
		p.oneOf(path+".normalization", f.Normalization, "Max", "MinMax")
	case "RRF":
		p.between(path+".k", f.K, 1, 10000)
	}
}

func (c Compression) check(path string, p *problems) {
	p.oneOf(path+".mode", c.Mode, "None", "TableAware", "TopSentences")
	p.between(path+".maxContextChars", c.MaxContextChars, 100, 2000000)
	p.between(path+".maxTableChars", c.MaxTableChars, 100, 2000000)
	p.fraction(path+".sentenceThreshold", c.SentenceThreshold)
	if c.Mode == "TopSentences" {
		if c.MaxSentences == 0 {
			p.add(path+".maxSentences", "is required by mode TopSentences")
		} else {
			p.between(path+".maxSentences", c.MaxSentences, 1, 10000)
		}
	}
}
