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

func (s *S3) setDefaults() { s.Region = "us-east-1" }

func (d *Documents) setDefaults() { *d = Documents{ID: "{{ .Base }}", TolerateFailures: "0"} }

func (e *Extraction) setDefaults() {
	*e = Extraction{Timeout: Duration(time.Minute), MaxPages: 5000}
}

func (c *Chunking) setDefaults() {
	overlap := 200
	*c = Chunking{Strategy: "Recursive", Size: 1200, Overlap: &overlap}
}

func (e *Embedding) setDefaults() { e.Model = "all-MiniLM-L6-v2" }

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

func (c *Compression) setDefaults() {
	*c = Compression{Mode: "TableAware", MaxContextChars: 6000, MaxTableChars: 20000, SentenceThreshold: 0.30}
}

func (c *Compression) finish(given map[string]any, path string, p *problems) {
	p.that(c.Mode == "TopSentences" || given["maxSentences"] == nil, path+".maxSentences", "needs mode TopSentences: leave it out, or change mode")
}

func (g *Generation) setDefaults() { g.Provider = "Extractive" }

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
