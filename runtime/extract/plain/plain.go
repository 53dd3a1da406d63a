// Package plain reads text files, and decodes what other markup is made of.
//
// Bytes go in; out comes UTF-8, with the name of the encoding that they were in.
// What is no text is refused. A text file's lines stay lines: blank ones part
// paragraphs, and nothing is taken for a heading.
package plain

import (
	"bytes"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	textunicode "golang.org/x/text/encoding/unicode"

	"github.com/hardgate-dev/hardgate/runtime/extract/scroll"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// What cannot be read.
var (
	ErrBinary  = errors.New("the bytes are no text")
	ErrUnknown = errors.New("the text is not UTF-8, UTF-16 or windows-1252")
)

// EncodingGuessed is the reason of the problem that a file's encoding was neither declared nor UTF-8.
const EncodingGuessed = "EncodingGuessed"

const (
	sample       = 4096 // bytes that are looked at for UTF-16 without a mark
	zeroShare    = 0.4  // of the sample: every second byte of Latin text in UTF-16, less in other scripts
	controlShare = 0.01 // of the runes: logs hold a few escapes
	highShare    = 0.3  // of the bytes: Western text has an accent in every tenth letter at most
)

// Decode returns a file's text. guessed says that nothing but its look speaks for the encoding.
func Decode(data []byte) (text, name string, guessed bool, err error) {
	switch {
	case bytes.HasPrefix(data, []byte("\xEF\xBB\xBF")):
		data = data[3:]
	case bytes.HasPrefix(data, []byte("\xFF\xFE")):
		return converted(data, textunicode.UTF16(textunicode.LittleEndian, textunicode.UseBOM), "utf-16le", false)
	case bytes.HasPrefix(data, []byte("\xFE\xFF")):
		return converted(data, textunicode.UTF16(textunicode.BigEndian, textunicode.UseBOM), "utf-16be", false)
	}
	if even, odd := zeros(data); even || odd {
		order, name := textunicode.LittleEndian, "utf-16le"
		if even {
			order, name = textunicode.BigEndian, "utf-16be"
		}
		return converted(data, textunicode.UTF16(order, textunicode.IgnoreBOM), name, true)
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return "", "", false, ErrBinary
	}
	if utf8.Valid(data) {
		return checked(string(data), "utf-8", false)
	}
	high := 0
	for _, b := range data {
		if b >= utf8.RuneSelf {
			high++
		}
	}
	if float64(high) > highShare*float64(len(data)) {
		return "", "", false, ErrUnknown
	}
	return converted(data, charmap.Windows1252, "windows-1252", true)
}

// zeros reports whether the even or the odd bytes are mostly zero, as the high
// bytes of Latin text in UTF-16 are.
func zeros(data []byte) (even, odd bool) {
	head := data[:min(len(data), sample)]
	var n [2]int
	for i, b := range head {
		if b == 0 {
			n[i%2]++
		}
	}
	bound := zeroShare * float64(len(head))
	return float64(n[0]) > bound && n[1] == 0, float64(n[1]) > bound && n[0] == 0
}

func converted(data []byte, e encoding.Encoding, name string, guessed bool) (string, string, bool, error) {
	out, err := e.NewDecoder().Bytes(data)
	if err != nil {
		return "", "", false, ErrUnknown
	}
	return checked(string(out), name, guessed)
}

// checked refuses what only happened to decode.
func checked(text, name string, guessed bool) (string, string, bool, error) {
	controls, wrong, n := 0, 0, 0
	for _, r := range text {
		n++
		switch {
		case r == utf8.RuneError:
			wrong++
		case r == 0 || unicode.IsControl(r) && !strings.ContainsRune("\t\n\v\f\r\x1b\u0085", r):
			controls++
		}
	}
	if bound := controlShare * float64(n); float64(controls) > bound || float64(wrong) > bound {
		return "", "", false, ErrBinary
	}
	return text, name, guessed, nil
}

// Read reads a text file.
func Read(data []byte) (rag.Document, bool, error) {
	text, name, guessed, err := Decode(data)
	if err != nil {
		return rag.Document{}, false, err
	}
	s := &scroll.Scroll{}
	Guessed(s, name, guessed)
	begins := true
	for line := range strings.Lines(newlines.Replace(text)) {
		if strings.TrimSpace(line) == "" {
			begins = true
			continue
		}
		if begins {
			s.Paragraph(line)
		} else {
			s.Continue(line)
		}
		begins = false
	}
	doc, ok := s.Document("")
	return doc, ok, nil
}

// newlines makes every way of ending a line one; a form feed parts paragraphs.
var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n\n", "\f", "\n\n")

// Guessed records that an encoding was guessed.
func Guessed(s *scroll.Scroll, name string, guessed bool) {
	if guessed {
		s.Problem(EncodingGuessed, "nothing says how the text is encoded; it was read as "+name+". Store it as UTF-8 if letters are wrong")
	}
}
