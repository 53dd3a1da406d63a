package settings

import "time"

// The defaults, one method a struct; the API server has the same ones in its
// schema, and test/api compares the two.

func (c *Cluster) setDefaults() {
	limit := 3
	*c = Cluster{Interval: Duration(10 * time.Minute), Approval: "Automatic", RevisionHistoryLimit: &limit, DeletionPolicy: "Delete"}
}

func (s *Source) setDefaults() {
	*s = Source{Include: []string{"**/*.pdf"}, MaxObjectBytes: 200 << 20}
}

func (g *DeletionGuard) setDefaults() { *g = DeletionGuard{Percent: 15, Count: 50} }

func (s *S3) setDefaults() { s.Region = "us-east-1" }

func (d *Documents) setDefaults() { *d = Documents{ID: "{{ .Base }}", TolerateFailures: "0"} }

func (e *Extraction) setDefaults() {
	*e = Extraction{Timeout: Duration(time.Minute), MaxPages: 5000, OCR: "None"}
}

func (e *Extraction) finish(given map[string]any, path string, p *problems) {
	if e.OCR == "None" {
		p.that(given["ocrLanguages"] == nil, path+".ocrLanguages", "needs ocr Tesseract: leave it out, or change ocr")
		return
	}
	if len(e.OCRLanguages) == 0 {
		e.OCRLanguages = []string{"eng"}
	}
}

func (c *Chunking) setDefaults() {
	overlap := 200
	*c = Chunking{Strategy: "Recursive", Size: 1200, Overlap: &overlap}
}

// MiniLM is the encoder in this process.
const MiniLM = "all-MiniLM-L6-v2"

func (o *RemoteEmbedding) setDefaults() { o.Window = 2048 }

func (e *Embedding) finish(given map[string]any, path string, p *problems) {
	p.that(given["model"] == nil || given["openai"] == nil, path, "must have at most one of model and openai")
	if given["model"] == nil && given["openai"] == nil {
		e.Model = MiniLM
	}
}

func (l *Lexical) setDefaults() { *l = Lexical{K1: 1.2, B: 0.75, AverageLength: 128} }

func (r *Retrieval) setDefaults() {
	*r = Retrieval{Mode: "Hybrid", Candidates: 20, TopK: 5, Identifiers: "Pin"}
}

func (f *Fusion) setDefaults() { f.Method = "Weighted" }

// finish gives the method what it needs, so that the settings of the other
// method never stand where they have no effect.
func (f *Fusion) finish(given map[string]any, path string, p *problems) {
	refuse := func(method string, names ...string) {
		for _, n := range names {
			p.that(given[n] == nil, path+"."+n, "needs method %s: leave it out, or change method", method)
		}
	}
	if f.Method == "RRF" {
		refuse("Weighted", "dense", "lexical", "normalization")
		if given["k"] == nil {
			f.K = 60
		}
		return
	}
	refuse("RRF", "k")
	p.that((given["dense"] == nil) == (given["lexical"] == nil), path, "dense and lexical must be given together")
	if given["dense"] == nil && given["lexical"] == nil {
		f.Dense, f.Lexical = 0.65, 0.35
	}
	if given["normalization"] == nil {
		f.Normalization = "Max"
	}
}

// finish gives a reranker its defaults; without one, its fields have no effect
// and are refused.
func (r *Reranking) finish(given map[string]any, path string, p *problems) {
	p.that(given["model"] == nil || given["onnx"] == nil, path, "must have at most one of model and onnx")
	if given["model"] == nil && given["onnx"] == nil {
		r.Model = "None"
	}
	if !r.On() {
		for _, name := range []string{"depth", "topK", "threshold", "timeout", "onFailure"} {
			p.that(given[name] == nil, path+"."+name, "needs a reranker: leave it out, or set model or onnx")
		}
		return
	}
	if given["depth"] == nil {
		r.Depth = 20
	}
	if given["topK"] == nil {
		r.TopK = 3
	}
	if given["timeout"] == nil {
		r.Timeout = Duration(2 * time.Second)
	}
	if given["onFailure"] == nil {
		r.OnFailure = "Degrade"
	}
}

func (c *Compression) setDefaults() {
	*c = Compression{Mode: "TableAware", MaxContextChars: 6000, MaxTableChars: 20000, SentenceThreshold: 0.30}
}

func (c *Compression) finish(given map[string]any, path string, p *problems) {
	p.that(c.Mode == "TopSentences" || given["maxSentences"] == nil, path+".maxSentences", "needs mode TopSentences: leave it out, or change mode")
}

func (g *Generation) finish(given map[string]any, path string, p *problems) {
	n := 0
	for _, name := range []string{"provider", "openai", "anthropic"} {
		if given[name] != nil {
			n++
		}
	}
	p.that(n <= 1, path, "must have at most one of provider, openai and anthropic")
	if n == 0 {
		g.Provider = "Extractive"
	}
	p.that(given["prices"] == nil || g.Provider == "", path+".prices", "needs openai or anthropic: the extractive generator costs nothing")
}

func (o *OpenAI) setDefaults() { o.MaxTokens, o.Timeout = 2048, Duration(time.Minute) }

func (a *Anthropic) setDefaults() { a.MaxTokens, a.Timeout = 2048, Duration(time.Minute) }

func (g *Gate) setDefaults() {
	*g = Gate{Mode: "Enforce", Interval: Duration(24 * time.Hour), OnRegression: "Report"}
}

func (c *Collection) setDefaults() {
	strict := true
	*c = Collection{Strict: &strict, Shards: 1, Replicas: 1, Drift: "Repair", DeletionPolicy: "Delete"}
}

func (d *DenseVectors) setDefaults() {
	*d = DenseVectors{Size: 384, Distance: "Cosine", Quantization: "None"}
}

func (s *SparseVectors) setDefaults() { s.Modifier = "IDF" }

func (g *GoldenSet) setDefaults() { g.Cutoffs = []int{3, 5} }

// finish makes every threshold that was left out its strictest value.
func (g *GoldenSet) finish(map[string]any, string, *problems) {
	t := &g.Thresholds
	for _, share := range []**Decimal{&t.Accuracy, &t.Completeness, &t.Survival, &t.Citations, &t.HandOffs} {
		if *share == nil {
			*share = new(Decimal)
			**share = 1
		}
	}
	for _, most := range []**int{&t.ConfidentlyWrong, &t.Forbidden, &t.Degraded} {
		if *most == nil {
			*most = new(int)
		}
	}
}

func (e *Expect) setDefaults() { e.Status = "Answered" }

func (e *Entities) finish(given map[string]any, path string, p *problems) {
	p.that((given["pattern"] == nil) == (given["count"] == nil), path, "pattern and count must be given together")
}
