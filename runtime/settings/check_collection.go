package settings

import "strings"

// Validate names every field of the spec that can't work, by the rules of the
// API server.
func (c Collection) Validate() error {
	var p problems
	c.Store.check(root+".store", &p)
	d := c.Vectors.Dense
	p.between(root+".vectors.dense.size", d.Size, 1, 65536)
	p.oneOf(root+".vectors.dense.distance", d.Distance, "Cosine")
	p.oneOf(root+".vectors.dense.quantization", d.Quantization, "None", "Scalar", "Binary")
	p.oneOf(root+".vectors.sparse.modifier", c.Vectors.Sparse.Modifier, "IDF")
	p.size(root+".payloadIndexes", len(c.PayloadIndexes), 0, 64)
	unique(&p, root+".payloadIndexes", c.PayloadIndexes, func(i PayloadIndex) string { return i.Field }, "")
	for i, index := range c.PayloadIndexes {
		index.check(at(root+".payloadIndexes", i), &p)
	}
	p.between(root+".shards", c.Shards, 1, 64)
	p.between(root+".replicas", c.Replicas, 1, 16)
	if c.Store.Embedded != nil {
		p.that(c.Shards == 1, root+".shards", "must be 1 with the embedded store")
		p.that(c.Replicas == 1, root+".replicas", "must be 1 with the embedded store")
		p.that(d.Quantization == "None", root+".vectors.dense.quantization", "must be None with the embedded store")
	}
	p.oneOf(root+".drift", c.Drift, "Repair", "Warn")
	p.oneOf(root+".deletionPolicy", c.DeletionPolicy, "Delete", "Retain")
	return p.err()
}

func (s Store) check(path string, p *problems) {
	p.that((s.Qdrant == nil) != (s.Embedded == nil), path, "must have exactly one of qdrant and embedded")
	if q := s.Qdrant; q != nil {
		p.url(path+".qdrant.url", q.URL)
		p.key(path+".qdrant.apiKeySecretRef", q.APIKeySecretRef)
		p.key(path+".qdrant.caSecretRef", q.CASecretRef)
		p.that(q.CASecretRef == nil || strings.HasPrefix(q.URL, "https://"), path+".qdrant.caSecretRef", "needs an https:// url")
	}
}

func (i PayloadIndex) check(path string, p *problems) {
	p.field(path+".field", i.Field)
	p.oneOf(path+".type", i.Type, "Keyword", "Integer", "Float", "Bool", "Datetime", "UUID")
	p.that(!i.Tenant || i.Type == "Keyword", path+".tenant", "needs type Keyword")
}
