package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// Hash identifies what a revision is built and answered by: documents, pipeline
// and eligibility. Where the documents come from is left to the listing's own
// hash; access, budget, prices, gate and schedule apply without a new revision.
func (c Corpus) Hash() (string, error) {
	c.Pipeline.Generation.Prices = nil
	return hash(struct {
		Documents   Documents   `json:"documents"`
		Pipeline    Pipeline    `json:"pipeline"`
		Eligibility Eligibility `json:"eligibility"`
	}{c.Documents, c.Pipeline, c.Eligibility})
}

// Hash identifies the questions and what is demanded of them.
func (g GoldenSet) Hash() (string, error) { return hash(g) }

// hash is over canonical JSON: fields in the order of the structs, map keys
// sorted. Only a payload value that JSON doesn't have can make it fail.
func hash(v any) (string, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("hash settings: %w", err)
	}
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:]), nil
}
