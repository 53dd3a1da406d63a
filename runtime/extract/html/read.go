package html

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/hardgate-dev/hardgate/runtime/extract/scroll"
)

// blocks begin a paragraph and end it.
var blocks = map[atom.Atom]bool{
	atom.P: true, atom.Div: true, atom.Section: true, atom.Article: true, atom.Main: true, atom.Header: true, atom.Aside: true,
	atom.Blockquote: true, atom.Figure: true, atom.Figcaption: true, atom.Address: true, atom.Form: true, atom.Fieldset: true,
	atom.Legend: true, atom.Dl: true, atom.Dt: true, atom.Dd: true, atom.Ul: true, atom.Ol: true, atom.Li: true, atom.Hr: true,
	atom.Details: true, atom.Summary: true, atom.Caption: true, atom.Body: true, atom.Option: true, atom.Center: true, atom.Hgroup: true,
	atom.Table: true, atom.Tbody: true, atom.Thead: true, atom.Tfoot: true, atom.Tr: true, atom.Pre: true, atom.Nav: true, atom.Footer: true,
	atom.H1: true, atom.H2: true, atom.H3: true, atom.H4: true, atom.H5: true, atom.H6: true,
}

// levels of headings.
var levels = map[atom.Atom]int{atom.H1: 1, atom.H2: 2, atom.H3: 3, atom.H4: 4, atom.H5: 5, atom.H6: 6}

// unread elements hold nothing that a reader sees.
var unread = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Template: true, atom.Head: true, atom.Noscript: true, atom.Iframe: true, atom.Object: true, atom.Svg: true,
}

func skipped(n *html.Node) bool {
	return unread[n.DataAtom] || attribute(n, "role") == "doc-backlink"
}

// concealing finds styles that hide an element.
var concealing = regexp.MustCompile(`(?i)display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:\D|$)|opacity\s*:\s*0(?:[;\s]|$)`)

func hidden(n *html.Node) bool {
	for _, a := range n.Attr {
		if a.Key == "hidden" || a.Key == "style" && concealing.MatchString(a.Val) {
			return true
		}
	}
	return false
}

// reader walks a page.
type reader struct {
	scroll *scroll.Scroll
	line   strings.Builder
	prefix string // of the list item that begins
	lists  []list
}

type list struct {
	ordered bool
	next    int
}

func read(s *scroll.Scroll, root *html.Node) {
	if n := conceal(s, root); n > 0 {
		s.Problem(HiddenText, fmt.Sprintf("%d characters that a style hides were left out", n))
	}
	r := &reader{scroll: s}
	r.node(root)
	r.flush()
}

// conceal puts aside what is hidden, and counts its characters.
func conceal(s *scroll.Scroll, n *html.Node) int {
	if n.Type == html.ElementNode && hidden(n) {
		text := content(visible(n))
		s.Aside(text)
		return letters(text)
	}
	total := 0
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		total += conceal(s, c)
	}
	return total
}

// flush ends the paragraph that is being read.
func (r *reader) flush() {
	text := strings.TrimSpace(r.line.String())
	r.line.Reset()
	if text == "" {
		return
	}
	r.scroll.Paragraph(r.prefix + text)
	r.prefix = ""
}

func (r *reader) children(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		r.node(c)
	}
}

func (r *reader) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		r.line.WriteString(n.Data)
	case html.ElementNode:
		r.element(n)
	case html.DocumentNode:
		r.children(n)
	}
}

func (r *reader) element(n *html.Node) {
	switch {
	case skipped(n), hidden(n):
		return
	case n.DataAtom == atom.Br:
		r.flush()
		return
	}
	r.line.WriteString(replaced(n))
	if !blocks[n.DataAtom] {
		r.children(n)
		return
	}
	r.flush()
	switch n.DataAtom {
	case atom.Nav, atom.Footer:
		r.scroll.Aside(content(n))
	case atom.Ul, atom.Ol:
		r.list(n)
	case atom.Li:
		r.item(n)
	case atom.Pre:
		for line := range strings.Lines(content(n)) {
			r.scroll.Paragraph(line)
		}
	case atom.Table:
		r.table(n)
	default:
		if level := levels[n.DataAtom]; level > 0 {
			r.scroll.Heading(level, content(n))
			return
		}
		r.children(n)
	}
	r.flush()
}

// visible is a copy of the node without the attributes that hide it.
func visible(n *html.Node) *html.Node {
	c := *n
	c.Attr = nil
	return &c
}

// replaced is the text that stands for an element without any.
func replaced(n *html.Node) string {
	switch n.DataAtom {
	case atom.Img:
		if alt := strings.TrimSpace(attribute(n, "alt")); alt != "" {
			return " " + alt + " "
		}
	case atom.Sup: // the number of a note is a word of its own
		if numeric(n) {
			return " "
		}
	case atom.Input:
		switch {
		case attribute(n, "type") != "checkbox":
		case has(n, "checked"):
			return "[x] "
		default:
			return "[ ] "
		}
	}
	return ""
}

// numeric reports whether all text in a node is digits. It looks at nodes one by one: by
// content, which asks it of each such element inside, it would take twice as long for
// each level of nesting.
func numeric(n *html.Node) bool {
	for d := range n.Descendants() {
		if d.Type == html.TextNode && strings.Trim(d.Data, "0123456789") != "" {
			return false
		}
	}
	return true
}

func has(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

func (r *reader) list(n *html.Node) {
	l := list{ordered: n.DataAtom == atom.Ol, next: 1}
	if start, err := strconv.Atoi(attribute(n, "start")); err == nil {
		l.next = start
	}
	r.lists = append(r.lists, l)
	r.children(n)
	r.flush()
	r.lists = r.lists[:len(r.lists)-1]
}

// item reads a list's item; its mark is what a browser shows.
func (r *reader) item(n *html.Node) {
	r.prefix = "• "
	if k := len(r.lists) - 1; k >= 0 && r.lists[k].ordered {
		if v, err := strconv.Atoi(attribute(n, "value")); err == nil {
			r.lists[k].next = v
		}
		r.prefix = strconv.Itoa(r.lists[k].next) + ". "
		r.lists[k].next++
	}
	r.children(n)
	r.flush()
	r.prefix = ""
}

func letters(text string) int {
	n := 0
	for _, c := range text {
		if !unicode.IsSpace(c) {
			n++
		}
	}
	return n
}
