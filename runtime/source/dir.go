package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Dir is a directory, or a link to one, read as if it were a bucket's prefix.
// Versions are hashes of the content.
type Dir struct{ Path string }

// List walks the directory; hidden files and directories are left out. A link to a
// directory within it is an error: to follow it might never end, to pass it over
// would lose documents in silence.
func (d Dir) List(ctx context.Context) ([]rag.Object, error) {
	info, err := os.Stat(d.Path)
	if err == nil && !info.IsDir() {
		err = errors.New("it is a file")
	}
	resolved := d.Path // WalkDir follows no link, not even its root
	if err == nil {
		resolved, err = filepath.EvalSymlinks(d.Path)
	}
	if err != nil {
		return nil, &UnreachableError{Where: "directory " + d.Path, Err: err}
	}
	out, err := Dir{Path: resolved}.walk(ctx)
	if err != nil {
		return nil, &UnreachableError{Where: "directory " + d.Path, Err: err}
	}
	return out, nil
}

func (d Dir) walk(ctx context.Context) ([]rag.Object, error) {
	var out []rag.Object
	err := filepath.WalkDir(d.Path, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if path != d.Path && strings.HasPrefix(e.Name(), ".") {
			if e.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if e.IsDir() {
			return nil
		}
		o, err := d.stat(path)
		if err != nil {
			return err
		}
		out = append(out, o)
		return nil
	})
	return out, err
}

func (d Dir) stat(path string) (rag.Object, error) {
	key, err := filepath.Rel(d.Path, path)
	if err != nil {
		return rag.Object{}, err
	}
	info, err := os.Stat(path) // before it is opened: a pipe would wait for a writer for ever
	switch {
	case err != nil:
		return rag.Object{}, err
	case info.IsDir():
		return rag.Object{}, fmt.Errorf("%s is a link to a directory, which is not followed: put the directory itself there, or leave it out", path)
	case !info.Mode().IsRegular():
		return rag.Object{}, fmt.Errorf("%s is a pipe, socket or device and no file (%v): take it out of the directory", path, info.Mode().Type())
	}
	f, err := os.Open(path)
	if err != nil {
		return rag.Object{}, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return rag.Object{}, fmt.Errorf("read %s: %w", path, err)
	}
	return rag.Object{Key: filepath.ToSlash(key), Version: hex.EncodeToString(h.Sum(nil)), Size: info.Size(), Modified: info.ModTime()}, nil
}

// Open opens the file. Reading it ends with ErrChanged where the content is not
// the one that was listed.
func (d Dir) Open(_ context.Context, o rag.Object) (io.ReadCloser, error) {
	f, err := os.Open(filepath.Join(d.Path, filepath.FromSlash(o.Key)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", ErrChanged, err)
	}
	if err != nil {
		return nil, err
	}
	return &checked{file: f, sum: sha256.New(), version: o.Version}, nil
}

// checked is a file that proves to be the listed version when its end is reached.
type checked struct {
	file    *os.File
	sum     hash.Hash
	version string
}

func (c *checked) Read(p []byte) (int, error) {
	n, err := c.file.Read(p)
	c.sum.Write(p[:n]) // never fails
	if err == io.EOF && hex.EncodeToString(c.sum.Sum(nil)) != c.version {
		return n, ErrChanged
	}
	return n, err
}

func (c *checked) Close() error { return c.file.Close() }
