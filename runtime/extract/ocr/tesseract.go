package ocr

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// segmentation is Tesseract's mode 6, one block of text: it keeps the rows of
// tables together. The layout finds columns and tables itself.
const segmentation = "6"

const (
	maxOutput    = 32 << 20 // bytes of one page's words
	leastCertain = 0.01     // recognition is never certain to be wrong; and zero would read as "not recognised"
)

// run runs Tesseract with a picture on its standard input; nil = none.
func (r *Reader) run(ctx context.Context, picture io.Reader, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, r.opt.Command, args...)
	cmd.Stdin = picture
	// One thread: pages are read beside each other, and threads of one page cost
	// twice the CPU. Nothing else of our environment is its business.
	cmd.Env = []string{"OMP_THREAD_LIMIT=1", "LC_ALL=C.UTF-8"}
	if r.opt.DataDir != "" {
		cmd.Env = append(cmd.Env, "TESSDATA_PREFIX="+r.opt.DataDir)
	}
	out, problems := &capped{}, &capped{}
	cmd.Stdout, cmd.Stderr = out, problems
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		line, _, _ := strings.Cut(strings.TrimSpace(problems.String()), "\n")
		return nil, fmt.Errorf("run tesseract: %w: %s", err, line)
	}
	return out.Bytes(), nil
}

// capped keeps as much output as is admitted, and then refuses more.
type capped struct{ bytes.Buffer }

func (c *capped) Write(p []byte) (int, error) {
	if c.Len()+len(p) > maxOutput {
		return 0, errors.New("more output than a page can hold")
	}
	return c.Buffer.Write(p)
}

func (r *Reader) flags(dpi float64, mode string) []string {
	return []string{"stdin", "stdout", "-l", strings.Join(r.opt.Languages, "+"), "--dpi", strconv.Itoa(int(dpi)), "--psm", mode}
}

// words recognises a picture.
func (r *Reader) words(ctx context.Context, g *image.Gray, dpi float64) ([]Word, error) {
	out, err := r.run(ctx, encode(g), append(r.flags(dpi, segmentation), "tsv")...)
	if err != nil {
		return nil, err
	}
	lines, err := parse(string(out), 72/dpi)
	if err != nil {
		return nil, err
	}
	return measure(lines), nil
}

// encode serves a picture as PGM: nothing to compress, read by all, and its pixels
// are where they are. Pictures have no gaps between their rows here.
func encode(g *image.Gray) io.Reader {
	size := g.Rect.Size()
	head := fmt.Sprintf("P5\n%d %d\n255\n", size.X, size.Y)
	return io.MultiReader(strings.NewReader(head), bytes.NewReader(g.Pix[:size.X*size.Y]))
}

// Columns of Tesseract's table of words.
const (
	colLevel, colBlock, colParagraph, colLine = 0, 2, 3, 4
	colLeft, colTop, colWidth, colHeight      = 6, 7, 8, 9
	colConfidence, colText, columns           = 10, 11, 12
	levelWord                                 = "5"
)

// parse reads words, line by line as Tesseract groups them; scale turns pixels into points.
func parse(tsv string, scale float64) ([][]Word, error) {
	var out [][]Word
	last := ""
	for row := range strings.Lines(tsv) {
		f := strings.SplitN(strings.TrimRight(row, "\r\n"), "\t", columns)
		if len(f) < columns || f[colLevel] != levelWord {
			continue
		}
		text := strings.TrimSpace(f[colText])
		var v [5]float64
		for i, k := range [...]int{colLeft, colTop, colWidth, colHeight, colConfidence} {
			n, err := strconv.ParseFloat(f[k], 64)
			if err != nil {
				return nil, fmt.Errorf("read tesseract's words: %w", err)
			}
			v[i] = n
		}
		if text == "" || v[2] <= 0 || v[3] <= 0 {
			continue
		}
		w := Word{Text: text, Confidence: min(max(v[4]/100, leastCertain), 1)}
		w.Box = rag.Box{X0: v[0] * scale, Y0: v[1] * scale, X1: (v[0] + v[2]) * scale, Y1: (v[1] + v[3]) * scale}
		if line := strings.Join(f[colBlock:colLine+1], "."); line != last || len(out) == 0 {
			out, last = append(out, nil), line
		}
		out[len(out)-1] = append(out[len(out)-1], w)
	}
	return out, nil
}

var rotation = regexp.MustCompile(`(?m)^Rotate: (\d+)$`)

// orientation is how many quarter turns clockwise would set a picture upright.
// Whatever goes wrong here leaves the page as it lies: it has been read already.
func (r *Reader) orientation(ctx context.Context, g *image.Gray, dpi float64) int {
	out, err := r.run(ctx, encode(g), "stdin", "stdout", "--dpi", strconv.Itoa(int(dpi)), "--psm", "0")
	if err != nil {
		return 0
	}
	m := rotation.FindStringSubmatch(string(out))
	if m == nil {
		return 0
	}
	degrees, err := strconv.Atoi(m[1])
	if err != nil {
		return 0
	}
	return degrees / 90 % 4
}
