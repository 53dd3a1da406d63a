package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// A data folder holds, for one number n, snapshot-n and log-n: the state, and the
// changes since. A new pair is made by writing log-(n+1), then snapshot-(n+1) under
// another name, and renaming the latter: that is the moment it counts. STORE says
// whose folder it is; lock keeps others out.
const (
	markName = "STORE"
	markText = "hardgate vector store, format 1\n"
	lockName = "lock"
	newName  = "snapshot.new"

	// emptySnapshot is the size of a snapshot of nothing: its end.
	emptySnapshot = recordHeader + 3
)

type folder struct {
	dir     string
	lock    *os.File
	number  uint64
	journal *journal
	snapped int64 // bytes of the last snapshot
}

func snapshotName(n uint64) string { return fmt.Sprintf("snapshot-%d", n) }
func logName(n uint64) string      { return fmt.Sprintf("log-%d", n) }

// openFolder locks a folder and replays what it holds.
func openFolder(dir string, apply func(record) error) (*folder, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make data folder: %w", err)
	}
	names, err := contents(dir)
	if err != nil {
		return nil, err
	}
	marked := slices.Contains(names, markName)
	if !marked && !fresh(dir, names) {
		return nil, &FolderError{Dir: dir, Problem: Foreign, Detail: "it is not empty and has no " + markName + " file"}
	}
	f := &folder{dir: dir}
	if err := f.acquire(); err != nil {
		return nil, err
	}
	if err := f.load(marked, apply); err != nil {
		_ = f.lock.Close() // the loading error is the one that matters
		return nil, err
	}
	return f, nil
}

