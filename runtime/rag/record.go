package rag

// Record is the ledger's entry for one document of a revision: what was read,
// from which bytes, and what became of it. It is stored beside the document's
// chunks, so that what has been ingested cannot drift from what is stored.
type Record struct {
	Key      string    `json:"key"`
	Version  string    `json:"version"`
	SHA256   string    `json:"sha256,omitempty"`
	Document string    `json:"document,omitempty"` // id[-revision]
	Title    string    `json:"title,omitempty"`
	Pages    int       `json:"pages"`
	Chunks   int       `json:"chunks"`
	Failure  *Failure  `json:"failure,omitempty"` // nil when the document was ingested
	Problems []Problem `json:"problems,omitempty"`
	Text     string    `json:"text,omitempty"` // all extracted text, left out where it was not asked for
	Fields   map[string]any
}

// Failure says why a document could not be ingested.
type Failure struct {
	Stage  string `json:"stage"`  // fetch, extract, chunk, embed, metadata
	Reason string `json:"reason"` // CamelCase
	Detail string `json:"detail"`
	// Skipped marks an object that is no document (a type that is not read): counted and named, but no fault of the corpus.
	Skipped bool `json:"skipped,omitempty"`
}
