package settings

import "time"

func (l Pipeline) check(path string, p *problems) {
	timeout := l.Extraction.Timeout.Std()
	p.that(time.Second <= timeout && timeout <= time.Hour, path+".extraction.timeout", "must be from 1s to 1h")
	p.between(path+".extraction.maxPages", l.Extraction.MaxPages, 1, 100000)
	l.Chunking.check(path+".chunking", p)
	p.oneOf(path+".embedding.model", l.Embedding.Model, "all-MiniLM-L6-v2")
	p.that(0 <= l.Lexical.K1 && l.Lexical.K1 < 10, path+".lexical.k1", "must be from 0 up to 10, not %s", l.Lexical.K1)
	p.fraction(path+".lexical.b", l.Lexical.B)
	p.between(path+".lexical.averageLength", l.Lexical.AverageLength, 1, 100000)
	p.oneOf(path+".lexical.language", l.Lexical.Language, "", "en")
	l.Retrieval.check(path+".retrieval", p)
	l.Compression.check(path+".compression", p)
	p.oneOf(path+".generation.provider", l.Generation.Provider, "Extractive")
	if least := l.Chunking.Size * l.Retrieval.TopK; l.Compression.Mode == "TableAware" {
		p.that(l.Compression.MaxContextChars >= least, path+".compression.maxContextChars",
			"%d must be at least chunking.size × retrieval.topK (%d × %d = %d), or what was retrieved would not fit into the prompt",
			l.Compression.MaxContextChars, l.Chunking.Size, l.Retrieval.TopK, least)
	}
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
