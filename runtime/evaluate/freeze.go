package evaluate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// Inputs are what a verdict depends on. A freeze is their hash, taken before
// anything is asked.
type Inputs struct {
	Code      string `json:"code"`      // version of the program
	Config    string `json:"config"`    // settings.Corpus.Hash
	Questions string `json:"questions"` // QuestionsHash of the answer keys
	Source    string `json:"source"`    // revision of the listing
}

// Freeze is the hash of the inputs.
func (i Inputs) Freeze() string {
	// Four strings cannot fail to marshal, and JSON keeps them apart.
	data, _ := json.Marshal(i)
	return sum(data)
}

// complete fills in what can be computed.
func (i Inputs) complete(s settings.Corpus, sets []Set) (Inputs, error) {
	var err error
	if i.Config == "" {
		if i.Config, err = s.Hash(); err != nil {
			return i, fmt.Errorf("hash the configuration: %w", err)
		}
	}
	if i.Questions == "" {
		i.Questions, err = QuestionsHash(sets)
	}
	return i, err
}

// QuestionsHash is the hash of answer keys, in their order.
func QuestionsHash(sets []Set) (string, error) {
	h, err := digest(sets)
	if err != nil {
		return "", fmt.Errorf("hash the questions: %w", err)
	}
	return h, nil
}

func digest(v any) (string, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	return sum(data), nil
}

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(h[:])
}

// short is a hash as people quote it.
func short(hash string) string {
	if name, hex, ok := strings.Cut(hash, ":"); ok && len(hex) > 12 {
		return name + ":" + hex[:12]
	}
	return hash
}
