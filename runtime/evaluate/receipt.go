package evaluate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// ReceiptSchema is the schema of a receipt's JSON.
const ReceiptSchema = "hardgate.receipt/v1"

// ReceiptKey is the key of a receipt in its ConfigMap.
const ReceiptKey = "receipt.json"

// MaxReceiptBytes bounds a receipt: a quarter of what a ConfigMap may hold.
const MaxReceiptBytes = 256 << 10

// Receipt is what is kept of an evaluation for good: verdicts, ids and hashes,
// no text of a question, an answer or a passage.
type Receipt struct {
	Schema      string            `json:"schema"`
	Corpus      string            `json:"corpus"`
	Freeze      string            `json:"freeze"`
	Inputs      Inputs            `json:"inputs"`
	TakenAt     time.Time         `json:"takenAt"`
	Passed      bool              `json:"passed"`
	Environment map[string]string `json:"environment"`
	Documents   Documents         `json:"documents"`
	Chunks      int               `json:"chunks"`
	Abridged    bool              `json:"abridged,omitempty"` // the evidence of passed questions was left out to keep the bound
	Sets        []ReceiptSet      `json:"sets"`
}

// ReceiptSet is the verdict on one golden set.
type ReceiptSet struct {
	Name      string            `json:"name"`
	Passed    bool              `json:"passed"`
	Mode      rag.Mode          `json:"mode"` // the corpus' own, to which the questions belong
	Modes     []ModeCard        `json:"modes"`
	Omitted   []rag.Mode        `json:"omitted,omitempty"`
	Failures  []ReceiptFailure  `json:"failures"`
	Questions []ReceiptQuestion `json:"questions"`
}

// ReceiptFailure is a failure without its words.
type ReceiptFailure struct {
	Question string `json:"question,omitempty"`
	Stage    string `json:"stage"`
	Reason   string `json:"reason"`
}

// ReceiptQuestion is the verdict on one question.
type ReceiptQuestion struct {
	Name        string            `json:"name"`
	Class       string            `json:"class"`
	Hash        string            `json:"hash"` // of question and key
	Passed      bool              `json:"passed"`
	Status      rag.Status        `json:"status"`
	ContextHash string            `json:"contextHash,omitempty"`
	Survived    int               `json:"survived,omitempty"` // entities, of Entities
	Entities    int               `json:"entities,omitempty"`
	FirstCliff  string            `json:"firstCliff,omitempty"`
	Failures    []ReceiptFailure  `json:"failures"`
	Evidence    []ReceiptEvidence `json:"evidence,omitempty"`
}

// ReceiptEvidence is the fate of one evidence id.
type ReceiptEvidence struct {
	ID     string `json:"id"`
	Rank   int    `json:"rank,omitempty"` // 0 = not among the hits
	LostAt string `json:"lostAt,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// Receipt returns the scorecard's receipt.
func (s *Scorecard) Receipt() *Receipt {
	r := &Receipt{
		Schema: ReceiptSchema, Corpus: s.Corpus, Freeze: s.Freeze, Inputs: s.Inputs, TakenAt: s.TakenAt,
		Passed: s.Passed, Environment: s.Environment, Documents: s.Documents, Chunks: s.Chunks,
	}
	for _, set := range s.Sets {
		rs := ReceiptSet{Name: set.Name, Passed: set.Passed, Modes: set.Modes, Failures: wordless(set.Failures)}
		if len(set.Modes) > 0 {
			rs.Mode = set.Modes[0].Mode
		}
		for _, o := range set.Omitted {
			if o.Variant == "" {
				rs.Omitted = append(rs.Omitted, o.Mode)
			}
		}
		for _, q := range set.Questions {
			if q.Mode == rs.Mode {
				rs.Questions = append(rs.Questions, q.receipt())
			}
		}
		r.Sets = append(r.Sets, rs)
	}
	return r
}

func (q *QuestionCard) receipt() ReceiptQuestion {
	out := ReceiptQuestion{Name: q.Name, Class: q.Class, Hash: q.hash, Passed: q.Passed, Status: q.Status, ContextHash: q.ContextHash, Failures: wordless(q.Failures)}
	if s := q.Survival; s != nil {
		out.Survived, out.Entities = s.survived(), s.Of
		if s.FirstCliff != nil {
			out.FirstCliff = *s.FirstCliff
		}
	}
	for _, e := range q.Evidence {
		re := ReceiptEvidence{ID: e.ID}
		if e.Rank != nil {
			re.Rank = *e.Rank
		}
		if e.LostAt != nil {
			re.LostAt, re.Reason = *e.LostAt, e.Diagnosis.Reason
		}
		out.Evidence = append(out.Evidence, re)
	}
	return out
}

func wordless(fs []Failure) []ReceiptFailure {
	out := make([]ReceiptFailure, len(fs))
	for i, f := range fs {
		out[i] = ReceiptFailure{f.Question, f.Stage, f.Reason}
	}
	return out
}

// Encode writes the receipt as JSON within MaxReceiptBytes. Where it would be
// larger, the evidence of passed questions is left out and Abridged says so.
func (r *Receipt) Encode() ([]byte, error) {
	data, err := json.MarshalIndent(r, "", " ")
	if err == nil && len(data) > MaxReceiptBytes {
		data, err = json.Marshal(r.abridge())
	}
	if err != nil {
		return nil, fmt.Errorf("encode receipt: %w", err)
	}
	if len(data) > MaxReceiptBytes {
		return nil, fmt.Errorf("encode receipt: %d bytes even abridged, over the %d that it may have", len(data), MaxReceiptBytes)
	}
	return data, nil
}

func (r *Receipt) abridge() *Receipt {
	out := *r
	out.Abridged = true
	out.Sets = nil
	for _, s := range r.Sets {
		questions := s.Questions
		s.Questions = nil
		for _, q := range questions {
			if q.Passed {
				q.Evidence = nil
			}
			s.Questions = append(s.Questions, q)
		}
		out.Sets = append(out.Sets, s)
	}
	return &out
}

// WriteReceipt writes a receipt to a new file. An existing one is never overwritten.
func WriteReceipt(path string, r *Receipt) error {
	data, err := r.Encode()
	if err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return fmt.Errorf("write receipt, which must not exist yet: %w", err)
	}
	_, err = f.Write(append(data, '\n'))
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		_ = os.Remove(path) // half a receipt is none
		return fmt.Errorf("write receipt %s: %w", path, err)
	}
	return nil
}

// ReadReceipt reads a receipt's file.
func ReadReceipt(path string) (*Receipt, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read receipt: %w", err)
	}
	r, err := DecodeReceipt(data)
	if err != nil {
		return nil, fmt.Errorf("read receipt %s: %w", path, err)
	}
	return r, nil
}

// DecodeReceipt reads what Encode wrote, and nothing else.
func DecodeReceipt(data []byte) (*Receipt, error) {
	var r Receipt
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&r); err != nil {
		return nil, err
	}
	if r.Schema != ReceiptSchema {
		return nil, fmt.Errorf("schema is %q, not %s", r.Schema, ReceiptSchema)
	}
	return &r, nil
}

func (r *Receipt) set(name string) *ReceiptSet {
	if r == nil {
		return nil
	}
	for i := range r.Sets {
		if r.Sets[i].Name == name {
			return &r.Sets[i]
		}
	}
	return nil
}

func (s *ReceiptSet) question(name string) *ReceiptQuestion {
	if s == nil {
		return nil
	}
	for i := range s.Questions {
		if s.Questions[i].Name == name {
			return &s.Questions[i]
		}
	}
	return nil
}