// contents lists a folder, but for what file systems put there themselves.
func contents(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read data folder: %w", err)
	}
	var names []string
	for _, e := range entries {
		if e.Name() != "lost+found" {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// fresh reports whether a folder without a mark is empty, or holds only what an
// interrupted first start leaves: a log and a snapshot of nothing.
func fresh(dir string, names []string) bool {
	largest := map[string]int64{lockName: 0, newName: emptySnapshot, logName(1): 0, snapshotName(1): emptySnapshot, markName + ".new": int64(len(markText))}
	for _, name := range names {
		most, ours := largest[name]
		if !ours {
			return false
		}
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Size() > most {
			return false
		}
	}
	return true
}

// acquire takes the lock, which the system lets go of when the process ends,
// however it ends.
func (f *folder) acquire() error {
	file, err := os.OpenFile(filepath.Join(f.dir, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("lock data folder: %w", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = file.Close() // the failed lock is the error that matters
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return &FolderError{Dir: f.dir, Problem: InUse, Detail: "another process holds its lock"}
		}
		return fmt.Errorf("lock data folder: %w", err)
	}
	f.lock = file
	return nil
}

func (f *folder) load(marked bool, apply func(record) error) error {
	if !marked {
		return f.start()
	}
	mark, err := os.ReadFile(filepath.Join(f.dir, markName))
	if err != nil {
		return fmt.Errorf("read data folder's mark: %w", err)
	}
	if string(mark) != markText {
		return &FolderError{Dir: f.dir, Problem: Foreign, Detail: "its " + markName + " file is not one of this format"}
	}
	if f.number, err = f.latest(); err != nil {
		return err
	}
	if err := f.loadSnapshot(apply); err != nil {
		return err
	}
	if err := f.loadLog(apply); err != nil {
		return err
	}
	return f.sweep()
}

// start makes a first, empty pair. The mark comes last: without it the folder is
// still fresh.
func (f *folder) start() error {
	f.number = 1
	if err := f.begin(1, func(*snapshotWriter) error { return nil }); err != nil {
		return err
	}
	return f.write(markName, []byte(markText))
}

// latest is the highest number that has a snapshot.
func (f *folder) latest() (uint64, error) {
	names, err := contents(f.dir)
	if err != nil {
		return 0, err
	}
	var number uint64
	for _, name := range names {
		if digits, ok := strings.CutPrefix(name, "snapshot-"); ok {
			if n, err := strconv.ParseUint(digits, 10, 64); err == nil {
				number = max(number, n)
			}
		}
	}
	if number == 0 {
		return 0, &FolderError{Dir: f.dir, Problem: Damaged, Detail: "there is no snapshot"}
	}
	return number, nil
}

func (f *folder) loadSnapshot(apply func(record) error) error {
	name := snapshotName(f.number)
	file, err := os.Open(filepath.Join(f.dir, name))
	if err != nil {
		return fmt.Errorf("open snapshot: %w", err)
	}
	defer file.Close()
	ended := false
	size, _, whole, err := replayFile(file, func(r record) error {
		ended = r.kind == recordEnd
		return apply(r)
	})
	if err != nil {
		return &FolderError{Dir: f.dir, Problem: Damaged, Detail: fmt.Sprintf("%s: %v", name, err)}
	}
	if !whole || !ended {
		return &FolderError{Dir: f.dir, Problem: Damaged, Detail: fmt.Sprintf("%s is broken at byte %d", name, size)}
	}
	f.snapped = size
	return nil
}

// loadLog replays the log and cuts off a torn tail.
func (f *folder) loadLog(apply func(record) error) error {
	name := logName(f.number)
	file, err := os.OpenFile(filepath.Join(f.dir, name), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return &FolderError{Dir: f.dir, Problem: Damaged, Detail: name + " is missing"}
	}
	if err != nil {
		return fmt.Errorf("open log: %w", err)
	}
	size, synced, whole, err := replayFile(file, apply)
	if err == nil && !whole {
		var beyond int64
		if beyond, err = acknowledgedBeyond(file, size); err == nil && max(beyond, synced) > size {
			err = fmt.Errorf("broken at byte %d, before byte %d, which was acknowledged", size, max(beyond, synced))
		}
	}
	if err == nil && synced > size {
		err = fmt.Errorf("ends at byte %d, before byte %d, which was acknowledged", size, synced)
	}
	if err != nil {
		_ = file.Close() // the damage is the error that matters
		return &FolderError{Dir: f.dir, Problem: Damaged, Detail: fmt.Sprintf("%s: %v", name, err)}
	}
	if err := file.Truncate(size); err != nil {
		return errors.Join(fmt.Errorf("cut log's torn tail: %w", err), file.Close())
	}
	if _, err := file.Seek(size, 0); err != nil {
		return errors.Join(fmt.Errorf("go to log's end: %w", err), file.Close())
	}
	if err := file.Sync(); err != nil {
		return errors.Join(fmt.Errorf("sync log: %w", err), file.Close())
	}
	f.journal = newJournal(file, size)
	return nil
}

// sweep removes what an interrupted snapshot left, and older pairs.
func (f *folder) sweep() error {
	names, err := contents(f.dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		old := strings.HasPrefix(name, "snapshot-") && name != snapshotName(f.number)
		old = old || (strings.HasPrefix(name, "log-") && name != logName(f.number))
		if old || name == newName || name == markName+".new" {
			if err := os.Remove(filepath.Join(f.dir, name)); err != nil {
				return fmt.Errorf("remove old file: %w", err)
			}
		}
	}
	return nil
}

// errUncertain says that the snapshot was renamed, but that the new name may not
// be on disk: which pair counts after a crash is unknown.
var errUncertain = errors.New("which snapshot counts is uncertain")

// begin makes pair n: an empty log, and a snapshot of what fill writes. The
// rename is the moment from which the pair counts; before it, nothing has changed.
func (f *folder) begin(n uint64, fill func(*snapshotWriter) error) error {
	log, err := os.OpenFile(filepath.Join(f.dir, logName(n)), os.O_CREATE|os.O_RDWR|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("make log: %w", err)
	}
	size, err := f.snapshot(n, fill)
	if err != nil {
		return errors.Join(err, log.Close())
	}
	f.number, f.snapped, f.journal = n, size, newJournal(log, 0)
	return nil
}

func (f *folder) snapshot(n uint64, fill func(*snapshotWriter) error) (int64, error) {
	path := filepath.Join(f.dir, newName)
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return 0, fmt.Errorf("make snapshot: %w", err)
	}
	w := newSnapshotWriter(file)
	err = errors.Join(fill(w), w.end())
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return 0, fmt.Errorf("write snapshot: %w", err)
	}
	if err := os.Rename(path, filepath.Join(f.dir, snapshotName(n))); err != nil {
		return 0, fmt.Errorf("put snapshot in place: %w", err)
	}
	if err := f.syncDir(); err != nil {
		return 0, errors.Join(errUncertain, err)
	}
	return w.size, nil
}

// write puts a small file in place at once.
func (f *folder) write(name string, data []byte) error {
	path := filepath.Join(f.dir, name)
	file, err := os.OpenFile(path+".new", os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("make %s: %w", name, err)
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return fmt.Errorf("put %s in place: %w", name, err)
	}
	return f.syncDir()
}

// syncDir makes the folder's own entries durable.
func (f *folder) syncDir() error {
	dir, err := os.Open(f.dir)
	if err != nil {
		return fmt.Errorf("sync data folder: %w", err)
	}
	if err := errors.Join(dir.Sync(), dir.Close()); err != nil {
		return fmt.Errorf("sync data folder: %w", err)
	}
	return nil
}

func (f *folder) close() error {
	return errors.Join(f.journal.close(), f.lock.Close())
}
