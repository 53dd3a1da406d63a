package remote

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// request is one batch.
type request struct {
	model      string
	inputType  string
	sizeField  string
	dimensions int
	texts      []string
}

// MarshalJSON leaves out what is not asked for, encoding_format too: floats are
// every server's default, and Voyage refuses that word for them.
func (r request) MarshalJSON() ([]byte, error) {
	body := map[string]any{"model": r.model, "input": r.texts}
	if r.inputType != "" {
		body["input_type"] = r.inputType
	}
	if r.sizeField != "" {
		body[r.sizeField] = r.dimensions
	}
	return json.Marshal(body)
}

// reply is a server's answer.
type reply struct {
	Data []struct {
		Index     *int            `json:"index"`
		Embedding json.RawMessage `json:"embedding"`
	} `json:"data"`
	Usage struct {
		PromptTokens int64 `json:"prompt_tokens"`
		TotalTokens  int64 `json:"total_tokens"`
	} `json:"usage"`
}

// tokens are what is billed: some servers report one sum, some the other.
func (r reply) tokens() int64 { return max(r.Usage.TotalTokens, r.Usage.PromptTokens) }

// vectors puts the vectors in the order of the texts and refuses those that are
// not one for each.
func (r reply) vectors(texts, dimensions int) ([][]float32, error) {
	if len(r.Data) != texts {
		return nil, fmt.Errorf("the reply has %d vectors for %d texts", len(r.Data), texts)
	}
	out := make([][]float32, texts)
	for k, d := range r.Data {
		switch {
		case d.Index == nil:
			return nil, fmt.Errorf("vector %d of the reply has no index", k)
		case *d.Index < 0 || *d.Index >= texts:
			return nil, fmt.Errorf("the reply has a vector of index %d for %d texts", *d.Index, texts)
		case out[*d.Index] != nil:
			return nil, fmt.Errorf("the reply has two vectors of index %d", *d.Index)
		}
		raw, err := decode(d.Embedding)
		if err != nil {
			return nil, fmt.Errorf("vector %d of the reply: %w", *d.Index, err)
		}
		if len(raw) != dimensions {
			return nil, &DimensionsError{Want: dimensions, Got: len(raw)}
		}
		if out[*d.Index], err = unit(raw); err != nil {
			return nil, fmt.Errorf("vector %d of the reply: %w", *d.Index, err)
		}
	}
	return out, nil
}

// decode reads a list of numbers, or float32 in little endian as base64; which of
// them it is the server decides.
func decode(raw json.RawMessage) ([]float64, error) {
	if len(raw) == 0 || raw[0] != '"' {
		var v []float64
		if bytes.Contains(raw, []byte("null")) { // which a slice of floats would read as 0
			return nil, errors.New("holds null")
		}
		if err := json.Unmarshal(raw, &v); err != nil {
			return nil, fmt.Errorf("is no list of numbers: %w", err)
		}
		return v, nil
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return nil, fmt.Errorf("is no text: %w", err)
	}
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("is neither numbers nor base64: %w", err)
	}
	if len(b)%4 != 0 {
		return nil, fmt.Errorf("has %d bytes, which are no float32s", len(b))
	}
	return floats(b), nil
}

func floats(b []byte) []float64 {
	v := make([]float64, len(b)/4)
	for i := range v {
		v[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
	}
	return v
}

// unit scales to length 1, which not every server does, and which sentences are
// compared by.
func unit(v []float64) ([]float32, error) {
	var squares float64
	for i, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("component %d is %v", i, x)
		}
		squares += x * x
	}
	if squares == 0 || math.IsInf(squares, 0) {
		return nil, fmt.Errorf("its length is %v", math.Sqrt(squares))
	}
	k := 1 / math.Sqrt(squares)
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(x * k)
	}
	return out, nil
}
