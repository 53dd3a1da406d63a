package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/extract/render"
	"github.com/hardgate-dev/hardgate/runtime/rag"
	"github.com/hardgate-dev/hardgate/runtime/source"
)

// inputFile is one file to read: of a driver, or by its path.
type inputFile struct {
	label  string // as people name it
	path   string // where it lies, without a driver
	object rag.Object
	driver source.Driver // nil: it is read by its path
	named  bool          // by an argument, rather than found in a folder
	err    error         // it can't be read, which was seen when it was looked for
}

// files lists what the arguments name. What can't be read of it has its error, and
// does not keep the rest from being read.
func (o *extractOptions) files(ctx context.Context, env *Environment, args []string) ([]inputFile, error) {
	var out []inputFile
	for _, arg := range args {
		var more []inputFile
		var err error
		rest, remote := strings.CutPrefix(arg, "s3://")
		switch {
		case remote:
			more, err = remotes(ctx, env, arg, rest)
		case isDir(arg):
			more, err = below(ctx, arg)
		default:
			more = []inputFile{byPath(arg)}
		}
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// remotes are the objects below a prefix, or the one of a key; rest is the argument
// without the scheme.
func remotes(ctx context.Context, env *Environment, arg, rest string) ([]inputFile, error) {
	d, err := bucket("extract", rest, nil, env.Getenv)
	if err != nil {
		return nil, err
	}
	l, err := source.List(ctx, d, source.Filter{}, nil)
	if err != nil {
		return nil, unfinished(err)
	}
	if len(l.Documents) == 0 {
		f, err := key(ctx, env, arg, rest)
		return []inputFile{f}, err
	}
	out := make([]inputFile, len(l.Documents))
	for i, object := range l.Documents {
		out[i] = inputFile{label: strings.TrimSuffix(arg, "/") + "/" + object.Key, object: object, driver: d}
	}
	return out, nil
}

// below are the files of a directory in the order of their keys, and what is in it
// that can't be read.
func below(ctx context.Context, arg string) ([]inputFile, error) {
	var out []inputFile
	err := source.Dir{Path: arg}.Walk(ctx, func(path string, o rag.Object, err error) error {
		label := strings.TrimSuffix(arg, "/") + "/" + o.Key
		if o.Key == "." { // the directory itself
			label, o.Key = arg, filepath.Base(arg)
		}
		out = append(out, inputFile{label: label, path: path, object: o, err: bare(err)})
		return nil
	})
	if err != nil {
		return nil, unfinished(err)
	}
	slices.SortFunc(out, func(a, b inputFile) int { return strings.Compare(a.object.Key, b.object.Key) })
	if len(out) == 0 {
		out = []inputFile{{label: arg, object: rag.Object{Key: filepath.Base(arg)}, named: true, err: errors.New("there are no files")}}
	}
	return out, nil
}

// byPath is the file of a path. One that isn't there is told in its turn.
func byPath(name string) inputFile {
	f := inputFile{label: name, path: name, object: rag.Object{Key: filepath.Base(name)}, named: true}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		f.err = bare(err)
	case waits(name, info.Mode()):
		f.err = errors.New("it is a pipe or socket, which waits for somebody to write: write to a file, and name that")
	default:
		f.object.Size = info.Size()
	}
	return f
}

// descriptors is where the system shows the files that a process has open. A pipe
// among them was handed over by a shell and has its writer.
const descriptors = "/dev/"

// waits reports whether to open or read a file may wait for ever for somebody else.
func waits(name string, mode fs.FileMode) bool {
	return mode&fs.ModeSocket != 0 || mode&fs.ModeNamedPipe != 0 && !strings.HasPrefix(name, descriptors)
}

// bare is an error of the file system without the path, which is the label.
func bare(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// key finds the one object that an argument names where it names no folder; rest is
// the argument without the scheme.
func key(ctx context.Context, env *Environment, arg, rest string) (inputFile, error) {
	missing := inputFile{label: arg, object: rag.Object{Key: path.Base(rest)}, named: true, err: errors.New("there are no files: neither below this prefix nor by this key")}
	at := strings.LastIndexByte(rest, '/')
	if at < 0 || at == len(rest)-1 {
		return missing, nil
	}
	d, err := bucket("extract", rest[:at], nil, env.Getenv)
	if err != nil {
		return inputFile{}, err
	}
	beside, err := d.List(ctx)
	if err != nil {
		return inputFile{}, unfinished(err)
	}
	for _, o := range beside {
		if o.Key == rest[at+1:] {
			return inputFile{label: arg, object: o, driver: d, named: true}, nil
		}
	}
	return missing, nil
}

// errChanged is a file that somebody writes while it is read.
var errChanged = errors.New("it changed while it was read; try again when it is written")

// bytes reads the file, of one by its path at most limit bytes: a pipe or device has
// no size that could be looked at before.
func (f inputFile) bytes(ctx context.Context, limit int64) ([]byte, error) {
	if f.driver != nil {
		return source.Read(ctx, f.driver, f.object)
	}
	type content struct {
		data []byte
		err  error
	}
	got := make(chan content, 1)
	go func() { // a file that nobody writes to its end, or of a lost server, holds nobody up
		data, err := contents(f.path, limit)
		got <- content{data, bare(err)}
	}()
	select {
	case c := <-got:
		return c.data, c.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// contents are at most limit bytes of a file, as they are at one time.
func contents(path string, limit int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	before, err := file.Stat()
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(file, limit))
	if err != nil {
		return nil, err
	}
	after, err := file.Stat()
	if err == nil && before.Mode().IsRegular() && (after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime())) {
		return nil, errChanged
	}
	return data, err
}

// extraction is one run of the command.
type extraction struct {
	*extractOptions
	env      *Environment
	read     func(context.Context, extract.File) (rag.Document, error)
	single   bool // one file was named: its error is the command's
	pictures *render.Renderer

	failed, skipped int
}

// outcome is what became of one file.
type outcome struct {
	data []byte
	doc  rag.Document
	err  error
}

// all reads the files beside each other and writes them in order. What waits to
// be written is bounded, so that a bucket of any size takes no more memory.
func (x *extraction) all(ctx context.Context, files []inputFile) error {
	workers := x.workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make(chan chan outcome, 2*workers)
	var g errgroup.Group
	g.SetLimit(workers + 1)
	g.Go(func() error {
		defer close(results)
		for _, f := range files {
			result := make(chan outcome, 1)
			select {
			case results <- result:
			case <-ctx.Done():
				return ctx.Err()
			}
			g.Go(func() error {
				result <- x.one(ctx, f)
				return nil
			})
		}
		return nil
	})
	p := newProgress(x.env.Err, "files read")
	i := 0
	for result := range results {
		got := <-result
		if ctx.Err() != nil {
			return interrupted(ctx, i, len(files))
		}
		if err := x.report(ctx, files[i], got); err != nil {
			return err
		}
		i++
		p.tick(i, len(files))
	}
	if ctx.Err() != nil {
		return interrupted(ctx, i, len(files))
	}
	return x.verdict(len(files))
}

// interrupted says how far a run came that somebody ended.
func interrupted(ctx context.Context, done, total int) error {
	return unfinished(fmt.Errorf("interrupted after %d of %d files: %w", done, total, ctx.Err()))
}

func (x *extraction) one(ctx context.Context, f inputFile) outcome {
	if f.err != nil {
		return outcome{err: f.err}
	}
	tooLarge := outcome{err: &extract.Error{Reason: extract.TooLarge, Detail: fmt.Sprintf("more than %d bytes; raise --max-bytes, or split the file", x.maxBytes)}}
	if f.object.Size > x.maxBytes {
		return tooLarge
	}
	data, err := f.bytes(ctx, x.maxBytes+1)
	switch {
	case err != nil:
		return outcome{err: err}
	case int64(len(data)) > x.maxBytes:
		return tooLarge
	}
	doc, err := x.read(ctx, extract.File{Object: f.object, Data: data, Password: x.password})
	if x.pictures == nil && err == nil {
		data = nil // nobody needs it any more
	}
	return outcome{data: data, doc: doc, err: byFlag(err)}
}

// byFlag names the flag where the stage names the field of a Corpus, which nobody has
// here.
func byFlag(err error) error {
	var e *extract.Error
	if !errors.As(err, &e) {
		return err
	}
	told := *e
	told.Detail = strings.NewReplacer("set extraction.ocr to Tesseract", "give --ocr Tesseract", "extraction.ocrLanguages", "--ocr-language", "extraction.passwords", "--password",
		"extraction.timeout", "--timeout", "extraction.maxPages", "--max-pages", "exclude it by source.exclude, or convert it", "convert it").Replace(e.Detail)
	return &told
}

// report writes one file's outcome. The error ends the command.
func (x *extraction) report(ctx context.Context, f inputFile, got outcome) error {
	x.stacks.write(x.env.Err)
	if got.err == nil {
		if err := x.write(got.doc, f.label); err != nil {
			return unfinished(err)
		}
		if x.name != "json" { // which has them
			tell(x.env.Err, f.label, got.doc.Problems)
		}
		if x.pictures != nil {
			x.draw(ctx, f, got)
		}
		return nil
	}
	if x.single {
		if x.name == "json" {
			if err := writeJSON(x.env.Out, extract.NewFailure(f.object.Key, got.data, got.err)); err != nil {
				return unfinished(err)
			}
		}
		return input(fmt.Errorf("%s: %w", f.label, got.err))
	}
	var e *extract.Error
	if errors.As(got.err, &e) && e.Skip {
		x.skipped++
	} else {
		x.failed++
	}
	fmt.Fprintf(x.env.Err, "%s: %v\n", f.label, got.err)
	if x.name == "json" {
		return unfinished(writeLine(x.env.Out, extract.NewFailure(f.object.Key, got.data, got.err)))
	}
	return nil
}

// maxTold is how many problems of one file are told beside its text.
const maxTold = 10

// tell writes what could not be read of a file, or only in part, a line each.
func tell(w io.Writer, label string, problems []rag.Problem) {
	for i, p := range problems {
		if i == maxTold {
			fmt.Fprintf(w, "%s: and %d more, which -o json names\n", label, len(problems)-i)
			return
		}
		if p.Page > 0 {
			fmt.Fprintf(w, "%s, page %d: %s: %s\n", label, p.Page, p.Reason, p.Detail)
		} else {
			fmt.Fprintf(w, "%s: %s: %s\n", label, p.Reason, p.Detail)
		}
	}
}

// verdict chooses the exit code for several files.
func (x *extraction) verdict(total int) error {
	if x.failed == 0 && x.skipped == 0 {
		return nil
	}
	fmt.Fprintf(x.env.Err, "hardgate: of %d files %d failed and %d were passed over\n", total, x.failed, x.skipped)
	switch {
	case x.failed == 0:
		return nil
	case x.failed == total-x.skipped:
		return &Exit{Code: ExitInput}
	}
	return &Exit{Code: ExitFailed}
}

// writeLine writes a value as one line of JSON.
func writeLine(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
