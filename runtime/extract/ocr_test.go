package extract_test

import (
	"context"
	"errors"
	"math"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/extract/ocr"
	"github.com/hardgate-dev/hardgate/runtime/extract/ocr/ocrtest"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

var tesseract = extract.Limits{OCR: ocr.Options{Engine: ocr.Tesseract}}

// scanned scans a register of a dozen rows.
func scanned(t *testing.T, s ocrtest.Scanner) (original, scan []byte) {
	t.Helper()
	if _, err := exec.LookPath("tesseract"); err != nil {
		t.Fatal("tesseract is not installed (run `hack/assets.sh ocr`, or `make setup` to see what else is missing)")
	}
	f := &pdftest.File{}
	f.Register("Salary Register April 2025", pdftest.RegisterRows(12), pdftest.Look{RowRules: true, ColumnRules: true})
	engine, err := open()
	if err != nil {
		t.Fatal(err)
	}
	scan, err = s.Scan(t.Context(), engine, f.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return f.Bytes(), scan
}

func TestScans(t *testing.T) {
	cases := map[string]struct {
		reason  string
		scanner ocrtest.Scanner
		rows    int     // that must be right in every cell, header included, of 13
		off     float64 // points that a row's place on the page may differ, beside the skew
	}{
		"Clean":  {"as sharp as print", ocrtest.Scanner{DPI: 300}, 11, 4},
		"Rough":  {"noisy, and crooked by most of a degree", ocrtest.Scanner{DPI: 200, Noise: 10, Skew: 0.7}, 7, 4},
		"Turned": {"the sheet lay sideways", ocrtest.Scanner{DPI: 200, Turned: 1}, 9, 4},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			original, scan := scanned(t, c.scanner)
			truth, err := extractor(t, extract.Limits{}).Apply(t.Context(), extract.File{Data: original})
			if err != nil {
				t.Fatal(err)
			}
			got, err := extractor(t, tesseract).Apply(t.Context(), extract.File{Data: scan})
			if err != nil {
				t.Fatal(err)
			}
			ts := tables(got)
			if len(ts) != 1 {
				t.Fatalf("%s: %d tables:\n%s", c.reason, len(ts), extract.Text(got))
			}
			right := 0
			for _, want := range tables(truth)[0].Rows {
				for _, row := range ts[0].Rows {
					if strings.Join(texts([]rag.Row{row})[0], "|") != strings.Join(texts([]rag.Row{want})[0], "|") {
						continue
					}
					right++
					if row.Confidence == nil || *row.Confidence <= 0 || *row.Confidence > 1 {
						t.Errorf("%s: a row's confidence is %v", c.reason, row.Confidence)
					}
					if d := away(want.Box, row.Box, c.scanner, got.Pages[0]); d > c.off {
						t.Errorf("%s: row at %v, want it within %.0f points of where %v is now", c.reason, row.Box, c.off, want.Box)
					}
				}
			}
			if right < c.rows {
				t.Errorf("%s: %d of 13 rows right, want %d:\n%s", c.reason, right, c.rows, extract.Text(got))
			}
			if len(got.Problems) != 1 || got.Problems[0].Reason != extract.Recognised || got.Problems[0].Page != 1 || !strings.Contains(got.Problems[0].Detail, "eng") {
				t.Errorf("%s: problems %v: what was recognised must be told", c.reason, got.Problems)
			}
			for _, l := range got.Pages[0].Lines {
				if l.Confidence == nil {
					t.Errorf("%s: line %q has no confidence", c.reason, l.Text)
				}
			}
		})
	}
}

// away is how far the middle of a row is from where the scanner put it.
func away(want, got rag.Box, s ocrtest.Scanner, page rag.Page) float64 {
	x, y := (want.X0+want.X1)/2, (want.Y0+want.Y1)/2
	width, height := page.Width, page.Height
	if s.Turned == 1 {
		width, height = height, width
	}
	sin, cos := math.Sincos(s.Skew * math.Pi / 180)
	dx, dy := x-width/2, y-height/2
	x, y = width/2+dx*cos-dy*sin, height/2+dx*sin+dy*cos
	if s.Turned == 1 {
		x, y = height-y, x
	}
	return math.Hypot(x-(got.X0+got.X1)/2, y-(got.Y0+got.Y1)/2)
}

func TestRecognitionFails(t *testing.T) {
	_, scan := scanned(t, ocrtest.Scanner{DPI: 100})
	mixed := &pdftest.File{}
	mixed.A4().Text(60, 60, 10, pdftest.Regular, "Cover letter")
	mixed.A4().Image(0, 0, 595, 842)
	cases := map[string]struct {
		reason string
		data   []byte
		ocr    ocr.Options
		want   string // reason of the error, "" = a document with a problem
		says   string
	}{
		"Off":         {"the default: told, with what to do", scan, ocr.Options{}, extract.NeedsOCR, "extraction.ocr"},
		"NotThere":    {"the program is missing", scan, ocr.Options{Engine: ocr.Tesseract, Command: "no-tesseract"}, extract.OCRUnavailable, "apt-get install tesseract-ocr"},
		"NoLanguage":  {"a language is missing", scan, ocr.Options{Engine: ocr.Tesseract, Languages: []string{"eng", "chi_sim"}}, extract.OCRUnavailable, "tesseract-ocr-chi-sim"},
		"NoData":      {"its data are missing", scan, ocr.Options{Engine: ocr.Tesseract, DataDir: t.TempDir()}, extract.OCRUnavailable, "eng"},
		"Slow":        {"no page was read in time", scan, ocr.Options{Engine: ocr.Tesseract, PageTimeout: time.Millisecond}, extract.OCRFailed, "recognition"},
		"NothingSeen": {"a picture without text among pages is a problem", mixed.Bytes(), ocr.Options{Engine: ocr.Tesseract}, "", "found none"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d, err := extractor(t, extract.Limits{OCR: c.ocr}).Apply(t.Context(), extract.File{Data: c.data})
			if c.want == "" {
				if err != nil || len(d.Problems) != 1 || d.Problems[0].Reason != extract.NeedsOCR || !strings.Contains(d.Problems[0].Detail, c.says) {
					t.Errorf("%s: error %v, problems %v", c.reason, err, d.Problems)
				}
				return
			}
			var e *extract.Error
			if !errors.As(err, &e) || e.Reason != c.want || !strings.Contains(e.Detail, c.says) {
				t.Errorf("%s: error %v, want %s that names %q", c.reason, err, c.want, c.says)
			}
		})
	}
}

// Recognition takes longer than print, and must not use up the time of a file.
func TestRecognitionHasItsOwnTime(t *testing.T) {
	_, scan := scanned(t, ocrtest.Scanner{DPI: 150})
	var announced time.Duration
	limits := tesseract
	limits.Timeout = 500 * time.Millisecond
	_, err := extractor(t, limits).Apply(context.Background(), extract.File{Data: scan, Waits: func(d time.Duration) { announced += d }})
	if err != nil || announced != ocr.DefaultPageTimeout {
		t.Errorf("error %v, announced %v", err, announced)
	}
}
