// Package markdown reads Markdown: CommonMark with GitHub's tables and task
// lists, definition lists and footnotes.
//
// It is made HTML first, which Markdown may hold anyway, so that both are read
// by the same rules. A block of metadata between --- lines at the top is kept as lines.
package markdown

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	render "github.com/yuin/goldmark/renderer/html"

	"github.com/hardgate-dev/hardgate/runtime/extract/html"
	"github.com/hardgate-dev/hardgate/runtime/extract/plain"
	"github.com/hardgate-dev/hardgate/runtime/extract/scroll"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// metadata finds the block at the top that site generators read.
var metadata = regexp.MustCompile(`(?s)\A---[ \t]*\r?\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|\z)`)

// titled finds the title in it.
var titled = regexp.MustCompile(`(?m)^title:[ \t]*["']?(.+?)["']?[ \t]*\r?$`)

// Read reads a Markdown file, and reports whether it says anything.
func Read(data []byte) (rag.Document, bool, error) {
	text, name, guessed, err := plain.Decode(data)
	if err != nil {
		return rag.Document{}, false, err
	}
	s := &scroll.Scroll{}
	plain.Guessed(s, name, guessed)
	title := ""
	if m := metadata.FindStringSubmatch(text); m != nil {
		text = text[len(m[0]):]
		if t := titled.FindStringSubmatch(m[1]); t != nil {
			title = t[1]
		}
		for line := range strings.Lines(m[1]) {
			s.Paragraph(line)
		}
	}
	md := goldmark.New(
		goldmark.WithExtensions(extension.GFM, extension.DefinitionList, extension.Footnote),
		goldmark.WithRendererOptions(render.WithUnsafe()), // HTML inside is text to read, and nobody's browser sees it
	)
	var out bytes.Buffer
	if err := md.Convert([]byte(text), &out); err != nil {
		return rag.Document{}, false, fmt.Errorf("parse Markdown: %w", err)
	}
	if err := html.Into(s, &out); err != nil {
		return rag.Document{}, false, err
	}
	doc, ok := s.Document(title)
	return doc, ok, nil
}
