package cli_test

import (
	"bytes"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hardgate-dev/hardgate/runtime/cli"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
	"github.com/hardgate-dev/hardgate/runtime/source/s3test"
)

// mixed is a folder of files that are read, one that isn't, and one that can't be.
func mixed(t *testing.T) sample {
	t.Helper()
	s := sample{t, t.TempDir()}
	s.copy(filepath.Join(payroll, "documents/registers/Salary_Register_April_2025.pdf"), "registers/april.pdf")
	s.write("policy.md", "# Leave\n\n| Grade | Days |\n|---|---|\n| A | 18 |\n")
	s.write("rules.html", "<h1>Rules</h1><p>Be there.")
	s.write("picture.png", "\x89PNG\r\n\x1a\n\x00")
	s.write("saved.pdf", "<!doctype html><p>Sign in")
	return s
}

func TestExtractMany(t *testing.T) {
	s := mixed(t)
	got := hardgate(t, "extract", "-o", "json", s.dir)
	if got.code != cli.ExitFailed {
		t.Errorf("exit %d, want %d: one of five failed", got.code, cli.ExitFailed)
	}
	type entry struct {
		Key     string
		Reason  string
		Skipped bool
	}
	var entries []entry
	for line := range strings.Lines(got.out) {
		conforms(t, "extract", line)
		var r struct {
			Key     string
			Failure struct {
				Reason  string
				Skipped bool
			}
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		entries = append(entries, entry{r.Key, r.Failure.Reason, r.Failure.Skipped})
	}
	want := []entry{{"picture.png", "UnsupportedType", true}, {"policy.md", "", false}, {"registers/april.pdf", "", false}, {"rules.html", "", false}, {"saved.pdf", "NotPDF", false}}
	if d := cmp.Diff(want, entries); d != "" {
		t.Errorf("one object a line, in the order of keys (-want +got):\n%s", d)
	}
	for _, says := range []string{"saved.pdf: NotPDF", "HTML", "picture.png: UnsupportedType", "1 failed and 1 were passed over"} {
		if !strings.Contains(got.err, says) {
			t.Errorf("the error stream doesn't say %q: %s", says, got.err)
		}
	}
}

func TestExtractExit(t *testing.T) {
	s := mixed(t)
	cases := map[string]struct {
		reason string
		args   []string
		code   int
		out    string
	}{
		"Several":    {"files that are all read", []string{s.path("policy.md"), s.path("rules.html")}, 0, "==> " + s.path("policy.md") + " <==\n# Leave\nGrade | Days\nA | 18\n==> " + s.path("rules.html") + " <==\n# Rules\nBe there.\n"},
		"Single":     {"one file needs no caption", []string{s.path("policy.md")}, 0, "# Leave\nGrade | Days\nA | 18\n"},
		"Skipped":    {"a type that is not read is no failure beside others", []string{s.path("rules.html"), s.path("picture.png")}, 0, "==> " + s.path("rules.html") + " <==\n# Rules\nBe there.\n"},
		"NoneRead":   {"nothing could be read", []string{s.path("saved.pdf"), s.path("saved.pdf")}, cli.ExitInput, ""},
		"NoSuchFile": {"one bad path does not stop the others", []string{s.path("policy.md"), s.path("nope.pdf"), s.path("rules.html")}, cli.ExitFailed, "==> " + s.path("policy.md") + " <==\n# Leave\nGrade | Days\nA | 18\n==> " + s.path("rules.html") + " <==\n# Rules\nBe there.\n"},
		"NoFiles":    {"nor does a folder of nothing", []string{t.TempDir(), s.path("rules.html")}, cli.ExitFailed, "==> " + s.path("rules.html") + " <==\n# Rules\nBe there.\n"},
		"TooLarge":   {"over the bound", []string{"--max-bytes", "5", s.path("policy.md")}, cli.ExitInput, ""},
		"Languages":  {"need recognition", []string{"--ocr-language", "eng", s.path("policy.md")}, cli.ExitInput, ""},
		"Engine":     {"of OCR that nobody has", []string{"--ocr", "Magic", s.path("policy.md")}, cli.ExitInput, ""},
		"EmptyDir":   {"has nothing to read", []string{t.TempDir()}, cli.ExitInput, ""},
		"NoEnd":      {"a device without a size has the same bound", []string{"--max-bytes", "5", "/dev/zero"}, cli.ExitInput, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := hardgate(t, append([]string{"extract"}, c.args...)...)
			if got.code != c.code || got.out != c.out {
				t.Errorf("%s: exit %d, want %d; wrote %q and %q", c.reason, got.code, c.code, got.out, got.err)
			}
		})
	}
}

