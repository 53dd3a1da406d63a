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
// would lose documents in silence. So is whatever else can't be read.
func (d Dir) List(ctx context.Context) ([]rag.Object, error) {
	var out []rag.Object
	err := d.Walk(ctx, func(path string, o rag.Object, err error) error {
		if err == nil {
			o.Version, err = version(path)
		}
		if err != nil {
			return d.unreachable(err)
		}
		out = append(out, o)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Walk tells all that a listing would hold in the order of paths, without versions:
// nothing is opened. What can't be listed is told with its error; found decides
// whether the walk goes on. It is for showing files, not for concluding which exist.
func (d Dir) Walk(ctx context.Context, found func(path string, o rag.Object, err error) error) error {
	info, err := os.Stat(d.Path)
	if err == nil && !info.IsDir() {
		err = errors.New("it is a file")
	}
	root := d.Path // WalkDir follows no link, not even its root
	if err == nil {
		root, err = filepath.EvalSymlinks(d.Path)
	}
	if err != nil {
		return d.unreachable(err)
	}
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		key, _ := filepath.Rel(root, path) // it is below root
		o := rag.Object{Key: filepath.ToSlash(key)}
		switch {
		case ctx.Err() != nil:
			return d.unreachable(ctx.Err())
		case path != root && strings.HasPrefix(e.Name(), "."):
			if e.IsDir() {
				return filepath.SkipDir
			}
			return nil
		case err == nil && e.IsDir():
			return nil
		case err == nil:
			err = describe(path, &o)
		}
		return found(path, o, err)
	})
}

func (d Dir) unreachable(err error) error {
	return &UnreachableError{Where: "directory " + d.Path, Err: err}
}

// describe looks at a file before it is opened: a pipe would wait for a writer for ever.
func describe(path string, o *rag.Object) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return odd(path, "it is a link to a directory, which is not followed: put the directory itself there, or leave it out")
	case !info.Mode().IsRegular():
		return odd(path, fmt.Sprintf("it is a pipe, socket or device and no file (%v): take it out of the directory", info.Mode().Type()))
	}
	o.Size, o.Modified = info.Size(), info.ModTime()
	return nil
}

// odd is the error of something that is no file, in the form of the file system's own.
func odd(path, why string) error {
	return &fs.PathError{Op: "look at", Path: path, Err: errors.New(why)}
}

// version is the hash of a file's content.
func version(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("read %s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
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
