package remote

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// files keeps one file a question, written whole or not at all.
type files struct {
	dir      string
	identity string
	most     int
	mu       sync.Mutex // one writer at a time trims
}

// entry is a file's content. Identity and Text are compared on reading, so that
// no vector is ever taken for another question's or another model's.
type entry struct {
	Identity string `json:"identity"`
	Text     string `json:"text"`
	Vector   []byte `json:"vector"` // float32, little endian
	Sum      string `json:"sum"`    // sha256 of the three above, hex
}

func (e entry) sum() string {
	h := sha256.New()
	for _, part := range [][]byte{[]byte(e.Identity), []byte(e.Text), e.Vector} {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(part)))
		h.Write(n[:])
		h.Write(part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// suffix marks the files that are ours to remove.
const suffix = ".vector.json"

func openFiles(dir, identity string, most int) (*files, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("remember golden questions: %w", err)
	}
	f := &files{dir: dir, identity: identity, most: most}
	probe, err := os.CreateTemp(dir, "*"+unfinished)
	if err != nil {
		return nil, fmt.Errorf("remember golden questions: %w", err)
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return nil, fmt.Errorf("remember golden questions: %w", err)
	}
	return f, nil
}

func (f *files) path(text string) string {
	sum := sha256.Sum256([]byte(f.identity + "\x00" + text))
	return filepath.Join(f.dir, hex.EncodeToString(sum[:16])+suffix)
}

func (f *files) has(text string) bool {
	_, err := os.Stat(f.path(text))
	return err == nil
}

var errDamaged = errors.New("damaged")

// read returns the vector of a text, nil where none is kept, and an error where
// what is kept can't be trusted.
func (f *files) read(text string) ([]float32, error) {
	data, err := os.ReadFile(f.path(text))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var e entry
	if err := json.Unmarshal(data, &e); err != nil {
		return nil, err
	}
	if e.Identity != f.identity || e.Text != text || e.Sum != e.sum() || len(e.Vector) == 0 || len(e.Vector)%4 != 0 {
		return nil, errDamaged
	}
	v := make([]float32, len(e.Vector)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(e.Vector[4*i:]))
	}
	return v, nil
}

// unfinished marks a file that is being written.
const unfinished = ".tmp"

func (f *files) write(text string, v []float32) error {
	e := entry{Identity: f.identity, Text: text, Vector: make([]byte, 0, 4*len(v))}
	for _, x := range v {
		e.Vector = binary.LittleEndian.AppendUint32(e.Vector, math.Float32bits(x))
	}
	e.Sum = e.sum()
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.trim(); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(f.dir, "*"+unfinished)
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	if err := errors.Join(err, tmp.Close()); err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	if err := os.Rename(tmp.Name(), f.path(text)); err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}

// abandoned is the age at which an unfinished file is one that a crash left.
const abandoned = time.Hour

// trim makes room for one more: when the directory is full, the oldest tenth goes.
func (f *files) trim() error {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return err
	}
	var infos []fs.FileInfo
	for _, d := range entries {
		info, err := d.Info()
		switch {
		case err != nil: // gone since it was listed
		case strings.HasSuffix(d.Name(), suffix):
			infos = append(infos, info)
		case strings.HasSuffix(d.Name(), unfinished) && time.Since(info.ModTime()) > abandoned:
			_ = os.Remove(filepath.Join(f.dir, d.Name())) // tried again with the next question
		}
	}
	if len(infos) < f.most {
		return nil
	}
	slices.SortFunc(infos, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	for _, info := range infos[:len(infos)-f.most+max(1, f.most/10)] {
		if err := os.Remove(filepath.Join(f.dir, info.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
