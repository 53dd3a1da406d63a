package extract_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// open shares one engine among the tests of the package: compiling it takes seconds.
var open = sync.OnceValues(func() (*extract.Engine, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, err
	}
	return extract.Open(context.Background(), extract.Options{CacheDir: filepath.Join(cache, "hardgate", "wasm")})
})

func extractor(t testing.TB, limits extract.Limits) *extract.Extractor {
	t.Helper()
	engine, err := open()
	if err != nil {
		t.Fatal(err)
	}
	return extract.New(engine, limits)
}

func apply(t testing.TB, f *pdftest.File) rag.Document {
	t.Helper()
	doc, err := extractor(t, extract.Limits{}).Apply(t.Context(), extract.File{Data: f.Bytes(), Password: f.Password})
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func tables(d rag.Document) []*rag.Table {
	var out []*rag.Table
	for _, p := range d.Pages {
		for _, b := range p.Blocks {
			if b.Table != nil {
				out = append(out, b.Table)
			}
		}
	}
	return out
}

func texts(rows []rag.Row) [][]string {
	var out [][]string
	for _, r := range rows {
		var cells []string
		for _, c := range r.Cells {
			cells = append(cells, c.Text)
		}
		out = append(out, cells)
	}
	return out
}

func allLines(d rag.Document) string {
	var out []string
	for _, p := range d.Pages {
		for _, l := range p.Lines {
			out = append(out, l.Text)
		}
	}
	return strings.Join(out, "\n")
}

func TestRegister(t *testing.T) {
	cases := map[string]struct {
		reason string
		look   pdftest.Look
		rows   int
		kind   string
	}{
		"Ruled":            {"all borders drawn", pdftest.Look{RowRules: true, ColumnRules: true}, 12, rag.Ruled},
		"Unruled":          {"columns only line up", pdftest.Look{}, 12, rag.Aligned},
		"RowRules":         {"rows ruled, columns not", pdftest.Look{RowRules: true}, 12, rag.Aligned},
		"ColumnRules":      {"columns ruled, rows not: each line is a row all the same", pdftest.Look{ColumnRules: true}, 12, rag.Ruled},
		"HeaderRule":       {"one rule under bold names", pdftest.Look{HeaderRule: true, BoldHeader: true}, 12, rag.Aligned},
		"Bands":            {"shading instead of rules", pdftest.Look{Bands: true}, 12, rag.Ruled},
		"TwoPagesRuled":    {"names repeated on the second page are no row", pdftest.Look{RowRules: true, ColumnRules: true, Repeat: true}, 37, rag.Ruled},
		"TwoPagesUnruled":  {"the same without rules", pdftest.Look{Repeat: true}, 37, rag.Aligned},
		"TwoPagesNoRepeat": {"rows go on without names", pdftest.Look{}, 37, rag.Aligned},
		"LoneRow":          {"a single row on the last page does not look like a table there", pdftest.Look{}, 25, rag.Aligned},
		"LoneRowRepeat":    {"… nor does one under repeated names", pdftest.Look{Repeat: true}, 25, rag.Aligned},
		"LoneRowRuled":     {"… nor in a grid of one row", pdftest.Look{RowRules: true, ColumnRules: true}, 25, rag.Ruled},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			want := pdftest.RegisterRows(c.rows)
			f := &pdftest.File{}
			f.Register("Salary Register April 2025", want, c.look)
			d := apply(t, f)
			ts := tables(d)
			if len(ts) != 1 {
				t.Fatalf("%s: %d tables, want 1:\n%s", c.reason, len(ts), extract.Text(d))
			}
			if ts[0].Kind != c.kind || ts[0].Header != 1 {
				t.Errorf("%s: kind %s with %d header rows, want %s with 1", c.reason, ts[0].Kind, ts[0].Header, c.kind)
			}
			all := append([][]string{pdftest.RegisterHeader()}, want...)
			if diff := cmp.Diff(all, texts(ts[0].Rows)); diff != "" {
				t.Errorf("%s: rows (-want +got):\n%s", c.reason, diff)
			}
			for i, r := range ts[0].Rows {
				page := 1
				if i > 24 {
					page = 2
				}
				if r.Page != page {
					t.Errorf("row %d is on page %d, want %d", i, r.Page, page)
				}
			}
			if len(d.Problems) > 0 {
				t.Errorf("problems: %v", d.Problems)
			}
			if d.Title != "Salary Register April 2025" {
				t.Errorf("title %q", d.Title)
			}
		})
	}
}

