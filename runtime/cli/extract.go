package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/extract/ocr"
	"github.com/hardgate-dev/hardgate/runtime/extract/worker"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

type extractOptions struct {
	format
	limits   extract.Limits
	password string
	debug    string // directory of pictures, "" = none
	maxBytes int64
	workers  int
	stacks   stacks
}

// stacks are what processes said as they died, until it is written.
type stacks struct {
	mu   sync.Mutex
	said []string
}

func (s *stacks) add(said string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said = append(s.said, said)
}

// write writes what was said since the last time: it is for whoever mends the reader,
// and not the message for whoever reads files.
func (s *stacks) write(w io.Writer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, said := range s.said {
		_, _ = io.WriteString(w, said) // as all that goes to the error stream
	}
	s.said = nil
}

func extractCommand(env *Environment) *cobra.Command {
	var o extractOptions
	c := &cobra.Command{
		Use:   "extract FILE|DIRECTORY|s3://BUCKET/PREFIX…",
		Short: "Show what is read out of files: lines, tables, headings",
		Long: `Shows what is read out of PDF, HTML, Markdown, plain text and DOCX files.

A directory is read with all that is below it, a bucket's prefix or single key by the variables that S3
tools read (AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY).
Hidden files are left out of a directory. One bad file, or path, or directory below,
does not stop the others: it is named on the error stream, and with -o json it has
its object too, with "failure". JSON is one object for one file, and
one object a line for more. Exit 0: everything was read, or is of a type that is
passed over; 1: some files could not be; 2: nothing could be, or
the only file named is of a type that is not read, or a flag is wrong;
3: the source could not be reached.`,
		Args: some("a file, directory or s3:// address"),
		RunE: func(c *cobra.Command, args []string) error { return o.run(c.Context(), env, args) },
	}
	o.format.bind(c, "text", "json")
	c.Flags().DurationVar(&o.limits.Timeout, "timeout", extract.DefaultTimeout, "bound on one file; recognition of scans has its own")
	c.Flags().DurationVar(&o.limits.PageTimeout, "page-timeout", extract.DefaultPageTimeout, "bound on one page, which is then left out")
	c.Flags().IntVar(&o.limits.MaxPages, "max-pages", extract.DefaultMaxPages, "a file with more pages fails")
	c.Flags().Int64Var(&o.maxBytes, "max-bytes", 200<<20, "a file with more bytes fails")
	c.Flags().StringVar(&o.password, "password", "", "password of encrypted files")
	c.Flags().StringVar(&o.limits.OCR.Engine, "ocr", ocr.None, "recognition of pages without text: None or Tesseract")
	c.Flags().StringSliceVar(&o.limits.OCR.Languages, "ocr-language", nil, "languages by Tesseract's names, such as eng or chi_sim (repeatable; default eng)")
	c.Flags().StringVar(&o.debug, "debug-png", "", "directory for a picture of each page of a PDF, with the boxes of lines (blue), cells (green), tables (red) and headings (violet)")
	c.Flags().IntVar(&o.workers, "workers", 0, "files read at the same time (default: as many as there are cores)")
	return c
}

func (o *extractOptions) validate() error {
	if err := o.format.validate(); err != nil {
		return err
	}
	over := func(flag string, v int64, printed any) error {
		if v <= 0 {
			return input(fmt.Errorf("--%s: %v is not over zero", flag, printed))
		}
		return nil
	}
	if e := o.limits.OCR.Engine; e != ocr.None && e != ocr.Tesseract {
		return input(fmt.Errorf("--ocr: %q is neither %s nor %s", e, ocr.None, ocr.Tesseract))
	}
	if len(o.limits.OCR.Languages) > 0 && !o.limits.OCR.On() {
		return input(fmt.Errorf("--ocr-language needs --ocr %s", ocr.Tesseract))
	}
	if o.workers < 0 {
		return input(fmt.Errorf("--workers: %d is below zero", o.workers))
	}
	return errors.Join(
		over("timeout", int64(o.limits.Timeout), o.limits.Timeout), over("page-timeout", int64(o.limits.PageTimeout), o.limits.PageTimeout),
		over("max-pages", int64(o.limits.MaxPages), o.limits.MaxPages), over("max-bytes", o.maxBytes, o.maxBytes),
	)
}

func (o *extractOptions) run(ctx context.Context, env *Environment, args []string) error {
	if err := o.validate(); err != nil {
		return input(err)
	}
	files, err := o.files(ctx, env, args)
	if err != nil {
		return err
	}
	read, done, err := o.reader(ctx, env)
	if err != nil {
		return unfinished(err)
	}
	defer done()
	x := &extraction{extractOptions: o, env: env, read: read, single: len(files) == 1 && files[0].named}
	if o.debug != "" {
		if err := x.openPictures(ctx); err != nil {
			return unfinished(err)
		}
		defer x.pictures.Close() //nolint:errcheck // the process ends
	}
	return x.all(ctx, files)
}

// reader reads in workers where the process says how to start one, so that a file
// that can't be interrupted can be killed; else in this process.
func (o *extractOptions) reader(ctx context.Context, env *Environment) (read func(context.Context, extract.File) (rag.Document, error), done func(), err error) {
	if len(env.Runtime.ExtractWorker.Command) > 0 {
		opt := env.Runtime.ExtractWorker
		opt.Workers = o.workers
		opt.Died = func(key string, page int, said string) {
			if said != "" {
				o.stacks.add(fmt.Sprintf("hardgate: what was said as the process that read %s died (page %d):\n  %s\n", key, page, strings.ReplaceAll(said, "\n", "\n  ")))
			}
		}
		pool, err := worker.NewPool(opt)
		if err != nil {
			return nil, nil, err
		}
		read = func(ctx context.Context, f extract.File) (rag.Document, error) { return pool.Apply(ctx, o.limits, f) }
		return read, func() { _ = pool.Close() }, nil // it never fails
	}
	engine, err := extract.Open(ctx, extract.Options{CacheDir: env.Runtime.CacheDir, Instances: o.workers})
	if err != nil {
		return nil, nil, err
	}
	return extract.New(engine, o.limits).Apply, func() { _ = engine.Close() }, nil // the process ends
}

// write writes what one file gave.
func (x *extraction) write(doc rag.Document, label string) error {
	if x.name == "json" {
		if x.single {
			return writeJSON(x.env.Out, extract.NewReport(doc))
		}
		return writeLine(x.env.Out, extract.NewReport(doc))
	}
	if !x.single {
		if _, err := fmt.Fprintf(x.env.Out, "==> %s <==\n", label); err != nil {
			return err
		}
	}
	_, err := io.WriteString(x.env.Out, extract.Text(doc))
	return err
}

// workerCommand is what this program runs as to read files for another of it.
func workerCommand(env *Environment) *cobra.Command {
	return &cobra.Command{
		Use: "extract-worker", Short: "Read files for another process of this program", Hidden: true, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return unfinished(worker.Serve(c.Context(), c.InOrStdin(), env.Out, extract.Options{CacheDir: env.Runtime.CacheDir}))
		},
	}
}
