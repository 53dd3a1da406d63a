package extract_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/extract/pdftest"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// zipped is an archive of one file.
func zipped(t *testing.T, name, content string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	f, err := z.Create(name)
	if err == nil {
		_, err = f.Write([]byte(content))
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestKinds(t *testing.T) {
	f := &pdftest.File{}
	f.A4().Text(60, 60, 10, pdftest.Regular, "Leave policy")
	pdf := string(f.Bytes())
	page := "<!DOCTYPE html><title>Sign in</title><p>Leave policy</p>"
	word := zipped(t, "word/document.xml", `<w:document><w:body><w:p><w:r><w:t>Leave policy</w:t></w:r></w:p></w:body></w:document>`)
	sheet := zipped(t, "xl/workbook.xml", "<a/>")
	const read = ""
	cases := map[string]struct {
		reason, key, data string
		want              string // reason of the error, read = none
		skip              bool
		says              string
	}{
		"PDF":           {"by name and bytes", "a.PDF", pdf, read, false, ""},
		"HTML":          {"by its name", "a.htm", "<p>Leave policy", read, false, ""},
		"Markdown":      {"by its name", "a.md", "# Leave policy", read, false, ""},
		"MarkdownHTML":  {"may begin as a page", "a.md", page, read, false, ""},
		"Text":          {"by its name", "a.txt", "Leave policy", read, false, ""},
		"TextJSON":      {"whatever the text is", "a.txt", `{"policy": "Leave policy"}`, read, false, ""},
		"TextUTF16":     {"in any width", "a.txt", "L\x00e\x00a\x00v\x00e\x00 \x00p\x00o\x00l\x00i\x00c\x00y\x00", read, false, ""},
		"DOCX":          {"by name and bytes", "a.docx", word, read, false, ""},
		"NamelessPDF":   {"bytes decide where the name says nothing", "a", pdf, read, false, ""},
		"NamelessPage":  {"likewise", "a.aspx", page, read, false, ""},
		"NamelessWord":  {"likewise", "a", word, read, false, ""},
		"PageAsPDF":     {"a login page that was saved as a report", "a.pdf", page, extract.NotPDF, false, "HTML"},
		"SheetAsPDF":    {"named for what it is", "a.pdf", sheet, extract.NotPDF, false, "Excel"},
		"TextAsPDF":     {"likewise", "a.pdf", "Leave policy", extract.NotPDF, false, "text"},
		"ZeroesAsPDF":   {"likewise", "a.pdf", strings.Repeat("\x00", 4096), extract.NotPDF, false, "binary"},
		"PDFAsText":     {"", "a.txt", pdf, extract.Mislabelled, false, "PDF"},
		"PDFAsDOCX":     {"", "a.docx", pdf, extract.Mislabelled, false, "PDF"},
		"PictureAsHTML": {"", "a.html", "\x89PNG\r\n\x1a\n\x00\x00", extract.Mislabelled, false, "PNG"},
		"PageAsText":    {"tags are no text", "a.txt", page, extract.Mislabelled, false, "HTML"},
		"OldWord":       {"or an encrypted one", "a.docx", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", extract.Encrypted, false, "password"},
		"Sheet":         {"a type that is not read is skipped", "a.xlsx", sheet, extract.UnsupportedType, true, "Excel"},
		"Picture":       {"likewise", "a.png", "\x89PNG\r\n\x1a\n\x00\x00", extract.UnsupportedType, true, "PNG"},
		"YAML":          {"text of a kind that nobody knows", "a.yaml", "a: 1", extract.UnsupportedType, true, "YAML is not read"},
		"CSV":           {"what it is, rather than that it is text", "Stock.CSV", "Item,Quantity\nRope,4\n", extract.UnsupportedType, true, "CSV is not read; "},
		"Makefile":      {"no type in its name", "Makefile", "all: test", extract.UnsupportedType, true, "text whose name tells no type is not read"},
		"Version":       {"nor in this one", "Notes 1.2 final", "all: test", extract.UnsupportedType, true, "text whose name tells no type"},
		"Unknown":       {"bytes that nobody knows", "a.dat", "\x00\x01\x02\x00\x05", extract.UnsupportedType, true, "DAT is not read"},
		"NoBytes":       {"of a type that is read", "a.pdf", "", extract.Empty, false, "no bytes"},
		"NoBytesText":   {"likewise", "a.md", "", extract.Empty, false, "no bytes"},
		"NoText":        {"nothing but markup", "a.html", "<p></p>", extract.Empty, false, "no text"},
		"OtherEncoding": {"that nothing tells", "a.txt", "\xCF\xF0\xE8\xE2\xE5\xF2 \xEC\xE8\xF0", extract.UnknownEncoding, false, "UTF-8"},
		"CutDOCX":       {"its directory is gone", "a.docx", word[:len(word)-30], extract.Mislabelled, false, "damaged"},
		"LargeText":     {"more than is parsed", "a.txt", strings.Repeat("Leave policy\n", 3<<20), extract.TooLarge, false, "split"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d, err := extractor(t, extract.Limits{}).Apply(t.Context(), extract.File{Object: rag.Object{Key: c.key}, Data: []byte(c.data)})
			if c.want == read {
				if err != nil || !strings.Contains(allLines(d), "Leave policy") {
					t.Errorf("%s: error %v, lines %q", c.reason, err, allLines(d))
				}
				return
			}
			var e *extract.Error
			if !errors.As(err, &e) || e.Reason != c.want || e.Skip != c.skip || !strings.Contains(e.Detail, c.says) {
				t.Errorf("%s: error %v, want %s naming %q, skip %v", c.reason, err, c.want, c.says, c.skip)
			}
		})
	}
}

func TestPasswordsByPattern(t *testing.T) {
	f := &pdftest.File{Password: "april"}
	f.A4().Text(60, 60, 10, pdftest.Regular, "Secret register")
	cases := map[string]struct {
		reason    string
		passwords []extract.Password
		want      string
		says      string
	}{
		"Match":     {"the one whose pattern names the file", []extract.Password{{Pattern: "board/**", Password: "may"}, {Pattern: "registers/*.pdf", Password: "april"}}, "", ""},
		"Second":    {"of several that match, the one that fits", []extract.Password{{Pattern: "**", Password: "may"}, {Pattern: "**/*.pdf", Password: "april"}}, "", ""},
		"OtherFile": {"a password of another file is not tried", []extract.Password{{Pattern: "board/**", Password: "april"}}, extract.Encrypted, "extraction.passwords"},
		"NoneFits":  {"and how many were tried is told", []extract.Password{{Pattern: "**", Password: "may"}, {Pattern: "**", Password: "june"}}, extract.Encrypted, "none of the 2"},
		"None":      {"what to do is told", nil, extract.Encrypted, "extraction.passwords"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d, err := extractor(t, extract.Limits{Passwords: c.passwords}).Apply(t.Context(), extract.File{Object: rag.Object{Key: "registers/april.pdf"}, Data: f.Bytes()})
			var e *extract.Error
			switch {
			case c.want == "":
				if err != nil || allLines(d) != "Secret register" {
					t.Errorf("%s: error %v", c.reason, err)
				}
			case !errors.As(err, &e) || e.Reason != c.want || !strings.Contains(e.Detail, c.says):
				t.Errorf("%s: error %v", c.reason, err)
			case strings.Contains(err.Error(), "may") && len(c.passwords) > 0 && c.passwords[0].Password == "may":
				t.Errorf("%s: the error holds the password: %v", c.reason, err)
			}
		})
	}
}
