package handoff

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"time"
)

// ErrNone says that no hand-off has this id.
var ErrNone = errors.New("no such hand-off")

// Most is how many hand-offs are kept a corpus. At some 1 KiB each that is 1 MiB.
const Most = 1000

// shelf is where hand-offs are. One that isn't there is ErrNone; one that can't be
// read as such is a *brokenError.
type shelf interface {
	ids(corpus string) ([]string, error)
	get(corpus, id string) (Handoff, error)
	put(h Handoff) error
	// take removes what is there of these.
	take(corpus string, ids ...string) error
}

// brokenError is a record that can't be read: half a file, say.
type brokenError struct{ cause error }

func (e *brokenError) Error() string { return "not a hand-off: " + e.cause.Error() }

// Unwrap returns the cause.
func (e *brokenError) Unwrap() error { return e.cause }

// Store keeps hand-offs by corpus, safe for concurrent use. A corpus is named by
// its UID: one that was made anew under an old name inherits nothing.
type Store struct {
	mu     sync.Mutex
	shelf  shelf
	erased map[string][]string // documents by corpus
}

// Open keeps hand-offs in a directory; "" = in memory, gone with the process.
func Open(dir string) *Store {
	s := &Store{shelf: memory{}, erased: map[string][]string{}}
	if dir != "" {
		s.shelf = files{dir: dir}
	}
	return s
}

// Recorded is what became of an answer.
type Recorded struct {
	ID      string
	Repeat  bool // it was listed before, and is counted
	Dropped int  // older hand-offs that had to go
}

// Record notes that a question was handed to people.
func (s *Store) Record(corpus string, a Asked) (Recorded, error) {
	if err := plain(corpus); err != nil {
		return Recorded{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h, _ := a.handoff(corpus).without(s.erased[corpus])
	out := Recorded{ID: h.ID}
	var broken *brokenError
	switch before, err := s.shelf.get(corpus, h.ID); {
	case err == nil:
		h, out.Repeat = h.after(before), true
	case !errors.Is(err, ErrNone) && !errors.As(err, &broken): // what is broken is written anew
		return out, fmt.Errorf("hand-off %s: %w", h.ID, err)
	}
	if err := s.shelf.put(h); err != nil {
		return out, fmt.Errorf("hand-off %s: %w", h.ID, err)
	}
	if out.Repeat {
		return out, nil
	}
	var err error
	if out.Dropped, err = s.trim(corpus); err != nil {
		return out, fmt.Errorf("drop the oldest hand-offs: %w", err)
	}
	return out, nil
}

// trim drops what can't be read and the oldest tenth when there are too many, so
// that they are read once in a hundred times.
func (s *Store) trim(corpus string) (int, error) {
	ids, err := s.shelf.ids(corpus)
	if err != nil || len(ids) <= Most {
		return 0, err
	}
	l, err := s.read(corpus, ids)
	if err != nil {
		return 0, err
	}
	l.Handoffs = l.Handoffs[:min(Most-Most/10, len(l.Handoffs))]
	drop := slices.DeleteFunc(ids, func(id string) bool {
		return slices.ContainsFunc(l.Handoffs, func(h Handoff) bool { return h.ID == id })
	})
	return len(drop), s.shelf.take(corpus, drop...)
}

// Listing is what is kept of a corpus, newest first.
type Listing struct {
	Handoffs   []Handoff
	Unreadable int // records that were left out because they can't be read
}

// List returns the hand-offs that were asked last at an instant or after it.
func (s *Store) List(corpus string, since time.Time) (Listing, error) {
	if err := plain(corpus); err != nil {
		return Listing{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	ids, err := s.shelf.ids(corpus)
	if err != nil {
		return Listing{}, fmt.Errorf("list hand-offs: %w", err)
	}
	l, err := s.read(corpus, ids)
	if err != nil {
		return l, fmt.Errorf("list hand-offs: %w", err)
	}
	l.Handoffs = slices.DeleteFunc(l.Handoffs, func(h Handoff) bool { return h.Last.Before(since) })
	return l, nil
}

func (s *Store) read(corpus string, ids []string) (Listing, error) {
	l := Listing{Handoffs: make([]Handoff, 0, len(ids))}
	var broken *brokenError
	for _, id := range ids {
		h, err := s.shelf.get(corpus, id)
		switch {
		case errors.As(err, &broken):
			l.Unreadable++
		case err != nil:
			return l, err
		default:
			l.Handoffs = append(l.Handoffs, h)
		}
	}
	Sort(l.Handoffs)
	return l, nil
}

// Remove takes a hand-off off the list and returns it: somebody has dealt with
// it. When it is asked again, it is listed again.
func (s *Store) Remove(corpus, id string) (Handoff, error) {
	if plain(corpus) != nil || plain(id) != nil {
		return Handoff{}, ErrNone
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h, err := s.shelf.get(corpus, id)
	if err != nil {
		return h, err
	}
	return h, s.shelf.take(corpus, id)
}

// Erase drops what the corpus' hand-offs tell of these documents: names, and the
// details of flags, which may quote them. It does so with what comes as well, and
// replaces what was erased before. The questions stay: they are the askers' words.
func (s *Store) Erase(corpus string, documents []string) error {
	if err := plain(corpus); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erased[corpus] = slices.Clone(documents)
	ids, err := s.shelf.ids(corpus)
	if err != nil {
		return err
	}
	var broken *brokenError
	for _, id := range ids {
		h, err := s.shelf.get(corpus, id)
		switch {
		case errors.As(err, &broken): // it may tell anything
			err = s.shelf.take(corpus, id)
		case err == nil:
			if less, some := h.without(documents); some {
				err = s.shelf.put(less)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Forget drops everything of a corpus.
func (s *Store) Forget(corpus string) error {
	if plain(corpus) != nil {
		return nil // nothing is kept under such a name
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.erased, corpus)
	ids, err := s.shelf.ids(corpus)
	if err != nil {
		return err
	}
	return s.shelf.take(corpus, ids...)
}

// plainForm is a name that is safe as that of a file.
var plainForm = regexp.MustCompile(`^[0-9A-Za-z_-][0-9A-Za-z._-]*$`)

func plain(name string) error {
	if !plainForm.MatchString(name) || filepath.Base(name) != name {
		return fmt.Errorf("%q is not a plain name", name)
	}
	return nil
}
