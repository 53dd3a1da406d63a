package docx

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
)

const (
	// maxNodes bounds a part's elements and attributes: of 160 documents half have
	// fewer than 650 a page, one in ten more than 2,600.
	maxNodes = 2_000_000
	maxDepth = 256
)

// node is an element. Names are without their namespaces: in what is read here,
// none means two things.
type node struct {
	name     string
	attrs    []xml.Attr
	text     []byte // its own, without its children's
	children []*node
}

// edit matches the attributes that only say in which session of work something was
// written: of those that Word writes they are the most, and nobody reads them here.
var edit = regexp.MustCompile(`^(rsid|paraId$|textId$)`)

// parse reads a whole part.
func parse(in io.Reader) (*node, error) {
	d := xml.NewDecoder(in)
	names := map[string]string{} // each once: the decoder makes a copy for each element
	once := func(s string) string {
		if seen, ok := names[s]; ok {
			return seen
		}
		names[s] = s
		return s
	}
	root := &node{}
	open := []*node{root}
	count := 0
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		top := open[len(open)-1]
		switch t := token.(type) {
		case xml.StartElement:
			n := &node{name: once(t.Name.Local)}
			for _, a := range t.Attr {
				if edit.MatchString(a.Name.Local) {
					continue
				}
				a.Name = xml.Name{Space: once(a.Name.Space), Local: once(a.Name.Local)}
				n.attrs = append(n.attrs, a)
			}
			if count += 1 + len(n.attrs); count > maxNodes || len(open) > maxDepth {
				return nil, ErrTooLarge
			}
			top.children = append(top.children, n)
			open = append(open, n)
		case xml.EndElement:
			if len(open) == 1 || top.name != t.Name.Local {
				return nil, errors.New("elements don't nest")
			}
			open = open[:len(open)-1]
		case xml.CharData:
			top.text = append(top.text, t...)
		}
	}
	if len(open) != 1 || len(root.children) == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	return root.children[0], nil
}

// child returns the first child of a name; nil of nil.
func (n *node) child(path ...string) *node {
	for _, name := range path {
		if n == nil {
			return nil
		}
		var next *node
		for _, c := range n.children {
			if c.name == name {
				next = c
				break
			}
		}
		n = next
	}
	return n
}

// all returns the children of a name.
func (n *node) all(name string) []*node {
	var out []*node
	if n != nil {
		for _, c := range n.children {
			if c.name == name {
				out = append(out, c)
			}
		}
	}
	return out
}

// descendants returns the outermost nodes of a name.
func (n *node) descendants(name string) []*node {
	var out []*node
	for _, c := range n.children {
		if c.name == name {
			out = append(out, c)
			continue
		}
		out = append(out, c.descendants(name)...)
	}
	return out
}

// attr returns an attribute, "" when absent or of nil.
func (n *node) attr(name string) string {
	if n != nil {
		for _, a := range n.attrs {
			if a.Name.Local == name {
				return a.Value
			}
		}
	}
	return ""
}

// content is all text below; "" of nil.
func (n *node) content() string {
	if n == nil {
		return ""
	}
	var b strings.Builder
	b.Write(n.text)
	for _, c := range n.children {
		b.WriteString(c.content())
	}
	return b.String()
}

// on reports whether a switch such as <w:tblHeader/> is there and not switched off.
func (n *node) on() bool {
	if n == nil {
		return false
	}
	v := n.attr("val")
	return v != "0" && v != "false" && v != "off"
}
