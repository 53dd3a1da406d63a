package rerank

import (
	"errors"
	"sort"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// errNoRoom says that not one letter of a passage fits beside the question.
var errNoRoom = errors.New("the question leaves no room for a passage in the reranker's window")

// windows returns a passage's text in as many parts as fit: whole where that
// fits; else whole units (rows, sentences) under the title, heading and column
// names, which each part repeats unless they fill more than half of it. A unit
// that is too long is parted between words, a word between letters. Every word
// is in some window.
func windows(c rag.Chunk, fits func(string) bool) ([]string, error) {
	if whole := c.Search(); fits(whole) {
		return []string{whole}, nil
	}
	units := make([]string, len(c.Units))
	for i, u := range c.Units {
		units[i] = u.Text
	}
	bare := c
	bare.Units = nil
	lead := strings.TrimRight(bare.Search(), "\n")
	if !fits(lead + "\n" + lead) {
		lead, units = "", append([]string{lead}, units...)
	}
	return pack(lead, units, "\n", fits)
}

// pack joins as many parts as fit under the lead, again and again.
func pack(lead string, parts []string, joint string, fits func(string) bool) ([]string, error) {
	join := func(n int) string {
		text := strings.Join(parts[:n], joint)
		if lead == "" {
			return text
		}
		return lead + "\n" + text
	}
	var out []string
	for len(parts) > 0 {
		n := most(len(parts), func(n int) bool { return fits(join(n)) })
		if n > 0 {
			out, parts = append(out, join(n)), parts[n:]
			continue
		}
		finer, joint := split(parts[0])
		if len(finer) < 2 {
			return nil, errNoRoom
		}
		some, err := pack(lead, finer, joint, fits)
		if err != nil {
			return nil, err
		}
		out, parts = append(out, some...), parts[1:]
	}
	return out, nil
}

// split parts a text into words, or a word into letters.
func split(text string) (parts []string, joint string) {
	if words := strings.Fields(text); len(words) > 1 {
		return words, " "
	}
	return strings.Split(strings.TrimSpace(text), ""), ""
}

// most returns the largest n up to limit that is ok, where everything below an ok
// n is ok. It gallops, so that no try is on much more than fits.
func most(limit int, ok func(n int) bool) int {
	low, high := 0, 1
	for high <= limit && ok(high) {
		low, high = high, 2*high
	}
	high = min(high, limit+1)
	return low + sort.Search(high-low-1, func(i int) bool { return !ok(low + 1 + i) })
}
