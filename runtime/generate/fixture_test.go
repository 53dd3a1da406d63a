package generate_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/hardgate-dev/hardgate/runtime/generate"
	"github.com/hardgate-dev/hardgate/runtime/prompt"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// fixture is one prompt and the questions asked of it, read from a text file:
//
//	== document | title | heading | passage [| lost rows]
//	|h Header | …      a table's header
//	| cell | …         a table's row
//	any other line     a sentence
//	?? question
//	=> fact | fact     must be answered, with these facts
//	=> ! Reason        must be handed on (the reason may be left out)
//	cites n            how many units must be cited
type fixture struct {
	name  string
	hits  []rag.Hit
	cases []ask
}

type ask struct {
	line     int
	question string
	facts    []string
	held     bool
	reason   string
	cites    int
}

func load(t testing.TB, path string) fixture {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	f := fixture{name: strings.TrimSuffix(filepath.Base(path), ".txt")}
	in := bufio.NewScanner(file)
	for n := 1; in.Scan(); n++ {
		line := in.Text()
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "== "):
			f.hits = append(f.hits, hit(line[3:], len(f.hits)+1))
		case strings.HasPrefix(line, "?? "):
			f.cases = append(f.cases, ask{line: n, question: line[3:], cites: -1})
		case strings.HasPrefix(line, "=> !"):
			c := &f.cases[len(f.cases)-1]
			c.held, c.reason = true, strings.TrimSpace(line[4:])
		case strings.HasPrefix(line, "=> "):
			f.cases[len(f.cases)-1].facts = fields(line[3:])
		case strings.HasPrefix(line, "cites "):
			f.cases[len(f.cases)-1].cites, _ = strconv.Atoi(line[6:])
		default:
			f.hits[len(f.hits)-1].Chunk = unit(f.hits[len(f.hits)-1].Chunk, line)
		}
	}
	return f
}

func fields(line string) []string {
	parts := strings.Split(line, "|")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

func hit(line string, rank int) rag.Hit {
	p := append(fields(line), "", "", "", "")
	h := rag.Hit{Rank: rank, Chunk: rag.Chunk{Document: p[0], Title: p[1], Heading: p[2], Passage: p[3], Pieces: 1}}
	h.Lost, _ = strconv.Atoi(p[4])
	return h
}

func unit(c rag.Chunk, line string) rag.Chunk {
	n := len(c.Units)
	place := rag.Place{Page: 1, Box: rag.Box{X0: 40, Y0: float64(100 + 12*n), X1: 500, Y1: float64(110 + 12*n)}}
	switch {
	case strings.HasPrefix(line, "|h"):
		c.Table, c.Header = true, fields(line[2:])
	case strings.HasPrefix(line, "|"):
		c.Table = true
		cells := fields(line[1:])
		c.Units = append(c.Units, rag.Unit{Name: fmt.Sprintf("%s.r%d", c.Passage, n+1), Kind: rag.RowUnit, Text: strings.Join(cells, " | "), Cells: cells, Place: place, Order: n})
	default:
		c.Units = append(c.Units, rag.Unit{Name: fmt.Sprintf("%s.s%d", c.Passage, n+1), Kind: rag.Sentence, Text: line, Place: place, Order: n})
	}
	return c
}

// run asks every question of a fixture and returns what went wrong with each.
func run(t testing.TB, f fixture, g *generate.Extractive) map[string]string {
	t.Helper()
	wrong := map[string]string{}
	for _, c := range f.cases {
		in, err := prompt.New(prompt.Options{}).Apply(context.Background(), rag.Retrieved{Question: rag.Question{Text: c.question}, Hits: f.hits})
		if err != nil {
			t.Fatal(err)
		}
		a, err := g.Apply(context.Background(), in)
		if err != nil {
			t.Fatalf("%s:%d %q: %v", f.name, c.line, c.question, err)
		}
		if problem := check(c, a); problem != "" {
			wrong[fmt.Sprintf("%s:%d %s", f.name, c.line, c.question)] = problem
		}
	}
	return wrong
}

func check(c ask, a rag.Answer) string {
	reasons := make([]string, len(a.Flags))
	for i, f := range a.Flags {
		reasons[i] = f.Reason + ": " + f.Detail
	}
	got := fmt.Sprintf("%s %q %v", a.Status, a.Text, reasons)
	cited := 0
	for _, u := range a.Citations {
		cited += len(u.Units)
	}
	switch {
	case c.held && a.Status != rag.NeedsHuman:
		return "CONFIDENTLY WRONG: " + got
	case c.held && c.reason != "" && !strings.Contains(strings.Join(reasons, ";"), c.reason):
		return "reason is not " + c.reason + ": " + got
	case c.held:
		return ""
	case a.Status != rag.Answered:
		return "held back: " + got
	case cited == 0:
		return "no citation: " + got
	case c.cites >= 0 && cited != c.cites:
		return fmt.Sprintf("cites %d units, want %d: %s", cited, c.cites, got)
	}
	for _, f := range c.facts {
		if !strings.Contains(strings.ToLower(a.Text), strings.ToLower(f)) {
			return fmt.Sprintf("CONFIDENTLY WRONG: lacks %q: %s", f, got)
		}
	}
	return ""
}
