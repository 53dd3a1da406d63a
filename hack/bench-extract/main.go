// Bench-extract measures what the PDF extractor reads against pdfplumber's
// defaults, on the same files in one run: register rows that are exactly right,
// tokens against poppler, tables against their ground truth, CPU and memory.
//
// Registers are generated (generate.py). Public files are named in public.tsv
// with their hashes; they are read from --public, never committed, and brought
// there by --download. It needs a Python with pdfplumber, reportlab and fpdf2,
// and poppler's pdftotext; `make bench-extract` sets both up.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
)

// options are the flags.
type options struct {
	python   string
	work     string // generated files and results
	public   string // public files, "" = leave them out
	set      string // of the public files
	download bool
	verbose  bool
	read     bool // be the reader: paths in, a JSON line a file out
	only     string
	cache    string
	limits   bool // read within the default limits
	mutants  int
	product  string
	peaked   string
}

func main() {
	var o options
	flag.StringVar(&o.python, "python", "python3", "a Python with pdfplumber, reportlab and fpdf2")
	flag.StringVar(&o.work, "work", "", "directory for generated files")
	flag.StringVar(&o.public, "public", "", "directory of the public files; none are measured without it")
	flag.StringVar(&o.set, "set", "", "which public files: dev, dev2, dev3, seen, unseen, unseen2 or unseen3; all if empty")
	flag.BoolVar(&o.download, "download", false, "bring missing public files there")
	flag.BoolVar(&o.verbose, "v", false, "print a line a file")
	flag.BoolVar(&o.read, "read", false, "read the paths on standard input with this project's extractor")
	flag.StringVar(&o.only, "only", "", "measure the part whose name this is: registers, text, tables, bounds")
	flag.StringVar(&o.cache, "cache", "", "directory of the compiled engine")
	flag.BoolVar(&o.limits, "limits", false, "read within the default limits, not ten minutes a file")
	flag.IntVar(&o.mutants, "mutants", 10_000, "how many mutated files are read")
	flag.StringVar(&o.product, "product", "", "the program whose workers are measured; built if empty")
	flag.StringVar(&o.peaked, "peak", "", "read this file by a worker and print what that took")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := o.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench-extract:", err)
		os.Exit(1)
	}
}

func (o *options) run(ctx context.Context) error {
	if o.cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return err
		}
		o.cache = filepath.Join(dir, "hardgate", "wasm")
	}
	if o.read {
		return readAll(ctx, o.cache, o.limits, os.Stdin, os.Stdout)
	}
	if o.peaked != "" {
		return o.peak(ctx, os.Stdout)
	}
	if o.work == "" {
		return errors.New("--work: name a directory for the generated files")
	}
	b := &bench{options: *o, out: os.Stdout}
	parts := []struct {
		name string
		run  func(context.Context) error
	}{{"registers", b.registers}, {"text", b.text}, {"tables", b.tables}, {"bounds", b.bounds}}
	for _, p := range parts {
		if o.only != "" && o.only != p.name {
			continue
		}
		if err := p.run(ctx); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return b.totals()
}
