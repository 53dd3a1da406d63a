package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/extract/ocr/ocrtest"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
)

const (
	longPages   = 2000
	starts      = 5
	mutantSlice = 500 // mutants a reader
)

// bounds measures what must hold whatever the file: a cold start, a long
// document, mutated files.
func (b *bench) bounds(ctx context.Context) error {
	if err := b.start(ctx); err != nil {
		return err
	}
	if err := b.long(ctx); err != nil {
		return err
	}
	return b.mutate(ctx)
}

// start measures a new process with the engine's compilation cache warm, over a page.
func (b *bench) start(ctx context.Context) error {
	f := &pdftest.File{}
	f.A4().Text(60, 60, 10, pdftest.Regular, "Terms")
	path := filepath.Join(b.work, "start.pdf")
	if err := os.WriteFile(path, f.Bytes(), 0o644); err != nil {
		return err
	}
	best := time.Hour
	for range starts {
		began := time.Now()
		if _, _, err := b.ours(ctx, []string{path}); err != nil {
			return err
		}
		best = min(best, time.Since(began))
	}
	fmt.Fprintf(b.out, "cold start of a process, cache warm, with one page: %.2f s (best of %d)\n", best.Seconds(), starts)
	return nil
}

// long reads long documents, of rows and of prose, and a scan, within the default
// limits and in the processes in which the product does.
func (b *bench) long(ctx context.Context) error {
	rows := &pdftest.File{}
	rows.Register("Register", pdftest.RegisterRows(24*longPages), pdftest.Look{RowRules: true, ColumnRules: true, Repeat: true})
	prose := &pdftest.File{}
	for n := range longPages {
		p := prose.A4()
		for i := range 55 {
			p.Text(50, 50+float64(i)*13, 10, pdftest.Regular, fmt.Sprintf("Clause %d.%d: the register of the mill is kept by the desk for payroll and stores, with dates", n+1, i+1))
		}
	}
	one := &pdftest.File{}
	one.Register("Register", pdftest.RegisterRows(24), pdftest.Look{RowRules: true, ColumnRules: true})
	scan, err := b.scan(ctx, one.Bytes())
	if err != nil {
		return err
	}
	files := []struct {
		name string
		data []byte
	}{{"one page of rows", one.Bytes()}, {fmt.Sprintf("%d pages of rows", longPages), rows.Bytes()}, {fmt.Sprintf("%d pages of prose", longPages), prose.Bytes()}, {"a scan at 300 dpi, recognised", scan}}
	for i, f := range files {
		path := filepath.Join(b.work, fmt.Sprintf("long-%d.pdf", i))
		if err := os.WriteFile(path, f.data, 0o644); err != nil {
			return err
		}
		p, err := b.peaksOf(ctx, path)
		if err != nil {
			return err
		}
		fmt.Fprintf(b.out, "%s (%.1f MB): %d pages read in %.0f s; resident at most: worker %.0f MB, caller with file and document %.0f MB, Tesseract %.0f MB %s\n",
			f.name, float64(len(f.data))/1e6, p.Pages, p.Seconds, p.Worker, p.Caller, p.Recogniser, p.Error)
	}
	return nil
}

// scan makes a scan of a file.
func (b *bench) scan(ctx context.Context, data []byte) ([]byte, error) {
	engine, err := extract.Open(ctx, extract.Options{CacheDir: b.cache, Instances: 1})
	if err != nil {
		return nil, err
	}
	defer engine.Close() //nolint:errcheck // nothing of it is used any more
	return ocrtest.Scanner{DPI: 300, Skew: 0.7}.Scan(ctx, engine, data)
}

func mustSelf() string {
	self, err := os.Executable()
	if err != nil {
		panic(err) // Linux always knows
	}
	return self
}

// mutate reads changed copies of the generated registers: whatever comes must be
// a document or a typed error, of a process that lives.
func (b *bench) mutate(ctx context.Context) error {
	seeds, err := filepath.Glob(filepath.Join(b.work, "registers", "*_12.pdf"))
	if err != nil || len(seeds) == 0 {
		return errors.Join(err, errors.New("no generated registers to mutate: run the part registers first"))
	}
	random := rand.New(rand.NewPCG(7, 13))
	dir, err := os.MkdirTemp(b.work, "mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	documents, errs := 0, map[string]int{}
	slowest := 0.0
	for done := 0; done < b.mutants; done += mutantSlice {
		var files []string
		for n := range min(mutantSlice, b.mutants-done) {
			data, err := os.ReadFile(seeds[(done+n)%len(seeds)])
			if err != nil {
				return err
			}
			path := filepath.Join(dir, fmt.Sprintf("%d.pdf", n))
			if err := os.WriteFile(path, mutant(random, data), 0o644); err != nil {
				return err
			}
			files = append(files, path)
		}
		got, _, err := b.ours(ctx, files)
		if err != nil {
			return fmt.Errorf("mutants %d to %d: %w", done, done+len(files), err)
		}
		for _, f := range files {
			r := got[f]
			slowest = max(slowest, r.CPU)
			if r.Error == "" {
				documents++
				continue
			}
			reason, _, _ := strings.Cut(r.Error, ":")
			errs[reason]++
		}
	}
	fmt.Fprintf(b.out, "%d mutated files: no reader died, %d read, errors %v, the slowest %.1f CPU s\n", b.mutants, documents, errs, slowest)
	for _, known := range []string{extract.Empty, extract.NotPDF, extract.Truncated, extract.Damaged, extract.Encrypted, extract.Unsupported, extract.Mislabelled, extract.UnsupportedType, extract.NeedsOCR, extract.Trapped, extract.Timeout, extract.TooLarge, extract.TooManyPages} {
		delete(errs, known)
	}
	if len(errs) > 0 {
		return fmt.Errorf("errors without a known reason: %v", errs)
	}
	return nil
}

// mutant changes, repeats or cuts a few bytes, in digits by preference: they are
// lengths, offsets and coordinates.
func mutant(random *rand.Rand, data []byte) []byte {
	for range 1 + random.IntN(8) {
		if len(data) == 0 {
			return data
		}
		i := random.IntN(len(data))
		end := min(len(data), i+random.IntN(64))
		switch random.IntN(4) {
		case 0:
			data[i] = byte(random.IntN(256))
		case 1:
			if k := bytes.IndexAny(data[i:], "0123456789"); k >= 0 {
				data[i+k] = byte('0' + random.IntN(10))
			}
		case 2:
			data = append(data[:end:end], data[i:]...)
		case 3:
			data = append(data[:i], data[end:]...)
		}
	}
	return data
}
