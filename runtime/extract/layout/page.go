package layout

import (
	"sort"

	"github.com/hardgate-dev/hardgate/runtime/rag"
)

// Page is a sheet whose glyphs are cleaned and turned into the reading frame,
// ready to be analysed.
type Page struct {
	Number int // in the document, from 1
	Frame  Frame
	Counts Counts
	Body   float64 // size in which most of the page is set
	// Structured says that the file tags what stands on the page, Titles how large the
	// largest heading on it is that the tags name, 0 for none.
	Structured bool
	Titles     float64

	gs          glyphs
	stops       []float64 // x at which the columns' entries begin
	tagged      []Tagged
	gathered    gathered
	rulings     []Ruling
	fills       []rag.Box
	margined    bool // top and bottom are known
	top, bottom []marginal
	running     []bool // glyphs of running headers and footers
}

// Prepare cleans the sheet of a page, whose glyphs it takes over.
func Prepare(number int, s Sheet) *Page {
	gs, counts := clean(s.Glyphs)
	gs = compose(gs)
	p := &Page{Number: number, Counts: counts, Frame: Frame{Turn: gs.prevailing(), Width: s.Width, Height: s.Height}}
	turn := p.Frame.Turn
	p.gs = p.Frame.glyphs(gs)
	for i := range p.gs {
		if g := &p.gs[i]; g.Turn >= Rightward && g.Turn <= Downward {
			g.Turn = (g.Turn - turn + 4) % 4
		}
	}
	stacked(p.gs)
	p.gathered.gs = p.gs
	p.stops = enter(p.gs)
	typewritten(p.gs)
	p.tagged, p.Structured = s.Tagged, s.Structured
	for i := range p.gs {
		if g := &p.gs[i]; g.Level > 0 && g.Size > p.Titles && !g.blank() {
			p.Titles = g.Size
		}
	}
	p.rulings = p.Frame.rulings(onPage(s.Rulings, s.Width, s.Height))
	for _, b := range s.Fills {
		p.fills = append(p.fills, p.Frame.Read(b))
	}
	p.Body = p.gs.bodySize()
	p.running = make([]bool, len(p.gs))
	return p
}

// Glyphs is how many glyphs the page holds.
func (p *Page) Glyphs() int { return len(p.gs) }

// Sizes adds the page's visible glyphs to a count by size, to half a point.
func (p *Page) Sizes(count map[float64]int) {
	p.gs.sizes(count)
}

// Analysis is what was found on a page, in its frame.
type Analysis struct {
	Pieces  []Piece // reading order
	Running []Line  // running headers and footers, not among the pieces
	Crowded bool    // too many rulings: no grid was looked for
}

// Analyse finds the page's tables and puts them and the remaining lines in reading order.
func (p *Page) Analyse() Analysis {
	rulings, ink := p.typed()
	taken := append([]bool(nil), p.running...)
	for i := range ink {
		taken[i] = taken[i] || ink[i]
	}
	w, h := p.Frame.Size()
	f := &finder{gs: p.gs, gathered: &p.gathered, stops: p.stops, taken: taken, tagged: p.tagged, rulings: append(rulings, p.rulings...), fills: p.fills, width: w, height: h, em: p.Body}
	tables := f.find()
	p.giveBack(tables, ink, taken)
	a := Analysis{Crowded: f.crowded}
	var rest, running []int
	for i := range p.gs {
		switch {
		case p.running[i]:
			running = append(running, i)
		case !taken[i]:
			rest = append(rest, i)
		}
	}
	a.Running = p.gs.allLines(running)
	var lines, others []Line
	for _, l := range p.gathered.all(rest) {
		if l.Turn == Rightward {
			lines = append(lines, l)
		} else {
			others = append(others, l)
		}
	}
	a.Pieces = order(lines, tables)
	for i := range others {
		a.Pieces = append(a.Pieces, Piece{Line: &others[i]})
	}
	sort.SliceStable(a.Running, func(i, j int) bool { return a.Running[i].Base < a.Running[j].Base })
	return a
}

// giveBack gives the glyphs that draw rulings to the tables in which they lie, as
// part of their print; the others are text again.
func (p *Page) giveBack(tables []*Table, ink, taken []bool) {
	inside := map[*Table]bool{}
	for i := range ink {
		if !ink[i] || p.running[i] {
			continue
		}
		x, y := core(&p.gs[i])
		taken[i] = false
		for _, t := range tables {
			if b := t.Box; x >= b.X0-p.Body && x <= b.X1+p.Body && y >= b.Y0-p.Body && y <= b.Y1+p.Body {
				taken[i] = true
				t.glyphs = append(t.glyphs, i)
				inside[t] = true
				break
			}
		}
	}
	for t := range inside {
		t.lines = p.gs.allLines(t.glyphs)
	}
}

// onPage cuts rulings to the page: a damaged file may draw them across the galaxy.
func onPage(in []Ruling, width, height float64) []Ruling {
	out := make([]Ruling, 0, len(in))
	for _, r := range in {
		across, along := height, width
		if r.Vertical {
			across, along = width, height
		}
		r.From, r.To = max(r.From, -offPage), min(r.To, along+offPage)
		if r.At >= -offPage && r.At <= across+offPage && r.From < r.To { // false for no number
			out = append(out, r)
		}
	}
	return out
}

// offPage is how far, in points, a ruling may reach over the page's edge.
const offPage = 20
