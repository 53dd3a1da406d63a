package assembly

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/hardgate-dev/hardgate/runtime/embed/remote"
	"github.com/hardgate-dev/hardgate/runtime/settings"
)

// encoder turns texts into vectors of one space.
type encoder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	Count(text string) int // in the encoder's own tokens
	Window() int           // the most that it reads
}

// documents is the encoder of what is stored, with the name of its space.
type documents interface {
	encoder
	SHA256() string
}

// Space is a space of vectors: those of two spaces must never meet, so that a
// physical collection belongs to one.
type Space struct {
	ID         string // sha256 of the weights, or of what names a server's model
	Dimensions int
}

// Space is that of an encoder.
func (r *Runtime) Space(e settings.Embedding) (Space, error) {
	if e.OpenAI == nil {
		return Space{r.model.SHA256(), r.model.Dimensions()}, nil
	}
	c, err := remote.New(remoteOptions(e.OpenAI, ""))
	if err != nil {
		return Space{}, fmt.Errorf("spec.pipeline.embedding.openai: %w", err)
	}
	d := c.Documents()
	return Space{d.SHA256(), d.Dimensions()}, nil
}

func remoteOptions(o *settings.RemoteEmbedding, key string) remote.Options {
	return remote.Options{
		BaseURL: o.BaseURL, Model: o.Model, Dimensions: o.Dimensions, Window: o.Window, APIKey: key,
		QueryInputType: o.QueryInputType, DocumentInputType: o.DocumentInputType,
	}
}

// served is a server's encoder, opened once for as long as its settings and its
// key stay the same: what it remembers of questions outlives a revision.
type served struct {
	documents *remote.Encoder
	questions *remote.Questions
}

// served opens a server's encoder, or returns the one that is open.
func (r *Runtime) served(o *settings.RemoteEmbedding, key string) (served, error) {
	opt := remoteOptions(o, key)
	r.mu.Lock()
	defer r.mu.Unlock()
	if s, ok := r.servers[opt]; ok {
		return s, nil
	}
	c, err := remote.New(opt)
	if err != nil {
		return served{}, fmt.Errorf("spec.pipeline.embedding.openai: %w", err)
	}
	q, err := remote.NewQuestions(c.Queries(), remote.Remembered{Dir: r.dir("questions")})
	if err != nil {
		return served{}, err
	}
	if r.servers == nil {
		r.servers = map[remote.Options]served{}
	}
	s := served{c.Documents(), q}
	r.servers[opt] = s
	return s, nil
}

// Embedding is what one server's model was asked for since this process began, by
// all corpora that embed by it.
type Embedding struct {
	Server, Model string
	remote.Usage
	Questions remote.Counts
}

// Embeddings are all servers' models that were asked, sorted.
func (r *Runtime) Embeddings() []Embedding {
	r.mu.Lock()
	defer r.mu.Unlock()
	sums := map[[2]string]*Embedding{} // one server's model may be asked under several keys
	for o, s := range r.servers {
		id := [2]string{o.BaseURL, o.Model}
		if sums[id] == nil {
			sums[id] = &Embedding{Server: o.BaseURL, Model: o.Model}
		}
		sums[id].Usage = sums[id].Usage.Plus(s.documents.Usage())
		sums[id].Questions = sums[id].Questions.Plus(s.questions.Counts())
	}
	out := make([]Embedding, 0, len(sums))
	for _, e := range sums {
		out = append(out, *e)
	}
	slices.SortFunc(out, func(a, b Embedding) int {
		return cmp.Or(cmp.Compare(a.Server, b.Server), cmp.Compare(a.Model, b.Model))
	})
	return out
}

// dir is a folder for what is kept, "" where nothing is.
func (r *Runtime) dir(name string) string {
	if r.opt.DataDir == "" {
		return ""
	}
	return filepath.Join(r.opt.DataDir, name)
}

// encodesDocuments is the encoder of what is stored.
func (r *Runtime) encodesDocuments(e settings.Embedding, t Terms) (documents, error) {
	if e.OpenAI == nil {
		return r.model, nil
	}
	s, err := r.served(e.OpenAI, t.EmbeddingKey)
	return s.documents, err
}

// encodesQuestions is the encoder of what is asked, in the same space.
func (r *Runtime) encodesQuestions(e settings.Embedding, t Terms) (encoder, error) {
	if e.OpenAI == nil {
		return r.model, nil
	}
	s, err := r.served(e.OpenAI, t.EmbeddingKey)
	if err != nil {
		return nil, err
	}
	if t.Golden {
		return s.questions.Golden(), nil
	}
	return s.questions, nil
}