func TestSeparateRegistersStaySeparate(t *testing.T) {
	f := &pdftest.File{}
	f.Register("Salary Register April 2025", pdftest.RegisterRows(24), pdftest.Look{RowRules: true, ColumnRules: true})
	f.Register("Salary Register May 2025", pdftest.RegisterRows(24), pdftest.Look{RowRules: true, ColumnRules: true})
	ts := tables(apply(t, f))
	if len(ts) != 2 || len(ts[0].Rows) != 25 || len(ts[1].Rows) != 25 {
		t.Fatalf("two registers with the same columns on consecutive pages became %d tables", len(ts))
	}
}

func TestRunningLines(t *testing.T) {
	f := &pdftest.File{}
	f.Register("Salary Register April 2025", pdftest.RegisterRows(60), pdftest.Look{Repeat: true})
	d := apply(t, f)
	for _, p := range d.Pages {
		for _, b := range p.Blocks {
			if b.Line != nil && strings.Contains(b.Line.Text, "Confidential") {
				t.Errorf("page %d: the running footer is among the blocks", p.Number)
			}
		}
		last := p.Lines[len(p.Lines)-1].Text
		if want := fmt.Sprintf("Sri Textiles Ltd - Confidential Page %d", p.Number); last != want {
			t.Errorf("page %d: last line %q, want %q", p.Number, last, want)
		}
	}
}

func TestBoxes(t *testing.T) {
	cases := map[string]struct {
		reason string
		draw   func(f *pdftest.File)
		want   rag.Box
	}{
		"Upright": {"as drawn", func(f *pdftest.File) { f.A4().Text(100, 200, 10, pdftest.Regular, "ST001 Rajesh Kumar") }, rag.Box{X0: 100, Y0: 190, X1: 195, Y1: 203}},
		"Rotated": {"the page is shown turned clockwise: what stood at the top stands at the right", func(f *pdftest.File) {
			p := f.A4()
			p.Rotate = 90
			p.Turned(100, 200, 10, "ST001 Rajesh Kumar")
		}, rag.Box{X0: 842 - 200, Y0: 90, X1: 842 - 105, Y1: 103}},
		"Sideways": {"text that reads upward on an upright page keeps its place there", func(f *pdftest.File) { f.A4().Turned(100, 400, 10, "ST001 Rajesh Kumar") }, rag.Box{X0: 90, Y0: 305, X1: 103, Y1: 400}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := &pdftest.File{}
			c.draw(f)
			d := apply(t, f)
			l := d.Pages[0].Lines[0]
			if l.Text != "ST001 Rajesh Kumar" {
				t.Fatalf("%s: text %q", c.reason, l.Text)
			}
			const near = 6 // points
			for i, v := range []float64{l.Box.X0 - c.want.X0, l.Box.Y0 - c.want.Y0, l.Box.X1 - c.want.X1, l.Box.Y1 - c.want.Y1} {
				if v > near || v < -near {
					t.Errorf("%s: box %v, want about %v (side %d)", c.reason, l.Box, c.want, i)
				}
			}
		})
	}
}

func TestRotatedRegister(t *testing.T) {
	want := pdftest.RegisterRows(10)
	f := &pdftest.File{}
	f.Register("Salary Register", want, pdftest.Look{RowRules: true, ColumnRules: true})
	f.Pages[0].Rotate = 90 // now it reads downward as displayed
	d := apply(t, f)
	ts := tables(d)
	if len(ts) != 1 {
		t.Fatalf("%d tables, want 1:\n%s", len(ts), extract.Text(d))
	}
	if diff := cmp.Diff(want, texts(ts[0].Rows[1:])); diff != "" {
		t.Errorf("rows of a sideways register (-want +got):\n%s", diff)
	}
	a, b := ts[0].Rows[1].Box, ts[0].Rows[2].Box
	if b.X0 >= a.X0 || a.Y1-a.Y0 < a.X1-a.X0 {
		t.Errorf("rows of a page turned clockwise follow each other leftward: %v then %v", a, b)
	}
}

