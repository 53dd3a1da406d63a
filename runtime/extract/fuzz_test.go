package extract_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// seeds are small files of every kind that the tests use.
func seeds() [][]byte {
	ruled := &pdftest.File{Title: "Register"}
	ruled.Register("April", pdftest.RegisterRows(6), pdftest.Look{RowRules: true, ColumnRules: true})
	plain := &pdftest.File{}
	plain.Register("April", pdftest.RegisterRows(26), pdftest.Look{Repeat: true, BoldHeader: true})
	bands := &pdftest.File{}
	bands.Register("April", pdftest.RegisterRows(6), pdftest.Look{Bands: true})
	odd := &pdftest.File{}
	p := odd.A4()
	p.Rotate = 270
	p.Turned(100, 300, 12, "Sideways 12,000")
	p.Invisible(60, 60, 9, "Hidden")
	p.Image(0, 0, 300, 300)
	locked := &pdftest.File{Password: "april"}
	locked.A4().Text(60, 60, 10, pdftest.Regular, "Secret")
	var out [][]byte
	for _, f := range []*pdftest.File{ruled, plain, bands, odd, locked} {
		out = append(out, f.Bytes())
	}
	whole := ruled.Bytes()
	return append(out, nil, []byte("%PDF-1.4"), whole[:len(whole)/2], []byte(strings.ReplaceAll(string(whole), "612", "0")))
}

func FuzzApply(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		x := extractor(t, extract.Limits{Timeout: 20 * time.Second, MaxPages: 50})
		d, err := x.Apply(context.Background(), extract.File{Data: data})
		if err != nil {
			var e *extract.Error
			if !errors.As(err, &e) || e.Reason == "" || e.Detail == "" {
				t.Fatalf("error without a reason: %v", err)
			}
			return
		}
		sound(t, d)
	})
}

// sound checks what must hold for every document: tables are rectangular, and
// no character of a page's blocks or lines is missing from the other.
func sound(t *testing.T, d rag.Document) {
	t.Helper()
	if len(d.SHA256) != 64 || len(d.Pages) == 0 {
		t.Fatalf("document without hash or pages: %+v", d)
	}
	inLines, inBlocks := 0, 0
	for _, p := range d.Pages {
		for _, l := range p.Lines {
			inLines += visible(l.Text)
		}
		for _, b := range p.Blocks {
			switch {
			case b.Line != nil:
				inBlocks += visible(b.Line.Text)
			case b.Heading != nil:
				inBlocks += visible(b.Heading.Text)
			case b.Table != nil:
				for _, r := range b.Table.Rows {
					if len(r.Cells) != len(b.Table.Rows[0].Cells) {
						t.Fatalf("page %d: a row of %d cells in a table of %d columns", p.Number, len(r.Cells), len(b.Table.Rows[0].Cells))
					}
					for _, c := range r.Cells {
						inBlocks += visible(c.Text)
					}
				}
			}
		}
	}
	flagged := false
	for _, p := range d.Problems {
		flagged = flagged || p.Reason == extract.TextMisplaced
	}
	if inBlocks > inLines {
		t.Fatalf("%d characters in blocks, %d in lines", inBlocks, inLines)
	}
	if len(d.Pages) == 1 && inBlocks != inLines && !flagged { // further pages may have running lines
		t.Fatalf("%d characters in blocks, %d in lines, and no problem says so", inBlocks, inLines)
	}
}

func visible(s string) int {
	n := 0
	for _, r := range s {
		if !unicode.IsSpace(r) {
			n++
		}
	}
	return n
}

// Coverage-guided fuzzing runs the compiled engine slowly; these mutants go the
// whole way in milliseconds each.
func TestMutants(t *testing.T) {
	const mutants = 300
	random := rand.New(rand.NewPCG(1, 2))
	x := extractor(t, extract.Limits{Timeout: 20 * time.Second, MaxPages: 50})
	kinds := seeds()
	for n := range mutants {
		data := mutant(random, kinds[n%len(kinds)])
		d, err := x.Apply(t.Context(), extract.File{Data: data})
		var e *extract.Error
		switch {
		case err == nil:
			sound(t, d)
		case !errors.As(err, &e) || e.Reason == "" || e.Detail == "":
			t.Errorf("mutant %d: error without a reason: %v", n, err)
		}
	}
}

// mutant changes, repeats or cuts a few bytes, in digits by preference: they
// are lengths, offsets and coordinates.
func mutant(random *rand.Rand, seed []byte) []byte {
	data := append([]byte(nil), seed...)
	for range 1 + random.IntN(8) {
		if len(data) == 0 {
			return data
		}
		i := random.IntN(len(data))
		switch random.IntN(4) {
		case 0:
			data[i] = byte(random.IntN(256))
		case 1:
			if k := bytes.IndexAny(data[i:], "0123456789"); k >= 0 {
				data[i+k] = byte('0' + random.IntN(10))
			}
		case 2:
			end := min(len(data), i+random.IntN(64))
			data = append(data[:end:end], data[i:]...)
		case 3:
			end := min(len(data), i+random.IntN(64))
			data = append(data[:i], data[end:]...)
		}
	}
	return data
}