// TestExtractOne: the only file that was named has its object too where it is not read.
func TestExtractOne(t *testing.T) {
	s := mixed(t)
	for name, c := range map[string]struct {
		reason, file, want string
		skipped            bool
	}{
		"skipped": {"of a type that is not read", "picture.png", "UnsupportedType", true},
		"failed":  {"a page as a PDF", "saved.pdf", "NotPDF", false},
		"missing": {"nothing has this path", "nope.pdf", "ReadFailed", false},
	} {
		t.Run(name, func(t *testing.T) {
			got := hardgate(t, "extract", "-o", "json", s.path(c.file))
			conforms(t, "extract", got.out)
			var r struct {
				Key     string
				Failure struct {
					Reason  string
					Skipped bool
				}
			}
			if err := json.Unmarshal([]byte(got.out), &r); err != nil || r.Key != c.file || r.Failure.Reason != c.want || r.Failure.Skipped != c.skipped {
				t.Errorf("%s: %v, wrote %q", c.reason, err, got.out)
			}
			if got.code != cli.ExitInput || strings.Count(got.err, c.file) != 1 {
				t.Errorf("%s: exit %d, want %d: %s", c.reason, got.code, cli.ExitInput, got.err)
			}
		})
	}
}

func TestExtractFromS3(t *testing.T) {
	s := mixed(t)
	endpoint := bucket(t, s.dir)
	env := map[string]string{"AWS_ENDPOINT_URL": endpoint, "AWS_ACCESS_KEY_ID": s3test.Access, "AWS_SECRET_ACCESS_KEY": s3test.Secret}
	remote := run(t.Context(), func(name string) string { return env[name] }, "extract", "-o", "json", "s3://papers/hr")
	local := hardgate(t, "extract", "-o", "json", s.dir)
	if remote.code != local.code || remote.out != local.out {
		t.Errorf("a bucket is read as a folder is: exit %d, %s", remote.code, remote.err)
	}
	ask := func(args ...string) result {
		return run(t.Context(), func(name string) string { return env[name] }, append([]string{"extract"}, args...)...)
	}
	if got := ask("s3://papers/hr/policy.md"); got.code != 0 || got.out != "# Leave\nGrade | Days\nA | 18\n" {
		t.Errorf("one key: exit %d, %q, %s", got.code, got.out, got.err)
	}
	if got := ask("s3://papers/hr/policy"); got.code != cli.ExitInput || !strings.Contains(got.err, "nor by this key") {
		t.Errorf("neither a folder nor a key: exit %d, %s", got.code, got.err)
	}
	env["AWS_SECRET_ACCESS_KEY"] = "wrong"
	if got := ask("s3://papers/hr"); got.code != cli.ExitIncomplete || got.out != "" || !strings.Contains(got.err, "check the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY") {
		t.Errorf("a bucket that can't be listed: exit %d, want %d: %s", got.code, cli.ExitIncomplete, got.err)
	}
}

// What the text alone would keep quiet about is told beside it, and stands in the JSON.
func TestExtractTellsWhatIsMissing(t *testing.T) {
	const scans = 12
	f := &pdftest.File{}
	f.A4().Text(60, 100, 10, pdftest.Regular, "Terms of the lease")
	for range scans {
		f.A4().Image(0, 0, 595, 842)
	}
	s := sample{t, t.TempDir()}
	s.write("lease.pdf", string(f.Bytes()))
	got := hardgate(t, "extract", s.path("lease.pdf"))
	if got.code != 0 || !strings.Contains(got.out, "Terms of the lease") || strings.Contains(got.out, "NeedsOCR") {
		t.Errorf("exit %d, text %q", got.code, got.out)
	}
	for _, says := range []string{"lease.pdf, page 2: NeedsOCR: ", "lease.pdf, page 11: NeedsOCR: ", "lease.pdf: and 2 more, which -o json names"} {
		if !strings.Contains(got.err, says) {
			t.Errorf("the error stream doesn't say %q: %s", says, got.err)
		}
	}
	if got := hardgate(t, "extract", "-o", "json", s.path("lease.pdf")); strings.Count(got.out, "NeedsOCR") != scans || got.err != "" {
		t.Errorf("JSON names %d pages, want %d, and beside it %q", strings.Count(got.out, "NeedsOCR"), scans, got.err)
	}
}

