package extract

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// kind is a type of file that is read.
type kind string

const (
	kindPDF      kind = "PDF"
	kindHTML     kind = "HTML"
	kindMarkdown kind = "Markdown"
	kindText     kind = "plain text"
	kindDOCX     kind = "a Word document (.docx)"
)

// kinds by the end of a file's name.
var kinds = map[string]kind{
	".pdf": kindPDF, ".html": kindHTML, ".htm": kindHTML, ".xhtml": kindHTML, ".md": kindMarkdown, ".markdown": kindMarkdown,
	".txt": kindText, ".text": kindText, ".docx": kindDOCX,
}

// Reads reports whether a file's name says a type that is read. Files of other names
// may be read all the same, where their bytes say what they are.
func Reads(key string) bool { return kinds[extension(key)] != "" }

func extension(key string) string { return strings.ToLower(path.Ext(key)) }

// kindOf decides by name and bytes how a file is read. A name that promises one
// type over bytes of another is an error that names what the bytes are: such a
// file is a mistake more often than not, such as a login page saved as a report.
// Without a name that says anything, the bytes decide.
func kindOf(key string, data []byte) (kind, error) {
	ext := extension(key)
	named, is := kinds[ext], sniff(data)
	switch {
	case len(data) == 0 && (named != "" || ext == ""):
		return kindPDF, nil // its reader says what to do about an empty file
	case named == "" && is.kind != "":
		return is.kind, nil
	case named == "":
		return "", &Error{Reason: UnsupportedType, Skip: true, Detail: fmt.Sprintf("%s is not read; PDF, HTML, Markdown, plain text and DOCX are: exclude it by source.exclude, or convert it", foreign(ext, is))}
	case named == is.kind, named == kindDOCX && is.what == compoundIs, textual(named) && is.text, named == kindMarkdown && is.kind == kindHTML:
		return named, nil
	case named == kindPDF:
		return "", &Error{Reason: NotPDF, Detail: fmt.Sprintf("its name says PDF, and its bytes are %s; store the PDF itself, or rename or exclude the file", is.what)}
	}
	return "", &Error{Reason: Mislabelled, Detail: fmt.Sprintf("its name says %s, and its bytes are %s; rename or exclude the file", named, is.what)}
}

// typeName matches the end of a file's name that could be the name of a type.
var typeName = regexp.MustCompile(`^\.([a-z0-9]{1,8})$`)

// foreign names a type that is not read: by its bytes, or by what the file's name says
// where they could be many things.
func foreign(ext string, is found) string {
	name := typeName.FindStringSubmatch(ext)
	switch vague := is.text || is.what == binaryIs || is.what == zipIs || is.what == compoundIs; {
	case name != nil && vague:
		return strings.ToUpper(name[1])
	case is.text:
		return is.what + " whose name tells no type"
	}
	return is.what
}

func textual(k kind) bool { return k == kindHTML || k == kindMarkdown || k == kindText }

// found is what the bytes of a file are.
type found struct {
	kind kind   // "" when it is not read, or when only the name can tell
	what string // for people
	text bool   // could be text of any kind
}

const (
	binaryIs = "binary data"
	zipIs    = "a ZIP archive"
)

const compoundIs = "an Office file of the format before 2007, or an encrypted one"

// magic numbers of what people keep beside documents.
var magic = []struct{ prefix, what string }{
	{"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", compoundIs},
	{"\x89PNG\r\n", "a PNG image"},
	{"\xFF\xD8\xFF", "a JPEG image"},
	{"GIF8", "a GIF image"},
	{"II*\x00", "a TIFF image"},
	{"MM\x00*", "a TIFF image"},
	{"{\\rtf", "a Rich Text document"},
	{"\x1F\x8B", "a gzip archive"},
	{"7z\xBC\xAF", "a 7-Zip archive"},
	{"Rar!", "a RAR archive"},
	{"\x7FELF", "a program"},
	{"MZ", "a program"},
	{"SQLite format 3", "a database"},
	{"%!PS", "PostScript"},
}

// office documents by a file that each holds.
var office = []struct{ file, what string }{
	{"xl/workbook.xml", "an Excel workbook (.xlsx)"},
	{"xl/workbook.bin", "an Excel workbook (.xlsb)"},
	{"ppt/presentation.xml", "a PowerPoint presentation (.pptx)"},
	{"content.xml", "an OpenDocument file"},
	{"META-INF/container.xml", "an e-book (.epub)"},
}

// sniff says what bytes are.
func sniff(data []byte) found {
	head := data[:min(len(data), headWithin)]
	if bytes.Contains(head, []byte("%PDF-")) {
		return found{kind: kindPDF, what: string(kindPDF)}
	}
	if bytes.HasPrefix(data, []byte("PK\x03\x04")) {
		return archive(data)
	}
	for _, m := range magic {
		if bytes.HasPrefix(data, []byte(m.prefix)) {
			return found{what: m.what}
		}
	}
	lower := strings.ToLower(string(bytes.TrimLeft(head, "\xEF\xBB\xBF \t\r\n")))
	switch {
	case strings.HasPrefix(lower, "<!doctype html"), strings.HasPrefix(lower, "<html"), strings.HasPrefix(lower, "<?xml") && strings.Contains(lower, "<html"):
		return found{kind: kindHTML, what: "HTML (a web page)"}
	case strings.HasPrefix(lower, "<?xml"):
		return found{what: "XML", text: true}
	case lower != "" && (lower[0] == '{' || lower[0] == '[') && json.Valid(data):
		return found{what: "JSON", text: true}
	case bytes.HasPrefix(data, []byte("\xFF\xFE")), bytes.HasPrefix(data, []byte("\xFE\xFF")), wide(head), legible(head):
		return found{what: "text", text: true}
	}
	return found{what: binaryIs}
}

// legible reports whether bytes could be text in some encoding of single bytes, or UTF-8.
func legible(head []byte) bool {
	const allowed = 0.02 // control characters among them
	controls := 0
	for _, b := range head {
		switch {
		case b == 0:
			return false
		case b < ' ' && !bytes.ContainsRune([]byte("\t\n\r\f\x1b"), rune(b)):
			controls++
		}
	}
	return float64(controls) <= allowed*float64(len(head))
}

// wide reports whether every second byte is zero, as in UTF-16 without a mark.
func wide(head []byte) bool {
	var zeros [2]int
	for i, b := range head {
		if b == 0 {
			zeros[i%2]++
		}
	}
	return min(zeros[0], zeros[1]) == 0 && max(zeros[0], zeros[1])*5 > len(head)*2
}

// archive tells office documents, which are ZIP archives, from other ones.
func archive(data []byte) found {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return found{what: "a damaged ZIP archive or office document"}
	}
	for _, f := range z.File {
		if f.Name == "word/document.xml" {
			return found{kind: kindDOCX, what: string(kindDOCX)}
		}
		for _, o := range office {
			if f.Name == o.file {
				return found{what: o.what}
			}
		}
	}
	return found{what: zipIs}
}