// prose fills a column with lines.
func prose(p *pdftest.Page, x, y float64, lines ...string) {
	for i, l := range lines {
		p.Text(x, y+float64(i)*13, 10, pdftest.Regular, l)
	}
}

func TestReadingOrder(t *testing.T) {
	left := []string{"The supplier keeps a register of", "all deliveries to the mill and of", "every invoice that was sent for", "them, with the date of payment.", "Each entry names the person who", "took the goods at the gate."}
	right := []string{"Leave is granted by the head of", "the department on written request", "two weeks ahead. Sick leave needs", "a certificate from the third day", "on, which goes to the desk for", "payroll by the end of the month."}
	f := &pdftest.File{}
	p := f.A4()
	p.Text(60, 60, 16, pdftest.Bold, "Two columns")
	prose(p, 60, 100, left...)
	prose(p, 320, 100, right...)
	d := apply(t, f)
	want := append(append([]string{"Two columns"}, left...), right...)
	var got []string
	for _, b := range d.Pages[0].Blocks {
		switch {
		case b.Heading != nil:
			got = append(got, b.Heading.Text)
		case b.Line != nil:
			got = append(got, b.Line.Text)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("columns are read one after the other (-want +got):\n%s", diff)
	}
}

func TestHeadings(t *testing.T) {
	f := &pdftest.File{Title: "Microsoft Word - policy.doc"}
	p := f.A4()
	p.Text(60, 60, 18, pdftest.Bold, "Leave Policy")
	prose(p, 60, 90, "This policy applies to all employees of the mill from April on.", "It replaces the policy of the year before and all circulars.")
	p.Text(60, 140, 13, pdftest.Bold, "1. Annual leave")
	prose(p, 60, 160, "Every employee has a right to eighteen days of leave a year,", "and in addition to the public holidays of the state.")
	p.Text(60, 210, 10, pdftest.Bold, "Carry over")
	prose(p, 60, 226, "Days not taken by March are lost unless the manager agrees.", "Invoice No: is not a heading, nor is a sentence in bold type.")
	p.Text(60, 265, 10, pdftest.Bold, "Total days: 18")
	d := apply(t, f)
	type heading struct {
		Text  string
		Level int
	}
	var got []heading
	for _, b := range d.Pages[0].Blocks {
		if b.Heading != nil {
			got = append(got, heading{b.Heading.Text, b.Heading.Level})
		}
	}
	want := []heading{{"Leave Policy", 1}, {"1. Annual leave", 2}, {"Carry over", 3}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("headings (-want +got):\n%s", diff)
	}
	if d.Title != "Leave Policy" {
		t.Errorf("title %q: what a word processor writes as a title is none", d.Title)
	}
}

func TestTitleFromInfo(t *testing.T) {
	f := &pdftest.File{Title: "Rack guide"}
	f.A4().Text(60, 60, 10, pdftest.Regular, "Airflow runs from front to rear.")
	if got := apply(t, f).Title; got != "Rack guide" {
		t.Errorf("title %q, want the one in the file's information", got)
	}
}

func TestNothingIsSilent(t *testing.T) {
	cases := map[string]struct {
		reason string
		draw   func(f *pdftest.File)
		want   []rag.Problem
		text   string // that the lines hold
	}{
		"HiddenText": {"text that nobody sees is read but flagged", func(f *pdftest.File) {
			p := f.A4()
			p.Text(60, 60, 10, pdftest.Regular, "Visible terms")
			p.Invisible(60, 90, 10, "Ignore")
		}, []rag.Problem{{Page: 1, Reason: extract.HiddenText, Detail: "6 glyphs are painted so that nobody sees them"}}, "Ignore"},
		"WhiteOnWhite": {"so is white text on paper", func(f *pdftest.File) {
			p := f.A4()
			p.Text(60, 60, 10, pdftest.Regular, "Visible terms")
			p.Raw("1 g")
			p.Text(60, 90, 10, pdftest.Regular, "Ignore")
		}, []rag.Problem{{Page: 1, Reason: extract.HiddenText, Detail: "6 glyphs are painted so that nobody sees them"}}, "Ignore"},
		"OneScan": {"a scanned page among others is a problem, not a failure", func(f *pdftest.File) {
			f.A4().Text(60, 60, 10, pdftest.Regular, "Cover letter")
			f.A4().Image(0, 0, 595, 842)
		}, []rag.Problem{{Page: 2, Reason: extract.NeedsOCR, Detail: "the page is an image without text"}}, "Cover letter"},
		"RecognisedScan": {"unpainted text over a scan is what recognition read: no problem", func(f *pdftest.File) {
			p := f.A4()
			p.Image(0, 0, 595, 842)
			p.Invisible(60, 90, 10, "Recognised")
		}, nil, "Recognised"},
		"FakeBold": {"text printed twice for weight is read once", func(f *pdftest.File) {
			p := f.A4()
			p.Text(60, 60, 10, pdftest.Regular, "Gross 75,000")
			p.Text(60.4, 60, 10, pdftest.Regular, "Gross 75,000")
		}, nil, "Gross 75,000"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := &pdftest.File{}
			c.draw(f)
			d := apply(t, f)
			if diff := cmp.Diff(c.want, d.Problems); diff != "" {
				t.Errorf("%s: problems (-want +got):\n%s", c.reason, diff)
			}
			if n := strings.Count(allLines(d), c.text); n != 1 {
				t.Errorf("%s: %q stands %d times in the lines, want once", c.reason, c.text, n)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	plain := &pdftest.File{}
	plain.Register("Register", pdftest.RegisterRows(30), pdftest.Look{})
	whole := plain.Bytes()
	locked := &pdftest.File{Password: "april"}
	locked.A4().Text(60, 60, 10, pdftest.Regular, "Secret")
	scan := &pdftest.File{}
	scan.A4().Image(0, 0, 595, 842)
	blank := &pdftest.File{}
	blank.A4()
	cases := map[string]struct {
		reason   string
		data     []byte
		password string
		limits   extract.Limits
		want     string
	}{
		"Empty":         {"a file of no bytes", nil, "", extract.Limits{}, extract.Empty},
		"Truncated":     {"the engine would repair it and lose pages without a word", whole[:len(whole)*2/3], "", extract.Limits{}, extract.Truncated},
		"Damaged":       {"all objects are gone", []byte("%PDF-1.4\nstartxref\n0\n%%EOF\n"), "", extract.Limits{}, extract.Damaged},
		"Encrypted":     {"no password is given", locked.Bytes(), "", extract.Limits{}, extract.Encrypted},
		"WrongPassword": {"another password is given", locked.Bytes(), "may", extract.Limits{}, extract.Encrypted},
		"NeedsOCR":      {"nothing but an image", scan.Bytes(), "", extract.Limits{}, extract.NeedsOCR},
		"Blank":         {"a page with nothing on it", blank.Bytes(), "", extract.Limits{}, extract.Empty},
		"TooManyPages":  {"two pages, one allowed", whole, "", extract.Limits{MaxPages: 1}, extract.TooManyPages},
		"Timeout":       {"no time at all", whole, "", extract.Limits{Timeout: time.Nanosecond}, extract.Timeout},
		"PageTimeout":   {"none for any page", whole, "", extract.Limits{PageTimeout: time.Nanosecond}, extract.Timeout},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := extractor(t, c.limits).Apply(t.Context(), extract.File{Data: c.data, Password: c.password})
			var e *extract.Error
			if !errors.As(err, &e) || e.Reason != c.want {
				t.Errorf("%s: error %v, want %s", c.reason, err, c.want)
			}
		})
	}
}

func TestPasswordOpens(t *testing.T) {
	f := &pdftest.File{Password: "april"}
	f.A4().Text(60, 60, 10, pdftest.Regular, "Secret register")
	if got := allLines(apply(t, f)); got != "Secret register" {
		t.Errorf("lines %q", got)
	}
}

func TestCallersCancellationIsNoTimeout(t *testing.T) {
	f := &pdftest.File{}
	f.A4().Text(60, 60, 10, pdftest.Regular, "Terms")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := extractor(t, extract.Limits{}).Apply(ctx, extract.File{Data: f.Bytes()})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
}

func TestOrigin(t *testing.T) {
	f := &pdftest.File{}
	f.A4().Text(60, 60, 10, pdftest.Regular, "Terms")
	data := f.Bytes()
	d, err := extractor(t, extract.Limits{}).Apply(t.Context(), extract.File{Object: rag.Object{Key: "a/b.pdf", Version: "v1"}, Data: data})
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(data)
	if d.Key != "a/b.pdf" || d.Version != "v1" || d.SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("origin %q %q %q", d.Key, d.Version, d.SHA256)
	}
}

// Extraction must give the same text on every machine and the same boxes in
// every order, or unchanged documents would be embedded again.
func TestDeterministic(t *testing.T) {
	f := &pdftest.File{}
	for _, look := range []pdftest.Look{{}, {RowRules: true, ColumnRules: true}, {Bands: true}} {
		f.Register("Register", pdftest.RegisterRows(30), look)
	}
	data := f.Bytes()
	x := extractor(t, extract.Limits{})
	reports := make([][]byte, 8)
	var wg sync.WaitGroup
	for i := range reports {
		wg.Go(func() {
			d, err := x.Apply(context.Background(), extract.File{Data: data})
			if err != nil {
				t.Error(err)
				return
			}
			reports[i], err = json.Marshal(extract.NewReport(d))
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for i, r := range reports {
		if !bytes.Equal(r, reports[0]) {
			t.Errorf("run %d differs from the first", i)
		}
	}
	const want = "5ab1f106efd2403146f17f09cced9234d0db7049f974cb2f87c524e014728bba" // of the text alone: boxes may differ in the last digit between processors
	d, err := x.Apply(t.Context(), extract.File{Data: data})
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(extract.Text(d)))
	if got := hex.EncodeToString(sum[:]); got != want {
		t.Errorf("text has sha256 %s, want %s: what is extracted has changed; if that was meant, write it down here, for it makes every corpus ingest again", got, want)
	}
}

func TestTextAndReport(t *testing.T) {
	f := &pdftest.File{}
	f.Register("April", pdftest.RegisterRows(4), pdftest.Look{RowRules: true, ColumnRules: true})
	d := apply(t, f)
	text := extract.Text(d)
	for _, want := range []string{"# April\n", "Emp ID | Name | Designation | Dept | Basic | HRA | PF | Gross\n", "ST004 | Lakshmi N | Accounts Asst | Admin | 12,330 | 4,932 | 1,479 | 17,262\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("text lacks %q:\n%s", want, text)
		}
	}
	r := extract.NewReport(d)
	if r.Schema != "hardgate.extract/v1" || len(r.Pages) != 1 || len(r.Pages[0].Tables) != 1 || !slices.Equal(r.Pages[0].Tables[0].Pages, []int{1, 1, 1, 1, 1}) {
		t.Errorf("report %+v", r)
	}
}

// A file is read a piece at a time: it may be larger than the engine's memory, but
// not than what the engine can address.
func TestLargerThanTheEngine(t *testing.T) {
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	engine, err := extract.Open(t.Context(), extract.Options{CacheDir: filepath.Join(cache, "hardgate", "wasm"), Instances: 1, MemoryPages: 512}) // 32 MiB
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	f := &pdftest.File{}
	f.A4().Text(60, 60, 10, pdftest.Regular, "Terms")
	data := append(append([]byte("%PDF-1.4\n%"), bytes.Repeat([]byte("x"), 40<<20)...), f.Bytes()...)
	d, err := extract.New(engine, extract.Limits{}).Apply(t.Context(), extract.File{Data: data})
	if err != nil || allLines(d) != "Terms" {
		t.Errorf("%d pages, %v", len(d.Pages), err)
	}
	_, err = extract.New(engine, extract.Limits{}).Apply(t.Context(), extract.File{At: anywhere("%PDF-1.4 %%EOF "), Size: 5 << 30})
	var e *extract.Error
	if !errors.As(err, &e) || e.Reason != extract.TooLarge {
		t.Errorf("error %v, want %s for 5 GiB", err, extract.TooLarge)
	}
	if _, err := extract.New(engine, extract.Limits{}).Apply(t.Context(), extract.File{Data: f.Bytes()}); err != nil {
		t.Errorf("the file after it: %v", err)
	}
}

// anywhere serves the same words at every offset.
type anywhere string

func (a anywhere) ReadAt(p []byte, _ int64) (int, error) {
	for n := 0; n < len(p); n += len(a) {
		copy(p[n:], a)
	}
	return len(p), nil
}
