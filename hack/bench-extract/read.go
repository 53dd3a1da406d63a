package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/hardgate-dev/hardgate/runtime/extract"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// reading is what one reader found in one file.
type reading struct {
	File   string   `json:"file"`
	Pages  []string `json:"pages"`
	Tables []table  `json:"tables"`
	CPU    float64  `json:"cpu"` // seconds
	Error  string   `json:"error,omitempty"`
}

// table is a grid of cells; nil is covered by its neighbour on the left.
type table struct {
	Page  int         `json:"page"`
	Rows  [][]*string `json:"rows"`
	Below [][]int     `json:"below,omitempty"` // how many rows further down a cell goes
}

// readAll reads each path on in with the extractor and writes a JSON line for it.
func readAll(ctx context.Context, cache string, limits bool, in io.Reader, out io.Writer) error {
	engine, err := extract.Open(ctx, extract.Options{CacheDir: cache, Instances: 1})
	if err != nil {
		return err
	}
	l := extract.Limits{Timeout: 10 * time.Minute}
	if limits {
		l = extract.Limits{}
	}
	x := extract.New(engine, l)
	enc := json.NewEncoder(out)
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if err := enc.Encode(readOne(ctx, x, strings.TrimSpace(lines.Text()))); err != nil {
			return err
		}
	}
	return errors.Join(lines.Err(), engine.Close())
}

func readOne(ctx context.Context, x *extract.Extractor, path string) reading {
	r := reading{File: path}
	start := cpuSeconds()
	defer func() { r.CPU = cpuSeconds() - start }()
	data, err := os.ReadFile(path)
	if err == nil {
		var d rag.Document
		if d, err = x.Apply(ctx, extract.File{Data: data}); err == nil {
			r.fill(d)
			return r
		}
	}
	r.Error = err.Error()
	return r
}

func (r *reading) fill(d rag.Document) {
	for _, p := range d.Pages {
		for len(r.Pages) < p.Number { // a page that could not be read has no text
			r.Pages = append(r.Pages, "")
		}
		var b strings.Builder
		for _, l := range p.Lines {
			b.WriteString(l.Text + "\n")
		}
		r.Pages[p.Number-1] = b.String()
		for _, block := range p.Blocks {
			if block.Table != nil {
				r.Tables = append(r.Tables, newTable(block.Table))
			}
		}
	}
}

func newTable(t *rag.Table) table {
	out := table{Page: t.Page}
	for r, row := range t.Rows {
		cells, below := make([]*string, len(row.Cells)), make([]int, len(row.Cells))
		for k := range row.Cells {
			c := &row.Cells[k]
			switch {
			case k > 0 && c.Text == "" && c.Box == row.Cells[k-1].Box:
				continue // spanned
			case r > 0 && covers(t, r-1, k, r):
				cells[k] = new(string) // said once, in the row where it starts
			default:
				cells[k], below[k] = &c.Text, rowsBelow(t, r, k)
			}
		}
		out.Rows, out.Below = append(out.Rows, cells), append(out.Below, below)
	}
	return out
}

// rowsBelow counts the rows a cell covers below its own.
func rowsBelow(t *rag.Table, r, k int) int {
	n := 0
	for r+n+1 < len(t.Rows) && covers(t, r, k, r+n+1) {
		n++
	}
	return n
}

// covers reports whether a cell goes on in a row below: its box reaches that
// row, which has no cell of its own there or repeats this one. On a further page
// a label comes again in a cell over several rows.
func covers(t *rag.Table, r, k, below int) bool {
	row := t.Rows[below]
	if k >= len(row.Cells) || k >= len(t.Rows[r].Cells) {
		return false
	}
	c, d := t.Rows[r].Cells[k], row.Cells[k]
	if row.Page != t.Rows[r].Page {
		return d.Text != "" && d.Text == c.Text && (tall(c, t.Rows[r]) || tall(d, row))
	}
	repeats := d == c || d.Text == "" && d.Box == rag.Box{}
	return repeats && c.Box.Y1 > (row.Box.Y0+row.Box.Y1)/2
}

// tall reports whether a cell covers more than its row.
func tall(c rag.Cell, r rag.Row) bool { return c.Box.Y1-c.Box.Y0 > 1.5*(r.Box.Y1-r.Box.Y0) }
