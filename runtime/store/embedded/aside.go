package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Aside says that a folder was replaced by an empty one, why, and where what was in
// it is now.
type Aside struct {
	FolderError
	Moved string // path
}

func (a *Aside) String() string {
	return fmt.Sprintf("%v; it was set aside as %q, and an empty store was begun", &a.FolderError, a.Moved)
}

// damagedName is where a damaged store is set aside: one, the last, which Compact
// removes, because what is erased has to leave it too.
func damagedName(dir string) string { return dir + ".damaged" }

// openOrReplace opens a folder. Under Options.Replace one that is not a whole store
// is set aside first: nothing of it is served.
func (s *Server) openOrReplace() error {
	f, err := openFolder(s.options.Dir, s.replay)
	var bad *FolderError
	if err != nil && s.options.Replace && errors.As(err, &bad) && bad.Problem != InUse {
		if s.aside, err = setAside(bad); err != nil {
			return err
		}
		s.forget() // what was replayed before the damage
		f, err = openFolder(s.options.Dir, s.replay)
	}
	if err != nil {
		return err
	}
	s.folder = f
	return nil
}

// setAside moves a folder beside its place. What isn't ours is never removed.
func setAside(bad *FolderError) (*Aside, error) {
	to := damagedName(bad.Dir)
	switch bad.Problem {
	case Damaged:
		if err := os.RemoveAll(to); err != nil {
			return nil, fmt.Errorf("set %w aside: %w", bad, err)
		}
	default:
		var err error
		if to, err = unused(bad.Dir + ".foreign"); err != nil {
			return nil, fmt.Errorf("set %w aside: %w", bad, err)
		}
	}
	if err := os.Rename(bad.Dir, to); err != nil {
		return nil, fmt.Errorf("set %w aside: %w", bad, err)
	}
	return &Aside{*bad, to}, nil
}

// unused is the first path that nothing has: the given one, else with a number.
func unused(path string) (string, error) {
	for n := 1; ; n++ {
		candidate := path
		if n > 1 {
			candidate = fmt.Sprintf("%s-%d", path, n)
		}
		_, err := os.Lstat(candidate)
		if errors.Is(err, fs.ErrNotExist) {
			return candidate, nil
		}
		if err != nil {
			return "", err
		}
	}
}

// Replaced says what Options.Replace has set aside, nil if nothing was.
func (s *Server) Replaced() *Aside { return s.aside }
