// Package html reads web pages.
//
// Headings keep their levels, lists their items whole, tables their rows, spans
// and headers. Tables that only arrange a page are read as the text they hold.
// Navigation and page footers, and what a style hides, stay in the lines but in
// no block, as a PDF's running headers do; hidden text is a problem besides.
package html

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"

	"github.com/hardgate-dev/hardgate/runtime/extract/plain"
	"github.com/hardgate-dev/hardgate/runtime/extract/scroll"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Reasons of problems.
const (
	HiddenText   = "HiddenText"   // text that a style hides
	TableSkipped = "TableSkipped" // a table of too many cells, read as text
)

// Read reads an HTML file, and reports whether it says anything.
func Read(data []byte) (rag.Document, bool, error) {
	s := &scroll.Scroll{}
	text, err := decode(s, data)
	if err != nil {
		return rag.Document{}, false, err
	}
	if err := bounded(text); err != nil {
		return rag.Document{}, false, err
	}
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		return rag.Document{}, false, fmt.Errorf("parse HTML: %w", err)
	}
	title := ""
	if n := find(root, atom.Title); n != nil {
		title = content(n)
	}
	read(s, root)
	doc, ok := s.Document(title)
	return doc, ok, nil
}

// Into adds HTML in UTF-8 to a document.
func Into(s *scroll.Scroll, in io.Reader) error {
	root, err := html.Parse(in)
	if err != nil {
		return fmt.Errorf("parse HTML: %w", err)
	}
	read(s, root)
	return nil
}

// decode goes by the byte order mark, then UTF-8 where all bytes agree, then the
// page's own declaration where there is one, then the look of it.
func decode(s *scroll.Scroll, data []byte) (string, error) {
	e, name, _ := charset.DetermineEncoding(data, "")
	marked := bytes.HasPrefix(data, []byte("\xFF\xFE")) || bytes.HasPrefix(data, []byte("\xFE\xFF"))
	if marked || utf8.Valid(data) || name == "utf-8" || !declared(data) {
		text, name, guessed, err := plain.Decode(data)
		plain.Guessed(s, name, guessed)
		return text, err
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return "", plain.ErrBinary
	}
	out, err := e.NewDecoder().Bytes(data)
	if err != nil {
		return "", fmt.Errorf("decode %s: %w", name, err)
	}
	return string(out), nil
}

// declared reports whether a page says within its first kilobyte how it is encoded.
func declared(data []byte) bool {
	return bytes.Contains(bytes.ToLower(data[:min(len(data), 1024)]), []byte("charset"))
}

// find returns the first element of a kind.
func find(n *html.Node, a atom.Atom) *html.Node {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.DataAtom == a {
			return d
		}
	}
	return nil
}

// content is all text in a node, with spaces where blocks and cells meet.
func content(n *html.Node) string {
	var b strings.Builder
	gather(&b, n)
	return b.String()
}

func gather(b *strings.Builder, n *html.Node) {
	switch {
	case n.Type == html.TextNode:
		b.WriteString(n.Data)
	case n.Type == html.ElementNode && (skipped(n) || hidden(n)):
	default:
		gap := n.Type == html.ElementNode && (blocks[n.DataAtom] || n.DataAtom == atom.Br || n.DataAtom == atom.Td || n.DataAtom == atom.Th)
		if gap {
			b.WriteByte(' ')
		}
		b.WriteString(replaced(n))
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			gather(b, c)
		}
		if gap {
			b.WriteByte(' ')
		}
	}
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
