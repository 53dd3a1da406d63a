package cli

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/hardgate-dev/hardgate/runtime/extract/render"
	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Colours of what is drawn over a page.
var (
	lineColour    = [...]uint8{60, 120, 216}
	cellColour    = [...]uint8{50, 160, 80}
	tableColour   = [...]uint8{204, 0, 0}
	headingColour = [...]uint8{142, 36, 170}
)

func (x *extraction) openPictures(ctx context.Context) error {
	if err := os.MkdirAll(x.debug, 0o755); err != nil {
		return input(fmt.Errorf("--debug-png: %w", err))
	}
	var err error
	x.pictures, err = render.Open(ctx, render.Options{CacheDir: x.env.Runtime.CacheDir, CacheBytes: 1})
	return err
}

// draw writes a picture of each page of a file. What can't be drawn is told, and
// the file counts as failed; so is a file of which nothing is drawn, which is none.
func (x *extraction) draw(ctx context.Context, f inputFile, got outcome) {
	folder := filepath.Join(x.debug, filepath.FromSlash(path.Clean("/"+f.object.Key)))
	drawn := 0
	defer func() {
		if drawn == 0 {
			fmt.Fprintf(x.env.Err, "%s: --debug-png: no picture, only a PDF has pages to draw on\n", f.label)
		}
	}()
	for _, p := range got.doc.Pages {
		if p.Width == 0 { // a file without pages has nothing to draw on
			continue
		}
		drawn++
		if err := x.picture(ctx, folder, got, p.Number); err != nil {
			fmt.Fprintf(x.env.Err, "%s: draw page %d: %v\n", f.label, p.Number, err)
			x.failed++
			return
		}
	}
}

func (x *extraction) picture(ctx context.Context, folder string, got outcome, number int) error {
	read := func(context.Context) ([]byte, error) { return got.data, nil }
	img, err := x.pictures.Page(ctx, render.Request{Version: got.doc.SHA256, Read: read, Password: x.password, Page: number, Marks: marks(got.doc, number)})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	name := filepath.Join(folder, fmt.Sprintf("p%d.png", number))
	err = os.WriteFile(name, img.PNG, 0o644)
	if err != nil {
		_ = os.Remove(name) // half a picture is none; it may not be there
	}
	return err
}

// marks are the boxes of a page: lines below cells below tables, so that the
// larger structure is seen.
func marks(doc rag.Document, number int) []render.Mark {
	var lines, cells, outer []render.Mark
	for _, p := range doc.Pages {
		for _, l := range p.Lines {
			if p.Number == number {
				lines = append(lines, render.Mark{Box: l.Box, Colour: lineColour, Width: 1})
			}
		}
		for _, b := range p.Blocks {
			switch {
			case b.Heading != nil && p.Number == number:
				outer = append(outer, render.Mark{Box: b.Heading.Box, Colour: headingColour, Width: 2})
			case b.Table != nil:
				part, box := rows(b.Table, number)
				cells = append(cells, part...)
				if len(part) > 0 {
					outer = append(outer, render.Mark{Box: box, Colour: tableColour, Width: 2})
				}
			}
		}
	}
	return append(append(lines, cells...), outer...)
}

// rows are the cells of a table that stand on a page, and the box around them.
func rows(t *rag.Table, number int) (cells []render.Mark, box rag.Box) {
	for _, r := range t.Rows {
		if r.Page != number {
			continue
		}
		box = box.Union(r.Box)
		for _, c := range r.Cells {
			if !c.Box.IsZero() {
				cells = append(cells, render.Mark{Box: c.Box, Colour: cellColour, Width: 1})
			}
		}
	}
	return cells, box
}
