// Package docx reads the documents of word processors in Office Open XML.
//
// Headings go by their style's outline level, lists by their numbering, tables
// by their cells, merged ones included. Deleted text of tracked changes is left
// out and inserted text read, as if all were accepted; that is a problem of the
// document. Running headers and footers stay in the lines alone. A file is a zip:
// what its parts unpack to is bounded.
package docx

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/extract/scroll"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// What cannot be read.
var (
	ErrDamaged   = errors.New("the file is no document of a word processor, or damaged")
	ErrEncrypted = errors.New("the file is encrypted, or of the format before 2007")
	ErrTooLarge  = errors.New("the file unpacks to more than is read")
)

const (
	maxPart  = 64 << 20 // bytes that one part may unpack to; a thousand pages of text take 20 MB
	maxTotal = 96 << 20 // … and all parts together
)

// compound begins the container of encrypted and of older files.
const compound = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"

// Read reads a file, and reports whether it says anything.
func Read(data []byte) (rag.Document, bool, error) {
	if bytes.HasPrefix(data, []byte(compound)) {
		return rag.Document{}, false, ErrEncrypted
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return rag.Document{}, false, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	p := &parts{files: map[string]*zip.File{}, left: maxTotal}
	for _, f := range z.File {
		p.files[strings.TrimPrefix(f.Name, "/")] = f
	}
	return p.read()
}

// parts are the files inside.
type parts struct {
	files map[string]*zip.File
	left  int64 // bytes that may still be unpacked
}

func (p *parts) read() (rag.Document, bool, error) {
	main, err := p.part("word/document.xml")
	if err != nil {
		return rag.Document{}, false, err
	}
	body := main.child("body")
	if body == nil {
		return rag.Document{}, false, fmt.Errorf("%w: no body in word/document.xml", ErrDamaged)
	}
	r := &reader{scroll: &scroll.Scroll{}}
	if r.look, err = p.look(); err != nil {
		return rag.Document{}, false, err
	}
	r.blocks(body)
	for _, name := range []string{"word/footnotes.xml", "word/endnotes.xml"} {
		notes, err := p.optional(name)
		if err != nil {
			return rag.Document{}, false, err
		}
		r.notes(notes)
	}
	if err := p.running(r); err != nil {
		return rag.Document{}, false, err
	}
	if r.deleted > 0 {
		r.scroll.Problem(TrackedChanges, fmt.Sprintf("%d characters that tracked changes delete were left out, and what they insert was read", r.deleted))
	}
	core, err := p.optional("docProps/core.xml")
	if err != nil {
		return rag.Document{}, false, err
	}
	doc, ok := r.scroll.Document(core.child("title").content())
	return doc, ok, nil
}

// running puts headers and footers aside.
func (p *parts) running(r *reader) error {
	var names []string
	for name := range p.files {
		if strings.HasPrefix(name, "word/header") || strings.HasPrefix(name, "word/footer") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		n, err := p.part(name)
		if err != nil {
			return err
		}
		for _, para := range n.descendants("p") {
			r.scroll.Aside(r.text(para))
		}
	}
	return nil
}

// optional reads a part that a file need not have; then it is nil.
func (p *parts) optional(name string) (*node, error) {
	if p.files[name] == nil {
		return nil, nil
	}
	return p.part(name)
}

func (p *parts) part(name string) (*node, error) {
	f := p.files[name]
	if f == nil {
		return nil, fmt.Errorf("%w: no %s inside", ErrDamaged, name)
	}
	in, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrDamaged, name, err)
	}
	defer in.Close()
	limit := min(p.left, maxPart)
	bounded := &io.LimitedReader{R: in, N: limit + 1}
	n, err := parse(bounded)
	p.left -= limit + 1 - bounded.N
	switch {
	case bounded.N <= 0 || errors.Is(err, ErrTooLarge):
		return nil, fmt.Errorf("%w: %s", ErrTooLarge, name)
	case err != nil:
		return nil, fmt.Errorf("%w: %s: %w", ErrDamaged, name, err)
	}
	return n, nil
}