// TestExtractSpeaksOfFlags: what is advised can be given here.
func TestExtractSpeaksOfFlags(t *testing.T) {
	s := sample{t, t.TempDir()}
	locked := &pdftest.File{Password: "april"}
	locked.A4().Text(72, 700, 11, pdftest.Regular, "Pay of April")
	s.write("april.pdf", string(locked.Bytes()))
	for name, c := range map[string]struct {
		reason string
		args   []string
		code   int
		says   string
	}{
		"none":  {"extraction.passwords is a field of a Corpus", nil, cli.ExitInput, "give one by --password"},
		"wrong": {"the one that was given is not named", []string{"--password", "may"}, cli.ExitInput, "correct the password"},
		"right": {"it opens it", []string{"--password", "april"}, 0, "Pay of April"},
	} {
		t.Run(name, func(t *testing.T) {
			got := hardgate(t, append(append([]string{"extract"}, c.args...), s.path("april.pdf"))...)
			if said := got.out + got.err; got.code != c.code || !strings.Contains(said, c.says) || strings.Contains(said, "extraction.") {
				t.Errorf("%s: exit %d, %q", c.reason, got.code, said)
			}
		})
	}
}

// TestExtractSpeaksOfRecognition: of a scan, and of too many pages.
func TestExtractSpeaksOfRecognition(t *testing.T) {
	s := sample{t, t.TempDir()}
	scan := &pdftest.File{}
	scan.A4().Image(0, 0, 595, 842)
	s.write("scan.pdf", string(scan.Bytes()))
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"text": {nil, "give --ocr Tesseract, or"},
		"json": {[]string{"-o", "json"}, "give --ocr Tesseract, or"},
	} {
		t.Run(name, func(t *testing.T) {
			got := hardgate(t, append(append([]string{"extract"}, c.args...), s.path("scan.pdf"))...)
			if said := got.out + got.err; got.code != cli.ExitInput || !strings.Contains(said, c.says) || strings.Contains(said, "extraction.") {
				t.Errorf("exit %d, %q", got.code, said)
			}
		})
	}
	got := hardgate(t, "extract", "--max-pages", "1", longest(s))
	if got.code != cli.ExitInput || !strings.Contains(got.err, "raise --max-pages") {
		t.Errorf("exit %d, %q", got.code, got.err)
	}
}

// TestExtractDrawsNothing: a picture that was asked for and isn't there is told.
func TestExtractDrawsNothing(t *testing.T) {
	s := mixed(t)
	folder := t.TempDir()
	got := hardgate(t, "extract", "--debug-png", folder, s.path("policy.md"))
	if got.code != 0 || got.out != "# Leave\nGrade | Days\nA | 18\n" || !strings.Contains(got.err, "policy.md: --debug-png: no picture") {
		t.Errorf("exit %d, %q, %q", got.code, got.out, got.err)
	}
	if made, err := os.ReadDir(folder); err != nil || len(made) > 0 {
		t.Errorf("made %v, %v", made, err)
	}
}

func TestExtractPictures(t *testing.T) {
	s := mixed(t)
	folder := t.TempDir()
	got := hardgate(t, "extract", "--debug-png", folder, s.path("registers/april.pdf"))
	if got.code != 0 {
		t.Fatalf("exit %d: %s", got.code, got.err)
	}
	data, err := os.ReadFile(filepath.Join(folder, "april.pdf", "p1.png"))
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	count := map[[3]uint32]int{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			r, g, b, _ := img.At(x, y).RGBA()
			count[[3]uint32{r >> 8, g >> 8, b >> 8}]++
		}
	}
	for what, colour := range map[string][3]uint32{"lines": {60, 120, 216}, "cells": {50, 160, 80}, "the table": {204, 0, 0}, "headings": {142, 36, 170}} {
		if count[colour] < 100 {
			t.Errorf("%d pixels have the colour of %s", count[colour], what)
		}
	}
}
