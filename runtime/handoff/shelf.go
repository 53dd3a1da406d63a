package handoff

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// memory keeps hand-offs by corpus and id as long as the process lives.
type memory map[string]map[string]Handoff

func (m memory) ids(corpus string) ([]string, error) {
	return slices.Collect(maps.Keys(m[corpus])), nil
}

func (m memory) get(corpus, id string) (Handoff, error) {
	h, ok := m[corpus][id]
	if !ok {
		return h, ErrNone
	}
	return h, nil
}

func (m memory) put(h Handoff) error {
	if m[h.Corpus] == nil {
		m[h.Corpus] = map[string]Handoff{}
	}
	m[h.Corpus][h.ID] = h
	return nil
}

func (m memory) take(corpus string, ids ...string) error {
	for _, id := range ids {
		delete(m[corpus], id)
	}
	if len(m[corpus]) == 0 {
		delete(m, corpus)
	}
	return nil
}

// files keeps one file a hand-off in a directory a corpus, written whole or not
// at all.
type files struct{ dir string }

const suffix = ".json"

func (f files) path(corpus, id string) string { return filepath.Join(f.dir, corpus, id+suffix) }

func (f files) ids(corpus string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(f.dir, corpus))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), suffix); ok { // others are half written
			out = append(out, id)
		}
	}
	return out, nil
}

func (f files) get(corpus, id string) (Handoff, error) {
	var h Handoff
	data, err := os.ReadFile(f.path(corpus, id))
	if errors.Is(err, fs.ErrNotExist) {
		return h, ErrNone
	}
	if err != nil {
		return h, err
	}
	if err := json.Unmarshal(data, &h); err != nil {
		return Handoff{}, &brokenError{err}
	}
	if h.ID != id || h.Corpus != corpus {
		return Handoff{}, &brokenError{errors.New("it is of another name")}
	}
	return h, nil
}

func (f files) put(h Handoff) error {
	data, err := json.Marshal(h)
	if err != nil {
		return err
	}
	path := f.path(h.Corpus, h.ID)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	tmp := path + ".tmp"
	if err := os.WriteFile(tmp, data, 0o600); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

func (f files) take(corpus string, ids ...string) error {
	for _, id := range ids {
		if err := os.Remove(f.path(corpus, id)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	dir := filepath.Join(f.dir, corpus)
	if rest, err := f.ids(corpus); err != nil || len(rest) > 0 {
		return err
	}
	return os.RemoveAll(dir) // what is half written goes along
}
