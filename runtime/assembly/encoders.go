package assembly

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"weak"

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

// server is a served encoder that is open as long as somebody has it. With the last
// one that asks by a key that was rotated, the key and what it remembered go.
type server struct {
	served
	users weak.Pointer[served] // what users hold; it leads to the same two
}

// served opens a server's encoder, or returns the one that is open.
func (r *Runtime) served(o *settings.RemoteEmbedding, key string) (*served, error) {
	opt := remoteOptions(o, key)
	r.mu.Lock()
	defer r.mu.Unlock()
	s, open := r.servers[opt]
	if open {
		if held := s.users.Value(); held != nil {
			return held, nil
		}
	} else {
		c, err := remote.New(opt)
		if err != nil {
			return nil, fmt.Errorf("spec.pipeline.embedding.openai: %w", err)
		}
		q, err := remote.NewQuestions(c.Queries(), remote.Remembered{Dir: r.dir("questions")})
		if err != nil {
			return nil, err
		}
		s = &server{served: served{c.Documents(), q}}
		if r.servers == nil {
			r.servers, r.ended = map[remote.Options]*server{}, map[[2]string]Embedding{}
		}
		r.servers[opt] = s
	}
	held := &served{s.documents, s.questions}
	s.users = weak.Make(held)
	goruntime.AddCleanup(held, r.unserved, opt)
	return held, nil
}

// unserved forgets a server's encoder that nobody has any more, unless somebody took
// it up again meanwhile. What it was asked stays counted.
func (r *Runtime) unserved(opt remote.Options) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.servers[opt]
	if s == nil || s.users.Value() != nil {
		return
	}
	delete(r.servers, opt)
	r.ended[of(opt)] = r.ended[of(opt)].plus(s)
}

// of is whose counts an encoder's are: one server's model may be asked under
// several keys.
func of(o remote.Options) [2]string { return [2]string{o.BaseURL, o.Model} }

func (e Embedding) plus(s *server) Embedding {
	e.Usage, e.Questions = e.Usage.Plus(s.documents.Usage()), e.Questions.Plus(s.questions.Counts())
	return e
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
	sums := maps.Clone(r.ended)
	for o, s := range r.servers {
		sums[of(o)] = sums[of(o)].plus(s)
	}
	out := make([]Embedding, 0, len(sums))
	for id, e := range sums {
		e.Server, e.Model = id[0], id[1]
		out = append(out, e)
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

// Encoders that keep what they belong to open.
type (
	servedDocuments struct {
		*remote.Encoder
		held *served
	}
	servedQuestions struct {
		*remote.Questions
		held *served
	}
	servedGolden struct {
		remote.Golden
		held *served
	}
)

// encodesDocuments is the encoder of what is stored.
func (r *Runtime) encodesDocuments(e settings.Embedding, t Terms) (documents, error) {
	if e.OpenAI == nil {
		return r.model, nil
	}
	s, err := r.served(e.OpenAI, t.EmbeddingKey)
	if err != nil {
		return nil, err
	}
	return servedDocuments{s.documents, s}, nil
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
		return servedGolden{s.questions.Golden(), s}, nil
	}
	return servedQuestions{s.questions, s}, nil
}
