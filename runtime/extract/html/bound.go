package html

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// ErrTooLarge says that a page makes more nodes than are read.
var ErrTooLarge = errors.New("the page has too many elements")

const (
	// maxNodes are what a page may make, of 150 bytes each:
	// 5,000 rows of ten cells make a tenth.
	maxNodes = 1_000_000
	// maxOpen elements may be open at the same time; the parser refuses more.
	maxOpen = 512
	// alike elements of formatting are opened again at most, by the standard.
	alike = 3
	// few '<' can't make too many nodes, whatever they open: most pages are not looked at twice.
	few = maxNodes / (2 * maxOpen)
)

// formatting elements that are not closed are opened again in each paragraph that
// follows, so that a small page can make any number of nodes.
var formatting = map[atom.Atom]bool{
	atom.A: true, atom.B: true, atom.Big: true, atom.Code: true, atom.Em: true, atom.Font: true, atom.I: true,
	atom.Nobr: true, atom.S: true, atom.Small: true, atom.Strike: true, atom.Strong: true, atom.Tt: true, atom.U: true,
}

// inline elements end no paragraph, after which others would be opened again.
var inline = map[atom.Atom]bool{
	atom.Abbr: true, atom.Br: true, atom.Cite: true, atom.Img: true, atom.Input: true, atom.Label: true, atom.Span: true,
	atom.Sub: true, atom.Sup: true, atom.Wbr: true,
}

// bounded refuses a page before it is parsed: the parser has no bound of its own.
func bounded(text string) error {
	if strings.Count(text, "<") <= few {
		return nil
	}
	z := html.NewTokenizer(strings.NewReader(text))
	open := opened{counts: map[string]int{}, stacks: map[atom.Atom][]string{}}
	nodes := 0
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		name, _ := z.TagName()
		switch a := atom.Lookup(name); kind {
		case html.StartTagToken:
			nodes++
			switch {
			case formatting[a]:
				open.begin(a, string(z.Raw()))
			case !inline[a]:
				nodes += min(open.total, maxOpen)
			}
		case html.EndTagToken:
			open.end(a)
		case html.TextToken, html.SelfClosingTagToken, html.CommentToken:
			nodes++
		}
		if nodes > maxNodes {
			return fmt.Errorf("%w: over %d", ErrTooLarge, maxNodes)
		}
	}
	return nil
}

// opened counts the elements of formatting that are open, the same ones up to what is
// opened again of them.
type opened struct {
	counts map[string]int
	stacks map[atom.Atom][]string
	total  int
}

func (o *opened) begin(a atom.Atom, raw string) {
	if a == atom.A { // one link ends the other
		o.end(a)
	}
	o.stacks[a] = append(o.stacks[a], raw)
	if o.counts[raw]++; o.counts[raw] <= alike {
		o.total++
	}
}

func (o *opened) end(a atom.Atom) {
	stack := o.stacks[a]
	if len(stack) == 0 {
		return
	}
	raw := stack[len(stack)-1]
	o.stacks[a] = stack[:len(stack)-1]
	if o.counts[raw]--; o.counts[raw] < alike {
		o.total--
	}
}
