package embedded

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// journal is the open log file. Records are appended one by one; those who wait for
// the disk share a sync.
type journal struct {
	file *os.File

	mu      sync.Mutex
	done    *sync.Cond
	written int64 // bytes appended
	synced  int64 // bytes certainly on disk
	syncing bool
	failed  error // the first failure; nothing is taken after it
}

func newJournal(file *os.File, size int64) *journal {
	j := &journal{file: file, written: size, synced: size}
	j.done = sync.NewCond(&j.mu)
	return j
}

// append writes a record and returns the position to wait for. One that did not fit
// is taken off again, so that a disk that has room later is written to later.
func (j *journal) append(record []byte) (int64, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.failed != nil {
		return 0, j.failed
	}
	seal(record, j.synced)
	if _, err := j.file.Write(record); err != nil {
		err = fmt.Errorf("write log: %w", err)
		if back := j.cut(); back != nil {
			j.failed = errors.Join(err, back)
		}
		return 0, err
	}
	j.written += int64(len(record))
	return j.written, nil
}

// cut takes off what stands behind the last whole record.
func (j *journal) cut() error {
	if err := j.file.Truncate(j.written); err != nil {
		return fmt.Errorf("cut log: %w", err)
	}
	if _, err := j.file.Seek(j.written, io.SeekStart); err != nil {
		return fmt.Errorf("go to log's end: %w", err)
	}
	return nil
}

// wait returns when everything up to the position is on disk.
func (j *journal) wait(position int64) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	for j.synced < position && j.failed == nil {
		if j.syncing {
			j.done.Wait()
			continue
		}
		j.syncing = true
		target := j.written
		j.mu.Unlock()
		err := j.file.Sync()
		j.mu.Lock()
		j.syncing = false
		if err != nil {
			// What the disk holds is unknown now: only a restart can tell.
			j.failed = fmt.Errorf("sync log: %w", err)
		} else {
			j.synced = max(j.synced, target)
		}
		j.done.Broadcast()
	}
	if j.synced >= position {
		return nil
	}
	return j.failed
}

// fail lets the journal take nothing more.
func (j *journal) fail(err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.failed == nil {
		j.failed = err
	}
}

func (j *journal) size() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.written
}

func (j *journal) close() error {
	err := j.wait(j.size())
	return errors.Join(err, j.file.Close())
}

// replayFile calls apply with every record of a file. It returns the size of what
// is whole, and the highest synced that a record bears. A broken record ends it;
// whole says that there was none.
func replayFile(file *os.File, apply func(record) error) (size, synced int64, whole bool, err error) {
	in := bufio.NewReaderSize(file, 1<<20)
	for {
		r, n, err := readRecord(in)
		switch {
		case errors.Is(err, io.EOF):
			return size, synced, true, nil
		case errors.Is(err, errBroken):
			return size, synced, false, nil
		case err != nil:
			return size, synced, false, err
		}
		if err := apply(r); err != nil {
			return size, synced, false, fmt.Errorf("record at byte %d: %w", size, err)
		}
		size += n
		synced = max(synced, r.synced)
	}
}

// acknowledgedBeyond looks for whole records behind a broken one and returns the
// highest synced among them: if it lies behind the break, the break has hit
// something that was acknowledged.
func acknowledgedBeyond(file *os.File, from int64) (int64, error) {
	if _, err := file.Seek(from, io.SeekStart); err != nil {
		return 0, err
	}
	rest, err := io.ReadAll(file)
	if err != nil {
		return 0, err
	}
	magic := binary.LittleEndian.AppendUint32(nil, recordMagic)
	var synced int64
	for at := 1; at < len(rest); at++ {
		next := bytes.Index(rest[at:], magic)
		if next < 0 {
			break
		}
		at += next
		if r, _, err := readRecord(bytes.NewReader(rest[at:])); err == nil {
			synced = max(synced, r.synced)
		}
	}
	return synced, nil
}
