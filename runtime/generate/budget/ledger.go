package budget

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Ledger holds what each corpus has spent on the current day, in UTC. All
// generators of a process share one, so that a candidate under evaluation and the
// revision that serves draw on the same budget; processes do not share theirs. It
// is safe for concurrent use.
type Ledger struct {
	dir string
	now func() time.Time

	mu       sync.Mutex
	accounts map[string]*account
}

// account is one corpus's day.
type account struct {
	day      string // 2026-11-30
	spent    nano
	reserved nano // of calls under way
}

// entry is an account's file. What was reserved when it was written counts as
// spent by whoever reads it: a process that died does not say what its calls cost.
type entry struct {
	Day      string `json:"day"`
	Spent    nano   `json:"spentNanoUSD"`
	Reserved nano   `json:"reservedNanoUSD"`
}

// Open returns the ledger kept in a directory, one file a corpus; "" keeps it in
// memory. now is the clock, nil for the machine's.
func Open(dir string, now func() time.Time) (*Ledger, error) {
	if now == nil {
		now = time.Now
	}
	if dir != "" {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("budget ledger: %w", err)
		}
	}
	return &Ledger{dir: dir, now: now, accounts: map[string]*account{}}, nil
}

// Spent is what a corpus has spent today, calls under way included, in USD.
func (l *Ledger) Spent(corpus string) (float64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	a, err := l.account(corpus)
	if err != nil {
		return 0, err
	}
	return (a.spent + a.reserved).float(), nil
}

// reserve sets an amount aside if it fits. spent is the day's sum before; settle
// puts the true cost in the amount's place.
func (l *Ledger) reserve(corpus string, amount, limit nano) (settle func(nano) error, spent nano, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	a, err := l.account(corpus)
	if err != nil {
		return nil, 0, err
	}
	spent = a.spent + a.reserved
	if spent+amount > limit {
		return nil, spent, nil
	}
	a.reserved += amount
	if err := l.write(corpus, a); err != nil {
		a.reserved -= amount
		return nil, spent, err
	}
	day := a.day
	return func(cost nano) error { return l.settle(corpus, day, amount, cost) }, spent, nil
}

// settle charges the day on which the amount was reserved; what is left over of a
// day that has ended concerns nobody.
func (l *Ledger) settle(corpus, day string, amount, cost nano) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	a, err := l.account(corpus)
	if err != nil {
		return err
	}
	if a.day != day {
		return nil
	}
	a.reserved -= amount
	a.spent += cost
	return l.write(corpus, a)
}

// account returns a corpus's account of today.
func (l *Ledger) account(corpus string) (*account, error) {
	today := l.now().UTC().Format(time.DateOnly)
	a := l.accounts[corpus]
	if a == nil {
		e, err := l.read(corpus)
		if err != nil {
			return nil, err
		}
		a = &account{day: e.Day, spent: e.Spent + e.Reserved}
		l.accounts[corpus] = a
	}
	if a.day != today {
		*a = account{day: today}
	}
	return a, nil
}

func (l *Ledger) path(corpus string) string {
	return filepath.Join(l.dir, url.PathEscape(corpus)+".json")
}

func (l *Ledger) read(corpus string) (entry, error) {
	var e entry
	if l.dir == "" {
		return e, nil
	}
	data, err := os.ReadFile(l.path(corpus))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return e, nil
	case err != nil:
		return e, fmt.Errorf("budget ledger: %w", err)
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return e, fmt.Errorf("budget ledger %s: %w: remove the file to begin the day anew", l.path(corpus), err)
	}
	return e, nil
}

// write replaces the file whole, so that a crash leaves the old or the new one.
func (l *Ledger) write(corpus string, a *account) error {
	if l.dir == "" {
		return nil
	}
	data, err := json.Marshal(entry{Day: a.day, Spent: a.spent, Reserved: a.reserved})
	if err != nil {
		return err
	}
	path := l.path(corpus)
	if err := os.WriteFile(path+".new", data, 0o600); err != nil {
		return fmt.Errorf("budget ledger: %w", err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return fmt.Errorf("budget ledger: %w", err)
	}
	return nil
}
