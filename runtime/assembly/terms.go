package assembly

import (
	"errors"
	"fmt"

	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// Terms are what a corpus works by beside the settings of a revision: the values
// of what the settings refer to, and what applies live. None of it is part of a
// revision. The zero Terms do for a corpus that asks nobody outside.
type Terms struct {
	EmbeddingKey  string   // of spec.pipeline.embedding.openai
	GenerationKey string   // of spec.pipeline.generation's model
	Passwords     []string // beside spec.pipeline.extraction.passwords
	USDPerDay     float64  // what the generator may cost; 0 sets no bound
	Golden        bool     // asked by an evaluation, whose questions' vectors are kept on disk
}

// Secrets looks up the values that the settings refer to. read is given the
// reference and the field that holds it, for its message.
func Secrets(s settings.Corpus, read func(ref settings.KeyReference, field string) (string, error)) (Terms, error) {
	const at = "spec.pipeline."
	var t Terms
	var errs []error
	get := func(ref *settings.KeyReference, field string) string {
		if ref == nil {
			return ""
		}
		v, err := read(*ref, field)
		errs = append(errs, err)
		return v
	}
	l := s.Pipeline
	if o := l.Embedding.OpenAI; o != nil {
		t.EmbeddingKey = get(o.APIKeySecretRef, at+"embedding.openai.apiKeySecretRef")
	}
	if o := l.Generation.OpenAI; o != nil {
		t.GenerationKey = get(o.APIKeySecretRef, at+"generation.openai.apiKeySecretRef")
	}
	if a := l.Generation.Anthropic; a != nil {
		t.GenerationKey = get(&a.APIKeySecretRef, at+"generation.anthropic.apiKeySecretRef")
	}
	for i, p := range l.Extraction.Passwords {
		t.Passwords = append(t.Passwords, get(&p.SecretRef, fmt.Sprintf("%sextraction.passwords[%d].secretRef", at, i)))
	}
	if s.Budget != nil {
		t.USDPerDay = float64(s.Budget.USDPerDay)
	}
	return t, errors.Join(errs...)
}
