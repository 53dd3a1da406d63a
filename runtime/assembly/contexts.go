package assembly

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// ErrNoContext says that a context is not kept, or may not be seen.
var ErrNoContext = errors.New("no such context")

// maxContexts bounds how many contexts are kept a corpus; the oldest go first.
// At some 10 KiB each that is 20 MiB.
const maxContexts = 2000

// contexts keeps prompt contexts by hash, so that an answer can be taken apart
// and replayed later.
type contexts interface {
	put(corpus string, c rag.PromptContext) error
	get(corpus, hash string) (rag.PromptContext, error)
	forget(corpus string) error
	// bar forgets the corpus' contexts that quote any of the documents, and keeps
	// none from now on. It replaces what was barred before.
	bar(corpus string, documents []string) (forgotten int, err error)
}

// quotes reports whether a passage of one of the documents stands in a context.
func quotes(c rag.PromptContext, documents []string) bool {
	return slices.ContainsFunc(c.Hits, func(h rag.Hit) bool { return slices.Contains(documents, h.Document) })
}

func newContexts(dir string) contexts {
	if dir == "" {
		return &memory{kept: map[string]*shelf{}, barred: map[string][]string{}}
	}
	return &files{dir: filepath.Join(dir, "contexts"), barred: map[string][]string{}}
}

// memory keeps contexts as long as the process lives.
type memory struct {
	mu     sync.Mutex
	kept   map[string]*shelf   // by corpus
	barred map[string][]string // documents by corpus
}

// shelf is one corpus' contexts, with their hashes in the order in which they came.
type shelf struct {
	contexts map[string]rag.PromptContext
	order    []string
}

func (m *memory) put(corpus string, c rag.PromptContext) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if quotes(c, m.barred[corpus]) {
		return nil
	}
	s := m.kept[corpus]
	if s == nil {
		s = &shelf{contexts: map[string]rag.PromptContext{}}
		m.kept[corpus] = s
	}
	if _, there := s.contexts[c.Hash]; there {
		return nil
	}
	if len(s.order) >= maxContexts {
		delete(s.contexts, s.order[0])
		s.order = s.order[1:]
	}
	s.contexts[c.Hash], s.order = c, append(s.order, c.Hash)
	return nil
}

func (m *memory) get(corpus, hash string) (rag.PromptContext, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.kept[corpus]; s != nil {
		if c, ok := s.contexts[hash]; ok {
			return c, nil
		}
	}
	return rag.PromptContext{}, ErrNoContext
}

func (m *memory) forget(corpus string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.kept, corpus)
	delete(m.barred, corpus)
	return nil
}

func (m *memory) bar(corpus string, documents []string) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.barred[corpus] = slices.Clone(documents)
	s := m.kept[corpus]
	if s == nil {
		return 0, nil
	}
	before := len(s.order)
	s.order = slices.DeleteFunc(s.order, func(hash string) bool {
		if !quotes(s.contexts[hash], documents) {
			return false
		}
		delete(s.contexts, hash)
		return true
	})
	return before - len(s.order), nil
}

// files keeps one file a context, written whole or not at all.
type files struct {
	dir    string
	mu     sync.Mutex
	barred map[string][]string // documents by corpus
}

var plainName = regexp.MustCompile(`^[0-9a-zA-Z:_-]+$`)

func (f *files) path(corpus, hash string) (string, error) {
	if !plainName.MatchString(corpus) || !plainName.MatchString(hash) {
		return "", ErrNoContext
	}
	return filepath.Join(f.dir, corpus, hash+".json"), nil
}

func (f *files) put(corpus string, c rag.PromptContext) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if quotes(c, f.barred[corpus]) {
		return nil
	}
	path, err := f.path(corpus, c.Hash)
	if err != nil {
		return fmt.Errorf("corpus %q, hash %q: not plain names", corpus, c.Hash)
	}
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	data, err := json.Marshal(c)
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := trim(dir); err != nil {
		return err
	}
	tmp := path + ".tmp"
	if err := os.WriteFile(tmp, data, 0o600); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

// trim removes the oldest tenth when the directory is full.
func trim(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) < maxContexts {
		return err
	}
	infos := make([]fs.FileInfo, 0, len(entries))
	for _, e := range entries {
		if i, err := e.Info(); err == nil {
			infos = append(infos, i)
		}
	}
	slices.SortFunc(infos, func(a, b fs.FileInfo) int { return cmp.Compare(a.ModTime().UnixNano(), b.ModTime().UnixNano()) })
	for _, i := range infos[:len(infos)/10] {
		if err := os.Remove(filepath.Join(dir, i.Name())); err != nil {
			return err
		}
	}
	return nil
}

func (f *files) get(corpus, hash string) (rag.PromptContext, error) {
	var c rag.PromptContext
	path, err := f.path(corpus, hash)
	if err != nil {
		return c, err
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, ErrNoContext
	}
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(data, &c)
}

func (f *files) forget(corpus string) error {
	if !plainName.MatchString(corpus) {
		return nil
	}
	f.mu.Lock()
	delete(f.barred, corpus)
	f.mu.Unlock()
	return os.RemoveAll(filepath.Join(f.dir, corpus))
}

func (f *files) bar(corpus string, documents []string) (int, error) {
	if !plainName.MatchString(corpus) {
		return 0, fmt.Errorf("corpus %q: not a plain name", corpus)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.barred[corpus] = slices.Clone(documents)
	dir := filepath.Join(f.dir, corpus)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	forgotten := 0
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if has, err := quotesIn(path, documents); err != nil {
			return forgotten, err
		} else if !has {
			continue
		}
		if err := os.Remove(path); err != nil {
			return forgotten, err
		}
		forgotten++
	}
	return forgotten, nil
}

// quotesIn reads a kept context. What can't be read as one, such as half a file,
// may quote anything.
func quotesIn(path string, documents []string) (bool, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	var c rag.PromptContext
	if json.Unmarshal(data, &c) != nil {
		return true, nil //nolint:nilerr // see above
	}
	return quotes(c, documents), nil
}

// Forget removes what is kept outside the store for a corpus that is retired.
func (r *Runtime) Forget(corpus string) error {
	return errors.Join(r.keep.forget(corpus), r.desk.Forget(corpus))
}
